import type { Edge, RegionBlock } from './region.ts';

/** A block on its way into the order. */
export interface BlockNode<N> {
  /** Exits, and the nodes that it leads to. */
  readonly successors: readonly (N | Extract<Edge, { kind: 'exit' }>)[];
  /** Its place in the order, once that is known. */
  index: number;
}

/** What a block is apart from where it is. */
export type BlockContent = Omit<RegionBlock, 'index' | 'successors' | 'predecessors'>;

/** The blocks that can be reached from the root, in reverse postorder. */
export function orderedBlocks<N extends BlockNode<N>>(
  root: N,
  contentOf: (node: N) => BlockContent,
): readonly RegionBlock[] {
  const order = inReversePostorder(root);
  const predecessors: number[][] = order.map(() => []);
  return order.map((node, index): RegionBlock => {
    const successors = node.successors.map((to): Edge => {
      if ('kind' in to) return to;
      predecessors[to.index].push(index);
      return { kind: 'block', index: to.index };
    });
    return { ...contentOf(node), index, successors, predecessors: predecessors[index] };
  });
}

function inReversePostorder<N extends BlockNode<N>>(root: N): readonly N[] {
  const order: N[] = [];
  const seen = new Set([root]);
  const stack = [{ node: root, next: 0 }];
  while (stack.length > 0) {
    const open = stack[stack.length - 1];
    if (open.next === open.node.successors.length) {
      order.push(open.node);
      stack.pop();
      continue;
    }
    const child = open.node.successors[open.next++];
    if ('kind' in child || seen.has(child)) continue;
    seen.add(child);
    stack.push({ node: child, next: 0 });
  }
  order.reverse();
  for (let i = 0; i < order.length; i++) order[i].index = i;
  return order;
}
