import { Bits } from './bits.ts';
import type { Region, RegionBlock } from './region.ts';

/**
 * Which of the items held in locals (variables, or steps of locations) must be loaded, kept and written back where.
 * Items live in memory between regions; inside a region they live in locals from the first use on.
 */
export interface ItemFlow {
  /** Needed at the block's entry, so in its local there. */
  readonly liveIn: readonly Bits[];
  /** Changed in its local since it was last written back, on some path to the block's entry. */
  readonly dirtyIn: readonly Bits[];
  /** Changed on some path to the block's end. */
  readonly dirtyOut: readonly Bits[];
}

/** What one block does to the items. */
export interface BlockItems {
  readonly uses: Bits;
  readonly writes: Bits;
}

/**
 * `carried` items stay in locals across calls and exits (parameters and results of regions), so a call neither needs
 * them in memory nor invalidates them.
 */
export function itemFlow(
  region: Region,
  items: readonly BlockItems[],
  capacity: number,
  carried: Bits,
  /** Nothing that was written is dead, whatever becomes of it. */
  keepsAll: boolean,
): ItemFlow {
  const { blocks } = region;
  const empty = () => new Bits(capacity);
  const dirtyIn = blocks.map(empty);
  const dirtyOut = blocks.map(empty);
  const liveIn = blocks.map(empty);
  const clobbers = blocks.map(
    ({ lifted: { terminator } }) => terminator.kind === 'call' || terminator.kind === 'service',
  );
  // The sets only grow, so one of them is enough to compute each block's in.
  const next = new Bits(capacity);
  for (let changed = true; changed; ) {
    changed = false;
    for (let b = 0; b < blocks.length; b++) {
      const { predecessors } = blocks[b];
      for (let i = 0; i < predecessors.length; i++)
        if (!clobbers[predecessors[i]]) dirtyIn[b].union(dirtyOut[predecessors[i]]);
      next.assign(dirtyIn[b]);
      next.union(items[b].writes);
      next.subtract(carried);
      if (dirtyOut[b].union(next)) changed = true;
    }
  }

  for (let changed = true; changed; ) {
    changed = false;
    for (let b = blocks.length - 1; b >= 0; b--) {
      const { successors } = blocks[b];
      next.clear();
      if (clobbers[b] || mayLeave(blocks[b])) next.union(dirtyOut[b]);
      if (!clobbers[b])
        for (let i = 0; i < successors.length; i++) {
          const edge = successors[i];
          next.union(edge.kind === 'block' ? liveIn[edge.index] : dirtyOut[b]);
        }
      next.subtract(items[b].writes);
      next.union(items[b].uses);
      if (keepsAll) next.union(dirtyIn[b]);
      next.subtract(carried);
      if (liveIn[b].union(next)) changed = true;
    }
  }
  return { liveIn, dirtyIn, dirtyOut };
}

/** Apart from the edges that exit. */
function mayLeave({ targets, successors, lifted: { terminator } }: RegionBlock): boolean {
  if (targets !== undefined) return true;
  return terminator.kind === 'indirect-jump'
    ? successors.length === 0
    : terminator.kind !== 'jump' && terminator.kind !== 'branch';
}
