import type { ChainDiff, ChainGrowth, Diff, LineShare } from '../diff/diff.ts';
import type { ChainLink } from '../profile/profile.ts';
import type { Limit, Metric } from './limits.ts';

/**
 * - `unchanged`: the same binary with the same numbers.
 * - `passed`: within the limits. `improved`: that, and the run needs fewer instructions or cycles.
 * - `regression`: a limit is passed.
 * - `environment-changed`: the numbers cannot be held against the change (see judge.ts).
 */
export type Outcome = 'unchanged' | 'passed' | 'improved' | 'regression' | 'environment-changed';

export interface Verdict {
  readonly outcome: Outcome;
  /** Limits that were passed; for the run first, then by function in the head's order. */
  readonly findings: readonly Finding[];
  readonly notes: readonly Note[];
  readonly diff: Diff;
}

export interface Finding {
  readonly metric: Metric;
  /** Absent for the whole run. The head's name. */
  readonly function?: string;
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
    };

/** What a reader must know beside the numbers. */
export type Note =
  /** The fingerprint differs in the parts listed in the diff. `comparable`: false when the numbers mean different things. */
  | { readonly kind: 'environment'; readonly comparable: boolean }
  /** The binary is the same but the numbers are not: input, arguments or environment variables changed. */
  | { readonly kind: 'same-binary-other-counts' }
  /** The target's command line is not the one of the baseline. */
  | { readonly kind: 'command-changed' }
  /** The configuration names functions that were not called, so that nothing guards them. */
  | { readonly kind: 'functions-not-called'; readonly names: readonly string[] };
