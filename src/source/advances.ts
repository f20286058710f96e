import { type Graph, iterationOf, type Node } from './graph.ts';
import { linearIn, numberIn, type Polynomial, sum, symbolsOf } from './polynomial.ts';
import type { Frame } from './state.ts';

/** How a variable changes from one iteration to the next. */
export type Advance =
  | { readonly kind: 'same' }
  | { readonly kind: 'step'; readonly by: Polynomial }
  | { readonly kind: 'value'; readonly index: Polynomial };

/** What a variable does in an iteration, from what it holds at its start and at its end. */
export function advanceOf(
  graph: Graph,
  start: Node,
  end: Node,
  id: number,
  isLater: boolean,
): Advance | undefined {
  if (start.id === end.id) return { kind: 'same' };
  const isOwn = (p: Polynomial): boolean =>
    [...symbolsOf(p)].every((name) => graph.loopOfSymbol(name) !== id);
  if (start.place !== undefined && end.place !== undefined && start.place.root === end.place.root) {
    const from = start.place.selectors.at(-1);
    const to = end.place.selectors.at(-1);
    if (from?.kind !== 'at' || to?.kind !== 'at') return undefined;
    const by = sum(to.index, from.index, -1);
    return by !== undefined && isOwn(by) ? { kind: 'step', by } : undefined;
  }
  if (start.class !== 'int' || start.index === undefined || end.index === undefined) return undefined;
  const by = sum(end.index, start.index, -1);
  if (by !== undefined && isOwn(by)) return { kind: 'step', by };
  // It takes over what advances, one iteration late.
  const t = iterationOf(id);
  const parts = isLater ? linearIn(end.index, t) : undefined;
  if (parts === undefined || !isOwn(parts.rest) || !isOwn(parts.slope)) return undefined;
  const index = sum(end.index, parts.slope, -1);
  return index === undefined ? undefined : { kind: 'value', index };
}

/** How often the condition holds, where both its sides are known: `i0 + s t` against a number. */
export function tripsOf(graph: Graph, { id, roots }: Frame): number | undefined {
  const test = roots.find(({ control }) => control);
  const node = test === undefined ? undefined : graph.nodes[test.node];
  if (node?.op !== 'compare' || node.inputs.length !== 2) return undefined;
  const [left, right] = node.inputs.map((each) => graph.nodes[each].index);
  const difference = left && right && sum(left, right, -1);
  const parts = difference && linearIn(difference, iterationOf(id));
  const rest = parts && numberIn(parts.rest);
  const slope = parts && numberIn(parts.slope);
  if (rest === undefined || slope === undefined || slope === 0) return undefined;
  const op = node.name;
  // Holds as long as rest + slope t is on its side of 0.
  const until = -rest / slope;
  const inclusive = op === '<=' || op === '>=';
  const grows = slope > 0;
  if (
    (grows && op !== '<' && op !== '<=' && op !== '!=') ||
    (!grows && op !== '>' && op !== '>=' && op !== '!=')
  )
    return undefined;
  const trips = inclusive ? Math.floor(until) + 1 : Math.ceil(until);
  return trips < 0 ? 0 : trips;
}
