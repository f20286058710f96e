import type { Address } from '../base/brand.ts';

/** The raw record of one run of one program: facts that the emulator counted, before any name or source line. */
export interface Observation {
  readonly modules: readonly ObservedModule[];
  readonly isa: string;
  readonly exit: GuestExit;
  /** Depth 0: the run itself; its `entry` is the address of the first instruction executed. */
  readonly run: CallRecord;
  /** One per function that was a context, in order of its first call. */
  readonly functions: readonly FunctionRecord[];
  readonly chains: readonly ChainRecord[];
}

export type GuestExit =
  | { readonly kind: 'exit'; readonly status: number }
  | { readonly kind: 'signal'; readonly signal: number; readonly address?: number };

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
