import { constant, keyOf, type Polynomial, product, sum, symbol, symbolsOf } from './polynomial.ts';
import type { RecordType, Type } from './syntax.ts';

/** What a value is. */
export type ValueClass = 'float' | 'int' | 'pointer' | 'complex' | 'unknown';

export type NodeOp =
  | 'constant'
  /** What a variable held before anything that is looked at. */
  | 'entry'
  /** What a variable holds at the start of an iteration. */
  | 'carried'
  | 'load'
  /** One of its inputs, as branches decide; nothing to execute. */
  | 'phi'
  | 'address'
  | 'opaque'
  | Operation;

/** Something to execute. */
export type Operation =
  | 'add'
  | 'sub'
  | 'mul'
  | 'div'
  | 'fma'
  | 'neg'
  | 'abs'
  | 'sqrt'
  | 'min'
  | 'max'
  | 'compare'
  | 'convert'
  | 'round'
  /** A function of the mathematics library. */
  | 'function'
  | 'and'
  | 'or'
  | 'xor'
  | 'not'
  | 'shift'
  | 'remainder';

/** A place in memory: a variable or what a pointer points to, and the way from there. */
export interface Place {
  readonly root: string;
  /** The loop in which the root gets its value; 0 for none. */
  readonly rootLoop: number;
  readonly selectors: readonly Selector[];
  readonly type: Type;
  /** Steps ahead lead back, as those of a reverse iterator. */
  readonly backward?: boolean;
}

export type Selector =
  | { readonly kind: 'at'; readonly index: Polynomial; readonly unit: number | undefined }
  | { readonly kind: 'field'; readonly name: string; readonly offset: number | undefined };

export interface Node {
  readonly id: number;
  readonly op: NodeOp;
  readonly inputs: readonly number[];
  readonly class: ValueClass;
  /** Of an operand: 4 for float, 8 for double. */
  readonly bytes: number;
  /** The innermost loop that it changes in; 0 for none. */
  readonly loop: number;
  /** Of that loop: the area that it is computed in. */
  readonly area: number;
  readonly value?: number;
  /** Of an int. */
  readonly index?: Polynomial;
  /** Of a pointer: what it points to. */
  readonly place?: Place;
  readonly name?: string;
  /** Of a whole structure: its inputs are its members' values, in order (`leavesOf`). */
  readonly record?: RecordType;
  readonly line: number;
}

/** An area of a loop's body that a branch decides on; the first is the body itself. */
export interface Area {
  readonly id: number;
  readonly loop: number;
  readonly parent: number | undefined;
  readonly line: number;
  readonly endLine: number;
}

type NodeParts = Omit<Node, 'id' | 'loop' | 'area' | 'line'>;

/** The values of a function: an operation with the same inputs is one node wherever it is seen (common subexpressions). */
export class Graph {
  readonly nodes: Node[] = [];
  readonly areas: Area[] = [];
  line = 0;
  private readonly depths = new Map<number, number>([[0, 0]]);
  private readonly symbolLoops = new Map<string, number>();
  private readonly byKey = new Map<string, number[]>();

  addLoop(id: number, depth: number): void {
    this.depths.set(id, depth);
    this.symbolLoops.set(iterationOf(id), id);
  }

  addArea(loop: number, parent: number | undefined, line: number, endLine: number): number {
    this.areas.push({ id: this.areas.length, loop, parent, line, endLine });
    return this.areas.length - 1;
  }

  /** Whether what is computed in `outer` is there in `inner`. */
  covers(outer: number, inner: number): boolean {
    for (let at: number | undefined = inner; at !== undefined; at = this.areas[at].parent)
      if (at === outer) return true;
    return false;
  }

  deepest(a: number, b: number): number {
    return this.depths.get(a)! >= this.depths.get(b)! ? a : b;
  }

  loopOfSymbol(name: string): number {
    return this.symbolLoops.get(name) ?? 0;
  }

  loopOfPlace({ rootLoop, selectors }: Place): number {
    let loop = rootLoop;
    for (const selector of selectors)
      if (selector.kind === 'at')
        for (const name of symbolsOf(selector.index)) loop = this.deepest(loop, this.loopOfSymbol(name));
    return loop;
  }

  /** A node of its own, whatever others there are. */
  fresh(parts: NodeParts, loop: number, area: number): Node {
    const id = this.nodes.length;
    let { index } = parts;
    if (index === undefined && (parts.class === 'int' || parts.class === 'unknown')) {
      const name = `n${id}`;
      this.symbolLoops.set(name, loop);
      index = symbol(name);
    }
    const node: Node = {
      ...parts,
      id,
      loop,
      area,
      line: this.line,
      ...(index === undefined ? {} : { index }),
    };
    this.nodes.push(node);
    return node;
  }

  /** The node of an operation; where its inputs change in an outer loop only, it is computed there. */
  make(parts: NodeParts, area: number): Node {
    let loop = 0;
    for (const input of parts.inputs) loop = this.deepest(loop, this.nodes[input].loop);
    const key = `${parts.op} ${parts.inputs.join(' ')} ${parts.class} ${parts.bytes} ${parts.name ?? ''}`;
    const known = this.byKey.get(key);
    for (const id of known ?? [])
      if (this.nodes[id].loop !== this.areas[area]?.loop || this.covers(this.nodes[id].area, area))
        return this.nodes[id];
    const node = this.fresh(parts, loop, area);
    if (known === undefined) this.byKey.set(key, [node.id]);
    else known.push(node.id);
    return node;
  }

  number(value: number, cls: ValueClass, bytes: number): Node {
    const key = `# ${value} ${cls} ${bytes}`;
    const known = this.byKey.get(key);
    if (known !== undefined) return this.nodes[known[0]];
    const isWhole = Number.isSafeInteger(value) && cls !== 'float';
    const node = this.fresh(
      {
        op: 'constant',
        inputs: [],
        class: cls,
        bytes,
        value,
        ...(isWhole ? { index: constant(value) } : {}),
      },
      0,
      0,
    );
    this.byKey.set(key, [node.id]);
    return node;
  }
}

/** The number of the iteration of a loop, from 0, as a symbol. */
export const iterationOf = (loop: number): string => `t${loop}`;

export function placeKey({ root, selectors }: Place): string {
  return `${root}${selectors
    .map((each) => (each.kind === 'at' ? `[${keyOf(each.index)}]` : `.${each.name}`))
    .join('')}`;
}

/** The same place, `by` elements further. */
export function moved(place: Place, by: Polynomial, factor = 1): Place | undefined {
  const last = place.selectors.at(-1);
  if (last?.kind !== 'at') return undefined;
  const index = sum(last.index, by, place.backward === true ? -factor : factor);
  if (index === undefined) return undefined;
  return { ...place, selectors: [...place.selectors.slice(0, -1), { ...last, index }] };
}

/** Index arithmetic on what two nodes are, where it stays a polynomial. */
export function indexOf(op: NodeOp, a: Node, b: Node | undefined): Polynomial | undefined {
  if (a.index === undefined || (b !== undefined && b.index === undefined)) return undefined;
  switch (op) {
    case 'add':
      return b && sum(a.index, b.index!);
    case 'sub':
      return b && sum(a.index, b.index!, -1);
    case 'mul':
      return b && product(a.index, b.index!);
    case 'neg':
      return sum(new Map(), a.index, -1);
    default:
      return undefined;
  }
}
