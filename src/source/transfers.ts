import type { Transfer } from './demand.ts';
import type { LoopFacts } from './facts.ts';
import type { Graph, Node } from './graph.ts';
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
