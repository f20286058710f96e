import type { Address } from '../base/brand.ts';
import type { Executions } from './observation.ts';

/**
 * A part of a run that several threads execute together, between where they are forked and where they are joined; the same
 * one each time that it is forked in the same place of the run's structure. The first is the run itself, outside of all
 * others.
 */
export interface RegionRecord {
  /** Index of the region that it is forked in; absent for the run. */
  readonly parent?: number;
  /** Processor of the thread that forks it, and goes on behind it. */
  readonly forker: number;
  /** What its threads execute, where one function is forked (OpenMP); absent where threads are started one by one. */
  readonly entry?: Address;
  /** Of the part of a region that begins behind a barrier: where that returns to. Each part is a region of its own. */
  readonly behind?: Address;
  /** How often it was forked. */
  readonly times: number;
  /** Processors of those who entered `entry`; without it, who executed something. Ascending. */
  readonly team: readonly number[];
}

/** What one thread executed in one region, without the regions that are forked in it. */
export interface ThreadShare {
  /** Index of the region, and of the thread in order of creation. */
  readonly region: number;
  readonly thread: number;
  /** The lowest number that no other thread had when it was started: one has it after the other. */
  readonly processor: number;
  readonly executions: Executions;
}

/** Who executed what: the executions of a run, divided. */
export interface ThreadShares {
  readonly regions: readonly RegionRecord[];
  readonly shares: readonly ThreadShare[];
}

export type ForkFunction =
  /** Forks a team: the whole region is one call of it. `argument`: which of its arguments is the function that the team executes. */
  | { readonly kind: 'fork'; readonly address: Address; readonly argument: number }
  /** Waits for all threads of the region. */
  | { readonly kind: 'barrier'; readonly address: Address };
