import { orderFlow } from './order.ts';
import type { Region, RegionBlock } from './region.ts';

/** Roots that are tried. */
const MOST_ROOTS = 16;

/**
 * Where a region that is not reducible would better begin: it is, from there on. Undefined for one that is, and where no such place
 * is found.
 *
 * A region begins with the block that was entered often first. In the middle of a loop that is entered elsewhere (compilers jump to a
 * loop's condition at its end) it makes two ways into the loop of one: its own beginning, and the usual one from the loop around it.
 * Then all of it is one loop around a table of blocks, between which everything goes through memory (structure.ts).
 */
export function betterRoot({ blocks, usesFpu }: Region): number | undefined {
  // Blocks that use x87 are valid for one top of its stack, which an address alone does not tell.
  if (usesFpu || orderFlow(blocks).reducible) return undefined;
  const near = nearest(blocks, 0);
  const roots = near.filter((index) => index > 0 && isPlace(blocks[index])).slice(0, MOST_ROOTS);
  const root = roots.find((index) => orderFlow(from(blocks, index)).reducible);
  return root === undefined ? undefined : blocks[root].lifted.address;
}

/** Where several ways lead, as to the head of a loop. */
const isPlace = ({ predecessors, targets, gate }: RegionBlock): boolean =>
  predecessors.length > 1 && targets === undefined && gate === undefined;

const following = ({ successors }: RegionBlock): number[] =>
  successors.flatMap((edge) => (edge.kind === 'block' ? [edge.index] : []));

/** Blocks that can be reached, the nearest ones first. */
function nearest(blocks: readonly RegionBlock[], root: number): readonly number[] {
  const found = new Set([root]);
  for (const index of found) for (const next of following(blocks[index])) found.add(next);
  return [...found];
}

/** The blocks that can be reached from one of them, in reverse postorder. */
function from(blocks: readonly RegionBlock[], root: number): readonly RegionBlock[] {
  const order: number[] = [];
  const seen = new Set([root]);
  const stack = [{ pending: following(blocks[root]), index: root }];
  while (stack.length > 0) {
    const { pending, index } = stack[stack.length - 1];
    const next = pending.pop();
    if (next === undefined) {
      order.push(index);
      stack.pop();
    } else if (!seen.has(next)) {
      seen.add(next);
      stack.push({ pending: following(blocks[next]), index: next });
    }
  }
  order.reverse();
  const places = new Map(order.map((index, place) => [index, place]));
  return order.map((old, index) => ({
    ...blocks[old],
    index,
    predecessors: blocks[old].predecessors.flatMap((p) => places.get(p) ?? []),
  }));
}
