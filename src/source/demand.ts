import type { LoopFacts } from './facts.ts';
import type { Graph, Node, NodeOp, Operation, ValueClass } from './graph.ts';
import { keyOf, type Polynomial, symbolsOf } from './polynomial.ts';
import { type Reference, type Stream, streamsOf } from './streams.ts';

/** What an iteration of a source loop asks for, whatever the machine. */
export interface LoopDemand {
  readonly function: string;
  readonly line: number;
  readonly endLine: number;
  /** 1 for a loop that is in no other of its function. */
  readonly depth: number;
  readonly innermost: boolean;
  /** What the loop counts with; the step is absent where it is not a number of the text. */
  readonly induction?: { readonly variable: string; readonly step?: number };
  readonly trips?: number;
  /** The body, then what branches in it decide on; each with the area that it is in. */
  readonly areas: readonly DemandArea[];
  readonly steps: readonly Step[];
  readonly flows: readonly Flow[];
  readonly transfers: readonly Transfer[];
  readonly workingSet: WorkingSet;
  /** What was not understood: the counts leave it out. */
  readonly reasons: readonly string[];
  readonly assumptions: readonly string[];
}

export interface DemandArea {
  readonly line: number;
  readonly endLine: number;
  readonly parent?: number;
}

/** A value of an iteration: an operation, or a way that a value takes without one. */
export interface Step {
  readonly op: Operation | 'load' | 'pass';
  readonly class: ValueClass;
  readonly bytes: number;
  readonly area: number;
  readonly line: number;
  /** Whether it is one of the essential operations: index arithmetic and loads are not. */
  readonly counts: boolean;
  /** Of an addition: the product that it can be fused with, as it has no other use. */
  readonly fusedWith?: number;
  /** It is stored to another element each time, decides on a branch, or is handed on: every single value is needed. */
  readonly leaves: boolean;
  readonly name?: string;
}

/** `to` takes the value of `from`, of so many iterations before. */
export interface Flow {
  readonly from: number;
  readonly to: number;
  readonly distance: number;
  /** `to` is a load whose address it is. */
  readonly address: boolean;
}

/** Elements that must be loaded or stored in an iteration. */
export interface Transfer {
  readonly kind: 'load' | 'store';
  readonly class: ValueClass;
  readonly bytes: number;
  readonly area: number;
  /** From an address that is not an even advance; each needs an access of its own. */
  readonly irregular: boolean;
  /** Bytes from one iteration to the next, where known. */
  readonly stride?: number;
  /** Those with equal base lie `offset` bytes from one another. */
  readonly base: string;
  readonly offset?: number;
}

/** The paper's section 6.1: what a cache that software manages would hold. */
export interface WorkingSet {
  readonly streams: number;
  /** Bytes first touched in an iteration. */
  readonly bytes: number;
  /** Bytes in all, where the number of iterations is known. */
  readonly total?: number;
  /** Share of the references that find their line in the cache; absent where an address is irregular or a stride unknown. */
  readonly hitRatio?: number;
}

const LINE = 64;

/** `needed` collects, for each loop outside, what this one takes from its iteration. */
export function demandOf(facts: LoopFacts, graph: Graph, needed: Needed): LoopDemand {
  const loop = facts.id;
  const areaIndex = new Map(facts.areas.map((id, i) => [id, i]));
  const areas = facts.areas.map((id): DemandArea => {
    const { line, endLine, parent } = graph.areas[id];
    return { line, endLine, ...(parent === undefined ? {} : { parent: areaIndex.get(parent) ?? 0 }) };
  });
  const all = streamsOf(facts.accesses, loop, graph);
  const deadStores = new Set(
    all.flatMap((stream) => stream.references.filter((each) => isOverwritten(each, stream, graph, facts))),
  );
  const reach = reached(facts, all, deadStores, graph, needed);
  const used = all
    .map((stream) => ({
      ...stream,
      references: stream.references.filter(
        (each) => !deadStores.has(each) && (each.access.kind === 'store' || reach.any.has(each.access.node)),
      ),
    }))
    .filter(({ references }) => references.length > 0);
  const reasons = [...facts.reasons];
  const steps: Step[] = [];
  const indexOfNode = new Map<number, number>();
  const leaving = new Set(facts.roots.map(({ node }) => node));
  for (const { references, invariant } of used)
    for (const { access } of references) if (access.kind === 'store' && !invariant) leaving.add(access.node);
  for (const id of [...reach.any].sort((a, b) => a - b)) {
    const node = graph.nodes[id];
    indexOfNode.set(id, steps.length);
    steps.push(stepOf(node, reach.values.has(id), areaIndex, leaving.has(id)));
    if (reach.values.has(id)) complain(node, graph, reasons);
  }
  const flows = flowsOf(facts, used, indexOfNode, graph);
  fuse(steps, flows, graph, reach, facts, indexOfNode);
  const transfers = used.flatMap((stream) => transfersOf(stream, facts, graph, areaIndex));
  const { induction, trips } = facts;
  return {
    function: facts.function,
    line: facts.line,
    endLine: facts.endLine,
    depth: facts.depth,
    innermost: facts.innermost,
    ...(induction === undefined
      ? {}
      : {
          induction: {
            variable: induction.variable,
            ...(induction.step === undefined ? {} : { step: induction.step }),
          },
        }),
    ...(trips === undefined ? {} : { trips }),
    areas: areas.length === 0 ? [{ line: facts.line, endLine: facts.endLine }] : areas,
    steps,
    flows,
    transfers,
    workingSet: workingSetOf(used, trips),
    reasons: [...new Set(reasons)],
    assumptions: [...facts.assumptions, ...overlaps(used)],
  };
}

/** For each loop, values that loops inside it take: to compute with, or only for addresses. */
export type Needed = Map<number, Map<number, boolean>>;

function note(needed: Needed, loop: number, id: number, value: boolean): void {
  const own = needed.get(loop) ?? new Map<number, boolean>();
  needed.set(loop, own);
  own.set(id, value || own.get(id) === true);
}

interface Reach {
  /** Values that something is computed from. */
  readonly values: ReadonlySet<number>;
  /** Those, and what addresses and the loop's own counting are made of. */
  readonly any: ReadonlySet<number>;
}

/** From what leaves the iteration back to all that it needs. What the loop does not change is computed before it. */
function reached(
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
function addressNodes(
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

const OPERATIONS: ReadonlySet<NodeOp> = new Set<NodeOp>([
  ...([
    'add',
    'sub',
    'mul',
    'div',
    'fma',
    'neg',
    'abs',
    'sqrt',
    'min',
    'max',
    'compare',
    'convert',
    'round',
  ] as const),
  ...(['function', 'and', 'or', 'xor', 'not', 'shift', 'remainder'] as const),
]);

function stepOf(node: Node, isValue: boolean, areaIndex: ReadonlyMap<number, number>, leaves: boolean): Step {
  const isOperation = OPERATIONS.has(node.op);
  const isFloat =
    node.class === 'float' ||
    node.name?.startsWith('float') === true ||
    (node.op === 'convert' && node.class === 'int');
  const counts = isOperation && isValue && node.class !== 'pointer' && node.class !== 'unknown';
  return {
    op: isOperation ? (node.op as Operation) : node.op === 'load' ? 'load' : 'pass',
    class: isOperation && isFloat ? 'float' : node.class,
    bytes: node.bytes,
    area: areaIndex.get(node.area) ?? 0,
    line: node.line,
    counts,
    leaves,
    ...(node.name === undefined ? {} : { name: node.name }),
  };
}

/** Says where a type is missing that decides what an operation is. */
function complain(node: Node, graph: Graph, reasons: string[]): void {
  if (node.class !== 'unknown' || !OPERATIONS.has(node.op)) return;
  const stack = [node.id];
  const seen = new Set<number>();
  for (let id = stack.pop(); id !== undefined && seen.size < 1000; id = stack.pop()) {
    if (seen.has(id)) continue;
    seen.add(id);
    const each = graph.nodes[id];
    if (each.class === 'unknown' && each.name !== undefined && each.inputs.length === 0) {
      reasons.push(`the type of ${each.name} is not known`);
      return;
    }
    if (each.class === 'unknown' && each.op === 'load') {
      reasons.push(`the type of ${each.name ?? 'an element'} is not known`);
      return;
    }
    stack.push(...each.inputs);
  }
}

function flowsOf(
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
      distance > 0 ? !stream.irregular : distance === 0 && store.order < load.order,
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

/** A store whose element is stored to again, for sure, before anybody could need it in memory. */
function isOverwritten(each: Reference, stream: Stream, graph: Graph, facts: LoopFacts): boolean {
  if (each.access.kind !== 'store') return false;
  return stream.references.some((other) => {
    if (other === each || other.access.kind !== 'store') return false;
    if (other.ahead === each.ahead)
      return other.order > each.order && graph.covers(other.access.area, each.access.area);
    return (
      !stream.irregular &&
      !stream.invariant &&
      other.ahead < each.ahead &&
      other.access.area === facts.areas[0]
    );
  });
}

/** Pairs each addition with a product that nobody else needs. Every product has one user, so any choice is a maximum. */
function fuse(
  steps: Step[],
  flows: readonly Flow[],
  graph: Graph,
  reach: Reach,
  facts: LoopFacts,
  indexOfNode: ReadonlyMap<number, number>,
): void {
  const uses = new Map<number, number>();
  const use = (id: number): void => {
    uses.set(id, (uses.get(id) ?? 0) + 1);
  };
  for (const id of reach.any) for (const input of graph.nodes[id].inputs) use(input);
  for (const { kind, node } of facts.accesses) if (kind === 'store') use(node);
  for (const { node } of facts.roots) use(node);
  for (const { end } of facts.carried) use(end);
  const nodeOf = new Map([...indexOfNode].map(([node, index]) => [index, node]));
  const into: Flow[][] = steps.map(() => []);
  for (const flow of flows) if (flow.distance === 0) into[flow.to].push(flow);
  steps.forEach((step, i) => {
    if (!step.counts || step.class !== 'float' || (step.op !== 'add' && step.op !== 'sub')) return;
    const products = into[i].filter(({ from }) => {
      const other = steps[from];
      return (
        other.op === 'mul' && other.counts && other.class === 'float' && uses.get(nodeOf.get(from)!) === 1
      );
    });
    const best = products.find(({ from }) => steps[from].area === step.area) ?? products[0];
    if (best !== undefined) steps[i] = { ...step, fusedWith: best.from };
  });
}

function transfersOf(
  stream: Stream,
  facts: LoopFacts,
  graph: Graph,
  areaIndex: ReadonlyMap<number, number>,
): readonly Transfer[] {
  if (stream.invariant) return [];
  return stream.references.flatMap((each): Transfer[] => {
    const { access, base, offset } = each;
    if (access.kind === 'load' && isServed(each, stream, graph, facts)) return [];
    const node = graph.nodes[access.node];
    const { type } = access.place;
    const isFloat = type.kind === 'float' || type.kind === 'complex';
    // Both parts of a complex number.
    const parts = type.kind === 'complex' ? 2 : 1;
    const bytes = bytesIn(type, node) / parts;
    return Array.from({ length: parts }, (_, part) => ({
      kind: access.kind,
      class: isFloat
        ? 'float'
        : type.kind === 'int' || type.kind === 'pointer'
          ? type.kind
          : node.class === 'float'
            ? 'float'
            : 'unknown',
      bytes,
      area: areaIndex.get(access.area) ?? 0,
      irregular: stream.irregular,
      ...(stream.stride === undefined ? {} : { stride: stream.stride }),
      base,
      ...(offset === undefined ? {} : { offset: offset + part * bytes }),
    }));
  });
}

function bytesIn(type: { readonly kind: string }, node: Node): number {
  const { bytes } = type as { bytes?: number };
  return bytes ?? (type.kind === 'pointer' ? 8 : node.bytes || 8);
}

/** Whether an access before it has the element in a register. */
function isServed(each: Reference, stream: Stream, graph: Graph, facts: LoopFacts): boolean {
  return stream.references.some((other) => {
    if (other === each) return false;
    if (other.ahead === each.ahead)
      return other.order < each.order && graph.covers(other.access.area, each.access.area);
    return !stream.irregular && other.ahead > each.ahead && other.access.area === facts.areas[0];
  });
}

function workingSetOf(streams: readonly Stream[], trips: number | undefined): WorkingSet {
  let bytes = 0;
  let references = 0;
  let isKnown = true;
  /** Lines that an iteration touches first, of each array: its streams share the lines that it walks over. */
  const lines = new Map<string, { sum: number; walked: number }>();
  for (const { references: list, invariant, irregular, stride, root } of streams) {
    references += list.length;
    if (invariant) continue;
    bytes += bytesIn(list[0].access.place.type, { bytes: 8 } as Node);
    if (irregular || stride === undefined) {
      isKnown = false;
      continue;
    }
    const key = `${root} ${stride}`;
    const walked = Math.abs(stride) / LINE;
    const one = lines.get(key) ?? { sum: 0, walked };
    lines.set(key, { sum: one.sum + Math.min(1, walked), walked });
  }
  const misses = [...lines.values()].reduce(
    (sum, each) => sum + Math.min(each.sum, Math.max(each.walked, 1 / LINE)),
    0,
  );
  return {
    streams: streams.length,
    bytes,
    ...(trips === undefined ? {} : { total: bytes * trips }),
    ...(!isKnown || references === 0
      ? {}
      : { hitRatio: Math.round((1 - Math.min(1, misses / references)) * 10_000) / 10_000 }),
  };
}

/** Arrays that are stored to and referenced in another way too, which nothing in the text keeps apart. */
function overlaps(streams: readonly Stream[]): readonly string[] {
  // What differs in a number, or in a member's name, is known to be apart.
  const ways = new Map<string, { stored: boolean; readonly subscripts: Set<string> }>();
  for (const { references } of streams) {
    const { root, selectors } = references[0].access.place;
    const fields = selectors.map((each) => (each.kind === 'field' ? each.name : '[]')).join('.');
    const way = ways.get(`${root} ${fields}`) ?? { stored: false, subscripts: new Set<string>() };
    ways.set(`${root} ${fields}`, way);
    way.stored ||= references.some(({ access }) => access.kind === 'store');
    const symbolic = (index: Polynomial): Polynomial => new Map([...index].filter(([key]) => key !== ''));
    way.subscripts.add(
      selectors.map((each) => (each.kind === 'at' ? keyOf(symbolic(each.index)) : '')).join(),
    );
  }
  const names = [...ways]
    .filter(([, { stored, subscripts }]) => stored && subscripts.size > 1)
    .map(([key]) => key.replace(/^\*+\(*/, '').replace(/[#@ ][\s\S]*$/, ''));
  return [...new Set(names)].map(
    (name) => `the references to ${name} with different subscripts are taken not to overlap`,
  );
}
