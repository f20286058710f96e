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
): ItemFlow {
  const blocks = region.blocks;
  const dirtyIn = blocks.map(() => new Bits(capacity));
  const dirtyOut = blocks.map(() => new Bits(capacity));
  const clobbers = blocks.map(
    ({ lifted: { terminator } }) => terminator.kind === 'call' || terminator.kind === 'service',
  );
  for (let changed = true; changed; ) {
    changed = false;
    for (const block of blocks) {
      const b = block.index;
      for (const p of block.predecessors) if (!clobbers[p]) dirtyIn[b].union(dirtyOut[p]);
      const out = dirtyIn[b].copy();
      out.union(items[b].writes);
      out.subtract(carried);
      changed = dirtyOut[b].union(out) || changed;
    }
  }

  const liveIn = blocks.map(() => new Bits(capacity));
  for (let changed = true; changed; ) {
    changed = false;
    for (let b = blocks.length - 1; b >= 0; b--) {
      const block = blocks[b];
      const live = new Bits(capacity);
      if (clobbers[b] || mayLeave(block)) live.union(dirtyOut[b]);
      if (!clobbers[b])
        for (const edge of block.successors)
          live.union(edge.kind === 'block' ? liveIn[edge.index] : dirtyOut[b]);
      live.subtract(items[b].writes);
      live.union(items[b].uses);
      live.subtract(carried);
      changed = liveIn[b].union(live) || changed;
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
