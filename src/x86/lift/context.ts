import { type Instruction, MemorySizeExt, Mnemonic, OpKind, Register, RegisterExt } from 'iced-x86';
import type { BlockBuilder } from '../../ir/builder.ts';
import type { AccessSize, Fault, Node, Terminator, VarId } from '../../ir/node.ts';
import { OPS, type Type } from '../../ir/ops.ts';
import { FS_BASE, GPR, GS_BASE, RSP, XMM, YMM_HIGH } from '../state.ts';

/** MXCSR at a program's start: all exceptions masked, rounding to nearest, denormals kept. */
export const DEFAULT_MXCSR = 0x1f80;

/** What code does for floating-point exceptions: where a program has no use for it, that is spared. */
export interface Exceptions {
  /** Whether MXCSR's sticky bits are kept. */
  readonly keepsStatus: boolean;
  /** Whether exceptions of the x87 that are unmasked become pending, and faults of the next instruction that waits. */
  readonly signalsX87: boolean;
}

/** Operand sizes of the integer instructions, in bytes. */
export type Size = 1 | 2 | 4 | 8;

/** The accumulator of each operand size: what string instructions and cmpxchg use without naming it. */
export const ACCUMULATORS: Readonly<Record<Size, Register>> = {
  1: Register.AL,
  2: Register.AX,
  4: Register.EAX,
  8: Register.RAX,
};

/** What gives a register a value that need not come from the one before: code that changes stacks does so with these. */
const MOVES: ReadonlySet<Mnemonic> = new Set([Mnemonic.Mov, Mnemonic.Lea, Mnemonic.Xchg, Mnemonic.Pop]);

/** Flags that were set by comparing two values: as long as the variables hold these nodes, `jl` is `x < y`. */
export interface Comparison {
  readonly x: Node;
  readonly y: Node;
  readonly size: Size;
  readonly cf: Node;
  readonly of: Node;
  readonly zr: Node;
}

/**
 * What a row sees of the instruction it lifts: the builder and the decoded operands.
 *
 * Integer values: i64 nodes for 8-byte operands, i32 nodes for smaller ones. The bits of a 1- or 2-byte value above its
 * size are unspecified; `zeroExtend` and `signExtend` define them where they matter, so that chains of operations on
 * bytes need no masking in between.
 */
export class Lift {
  readonly b: BlockBuilder;
  /** x87 top of stack before the instruction (rows that push or pop change it), 0-7. */
  top: number;
  /** MXCSR's control bits, for which the block is lifted. */
  readonly mxcsr: number;
  readonly exceptions: Exceptions;
  /** The decoded instruction: iced reuses the object, so rows must not keep it. */
  instruction!: Instruction;
  /** Set by a row that ends the block. */
  terminator: Terminator | undefined;
  /** The last comparison of the block, for conditions that can be fused with it. */
  comparison: Comparison | undefined;

  private effective: Node | undefined;
  /** Rows ask for them again and again, and iced's answer is a call into WebAssembly. */
  private readonly operandKinds: (OpKind | undefined)[] = [
    undefined,
    undefined,
    undefined,
    undefined,
    undefined,
  ];

  constructor(b: BlockBuilder, top: number, mxcsr: number, exceptions: Exceptions) {
    this.b = b;
    this.top = top;
    this.mxcsr = mxcsr;
    this.exceptions = exceptions;
  }

  begin(instruction: Instruction, address: number): void {
    this.instruction = instruction;
    this.terminator = undefined;
    this.effective = undefined;
    this.operandKinds.fill(undefined);
    this.b.begin(address, instruction.length);
  }

  // --- operands

  private kind(operand: number): OpKind {
    let kind = this.operandKinds[operand];
    if (kind === undefined) {
      kind = this.instruction.opKind(operand);
      this.operandKinds[operand] = kind;
    }
    return kind;
  }

  isRegister(operand: number): boolean {
    return this.kind(operand) === OpKind.Register;
  }

  isSegment(operand: number): boolean {
    return this.isRegister(operand) && RegisterExt.isSegmentRegister(this.instruction.opRegister(operand));
  }

  isMemory(operand: number): boolean {
    return this.kind(operand) === OpKind.Memory;
  }

  /** Whether two operands are the same register: the condition of the zero idioms of rule 4. */
  sameRegister(x: number, y: number): boolean {
    const i = this.instruction;
    return this.isRegister(x) && this.isRegister(y) && i.opRegister(x) === i.opRegister(y);
  }

  /** Size in bytes of a register or memory operand; an immediate has the size of operand 0. */
  size(operand = 0): Size {
    if (this.isRegister(operand)) return registerSize(this.instruction.opRegister(operand)) as Size;
    if (this.isMemory(operand)) return this.memorySize() as Size;
    return this.size(0);
  }

  /** Size in bytes of the memory operand. */
  memorySize(): number {
    return memorySize(this.instruction.memorySize);
  }

  /** An immediate operand, sign-extended to 64 bits as its form says. */
  immediate(operand: number): bigint {
    return BigInt.asIntN(64, this.instruction.immediate(operand));
  }

  /** Reads an integer operand of any kind. */
  read(operand: number): Node {
    switch (this.kind(operand)) {
      case OpKind.Register:
        return this.readRegister(this.instruction.opRegister(operand));
      case OpKind.Memory: {
        const size = this.size(operand);
        return this.b.load(this.address(), size, typeOf(size));
      }
      default:
        return this.literal(operand, this.size());
    }
  }

  /** An immediate operand as a value of a size. */
  literal(operand: number, size: Size): Node {
    return this.constant(this.immediate(operand), size);
  }

  /** The address after the instruction. */
  next(): Node {
    return this.b.i64(this.b.nextAddress);
  }

  /** Writes an integer operand; the value has the operand's size. */
  write(operand: number, value: Node): void {
    if (this.isMemory(operand)) this.b.store(this.address(), this.size(operand), value);
    else this.writeRegister(this.instruction.opRegister(operand), value);
  }

  constant(value: bigint | number, size: Size): Node {
    return size === 8 ? this.b.i64(value) : this.b.i32(Number(BigInt.asIntN(32, BigInt(value))));
  }

  // --- general registers

  readRegister(register: Register): Node {
    const { variable, size, high } = generalRegister(register);
    const value = this.b.get(variable);
    if (size === 8) return value;
    return this.b.op('i32.wrap_i64', high ? this.b.op('i64.shr_u', value, this.b.i64(8)) : value);
  }

  writeRegister(register: Register, value: Node): void {
    const { variable } = generalRegister(register);
    const before = variable === RSP && MOVES.has(this.instruction.mnemonic) ? this.b.peek(RSP) : undefined;
    this.setGeneral(variable, this.withRegister(register, value), before);
  }

  /** Writes a register unless the condition holds; where it does, not even the upper half changes. */
  writeUnless(condition: Node, register: Register, value: Node): void {
    const { variable } = generalRegister(register);
    const old = this.b.get(variable);
    this.setGeneral(variable, this.b.op('select.i64', old, this.withRegister(register, value), condition));
  }

  /** Writes all 64 bits of a general register. `before`: see StackRise. */
  setGeneral(variable: VarId, value: Node, before?: Node): void {
    this.b.set(variable, value);
    if (variable === RSP) this.b.markStackRise(value, before);
  }

  /**
   * The whole register after a write to a part of it: 32-bit writes clear the upper half; 8- and 16-bit writes keep the
   * rest, which is a source (rule 4).
   */
  withRegister(register: Register, value: Node): Node {
    const { variable, size, high } = generalRegister(register);
    if (size === 8) return value;
    if (size === 4) return this.b.op('i64.extend_i32_u', value);
    return this.merge(this.b.get(variable), value, size, high);
  }

  private merge(old: Node, value: Node, size: Size, high: boolean): Node {
    const { b } = this;
    const field = size === 2 ? 0xffffn : high ? 0xff00n : 0xffn;
    const part = b.op('i64.extend_i32_u', this.zeroExtend(value, size));
    const placed = high ? b.op('i64.shl', part, b.i64(8)) : part;
    return b.op('i64.or', b.op('i64.and', old, b.i64(~field)), placed);
  }

  // --- memory

  /**
   * The effective address of the memory operand; the registers in it are sources. Absolute and rip-relative: constant.
   * Computed once per instruction, so that a row may write registers before memory.
   */
  address(): Node {
    this.effective ??= this.segmented();
    return this.effective;
  }

  private segmented(): Node {
    return this.inSegment(this.offset());
  }

  /** Adds the base of the memory operand's segment; only FS and GS have one. */
  inSegment(offset: Node): Node {
    const segment = this.instruction.memorySegment;
    if (segment !== Register.FS && segment !== Register.GS) return offset;
    return this.b.op('i64.add', this.b.get(segment === Register.FS ? FS_BASE : GS_BASE), offset);
  }

  /** The effective address without the segment's base: what lea computes. */
  offset(): Node {
    const { b, instruction: i } = this;
    if (i.isIpRelMemoryOperand) return b.i64(i.ipRelMemoryAddress);
    const base = i.memoryBase;
    const index = i.memoryIndex;
    let sum: Node | undefined;
    if (base !== Register.None) sum = b.get(generalRegister(base).variable);
    if (index !== Register.None) {
      const scaled = this.scaled(b.get(generalRegister(index).variable), i.memoryIndexScale);
      sum = sum === undefined ? scaled : b.op('i64.add', sum, scaled);
    }
    const displacement = i.memoryDisplacement;
    const address = sum === undefined ? b.i64(displacement) : b.op('i64.add', sum, b.i64(displacement));
    const narrow = registerSize(base === Register.None ? index : base) === 4;
    return narrow ? b.op('i64.and', address, b.i64(0xffff_ffffn)) : address;
  }

  private scaled(index: Node, scale: number): Node {
    return scale === 1 ? index : this.b.op('i64.shl', index, this.b.i64(Math.log2(scale)));
  }

  /** Reads the memory operand with a given size and node type (vector and x87 operands). */
  loadAs(size: AccessSize, type: Type): Node {
    return this.b.load(this.address(), size, type);
  }

  storeAs(size: AccessSize, value: Node): void {
    this.b.store(this.address(), size, value);
  }

  // --- vector registers

  /** The variable of the low half of a vector register operand. */
  xmm(operand: number): VarId {
    return XMM[this.vectorNumber(operand)];
  }

  /** The variable of its high half. */
  ymmHigh(operand: number): VarId {
    return YMM_HIGH[this.vectorNumber(operand)];
  }

  private vectorNumber(operand: number): number {
    const register = this.instruction.opRegister(operand);
    return register - (register >= Register.YMM0 ? Register.YMM0 : Register.XMM0);
  }

  /** The vector that is the index of the memory operand's address, in so many halves. */
  vectorIndex(halves: 1 | 2): readonly [Node] | readonly [Node, Node] {
    const number = RegisterExt.number(this.instruction.memoryIndex);
    const low = this.b.get(XMM[number]);
    return halves === 1 ? [low] : [low, this.b.get(YMM_HIGH[number])];
  }

  /** Whether an operand is 256 bits wide. */
  isWide(operand: number): boolean {
    return (this.size(operand) as number) === 32;
  }

  /** All 128 bits of a register operand, or 16 bytes of memory. */
  readXmm(operand: number): Node {
    return this.isMemory(operand) ? this.loadAs(16, 'v128') : this.b.get(this.xmm(operand));
  }

  writeXmm(operand: number, value: Node): void {
    if (this.isMemory(operand)) this.storeAs(16, value);
    else this.b.set(this.xmm(operand), value);
  }

  // --- width

  zeroExtend(value: Node, size: Size): Node {
    if (size >= 4 || this.isZeroExtended(value, size)) return value;
    return this.b.op('i32.and', value, this.b.i32(MASKS[size]));
  }

  signExtend(value: Node, size: Size): Node {
    return size >= 4 ? value : this.b.op(size === 1 ? 'i32.extend8_s' : 'i32.extend16_s', value);
  }

  /** Sign-extended to i64 from any size: what ZR and SR hold. */
  signExtend64(value: Node, size: Size): Node {
    return size === 8 ? value : this.b.op('i64.extend_i32_s', this.signExtend(value, size));
  }

  zeroExtend64(value: Node, size: Size): Node {
    return size === 8 ? value : this.b.op('i64.extend_i32_u', this.zeroExtend(value, size));
  }

  /** Loads are, comparisons are 0 or 1, and a mask may be there already. */
  private isZeroExtended(value: Node, size: Size): boolean {
    if (value.op === 'load') return this.b.loadSize(value) <= size;
    if (value.op === 'i32.and') {
      const mask = value.args[1];
      return mask.op === 'const' && (mask.imm as number) >= 0 && (mask.imm as number) <= MASKS[size];
    }
    return COMPARISONS.has(value.op);
  }

  // --- ends

  end(terminator: Terminator): void {
    this.terminator = terminator;
  }

  fault(fault: Fault): void {
    this.end({ kind: 'fault', fault });
  }

  /** This form of the instruction is not known to us; a name for the message where the mnemonic says too little. */
  unsupported(name = ''): void {
    this.end({ kind: 'unsupported', text: name });
  }
}

/** Sizes by iced's numbers: each is asked for once. */
const registerSize = remembered((register) => RegisterExt.size(register));
const memorySize = remembered((size) => MemorySizeExt.size(size));

function remembered(ask: (number: number) => number): (number: number) => number {
  const known: (number | undefined)[] = [];
  return (number) => {
    known[number] ??= ask(number);
    return known[number];
  };
}

const MASKS: Readonly<Record<Size, number>> = { 1: 0xff, 2: 0xffff, 4: -1, 8: -1 };
const COMPARISONS: ReadonlySet<string> = new Set(
  [...OPS.keys()].filter((op) => /^[if]\d\d\.(eqz?|ne|[lg][te](_[su])?)$/.test(op)),
);

/** The operation of a size: `sized('add', 8)` is i64.add, of smaller sizes i32.add. */
export function sized(name: string, size: Size): string {
  return (size === 8 ? WIDE : NARROW)[name];
}

/** Put together once: a new string would be hashed at each look-up. */
const WIDE = namesAfter('i64.');
const NARROW = namesAfter('i32.');

function namesAfter(prefix: string): Readonly<Record<string, string>> {
  const names = [...OPS.keys()].filter((op) => op.startsWith(prefix));
  return Object.fromEntries(names.map((op) => [op.slice(prefix.length), op]));
}

export function typeOf(size: Size): 'i32' | 'i64' {
  return size === 8 ? 'i64' : 'i32';
}

export interface GeneralRegister {
  readonly variable: VarId;
  readonly size: Size;
  /** Bits 8 to 15: ah, ch, dh, bh. */
  readonly high: boolean;
}

/** By iced's number: AL, CL, DL, BL, AH, CH, DH, BH, SPL, ... R15L, then AX ..., EAX ..., RAX ... in hardware order. */
export const GENERAL: readonly GeneralRegister[] = Array.from({ length: Register.R15 + 1 }, (_, register) => {
  if (register >= Register.RAX) return { variable: GPR[register - Register.RAX], size: 8, high: false };
  if (register >= Register.EAX) return { variable: GPR[register - Register.EAX], size: 4, high: false };
  if (register >= Register.AX) return { variable: GPR[register - Register.AX], size: 2, high: false };
  if (register >= Register.SPL) return { variable: GPR[register - Register.SPL + 4], size: 1, high: false };
  if (register >= Register.AH) return { variable: GPR[register - Register.AH], size: 1, high: true };
  return { variable: GPR[Math.max(0, register - Register.AL)], size: 1, high: false };
});

function generalRegister(register: Register): GeneralRegister {
  const found = GENERAL[register];
  if (found === undefined) throw new Error(`register ${register} of iced is not a general register`);
  return found;
}
