import type { MachineCounts } from './counts.ts';

/** What a forward branch inside an innermost loop jumps over, by address (figures 7 and 9). */
export interface LoopArea {
  /** The branch. */
  readonly branch: number;
  /** Where it goes: the end of the area. */
  readonly target: number;
  /** Starts of the blocks that it jumps over, ascending. */
  readonly blocks: readonly number[];
  /** To be subtracted where the branch is taken. */
  readonly counts: MachineCounts;
  /** Positions of the areas that it intersects without the one being within the other. */
  readonly intersects: readonly number[];
}

/** A block as far as areas need it. */
export interface AreaBlock {
  readonly start: number;
  readonly end: number;
  /** Its last instruction, where that directs control. */
  readonly exit: { readonly address: number; readonly targets: readonly number[] } | undefined;
  readonly counts: MachineCounts;
}

/** Ascending by branch. `add` sums counts. Blocks are those of the loop, ascending. */
export function areasOf(
  blocks: readonly AreaBlock[],
  add: (counts: readonly MachineCounts[]) => MachineCounts,
): readonly LoopArea[] {
  const inLoop = new Set(blocks.map(({ start }) => start));
  const areas = blocks.flatMap(({ end, exit }) => {
    if (exit === undefined) return [];
    return exit.targets.flatMap((target) => {
      if (target <= end || !inLoop.has(target)) return [];
      const over = blocks.filter(({ start }) => start >= end && start < target);
      return over.length === 0 ? [] : [{ branch: exit.address, from: end, target, over }];
    });
  });
  return areas.slice(0, MOST_AREAS).map(({ branch, from, target, over }, _, all) => ({
    branch,
    target,
    blocks: over.map(({ start }) => start),
    counts: add(over.map(({ counts }) => counts)),
    intersects: all.flatMap((other, i) => {
      const [first, second] = from <= other.from ? [{ from, target }, other] : [other, { from, target }];
      const cross = first.from < second.from && second.from < first.target && first.target < second.target;
      return cross ? [i] : [];
    }),
  }));
}

/** An interpreter's loop has thousands; nobody reads so many. */
const MOST_AREAS = 256;
