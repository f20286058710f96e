import type { EngineStatistics } from '../src/emulator/code/statistics.ts';
import type { Group } from './case.ts';
import type { Shares } from './shares.ts';
import { type Range, rangeOf } from './statistics.ts';
import type { Tool } from './tools.ts';

export interface Sample {
  readonly wall: number;
  readonly cpu: number;
  readonly memory: number;
}

/** What came of a case under a tool. */
export type Outcome =
  | { readonly kind: 'measured'; readonly samples: readonly Sample[] }
  | { readonly kind: 'failed'; readonly reason: string };

export interface Result {
  readonly group: Group;
  readonly name: string;
  /** By callgrind's count. */
  readonly instructions?: number;
  /** What the engine says of itself, where that was asked for. */
  readonly engine?: EngineStatistics;
  /** What its main thread does, where that was asked for. */
  readonly shares?: Shares;
  /** Tools that were not asked for, or are not installed, are absent. */
  readonly outcomes: Readonly<Partial<Record<Tool, Outcome>>>;
}

export function range(result: Result, tool: Tool, quantity: keyof Sample): Range | undefined {
  const outcome = result.outcomes[tool];
  if (outcome?.kind !== 'measured') return undefined;
  return rangeOf(outcome.samples.map((sample) => sample[quantity]));
}

/** Median of one over median of the other. */
export function ratio(
  result: Result,
  tool: Tool,
  to: Tool,
  quantity: keyof Sample = 'wall',
): number | undefined {
  const [upper, lower] = [range(result, tool, quantity), range(result, to, quantity)];
  return upper === undefined || lower === undefined ? undefined : upper.median / lower.median;
}
