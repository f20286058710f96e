import { type Classified, classify, type Operation } from './instructions.ts';
import type { Pair } from './listing.ts';

/** What K-MACSTAT reports of a stretch of code (figure 25). */
export interface Statistics {
  /** FPU/IPU and CEU/XIU instructions except no-operations. */
  readonly left: number;
  readonly right: number;
  /** Pairs, no-operations included. */
  readonly length: number;
  /** Additions and subtractions, multiplications and divisions, linked triads, other floating-point instructions. */
  readonly fa: number;
  readonly fm: number;
  readonly fma: number;
  readonly fmisc: number;
  /** Of floating-point registers. */
  readonly lfl: number;
  readonly sfl: number;
  /** Of all registers. */
  readonly loads: number;
  readonly stores: number;
  readonly branches: number;
  /** Subroutine calls: what they execute is not counted (appendix B.2). */
  readonly calls: number;
}

const NAMES = [
  'left',
  'right',
  'length',
  'fa',
  'fm',
  'fma',
  'fmisc',
  'lfl',
  'sfl',
  'loads',
  'stores',
  'branches',
  'calls',
] as const satisfies readonly (keyof Statistics)[];

export function combined(a: Statistics, b: Statistics, sign: 1 | -1): Statistics {
  const sum = { ...a };
  for (const name of NAMES) (sum as Record<string, number>)[name] += sign * b[name];
  return sum;
}

/** Operations of a floating-point kind: a triad is two (equation 4.1). */
export const operationsOf = ({ fa, fm, fma, fmisc }: Statistics): number => fa + fm + 2 * fma + fmisc;

export interface Decoded {
  readonly left: Operation;
  readonly right: Operation;
}

/** The operations of a listing, with sums from its beginning, so that every stretch is a difference. */
export interface Counted {
  readonly operations: readonly Decoded[];
  /** Names that are not known, in alphabetical order; each counts as one operation of its column. */
  readonly unknown: readonly string[];
  /** Of the pairs from `begin` to before `end`. */
  between(begin: number, end: number): Statistics;
}

export function countPairs(pairs: readonly Pair[]): Counted {
  const unknown = new Set<string>();
  const operations = pairs.map((pair): Decoded => {
    const one = (side: 'left' | 'right'): Operation => {
      const { operation, known }: Classified = classify(side, pair[side]);
      if (!known) unknown.add(pair[side].mnemonic);
      return operation;
    };
    return { left: one('left'), right: one('right') };
  });
  const sums = new Int32Array((pairs.length + 1) * NAMES.length);
  operations.forEach((pair, i) => {
    const one = statisticsOf(pair);
    NAMES.forEach((name, k) => {
      sums[(i + 1) * NAMES.length + k] = sums[i * NAMES.length + k] + one[name];
    });
  });
  return {
    operations,
    unknown: [...unknown].sort(),
    between: (begin, end) =>
      Object.fromEntries(
        NAMES.map((name, k) => [name, sums[end * NAMES.length + k] - sums[begin * NAMES.length + k]]),
      ) as unknown as Statistics,
  };
}

function statisticsOf({ left, right }: Decoded): Statistics {
  const is = (side: Operation, kind: Operation['kind']): number => (side.kind === kind ? 1 : 0);
  const memory = right.kind === 'load' || right.kind === 'store';
  const floating = memory && right.floatingPoint ? 1 : 0;
  return {
    left: 1 - is(left, 'nop'),
    right: 1 - is(right, 'nop'),
    length: 1,
    fa: is(left, 'add'),
    fm: is(left, 'multiply'),
    fma: is(left, 'triad'),
    fmisc: is(left, 'misc'),
    lfl: is(right, 'load') * floating,
    sfl: is(right, 'store') * floating,
    loads: is(right, 'load'),
    stores: is(right, 'store'),
    branches: is(right, 'branch'),
    calls: is(right, 'call'),
  };
}
