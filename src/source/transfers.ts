import type { Transfer } from './demand.ts';
import type { Access, LoopFacts } from './facts.ts';
import type { Graph, Node } from './graph.ts';
import type { Reach } from './reach.ts';
import type { Reference, Stream } from './streams.ts';

/** A store whose element is stored to again, for sure, before anybody could need it in memory. */
export function isOverwritten(each: Reference, stream: Stream, graph: Graph, facts: LoopFacts): boolean {
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

export function transfersOf(
  stream: Stream,
  facts: LoopFacts,
  graph: Graph,
  areaIndex: ReadonlyMap<number, number>,
  partsOf: (complex: number) => readonly number[],
): readonly Transfer[] {
  if (stream.invariant) return [];
  const asked = new Set(
    stream.references.flatMap(({ access }) => (access.kind === 'load' ? partsOf(access.node) : BOTH)),
  );
  return stream.references.flatMap((each): Transfer[] => {
    const { access, base, offset } = each;
    if (access.kind === 'load' && isServed(each, stream, graph, facts)) return [];
    const node = graph.nodes[access.node];
    const { type } = access.place;
    const isFloat = type.kind === 'float' || type.kind === 'complex';
    // Of a complex number what is asked for: its real part, the other, both.
    const parts = type.kind === 'complex' ? BOTH.filter((part) => asked.has(part)) : [0];
    const bytes = bytesIn(type, node) / (type.kind === 'complex' ? 2 : 1);
    return parts.map((part) => ({
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

const BOTH: readonly number[] = [0, 1];

/** Which parts of a complex number that is loaded anybody uses: 0 for the real one, 1 for the other. */
export function partsUsed(
  facts: LoopFacts,
  reach: Reach,
  graph: Graph,
  dead: ReadonlySet<Access>,
): (complex: number) => readonly number[] {
  const used = new Map<number, Set<number>>();
  const use = (id: number, parts: readonly number[]): void => {
    const known = used.get(id) ?? new Set<number>();
    used.set(id, known);
    for (const part of parts) known.add(part);
  };
  for (const id of reach.any) {
    const { op, name, inputs } = graph.nodes[id];
    const isPart = op === 'phi' && (name === 're' || name === 'im');
    for (const input of inputs) use(input, isPart ? [name === 're' ? 0 : 1] : BOTH);
  }
  for (const each of facts.accesses) if (each.kind === 'store' && !dead.has(each)) use(each.node, BOTH);
  for (const { node } of facts.roots) use(node, BOTH);
  for (const { end } of facts.carried) use(end, BOTH);
  return (complex) => [...(used.get(complex) ?? BOTH)];
}

export function bytesIn(type: { readonly kind: string }, node: Node): number {
  const { bytes } = type as { bytes?: number };
  return bytes ?? (type.kind === 'pointer' ? 8 : node.bytes || 8);
}

/** Whether an access before it has the element in a register. */
function isServed(each: Reference, stream: Stream, graph: Graph, facts: LoopFacts): boolean {
  return stream.references.some((other) => {
    if (other === each) return false;
    if (other.ahead === each.ahead)
      return other.order < each.order && graph.covers(other.access.area, each.access.area);
    const isEarlier = !stream.irregular && other.ahead > each.ahead && other.access.area === facts.areas[0];
    return isEarlier && !(facts.independent && other.access.kind === 'store');
  });
}
