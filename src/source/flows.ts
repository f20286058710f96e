import type { Flow, Step } from './demand.ts';
import type { Access, LoopFacts } from './facts.ts';
import type { Graph } from './graph.ts';
import { addressNodes, type Reach } from './reach.ts';
import type { Reference, Stream } from './streams.ts';

export function flowsOf(
  facts: LoopFacts,
  streams: readonly Stream[],
  indexOfNode: ReadonlyMap<number, number>,
  graph: Graph,
): Flow[] {
  const flows: Flow[] = [];
  const add = (from: number, to: number, distance: number, address = false): void => {
    const [source, target] = [indexOfNode.get(from), indexOfNode.get(to)];
    if (source !== undefined && target !== undefined && (distance > 0 || source !== target))
      flows.push({ from: source, to: target, distance, address });
  };
  for (const id of indexOfNode.keys()) {
    const node = graph.nodes[id];
    if (node.op !== 'load') for (const input of node.inputs) add(input, id, 0);
  }
  for (const { start, end } of facts.carried) add(end, start, 1);
  for (const stream of streams)
    for (const reference of stream.references) {
      if (reference.access.kind !== 'load') continue;
      for (const each of addressNodes(reference.access, graph)) add(each, reference.access.node, 0, true);
      for (const { node, distance } of writersOf(reference, stream, graph, facts))
        add(node, reference.access.node, distance);
    }
  return flows;
}

/** The stores whose value a load may take: the nearest that happens for sure, and those before it that may. */
function writersOf(
  load: Reference,
  stream: Stream,
  graph: Graph,
  facts: LoopFacts,
): readonly { readonly node: number; readonly distance: number }[] {
  const stores = stream.references
    .filter(({ access }) => access.kind === 'store')
    .map((store) => {
      const sooner =
        stream.invariant || stream.irregular ? (store.order < load.order ? 0 : 1) : store.ahead - load.ahead;
      return { store, distance: sooner };
    })
    .filter(({ store, distance }) =>
      distance > 0 ? !stream.irregular && !facts.independent : distance === 0 && store.order < load.order,
    )
    .sort((a, b) => a.distance - b.distance || b.store.order - a.store.order);
  const result: { node: number; distance: number }[] = [];
  for (const { store, distance } of stores) {
    result.push({ node: store.access.node, distance });
    if (
      store.access.area === facts.areas[0] ||
      (distance === 0 && graph.covers(store.access.area, load.access.area))
    )
      break;
  }
  return result;
}

/** Steps that wait for a value of an earlier iteration. */
function ofEarlierIterations(flows: readonly Flow[]): ReadonlySet<number> {
  const next = new Map<number, number[]>();
  for (const { from, to } of flows) {
    const list = next.get(from);
    if (list === undefined) next.set(from, [to]);
    else list.push(to);
  }
  const seen = new Set(flows.flatMap(({ to, distance }) => (distance > 0 ? [to] : [])));
  for (const each of seen) for (const to of next.get(each) ?? []) seen.add(to);
  return seen;
}

/** Joins of branches that only keep what a variable holds at last: no iteration asks for it. */
function lastValues(facts: LoopFacts, graph: Graph, reach: Reach): ReadonlySet<number> {
  const users = new Map<number, number[]>();
  for (const id of reach.any)
    for (const input of graph.nodes[id].inputs) {
      const list = users.get(input);
      if (list === undefined) users.set(input, [id]);
      else list.push(id);
    }
  const given = new Set([
    ...facts.accesses.map(({ node }) => node),
    ...facts.roots.map(({ node }) => node),
    ...facts.carried.map(({ end }) => end),
  ]);
  const result = new Set<number>();
  for (const { start, end } of facts.carried) {
    const joins = new Set<number>();
    const stack = [end];
    for (let id = stack.pop(); id !== undefined; id = stack.pop()) {
      const { op, inputs, loop } = graph.nodes[id];
      if (op !== 'phi' || loop !== facts.id || joins.has(id)) continue;
      joins.add(id);
      stack.push(...inputs);
    }
    const isOwn = (id: number): boolean => (users.get(id) ?? []).every((each) => joins.has(each));
    const isGiven = [...joins].some((id) => id !== end && given.has(id));
    if (joins.size > 0 && !isGiven && isOwn(start) && [...joins].every(isOwn))
      for (const id of joins) result.add(id);
  }
  return result;
}

/**
 * Pairs each addition with a product that nobody else needs. Every product has one user, so any choice is a maximum; of two
 * products the one that waits for an earlier iteration is taken, so that the pair, and not a product before it, is waited for.
 */
export function fuse(
  steps: Step[],
  flows: Flow[],
  graph: Graph,
  reach: Reach,
  facts: LoopFacts,
  indexOfNode: ReadonlyMap<number, number>,
  dead: ReadonlySet<Access>,
): void {
  const uses = new Map<number, number>();
  const use = (id: number): void => {
    uses.set(id, (uses.get(id) ?? 0) + 1);
  };
  const leftovers = lastValues(facts, graph, reach);
  for (const id of reach.any) if (!leftovers.has(id)) for (const input of graph.nodes[id].inputs) use(input);
  for (const each of facts.accesses) if (each.kind === 'store' && !dead.has(each)) use(each.node);
  for (const { node } of facts.roots) use(node);
  // What only the last iteration leaves is no use of it in every one.
  for (const { start, end } of facts.carried) if (reach.any.has(start) && !leftovers.has(end)) use(end);
  const nodeOf = new Map([...indexOfNode].map(([node, index]) => [index, node]));
  const into: Flow[][] = steps.map(() => []);
  for (const flow of flows) if (flow.distance === 0) into[flow.to].push(flow);
  const waiting = ofEarlierIterations(flows);
  const isOnce = (step: number): boolean => uses.get(nodeOf.get(step)!) === 1;
  const isProduct = (step: number): boolean => {
    const { op, counts, class: cls } = steps[step];
    return op === 'mul' && counts && cls === 'float' && isOnce(step);
  };
  steps.forEach((step, i) => {
    if (!step.counts || step.class !== 'float' || (step.op !== 'add' && step.op !== 'sub')) return;
    const products = into[i].filter(({ from }) => isProduct(from));
    const near = products.filter(({ from }) => steps[from].area === step.area);
    const choice = near.length > 0 ? near : products;
    const best = choice.find(({ from }) => waiting.has(from)) ?? choice[0];
    if (best !== undefined) {
      steps[i] = { ...step, fusedWith: best.from };
      return;
    }
    // -(a * b) - c is one operation too.
    for (const negated of into[i]) {
      const { from } = negated;
      const product = steps[from].op === 'neg' && isOnce(from) ? into[from][0] : undefined;
      if (product === undefined || !isProduct(product.from)) continue;
      steps[i] = { ...step, fusedWith: product.from };
      steps[from] = { ...steps[from], op: 'pass', counts: false };
      flows[flows.indexOf(negated)] = { ...negated, from: product.from };
      flows.splice(flows.indexOf(product), 1);
      return;
    }
  });
}
