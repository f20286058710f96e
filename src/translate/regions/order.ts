import type { RegionBlock } from './region.ts';

/** Dominators and loops of a region, for structured control flow. */
export interface FlowOrder {
  /** Immediate dominator by block index; the entry's is itself. */
  readonly dominators: Int32Array;
  /** Blocks with a back edge into them. */
  readonly isLoopHeader: Uint8Array;
  /** Blocks with two or more forward edges into them, or one from a table of targets, which needs a label to jump to. */
  readonly isMerge: Uint8Array;
  /** Every back edge leads to a dominator: the region can be written with blocks and loops alone. */
  readonly reducible: boolean;
  /** Blocks in each one's dominator tree, itself included. */
  readonly sizes: Int32Array;
  /** Children in the dominator tree, ascending. */
  readonly children: readonly (readonly number[])[];
}

/** Cooper, Harvey, Kennedy, "A Simple, Fast Dominance Algorithm" (2001). Blocks are in reverse postorder. */
export function orderFlow(blocks: readonly RegionBlock[]): FlowOrder {
  const count = blocks.length;
  const dominators = new Int32Array(count).fill(-1);
  dominators[0] = 0;
  for (let changed = true; changed; ) {
    changed = false;
    for (let b = 1; b < count; b++) {
      let common = -1;
      for (const p of blocks[b].predecessors) {
        if (dominators[p] < 0) continue;
        common = common < 0 ? p : intersect(dominators, p, common);
      }
      if (common >= 0 && dominators[b] !== common) {
        dominators[b] = common;
        changed = true;
      }
    }
  }
  const isLoopHeader = new Uint8Array(count);
  const isMerge = new Uint8Array(count);
  const children: number[][] = blocks.map(() => []);
  let reducible = true;
  for (const block of blocks) {
    const b = block.index;
    if (b > 0) children[dominators[b]].push(b);
    let forward = b === 0 ? 1 : 0;
    for (const p of block.predecessors) {
      if (p < b) forward += isTable(blocks[p]) ? 2 : 1;
      else {
        isLoopHeader[b] = 1;
        if (!dominates(dominators, b, p)) reducible = false;
      }
    }
    if (forward > 1) isMerge[b] = 1;
  }
  const sizes = new Int32Array(count).fill(1);
  for (let b = count - 1; b > 0; b--) sizes[dominators[b]] += sizes[b];
  return { dominators, isLoopHeader, isMerge, reducible, sizes, children };
}

/** Whether what leads on from the block needs labels. */
const isTable = ({ targets, gate }: RegionBlock): boolean => targets !== undefined || gate !== undefined;

function intersect(dominators: Int32Array, a: number, b: number): number {
  let x = a;
  let y = b;
  while (x !== y) {
    while (x > y) x = dominators[x];
    while (y > x) y = dominators[y];
  }
  return x;
}

function dominates(dominators: Int32Array, a: number, b: number): boolean {
  let x = b;
  while (x > a) x = dominators[x];
  return x === a;
}
