import type { Address } from '../base/brand.ts';
import type { IsaLevel } from '../base/isa-level.ts';

/** The raw record of one run of one program: facts that the emulator counted, before any name or source line. */
export interface Observation {
  readonly modules: readonly ObservedModule[];
  readonly isa: string;
  readonly exit: GuestExit;
  /** Depth 0: the run itself; its `entry` is the address of the first instruction executed. */
  readonly run: CallRecord;
  /** In order of creation, where there are several. The calls that they were started for are calls of the run. */
  readonly threads?: readonly ThreadRecord[];
  /**
   * Every program that was measured, one in each process after each execve, in the order in which they ended; absent where
   * `run` is the only one. Of the first process's programs `run`, the functions and the chains are those of the last.
   */
  readonly processes?: readonly ProgramRecord[];
  /** What other programs of `processes` loaded, each once, in order of their ends. */
  readonly otherModules?: readonly ObservedModule[];
  /** Processes that were run for what they do only; absent where there were none. */
  readonly unmeasured?: { readonly processes: number; readonly instructions: number };
  /** One per function that was a context, in order of its first call. */
  readonly functions: readonly FunctionRecord[];
  readonly chains: readonly ChainRecord[];
  /** What was executed how often, where that was asked for and the run did not die by a signal. */
  readonly executions?: Executions;
  /** An instruction that the shown level does not have, of the highest level that was executed. */
  readonly beyondLevel?: { readonly mnemonic: string; readonly address: number; readonly level: IsaLevel };
}

export interface ProgramRecord {
  /** The process's number, and that of its parent when the program ended. */
  readonly process: number;
  readonly parent: number;
  /** As the command, or execve, named it. */
  readonly program: string;
  /** I: those of its process while it was this program. */
  readonly instructions: number;
  /**
   * The last cycle in which one of them was executed. A forked process goes on from its parent's cycles; a program that
   * execve has started begins at cycle 0.
   */
  readonly cycles: number;
}

/**
 * Exact counts of the whole run, below 2^53. Addresses are the guest's. Where a program wrote or loaded other code over
 * code that it had executed, they are of what was there last.
 */
export interface Executions {
  /** In the order of addresses: instructions in a row, each of which was executed so often. They overlap only where
   * control went into the middle of an instruction, too (glibc jumps over lock prefixes so). */
  readonly ranges: readonly ExecutedRange[];
  /** Conditional branches, in the order of addresses. */
  readonly branches: readonly ExecutedBranch[];
  /** Indirect jumps (no calls, no returns), in the order of addresses. */
  readonly jumps: readonly ExecutedJump[];
  /** Executions of instructions that others have replaced, so that all of `ranges` and these make I. */
  readonly replaced: number;
}

export interface ExecutedRange {
  readonly start: Address;
  /** After the last instruction. */
  readonly end: Address;
  readonly instructions: number;
  readonly executions: number;
}

export interface ExecutedBranch {
  readonly address: Address;
  readonly executions: number;
  readonly taken: number;
}

export interface ExecutedJump {
  readonly address: Address;
  /** In the order of addresses. */
  readonly targets: readonly { readonly address: Address; readonly executions: number }[];
}

export type GuestExit =
  | { readonly kind: 'exit'; readonly status: number }
  | {
      readonly kind: 'signal';
      readonly signal: number;
      readonly address?: number;
      /** Bytes of the first thread's stack, where that was full. */
      readonly fullStack?: number;
    };

/** A file that was mapped executable: a guest address is `offset + base` of exactly one of these. */
export interface ObservedModule {
  /** Guest path: what the command or the dynamic linker opened. */
  readonly path: string;
  /** Added to the file's own virtual addresses. */
  readonly base: number;
  /** Mapped range, end exclusive. */
  readonly start: number;
  readonly end: number;
  /** SHA-256 of the whole file, and of its loaded segments without the build id note. Lower-case hex. */
  readonly sha256: string;
  readonly loadedSha256: string;
}

/** One measured call (rule 9). Counts include the calls below it. */
export interface CallRecord {
  readonly entry: Address;
  readonly depth: number;
  /** I: retired instructions (rule 2). */
  readonly instructions: number;
  /** C: the call's longest dependence chain in ideal-machine cycles (rules 5 and 6). */
  readonly cycles: number;
  /** In program order; at most CALLS_PER_PARENT of them. */
  readonly calls: readonly CallRecord[];
  /** Calls beyond the limit, summed per callee in order of first appearance. */
  readonly rest: readonly {
    readonly entry: Address;
    readonly calls: number;
    readonly instructions: number;
    readonly cycles: number;
  }[];
}

/** One thread of the run: in it other threads' instructions count nothing and cost nothing (rule 9). */
export interface ThreadRecord {
  /** The function that it was started for, where that can be told. */
  readonly entry?: Address;
  readonly instructions: number;
  /** Absent where there are too many threads to measure each. */
  readonly cycles?: number;
}

export const CALLS_PER_PARENT = 1000;

/** Sums over a function's outermost calls (rule 9). */
export interface FunctionRecord {
  readonly entry: Address;
  readonly calls: number;
  readonly instructions: number;
  readonly cycles: number;
  /** The call with the largest C, the earliest on a tie. */
  readonly longest: { readonly index: number; readonly instructions: number; readonly cycles: number };
}

/** The canonical longest chain (rule 10) of the run or of one call. */
export interface ChainRecord {
  /** Absent for the run. */
  readonly entry?: Address;
  /** Which of the function's outermost calls, from 0. */
  readonly callIndex: number;
  readonly length: number;
  /** Distinct instructions in order of first occurrence along the chain; counts sum to `length`. */
  readonly links: readonly { readonly address: Address; readonly count: number }[];
}
