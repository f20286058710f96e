import type { ChainDiff, ChainGrowth, Diff, LineShare, LoopPair } from '../diff/diff.ts';
import type { LoopProfile } from '../profile/loops.ts';
import type { ChainLink } from '../profile/profile.ts';
import type { BoundMetric, CountMetric, Limit } from './limits.ts';

/**
 * - `unchanged`: the same binary with the same numbers.
 * - `passed`: within the limits. `improved`: that, and the run needs fewer instructions or cycles.
 * - `regression`: a limit is passed.
 * - `environment-changed`: the numbers cannot be held against the change (see judge.ts).
 */
export type Outcome = 'unchanged' | 'passed' | 'improved' | 'regression' | 'environment-changed';

export interface Verdict {
  readonly outcome: Outcome;
  /** Limits that were passed; for the run first, then by function in the head's order, then those on bounds in the same way. */
  readonly findings: readonly Finding[];
  readonly notes: readonly Note[];
  readonly diff: Diff;
}

export type Finding = CountFinding | BoundFinding;

export interface CountFinding extends Exceeded {
  readonly metric: CountMetric;
}

export interface BoundFinding extends Exceeded {
  readonly metric: BoundMetric;
  /** Whose MAC or MACS it is; absent for a run-time bound. */
  readonly loop?: LoopPair;
}

interface Exceeded {
  /** Absent for the whole run. The head's name. */
  readonly function?: string;
  /** Of the function, or of the loop where there is one. */
  readonly file?: string;
  readonly line?: number;
  readonly base: number;
  readonly head: number;
  readonly delta: number;
  readonly limit: Limit;
  readonly cause?: Cause;
}

/** What explains a finding, as far as the profiles tell. */
export type Cause =
  /** C, ILP: the longest chain grew, most of all by this line and instruction. */
  | { readonly kind: 'chain'; readonly chain: ChainDiff; readonly growth: ChainGrowth }
  /** C, ILP: the base has no chain to compare with; this line and instruction hold most of the head's. */
  | {
      readonly kind: 'new-chain';
      readonly chain: ChainDiff;
      readonly line: LineShare;
      readonly link?: ChainLink;
    }
  /** I, ILP: the instructions were added in this function, reached along the path (callers first, it last). */
  | {
      readonly kind: 'function';
      readonly path: readonly string[];
      readonly delta: number;
      readonly file?: string;
      readonly line?: number;
    }
  /** A bound: this loop's bounds or iterations grew; its diff says what came with it. */
  | { readonly kind: 'loop'; readonly pair: LoopPair }
  /** A run-time bound: this loop was not there before. */
  | { readonly kind: 'new-loop'; readonly loop: LoopProfile };

/** What a reader must know beside the numbers. */
export type Note =
  /** The fingerprint differs in the parts listed in the diff. `comparable`: false when the numbers mean different things. */
  | { readonly kind: 'environment'; readonly comparable: boolean }
  /** The binary is the same but the numbers are not: input, arguments or environment variables changed. */
  | { readonly kind: 'same-binary-other-counts' }
  /** The target's command line is not the one of the baseline. */
  | { readonly kind: 'command-changed' }
  /** One side has no bounds, or the bounds are for different machines: they are shown and not compared. */
  | { readonly kind: 'bounds-not-compared'; readonly because: 'no-base' | 'no-head' | 'other-machine' }
  /** The configuration names functions that were not called, so that nothing guards them. */
  | { readonly kind: 'functions-not-called'; readonly names: readonly string[] };
