import type { LoopProfile, ParallelBounds } from '../profile/loops.ts';
import { plural, printCpl, printMetric, printShare } from './numbers.ts';
import { placeOfLoop } from './view.ts';

/** A region, or a loop that several threads execute. */
export interface LoadRow {
  readonly name: string;
  /** Of a loop; empty for a region. */
  readonly place: string;
  readonly threads: number;
  readonly balanced: number;
  readonly runTime: number;
  readonly imbalance: number;
  /** Of a region: what each of the team has of all that they do themselves. */
  readonly shares: readonly number[];
}

export const LOAD_HEADER = ['', 'threads', 'balanced', 'actual', 'imbalance', 'shares'] as const;

/** One sentence and the figures of the whole run. */
export function parallelTitle(bounds: ParallelBounds): string {
  const { threads, runTime, balanced, imbalance, utilisation, speedUp, waiting } = bounds;
  const cycles = (value: number): string => printMetric('run-time-bound', value);
  const waits = waiting > 0 ? `; waiting loops: ${cycles(waiting)} cycles, left out` : '';
  return `On ${plural(threads, 'processor')}: ${cycles(runTime)} cycles, balanced ${cycles(balanced)}, load imbalance ${printCpl(imbalance)}, utilisation ${printShare(utilisation)}, speed-up ${printCpl(speedUp)}${waits}.`;
}

/** Regions first, then loops. */
export function loadRows(
  { regions, loops }: ParallelBounds,
  all: readonly LoopProfile[],
): readonly LoadRow[] {
  const byAddress = new Map(all.map((loop) => [loop.address, loop]));
  return [
    ...regions.map((region): LoadRow => {
      const work = region.threads.reduce((sum, { runTime }) => sum + runTime, 0);
      return {
        ...region,
        name: `${region.function ?? 'started threads'}${region.part === undefined ? '' : `, part ${region.part}`}`,
        place: '',
        threads: region.threads.length,
        shares: region.threads.map(({ runTime }) => (work === 0 ? 0 : runTime / work)),
      };
    }),
    ...loops.flatMap((each): LoadRow[] => {
      const loop = byAddress.get(each.address);
      return loop === undefined
        ? []
        : [{ ...each, name: loop.function, place: placeOfLoop(loop), shares: [] }];
    }),
  ];
}
