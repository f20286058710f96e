import type { Step } from './demand.ts';
import type { Graph, Node, NodeOp, Operation } from './graph.ts';

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

export function stepOf(
  node: Node,
  isValue: boolean,
  areaIndex: ReadonlyMap<number, number>,
  leaves: boolean,
): Step {
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
export function complain(node: Node, graph: Graph, reasons: string[]): void {
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
