import type { LoopFacts } from './facts.ts';
import type { Graph, Node } from './graph.ts';
import { symbolsOf } from './polynomial.ts';
import type { Reference, Stream } from './streams.ts';

/** For each loop, values that loops inside it take: to compute with, or only for addresses. */
export type Needed = Map<number, Map<number, boolean>>;

function note(needed: Needed, loop: number, id: number, value: boolean): void {
  const own = needed.get(loop) ?? new Map<number, boolean>();
  needed.set(loop, own);
  own.set(id, value || own.get(id) === true);
}

export interface Reach {
  /** Values that something is computed from. */
  readonly values: ReadonlySet<number>;
  /** Those, and what addresses and the loop's own counting are made of. */
  readonly any: ReadonlySet<number>;
}

/** From what leaves the iteration back to all that it needs. What the loop does not change is computed before it. */
export function reached(
  facts: LoopFacts,
  streams: readonly Stream[],
  dead: ReadonlySet<Reference>,
  graph: Graph,
  needed: Needed,
): Reach {
  const values = new Set<number>();
  const any = new Set<number>();
  const ends = new Map(facts.carried.map((each) => [each.start, each]));
  const stack: { readonly id: number; readonly value: boolean }[] = [];
  const push = (id: number, value: boolean): void => {
    const { loop, class: cls } = graph.nodes[id];
    if (loop !== facts.id) {
      if (loop !== 0 && cls !== 'pointer') note(needed, loop, id, value);
      return;
    }
    if (value ? values.has(id) : any.has(id)) return;
    if (value) values.add(id);
    any.add(id);
    stack.push({ id, value });
  };
  const accesses = new Map(
    facts.accesses.filter(({ kind }) => kind === 'load').map((each) => [each.node, each]),
  );
  const addressOf = (id: number): void => {
    const access = accesses.get(id);
    if (access !== undefined) for (const each of addressNodes(access, graph)) push(each, false);
  };
  for (const stream of streams)
    for (const reference of stream.references)
      if (reference.access.kind === 'store' && !dead.has(reference)) {
        push(reference.access.node, true);
        for (const each of addressNodes(reference.access, graph)) push(each, false);
      }
  for (const { node, control } of facts.roots) {
    const isCounter = control && isCounting(graph.nodes[node], graph, facts.id);
    push(node, !isCounter);
  }
  for (const [id, value] of needed.get(facts.id) ?? []) push(id, value);
  for (const { end, outlives } of facts.carried) if (outlives) push(end, isArithmetic(graph.nodes[end]));
  for (let each = stack.pop(); each !== undefined; each = stack.pop()) {
    const node = graph.nodes[each.id];
    if (node.op === 'load') {
      addressOf(node.id);
      continue;
    }
    // A subscript is address arithmetic, unless it is itself a value that is stored or compared.
    const isIndex = node.class === 'pointer' || (each.value && isAffine(node, graph, facts.id));
    for (const input of node.inputs) push(input, each.value && !isIndex);
    const carried = ends.get(node.id);
    if (carried !== undefined) push(carried.end, each.value);
  }
  return { values, any };
}

const isArithmetic = (node: Node): boolean => node.class !== 'pointer';

/** Nodes of the loop that an address is made of. */
export function addressNodes(
  access: {
    readonly address: readonly number[];
    readonly place: { readonly selectors: readonly { readonly kind: string }[] };
  },
  graph: Graph,
): readonly number[] {
  const nodes = new Set(access.address);
  for (const selector of access.place.selectors) {
    const { index } = selector as { index?: ReadonlyMap<string, number> };
    if (index === undefined) continue;
    for (const name of symbolsOf(index)) {
      const id = /^n(\d+)$/.exec(name)?.[1];
      if (id !== undefined && graph.nodes[Number(id)] !== undefined) nodes.add(Number(id));
    }
  }
  return [...nodes];
}

/** What the loop's own condition asks about its counter is overhead, not work. */
function isCounting(node: Node, graph: Graph, loop: number): boolean {
  if (node.class === 'float' || node.name?.startsWith('float')) return false;
  if (node.op === 'and' || node.op === 'or') return false;
  return [node, ...node.inputs.map((id) => graph.nodes[id])].every(
    (each) =>
      each.class === 'pointer' || each.op === 'compare' || each.loop !== loop || isAffine(each, graph, loop),
  );
}

/** An int that advances by the same in every iteration: strength reduction leaves one addition of it, or none. */
function isAffine(node: Node, graph: Graph, loop: number): boolean {
  if (node.index === undefined || node.class === 'float') return false;
  return [...symbolsOf(node.index)].every((name) => name === `t${loop}` || graph.loopOfSymbol(name) !== loop);
}
