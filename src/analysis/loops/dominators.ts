/**
 * A graph as this folder's algorithms take it: nodes are numbers from 0 on. Nothing here recurses: a generated function can
 * have a hundred thousand blocks in a row.
 */
export type Successors = readonly (readonly number[])[];

/** A depth-first order from node 0, extended to what cannot be reached from there. */
export interface Order {
  /** Nodes in preorder. */
  readonly preorder: Int32Array;
  /** Position of each node in it. */
  readonly number: Int32Array;
  /** Parent in the tree; -1 for roots. */
  readonly parent: Int32Array;
  /** Largest preorder number below each node, so that "is an ancestor of" is two comparisons. */
  readonly last: Int32Array;
  readonly postorder: Int32Array;
}

/**
 * Roots are node 0, then whatever nothing leads to, then, of cycles that nothing leads into, the lowest: landing pads of
 * exceptions and targets of indirect jumps are reached in ways that the code does not show.
 */
export function depthFirst(successors: Successors): Order {
  const count = successors.length;
  const order: MutableOrder = {
    preorder: new Int32Array(count),
    number: new Int32Array(count).fill(-1),
    parent: new Int32Array(count).fill(-1),
    last: new Int32Array(count),
    postorder: new Int32Array(count),
    visited: 0,
    left: 0,
    next: new Int32Array(count),
  };
  const hasPredecessor = new Uint8Array(count);
  for (const list of successors) for (const to of list) hasPredecessor[to] = 1;
  if (count > 0) visitFrom(0, successors, order);
  for (let node = 0; node < count; node++)
    if (order.number[node] < 0 && hasPredecessor[node] === 0) visitFrom(node, successors, order);
  for (let node = 0; node < count; node++) if (order.number[node] < 0) visitFrom(node, successors, order);
  return order;
}

interface MutableOrder extends Order {
  visited: number;
  left: number;
  /** Next successor of each node to look at. */
  readonly next: Int32Array;
}

function visitFrom(root: number, successors: Successors, order: MutableOrder): void {
  const { preorder, number, parent, last, postorder, next } = order;
  const enter = (node: number): void => {
    number[node] = order.visited;
    preorder[order.visited++] = node;
  };
  enter(root);
  let node = root;
  for (;;) {
    const list = successors[node];
    if (next[node] < list.length) {
      const to = list[next[node]++];
      if (number[to] < 0) {
        parent[to] = node;
        enter(to);
        node = to;
      }
      continue;
    }
    last[node] = order.visited - 1;
    postorder[order.left++] = node;
    if (parent[node] < 0) return;
    node = parent[node];
  }
}

/**
 * Immediate dominators, -1 for roots and for what several roots lead to (Lengauer and Tarjan, TOPLAS 1979, the simple
 * version with path compression: O(m log n) whatever the graph looks like).
 */
export function dominatorsOf(
  predecessors: Successors,
  { preorder, number, parent }: Pick<Order, 'preorder' | 'number' | 'parent'>,
): Int32Array {
  const count = preorder.length;
  // In preorder numbers from 1 on; 0 is a root above all roots.
  const semi = Int32Array.from({ length: count + 1 }, (_, v) => v);
  const label = Int32Array.from(semi);
  const ancestor = new Int32Array(count + 1).fill(-1);
  const above = new Int32Array(count + 1);
  const dominator = new Int32Array(count + 1);
  const bucket: (number[] | undefined)[] = new Array(count + 1);
  const path: number[] = [];
  for (let v = 1; v <= count; v++) {
    const from = parent[preorder[v - 1]];
    above[v] = from < 0 ? 0 : number[from] + 1;
  }
  /** The node with the least semidominator on the path from v up to, but without, the root of its linked tree. */
  const evaluate = (v: number): number => {
    if (ancestor[v] < 0) return v;
    path.length = 0;
    let u = v;
    while (ancestor[ancestor[u]] >= 0) {
      path.push(u);
      u = ancestor[u];
    }
    while (path.length > 0) {
      const w = path.pop()!;
      if (semi[label[ancestor[w]]] < semi[label[w]]) label[w] = label[ancestor[w]];
      ancestor[w] = ancestor[u];
    }
    return label[v];
  };
  for (let w = count; w >= 1; w--) {
    const node = preorder[w - 1];
    if (parent[node] < 0) semi[w] = 0;
    for (const from of predecessors[node]) {
      const u = evaluate(number[from] + 1);
      if (semi[u] < semi[w]) semi[w] = semi[u];
    }
    const waiting = bucket[semi[w]] ?? [];
    bucket[semi[w]] = waiting;
    waiting.push(w);
    const p = above[w];
    ancestor[w] = p;
    for (const v of bucket[p] ?? []) {
      const u = evaluate(v);
      dominator[v] = semi[u] < semi[v] ? u : p;
    }
    bucket[p] = undefined;
  }
  const result = new Int32Array(count).fill(-1);
  for (let w = 1; w <= count; w++) {
    if (dominator[w] !== semi[w]) dominator[w] = dominator[dominator[w]];
    if (dominator[w] > 0) result[preorder[w - 1]] = preorder[dominator[w] - 1];
  }
  return result;
}

/** Whether one node dominates another, in constant time: intervals of a walk through the dominator tree. */
export function dominance(immediate: Int32Array): (a: number, b: number) => boolean {
  const tree: number[][] = Array.from(immediate, () => []);
  const roots: number[] = [];
  immediate.forEach((above, node) => {
    if (above < 0) roots.push(node);
    else tree[above].push(node);
  });
  // One root above all, so that the walk is one.
  const { number, last } = depthFirst([
    roots.map((root) => root + 1),
    ...tree.map((list) => list.map((v) => v + 1)),
  ]);
  return (a, b) => number[a + 1] <= number[b + 1] && number[b + 1] <= last[a + 1];
}
