import { depthFirst, dominance, dominatorsOf, type Order, type Successors } from './dominators.ts';
import { predecessorsOf } from './graph.ts';

/** A loop of a graph: the blocks from which a back edge is reached without leaving the header's sight. */
export interface NaturalLoop {
  readonly header: number;
  /** Where the back edges come from, in ascending order. */
  readonly latches: readonly number[];
  /** In ascending order, without those of loops inside it: of an outer loop the residue. */
  readonly blocks: readonly number[];
  /** Index of the innermost loop around it. */
  readonly outer: number | undefined;
  /** 1 for a loop that is in no other. */
  readonly depth: number;
  readonly innermost: boolean;
}

/** A cycle that can be entered at several places, so that no header dominates it: not acceptable, as figure 7 has it. */
export interface IrreducibleLoop {
  /** Where the edge back goes. */
  readonly entry: number;
  readonly latch: number;
  /** What lies around the cycle, ascending. */
  readonly blocks: readonly number[];
  /** Index of the innermost natural loop around it. */
  readonly outer: number | undefined;
}

export interface Loops {
  /** Ascending by header. */
  readonly loops: readonly NaturalLoop[];
  readonly irreducible: readonly IrreducibleLoop[];
  /** Of each block the innermost loop that it is in. */
  readonly innermostOf: readonly (number | undefined)[];
  /** Of each block the immediate dominator; -1 where there is none. */
  readonly dominators: Int32Array;
}

type Nest = Pick<Loops, 'loops' | 'innermostOf'>;

/** All loops of a graph whose node 0 is the entry. */
export function loopsOf(all: Successors): Loops {
  const order = depthFirst(all);
  const successors = withinRegions(all, order);
  const predecessors = predecessorsOf(successors);
  const { number, last } = order;
  const dominators = dominatorsOf(predecessors, order);
  const dominates = dominance(dominators);
  const latches = new Map<number, number[]>();
  const odd: [latch: number, entry: number][] = [];
  successors.forEach((list, from) => {
    for (const to of list) {
      const isRetreating = number[to] <= number[from] && number[from] <= last[to];
      if (!isRetreating) continue;
      if (!dominates(to, from)) odd.push([from, to]);
      else if (latches.has(to)) latches.get(to)!.push(from);
      else latches.set(to, [from]);
    }
  });
  const found = nested(latches, predecessors, order.postorder, successors.length);
  return { ...found, irreducible: irreducibleOf(odd, successors, predecessors, found), dominators };
}

/**
 * Without the edges from code that the entry does not reach into code that it reaches: padding in front of a loop, what
 * follows a call that never comes back, handlers of exceptions. They would be second entries, and never are taken as such.
 */
export function withinRegions(successors: Successors, { number, parent, preorder }: Order): Successors {
  const region = new Int32Array(successors.length);
  let root = -1;
  for (const node of preorder) {
    if (parent[node] < 0) root = number[node];
    region[node] = root;
  }
  return successors.map((list, from) =>
    list.every((to) => region[to] === region[from]) ? list : list.filter((to) => region[to] === region[from]),
  );
}

/**
 * The blocks of each loop, inner loops first (their headers come first in postorder), so that a walk back from the latches
 * steps over a whole loop that was found before.
 */
function nested(
  latches: ReadonlyMap<number, number[]>,
  predecessors: Successors,
  postorder: Int32Array,
  count: number,
): Nest {
  const headers = [...postorder].filter((node) => latches.has(node));
  const outer: (number | undefined)[] = headers.map(() => undefined);
  const own: number[][] = headers.map(() => []);
  const innermost: (number | undefined)[] = new Array(count).fill(undefined);
  /** Of each loop one that lies further out, shortened as it is followed. */
  const outward: number[] = headers.map((_, loop) => loop);
  const outermost = (loop: number): number => {
    let top = loop;
    while (outward[top] !== top) top = outward[top];
    for (let at = loop; at !== top; ) {
      const next = outward[at];
      outward[at] = top;
      at = next;
    }
    return top;
  };
  headers.forEach((header, loop) => {
    const work = [...latches.get(header)!];
    while (work.length > 0) {
      const block = work.pop()!;
      const inner = innermost[block];
      if (inner === undefined) {
        innermost[block] = loop;
        own[loop].push(block);
        if (block !== header) for (const from of predecessors[block]) work.push(from);
        continue;
      }
      const top = outermost(inner);
      if (top === loop) continue;
      outer[top] = loop;
      outward[top] = loop;
      for (const from of predecessors[headers[top]]) work.push(from);
    }
  });
  return assembled(headers, latches, outer, own, innermost);
}

function assembled(
  headers: readonly number[],
  latches: ReadonlyMap<number, number[]>,
  outer: readonly (number | undefined)[],
  own: readonly (readonly number[])[],
  innermost: readonly (number | undefined)[],
): Nest {
  const depth: number[] = headers.map(() => 0);
  for (let loop = headers.length - 1; loop >= 0; loop--) {
    const around = outer[loop];
    depth[loop] = around === undefined ? 1 : depth[around] + 1;
  }
  const hasInner = new Set(outer);
  const sorted = headers.map((_, loop) => loop).sort((a, b) => headers[a] - headers[b]);
  const position = new Map(sorted.map((loop, at) => [loop, at]));
  const ascending = (list: readonly number[]): readonly number[] => [...list].sort((a, b) => a - b);
  return {
    loops: sorted.map((loop) => ({
      header: headers[loop],
      latches: ascending(latches.get(headers[loop])!),
      blocks: ascending(own[loop]),
      outer: outer[loop] === undefined ? undefined : position.get(outer[loop]!),
      depth: depth[loop],
      innermost: !hasInner.has(loop),
    })),
    innermostOf: innermost.map((loop) => (loop === undefined ? undefined : position.get(loop))),
  };
}

/** Steps in all that cycles with several entries may take to find: a made-up function could have any number of them. */
const MOST_STEPS = 2 ** 24;

/** Cycles beside the natural loops, each once however many edges lead back in it. */
function irreducibleOf(
  odd: readonly (readonly [latch: number, entry: number])[],
  successors: Successors,
  predecessors: Successors,
  found: Nest,
): readonly IrreducibleLoop[] {
  const { loops, innermostOf } = found;
  const taken = new Set<string>();
  const result: IrreducibleLoop[] = [];
  let steps = 0;
  for (const [latch, entry] of odd) {
    const outer = commonLoop(innermostOf[latch], innermostOf[entry], loops);
    if (taken.has(`${outer} ${latch}`) && taken.has(`${outer} ${entry}`)) continue;
    // The header of the loop around it is no part of the cycle: through it everything repeats.
    const isInside = (block: number): boolean =>
      outer === undefined || (block !== loops[outer].header && isWithin(block, outer, found));
    const search = (from: number, edges: Successors): Set<number> => {
      const seen = new Set([from]);
      const work = [from];
      while (work.length > 0 && steps < MOST_STEPS)
        for (const to of edges[work.pop()!]) {
          steps++;
          if (seen.has(to) || !isInside(to)) continue;
          seen.add(to);
          work.push(to);
        }
      return seen;
    };
    const backward = search(latch, predecessors);
    const around = [...search(entry, successors)].filter((block) => backward.has(block));
    for (const block of [...around, latch, entry]) taken.add(`${outer} ${block}`);
    result.push({ entry, latch, blocks: around.sort((a, b) => a - b), outer });
  }
  return result;
}

/** Whether a block is in a loop or in one inside it. */
function isWithin(block: number, loop: number, { loops, innermostOf }: Nest): boolean {
  for (let at = innermostOf[block]; at !== undefined; at = loops[at].outer) if (at === loop) return true;
  return false;
}

function commonLoop(
  a: number | undefined,
  b: number | undefined,
  loops: readonly NaturalLoop[],
): number | undefined {
  let [x, y] = [a, b];
  while (x !== y) {
    if (x === undefined || y === undefined) return undefined;
    if (loops[x].depth >= loops[y].depth) x = loops[x].outer;
    else y = loops[y].outer;
  }
  return x;
}
