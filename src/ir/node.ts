import type { Type } from './ops.ts';

/** Index of a state variable (a register, a flag, a control word): the ISA defines them (see x86/state.ts). */
export type VarId = number;

/**
 * A value computed once in a block. Nodes form a directed acyclic graph; equal nodes are the same object, so identity
 * is equality. What a node's `op` means is in ops.ts, besides:
 *   const   `imm` (number for i32, bigint for i64, 16 bytes as two bigints for v128, bit pattern for f32/f64)
 *   get     the variable `imm` at the block's entry
 *   load    the memory read by statement `imm`
 *   result  result `imm` of the helper call that is `args[0]`'s statement
 */
export interface Node {
  readonly id: number;
  readonly op: string;
  readonly type: Type;
  readonly args: readonly Node[];
  readonly imm: Immediate;
}

export type Immediate = number | bigint | readonly bigint[] | readonly number[] | undefined;

/** Makes nodes: what rewriting needs of a builder. */
export interface NodeFactory {
  op(op: string, ...args: Node[]): Node;
  /** With an immediate: a lane number or a shuffle pattern. */
  opImm(op: string, imm: Immediate, ...args: Node[]): Node;
  i32(value: number): Node;
  i64(value: bigint | number): Node;
}

/** Bytes of one memory access. One of 32 bytes has two values of 16. */
export type AccessSize = 1 | 2 | 4 | 8 | 16 | 32;

/** What happens in order: memory, helpers that may fault, guards. Everything else is a pure node. */
export type Statement =
  /** A read of `size` bytes, zero-extended to the node's type. */
  | {
      readonly kind: 'load';
      readonly address: Node;
      readonly size: AccessSize;
      readonly result: Node;
      /** Of 32 bytes: the upper 16. */
      readonly high: Node | undefined;
      /** Where it is 0 nothing is accessed, and the value is 0. */
      readonly when: Node | undefined;
      readonly instruction: number;
    }
  /** A write of the low `size` bytes of `value`. */
  | {
      readonly kind: 'store';
      readonly address: Node;
      readonly size: AccessSize;
      readonly value: Node;
      /** Of 32 bytes: the upper 16. */
      readonly high: Node | undefined;
      /** Where it is 0 nothing is accessed. */
      readonly when: Node | undefined;
      readonly instruction: number;
    }
  /** A pure function of integers too large to spell out in operations (see helpers in x86/). */
  | {
      readonly kind: 'helper';
      readonly name: string;
      readonly args: readonly Node[];
      readonly results: readonly Node[];
      readonly instruction: number;
    }
  /** Where `when` is not 0 the instruction faults unless `size` bytes may be written; nothing is accessed. */
  | {
      readonly kind: 'check';
      readonly address: Node;
      readonly size: AccessSize;
      readonly when: Node;
      readonly instruction: number;
    }
  /** The instruction faults when `condition` is not 0. */
  | { readonly kind: 'guard'; readonly condition: Node; readonly fault: Fault; readonly instruction: number };

export type Fault = 'divide-error' | 'invalid-opcode' | 'general-protection' | Trap | FloatFault;
/** Reported after the instruction: int3, int1, int 4. */
export type Trap = 'breakpoint' | 'debug' | 'overflow';

/** An exception of SSE or x87 arithmetic that the program has unmasked. */
export type FloatFault =
  | 'float-invalid'
  | 'float-divide-by-zero'
  | 'float-overflow'
  | 'float-underflow'
  | 'float-inexact';

export type Terminator =
  | { readonly kind: 'jump'; readonly target: number }
  | { readonly kind: 'branch'; readonly condition: Node; readonly taken: number; readonly next: number }
  | { readonly kind: 'indirect-jump'; readonly target: Node }
  | { readonly kind: 'call'; readonly target: number | Node; readonly next: number }
  | { readonly kind: 'return'; readonly target: Node }
  /**
   * The block's last instruction runs outside generated code, on the stored state: system calls, repeated string
   * instructions, CPUID and the like. It performs its own measurement.
   */
  | { readonly kind: 'service'; readonly service: string; readonly argument: number; readonly next: number }
  /** The block's last instruction cannot be executed: it faults, or we do not know it (`text` names it). */
  | { readonly kind: 'fault'; readonly fault: Fault }
  | { readonly kind: 'unsupported'; readonly text: string };

/** What one guest instruction depends on and produces (rule 4), read off its lifted form. */
export interface Instruction {
  readonly address: number;
  readonly length: number;
  /** Location numbers, ascending, without duplicates. */
  readonly sources: readonly number[];
  readonly destinations: readonly number[];
  /** Memory read and written; addresses are nodes of the block. */
  readonly loads: readonly Access[];
  readonly stores: readonly Access[];
}

export interface Access {
  readonly address: Node;
  readonly size: AccessSize;
  /** Where it is 0 nothing is accessed: masked-off bytes (rule 4). */
  readonly when: Node | undefined;
}

/** An instruction of a block, by index, that gives rsp another value than the one below. */
export interface StackRise {
  readonly instruction: number;
  readonly value: Node;
  /** rsp before, where it is set to what need not come from it: another stack's, perhaps. */
  readonly before: Node | undefined;
}

/** A straight run of guest instructions, lifted. */
export interface Block {
  readonly address: number;
  /** Address after the last instruction. */
  readonly end: number;
  readonly instructions: readonly Instruction[];
  readonly statements: readonly Statement[];
  /** New values of the variables that the block changes, at its end. */
  readonly assignments: ReadonlyMap<VarId, Node>;
  /** Variables whose value at entry the block uses. */
  readonly uses: ReadonlySet<VarId>;
  readonly terminator: Terminator;
  /** Helpers that statements call, or operations may (OpInfo.helper). */
  readonly helpers: ReadonlySet<string>;
  /** For each instruction whose new rsp may lie above its old one (rule 9, closing of contexts). */
  readonly stackRises: readonly StackRise[];
}
