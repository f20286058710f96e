import { Bits } from './bits.ts';
import type { Edge, Region, RegionBlock } from './region.ts';
import { clobbers, type Segments, staysInside } from './segments.ts';

/**
 * Which of the items held in locals (variables, or steps of locations) must be loaded, kept and written back where.
 * Items live in memory between segments (segments.ts); inside one they live in locals from the first use on.
 */
export interface ItemFlow {
  /** To be loaded before the block: at every way into it, or, where a loop is its segment, before the loop. */
  readonly loads: readonly Bits[];
  /** Needed in its local at the block's entry, later in the segment if not there. */
  readonly liveIn: readonly Bits[];
  /** Changed in its local since it was last written back, on some path to the block's entry. */
  readonly dirtyIn: readonly Bits[];
  /** Changed on some path to the block's end. */
  readonly dirtyOut: readonly Bits[];
  /** What an edge out of the block needs of what is dirty: in locals inside the segment, in memory elsewhere. */
  liveOn(block: RegionBlock, edge: Edge | undefined): Bits;
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
  segments: Segments,
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
  const wantedIn = keepsAll ? undefined : wantedItems(region, items, capacity);
  const crossing = empty();
  const liveOn = (block: RegionBlock, edge: Edge | undefined): Bits => {
    if (edge?.kind !== 'block' || clobbers(block)) return dirtyOut[block.index];
    if (staysInside(segments, block.index, edge.index)) return liveIn[edge.index];
    if (wantedIn === undefined) return dirtyOut[block.index];
    crossing.assign(dirtyOut[block.index]);
    crossing.intersect(wantedIn[edge.index]);
    return crossing;
  };
  // The sets only grow, so one of them is enough to compute each block's in.
  const next = new Bits(capacity);
  for (let changed = true; changed; ) {
    changed = false;
    for (let b = 0; b < blocks.length; b++) {
      const { predecessors } = blocks[b];
      for (let i = 0; i < predecessors.length; i++)
        if (staysInside(segments, predecessors[i], b)) dirtyIn[b].union(dirtyOut[predecessors[i]]);
      next.assign(dirtyIn[b]);
      next.union(items[b].writes);
      next.subtract(carried);
      if (dirtyOut[b].union(next)) changed = true;
    }
  }

  for (let changed = true; changed; ) {
    changed = false;
    for (let b = blocks.length - 1; b >= 0; b--) {
      const block = blocks[b];
      const { successors } = block;
      next.clear();
      if (clobbers(block) || mayLeave(block)) next.union(dirtyOut[b]);
      for (let i = 0; i < successors.length; i++) next.union(liveOn(block, successors[i]));
      next.subtract(items[b].writes);
      next.union(items[b].uses);
      if (keepsAll) next.union(dirtyIn[b]);
      next.subtract(carried);
      if (liveIn[b].union(next)) changed = true;
    }
  }
  const loads = loadedItems(region, segments, items, liveIn, carried);
  return { loads, liveIn, dirtyIn, dirtyOut, liveOn: (block, edge) => liveOn(block, edge).copy() };
}

/** Items that anybody may read, in this region or another, before they are written. */
function wantedItems({ blocks }: Region, items: readonly BlockItems[], capacity: number): readonly Bits[] {
  const all = Bits.of(
    capacity,
    Array.from({ length: capacity }, (_, item) => item),
  );
  const wanted = blocks.map(() => new Bits(capacity));
  const next = new Bits(capacity);
  for (let changed = true; changed; ) {
    changed = false;
    for (let b = blocks.length - 1; b >= 0; b--) {
      const block = blocks[b];
      next.clear();
      if (clobbers(block) || mayLeave(block)) next.assign(all);
      else for (const edge of block.successors) next.union(edge.kind === 'block' ? wanted[edge.index] : all);
      next.subtract(items[b].writes);
      next.union(items[b].uses);
      if (wanted[b].union(next)) changed = true;
    }
  }
  return wanted;
}

/** A loop's items are loaded before it; in a tree, each is where it is first used, however the tree was come down. */
function loadedItems(
  { blocks }: Region,
  { of, isInLoop }: Segments,
  items: readonly BlockItems[],
  liveIn: readonly Bits[],
  carried: Bits,
): readonly Bits[] {
  const present: Bits[] = [];
  return blocks.map(({ index, predecessors }) => {
    const isHead = of[index] === index;
    if (isInLoop[index] === 1) return isHead ? liveIn[index] : new Bits(0);
    const before = isHead ? carried : present[predecessors[0]];
    const loads = items[index].uses.copy();
    loads.subtract(before);
    present[index] = before.copy();
    present[index].union(items[index].uses);
    present[index].union(items[index].writes);
    return loads;
  });
}

/** Apart from the edges that exit. */
function mayLeave({ targets, successors, lifted: { terminator } }: RegionBlock): boolean {
  if (targets !== undefined) return true;
  return terminator.kind === 'indirect-jump'
    ? successors.length === 0
    : terminator.kind !== 'jump' && terminator.kind !== 'branch';
}
