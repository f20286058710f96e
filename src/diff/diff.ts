import type { LoopCause, LoopProfile, ParallelBounds, RunBounds } from '../profile/loops.ts';
import type { Chain, ChainLink, FunctionProfile, Totals } from '../profile/profile.ts';

/** What differs between two profiles, as facts. Whether that is acceptable is the gate's question. */
export interface Diff {
  readonly target?: string;
  /** 'same': program and every library are loaded with identical contents, whatever their build ids. */
  readonly binary: 'same' | 'different';
  /** 'same': every total and every function has the same numbers. */
  readonly counts: 'same' | 'different';
  readonly environment: readonly EnvironmentChange[];
  /** Present when the command line itself differs: the profiles then describe different runs. */
  readonly command?: { readonly base: readonly string[]; readonly head: readonly string[] };
  readonly total: Comparison<Totals>;
  /** In the head's order; those that vanished come last, in the base's order. */
  readonly functions: readonly FunctionDiff[];
  /** One per chain that the head has, in its order. */
  readonly chains: readonly ChainDiff[];
  /** The head's call graph: which functions are called by which, as far as calls were contexts. */
  readonly callees: readonly CalleeList[];
  /** Absent where neither profile has bounds. */
  readonly bounds?: BoundsDiff;
}

export interface BoundsDiff {
  /** Absent: that profile has no bounds. */
  readonly base?: RunBounds;
  readonly head?: RunBounds;
  /** Both have bounds, of one machine. */
  readonly comparable: boolean;
  /** Where they are compared and one of the runs has several threads. */
  readonly parallel?: ParallelDiff;
  /** In the head's order; those that vanished come last, in the base's order. */
  readonly loops: readonly LoopDiff[];
}

/** Absent on a side: it has more threads than parallel bounds are for. */
export interface ParallelDiff {
  readonly base?: ParallelFigures;
  readonly head?: ParallelFigures;
}

/** Of a run with one thread its run-time bound on one processor. */
export type ParallelFigures = Pick<ParallelBounds, 'threads' | 'runTime' | 'imbalance' | 'utilisation'>;

export type LoopDiff =
  | ({ readonly kind: 'changed' | 'unchanged' } & LoopPair)
  | { readonly kind: 'appeared'; readonly head: LoopProfile }
  | { readonly kind: 'vanished'; readonly base: LoopProfile }
  /** The base says nothing of it: it has no bounds, those of another machine, or left small loops out. */
  | { readonly kind: 'unpaired'; readonly head: LoopProfile };

export interface LoopPair extends Comparison<LoopProfile> {
  /** The bounds per iteration that differ. */
  readonly bounds: readonly BoundName[];
  /** What the causes say of it, the most expensive change first. */
  readonly causes: readonly CauseChange[];
}

export type BoundName = 'M' | 'MA' | 'MAC' | 'MACS';

export type CauseChange =
  | { readonly kind: 'came'; readonly base?: undefined; readonly head: LoopCause }
  | { readonly kind: 'went'; readonly base: LoopCause; readonly head?: undefined }
  /** By cycles, or where they are the same or not known by count. */
  | { readonly kind: 'grew' | 'shrank'; readonly base: LoopCause; readonly head: LoopCause };

export interface CalleeList {
  readonly caller: string;
  readonly callees: readonly string[];
}

interface Comparison<T> {
  readonly base: T;
  readonly head: T;
}

/** The parts of a fingerprint that a change of the program's own source does not touch. */
type EnvironmentPart = 'rules' | 'isa' | 'children' | 'tool' | 'compilers' | 'library';

export interface EnvironmentChange {
  readonly part: EnvironmentPart;
  /** Which library. */
  readonly name?: string;
  /** Absent: it was not there. */
  readonly base?: string;
  /** Absent: it is gone. */
  readonly head?: string;
}

export type FunctionDiff =
  | ({ readonly kind: 'changed' | 'unchanged' } & FunctionPair)
  | ({ readonly kind: 'renamed'; readonly because: RenameReason } & FunctionPair)
  | { readonly kind: 'appeared'; readonly head: FunctionProfile }
  | { readonly kind: 'vanished'; readonly base: FunctionProfile };

export type FunctionPair = Comparison<FunctionProfile>;

/** Why two names are taken for one function: see renames.ts. */
export type RenameReason = 'same-name-but-for-decoration' | 'same-counts' | 'same-place';

export interface ChainDiff {
  /** Absent for the run. The head's name. */
  readonly function?: string;
  /** Absent when the base has no chain for it. */
  readonly base?: Chain;
  readonly head: Chain;
  /** In order of first occurrence along the head's chain; lines that left the chain come last. */
  readonly lines: readonly ChainLineDiff[];
  /** What explains the growth of the length: the line that grew most and its link that grew most. Absent when it did not grow or there is no base. */
  readonly growth?: ChainGrowth;
}

export interface ChainLineDiff {
  readonly base?: LineShare;
  readonly head?: LineShare;
  /** Links of the chain that this line has more in the head than in the base. */
  readonly delta: number;
}

/** The links of a chain that come from one source line, or where no line is known one function, or one module's code without symbols. */
export interface LineShare {
  /** Base name. */
  readonly module: string;
  readonly file?: string;
  readonly line?: number;
  readonly function?: string;
  /** Without those that a baseline only counts: there may be none. */
  readonly links: readonly ChainLink[];
  readonly count: number;
  /** count / length of the chain. */
  readonly share: number;
}

export interface ChainGrowth {
  readonly line: LineShare;
  /** Absent where a baseline, compared as the head, only counts the line's links. */
  readonly link?: ChainLink;
  /** Of the line. */
  readonly baseCount: number;
  readonly headCount: number;
}
