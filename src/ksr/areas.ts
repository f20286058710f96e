import type { Branch } from './instructions.ts';
import type { Label, Pair } from './listing.ts';
import type { Counted, Statistics } from './statistics.ts';

/** What a forward branch skips when it is taken. */
export interface Area {
  readonly target: string;
  /** Of the branch, and of its label. */
  readonly branchLine: number;
  readonly targetLine: number;
  /** The pair of the branch, and those that it skips: from `begin` to before `end`. */
  readonly branch: number;
  readonly begin: number;
  readonly end: number;
  readonly conditional: boolean;
  readonly statistics: Statistics;
  /** Numbers, from 1, of earlier areas that this one crosses: it begins in them and ends behind them. */
  readonly crosses: readonly number[];
}

/** A branch to a label further down, from the pair `at`. */
export interface Forward {
  readonly at: number;
  readonly conditional: boolean;
  readonly quash: Branch['quash'];
  readonly label: Label;
}

interface Range {
  readonly begin: number;
  /** The pair that goes back. */
  readonly branch: number;
}

/** The forward branches of a listing, found by where they are and by where they go. */
export class ForwardBranches {
  readonly #byPlace: readonly Forward[];
  readonly #byTarget: readonly Forward[];

  /** In the order of the listing. */
  constructor(branches: readonly Forward[]) {
    this.#byPlace = branches;
    this.#byTarget = [...branches].sort((a, b) => a.label.pair - b.label.pair || a.at - b.at);
  }

  within(range: Range): readonly Forward[] {
    return this.#from(range).filter(({ label }) => label.pair <= range.branch);
  }

  leaving(range: Range): readonly Forward[] {
    return this.#from(range).filter(({ label }) => label.pair > range.branch);
  }

  /** From before the loop to behind its label. */
  entering({ begin, branch }: Range): readonly Forward[] {
    const target = ({ label }: Forward): number => label.pair;
    return slice(this.#byTarget, target, begin + 1, branch).filter(({ at }) => at < begin);
  }

  #from({ begin, branch }: Range): readonly Forward[] {
    return slice(this.#byPlace, ({ at }) => at, begin, branch);
  }
}

/** Delay slots that are executed where the branch does not abort them (A.6). */
const SLOTS = 2;
/** So many crossed areas are named; more are no help. */
const MOST_CROSSED = 100;

/**
 * What the forward branches of an innermost loop skip (A.6). One that is quashed when taken skips its delay slots too; the
 * others execute them, so that what they skip begins behind.
 */
export function areasOf(
  branches: readonly Forward[],
  pairs: readonly Pair[],
  counted: Counted,
): readonly Area[] {
  // Numbers of areas that are open, by where they end.
  const open: { readonly number: number; readonly end: number }[] = [];
  return branches.map(({ at, conditional, quash, label }, i) => {
    const end = label.pair;
    const begin = Math.min(at + 1 + (quash === 'true' ? 0 : SLOTS), end);
    const crosses = slice(open, (each) => each.end, at + 1, end - 1)
      .slice(0, MOST_CROSSED)
      .map(({ number }) => number)
      .sort((a, b) => a - b);
    open.splice(
      lowest(open, (each) => each.end, end + 1),
      0,
      { number: i + 1, end },
    );
    return {
      target: label.name,
      branchLine: pairs[at].line,
      targetLine: label.line,
      branch: at,
      begin,
      end,
      conditional,
      statistics: counted.between(begin, end),
      crosses,
    };
  });
}

/** Of what is sorted by `key`, the part with keys from `least` to `most`, both included. */
function slice<T>(items: readonly T[], key: (item: T) => number, least: number, most: number): readonly T[] {
  return items.slice(lowest(items, key, least), lowest(items, key, most + 1));
}

/** The first index whose key is at least `least`. */
function lowest<T>(items: readonly T[], key: (item: T) => number, least: number): number {
  let low = 0;
  let high = items.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (key(items[middle]) < least) low = middle + 1;
    else high = middle;
  }
  return low;
}
