import type { OperationCounts } from '../../profile/loops.ts';
import type { LoopDemand, Step } from '../../source/demand.ts';

/** How often an area of a loop's body happens in an iteration; 1 for all where no run has told. */
export type Weights = (area: number) => number;

export const EVERY_TIME: Weights = () => 1;

/** The essential operations of an iteration (section 3.2 of the paper). */
export interface EssentialCounts extends OperationCounts {
  /** Loads and stores of integers in a loop with floating point, such as of x[index[i]]. */
  readonly integerLoads?: number;
  readonly integerStores?: number;
}

/**
 * Counts as the paper has them (4.1): fa additions and subtractions, fm multiplications and divisions that no pair took,
 * fma pairs, fmisc all other: comparison, rounding, negation, square root, absolute value, minimum and maximum, conversion,
 * functions of the library. Integer operations count only where there is no floating point.
 */
export function essentialCounts(demand: LoopDemand, weigh: Weights = EVERY_TIME): EssentialCounts {
  const total = { fa: 0, fm: 0, fma: 0, fmisc: 0, integer: 0 };
  const fused = new Set(
    demand.steps.flatMap(({ fusedWith }) => (fusedWith === undefined ? [] : [fusedWith])),
  );
  demand.steps.forEach((step, i) => {
    if (!step.counts || fused.has(i)) return;
    total[kindOf(step)] += weigh(step.area);
  });
  const moved = { load: { float: 0, other: 0 }, store: { float: 0, other: 0 } };
  for (const { kind, class: cls, area } of demand.transfers)
    moved[kind][cls === 'float' ? 'float' : 'other'] += weigh(area);
  const { fa, fm, fma, fmisc, integer } = total;
  if (hasFloatingPoint(demand))
    return {
      ...{ fa, fm, fma, fmisc },
      loads: moved.load.float,
      stores: moved.store.float,
      ...(moved.load.other === 0 ? {} : { integerLoads: moved.load.other }),
      ...(moved.store.other === 0 ? {} : { integerStores: moved.store.other }),
    };
  return { fa, fm, fma, fmisc, loads: moved.load.other, stores: moved.store.other, integer };
}

/** Whether there is any in it, be it only moved. */
export function hasFloatingPoint({ steps, transfers }: LoopDemand): boolean {
  return (
    steps.some((step) => step.counts && (step.class === 'float' || step.class === 'complex')) ||
    transfers.some((each) => each.class === 'float')
  );
}

function kindOf(step: Step): 'fa' | 'fm' | 'fma' | 'fmisc' | 'integer' {
  if (step.class === 'complex') return 'fmisc';
  if (step.class !== 'float') return 'integer';
  switch (step.op) {
    case 'add':
    case 'sub':
      return step.fusedWith === undefined ? 'fa' : 'fma';
    case 'mul':
    case 'div':
      return 'fm';
    case 'fma':
      return 'fma';
    default:
      return 'fmisc';
  }
}
