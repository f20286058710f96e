import { type Graph, indexOf, type Node, type Operation, type ValueClass } from './graph.ts';
import { constant, product } from './polynomial.ts';
import { type BinaryOp, sizeOf, type Type } from './syntax.ts';

/**
 * Operations as a compiler makes them without changing a result: constants are folded, a negation goes into the addition
 * or product beside it, a division by a power of two is the product with its inverse.
 */
export class Arithmetic {
  private readonly graph: Graph;

  constructor(graph: Graph) {
    this.graph = graph;
  }

  binary(op: BinaryOp, left: Node, right: Node, area: number): Node {
    const isFloat = left.class === 'float' || right.class === 'float';
    const isComplex = left.class === 'complex' || right.class === 'complex';
    switch (op) {
      case '&&':
      case '||':
        return this.integer(op === '&&' ? 'and' : 'or', left, right, area, 4);
      case '<':
      case '>':
      case '<=':
      case '>=':
      case '==':
      case '!=': {
        if (left.op === 'constant' && right.op === 'constant')
          return this.graph.number(compared(op, left.value!, right.value!), 'int', 4);
        if (!isFloat)
          return this.integer('compare', left, right, area, Math.max(left.bytes, right.bytes), op);
        const bytes = floatBytes(left, right);
        const inputs = [left, right].map((each) => this.convert(each, 'float', bytes, area).id);
        return this.graph.make({ op: 'compare', inputs, class: 'int', bytes, name: `float ${op}` }, area);
      }
      case '%':
      case '<<':
      case '>>':
      case '&':
      case '|':
      case '^':
        return this.bits(op, left, right, area);
      case '**':
        return this.power(left, right, area);
      default:
        if (isComplex) return this.complex(op, left, right, area);
        if (isFloat) return this.float(op, left, right, area);
        if (left.class === 'unknown' || right.class === 'unknown') return this.unknown(op, left, right, area);
        return this.integer(OPERATIONS[op], left, right, area, Math.max(4, left.bytes, right.bytes));
    }
  }

  negate(of: Node, area: number): Node {
    if (of.op === 'constant' && of.value !== undefined)
      return this.graph.number(-of.value, of.class, of.bytes);
    if (of.op === 'neg') return this.graph.nodes[of.inputs[0]];
    if (of.class === 'complex') {
      const [real, imaginary] = (['re', 'im'] as const).map((name) =>
        this.negate(this.part(of, name, area), area),
      );
      return this.pair(real, imaginary, of.bytes, area);
    }
    return this.unary('neg', of, area);
  }

  unary(op: Operation, of: Node, area: number): Node {
    const index = of.class === 'float' ? undefined : indexOf(op, of, undefined);
    return this.graph.make(
      { op, inputs: [of.id], class: of.class, bytes: of.bytes, ...(index === undefined ? {} : { index }) },
      area,
    );
  }

  /** A value as one of another type. */
  convert(of: Node, cls: ValueClass, bytes: number, area: number): Node {
    if (of.class === cls && (of.bytes === bytes || cls !== 'float')) return of;
    if (of.op === 'constant' && of.value !== undefined && (cls === 'float' || cls === 'int'))
      return this.graph.number(cls === 'int' ? Math.trunc(of.value) : of.value, cls, bytes);
    // Back to what it was widened from.
    const source = of.op === 'convert' && of.class === 'float' ? this.graph.nodes[of.inputs[0]] : undefined;
    if (cls === 'float' && source?.class === 'float' && source.bytes === bytes && bytes < of.bytes)
      return source;
    if (cls === 'float' && (of.class === 'int' || of.class === 'float'))
      return this.graph.make(
        { op: 'convert', inputs: [of.id], class: 'float', bytes, name: `from ${of.class} ${of.bytes}` },
        area,
      );
    if (cls === 'float' && of.class === 'complex')
      return this.convert(this.part(of, 're', area), cls, bytes, area);
    if (cls === 'int' && of.class === 'float')
      return this.graph.make(
        { op: 'convert', inputs: [of.id], class: 'int', bytes, name: `from float ${of.bytes}` },
        area,
      );
    return of;
  }

  toType(of: Node, type: Type, area: number): Node {
    if (type.kind === 'float') return this.convert(of, 'float', type.bytes, area);
    if (type.kind === 'int' && of.class === 'float') return this.convert(of, 'int', type.bytes, area);
    return of;
  }

  private float(op: '+' | '-' | '*' | '/', a: Node, b: Node, area: number): Node {
    const bytes = floatBytes(a, b);
    const left = this.convert(a, 'float', bytes, area);
    const right = this.convert(b, 'float', bytes, area);
    const make = (operation: Operation, x: Node, y: Node): Node =>
      this.graph.make({ op: operation, inputs: [x.id, y.id], class: 'float', bytes }, area);
    const inner = (node: Node): Node => this.graph.nodes[node.inputs[0]];
    if (left.op === 'constant' && right.op === 'constant')
      return this.graph.number(folded(op, left.value!, right.value!), 'float', bytes);
    switch (op) {
      case '+':
        if (right.op === 'neg') return make('sub', left, inner(right));
        if (left.op === 'neg') return make('sub', right, inner(left));
        // The same sum in either order is one.
        return left.id <= right.id ? make('add', left, right) : make('add', right, left);
      case '-':
        if (right.op === 'neg') return this.float('+', left, inner(right), area);
        // Exact, also of -0; a sum with 0 is not.
        if (right.op === 'constant' && Object.is(right.value, 0)) return left;
        return make('sub', left, right);
      case '*':
        if (left.op === 'neg') return this.negate(this.float('*', inner(left), right, area), area);
        if (right.op === 'neg') return this.negate(this.float('*', left, inner(right), area), area);
        if (left.op === 'constant' && left.value === 1) return right;
        if (right.op === 'constant' && right.value === 1) return left;
        return left.id <= right.id ? make('mul', left, right) : make('mul', right, left);
      case '/':
        if (left.op === 'neg') return this.negate(this.float('/', inner(left), right, area), area);
        if (right.op === 'constant' && isPowerOfTwo(right.value!))
          return this.float('*', left, this.graph.number(1 / right.value!, 'float', bytes), area);
        return make('div', left, right);
    }
  }

  private integer(op: Operation, left: Node, right: Node, area: number, bytes: number, name?: string): Node {
    const index = indexOf(op, left, right);
    if (left.op === 'constant' && right.op === 'constant' && index !== undefined) {
      const value = index.get('') ?? 0;
      if (index.size === 0 || (index.size === 1 && index.has('')))
        return this.graph.number(value, 'int', bytes);
    }
    if (op === 'div' && left.op === 'constant' && right.op === 'constant' && right.value !== 0)
      return this.graph.number(Math.trunc(left.value! / right.value!), 'int', bytes);
    // Without a division where the divisor is a number.
    if (op === 'div' && right.op === 'constant')
      return this.graph.make(
        { op: 'div', inputs: [left.id, right.id], class: 'int', bytes, name: 'by constant' },
        area,
      );
    const isScaled = op === 'mul' && (left.op === 'constant' || right.op === 'constant');
    return this.graph.make(
      {
        op,
        inputs: [left.id, right.id],
        class: 'int',
        bytes,
        ...(index === undefined ? {} : { index }),
        ...(name === undefined ? (isScaled ? { name: 'by constant' } : {}) : { name }),
      },
      area,
    );
  }

  private bits(op: BinaryOp, left: Node, right: Node, area: number): Node {
    const bytes = Math.max(4, left.bytes);
    if (op === '<<' && right.op === 'constant' && left.index !== undefined && right.value! < 31) {
      const index = product(left.index, constant(2 ** right.value!));
      return this.graph.make(
        {
          op: 'shift',
          inputs: [left.id, right.id],
          class: 'int',
          bytes,
          ...(index === undefined ? {} : { index }),
        },
        area,
      );
    }
    const operation: Operation =
      op === '%' ? 'remainder' : op === '&' ? 'and' : op === '|' ? 'or' : op === '^' ? 'xor' : 'shift';
    return this.graph.make(
      {
        op: operation,
        inputs: [left.id, right.id],
        class: 'int',
        bytes,
        name: op === '%' && right.op === 'constant' ? 'by constant' : op,
      },
      area,
    );
  }

  private unknown(op: '+' | '-' | '*' | '/', left: Node, right: Node, area: number): Node {
    const index = indexOf(OPERATIONS[op], left, right);
    return this.graph.make(
      {
        op: OPERATIONS[op],
        inputs: [left.id, right.id],
        class: 'unknown',
        bytes: Math.max(left.bytes, right.bytes),
        ...(index === undefined ? {} : { index }),
      },
      area,
    );
  }

  /** By their parts, as the language says; a quotient is left as one function. */
  private complex(op: BinaryOp, left: Node, right: Node, area: number): Node {
    const bytes = Math.max(
      left.class === 'complex' ? left.bytes : 0,
      right.class === 'complex' ? right.bytes : 0,
    );
    const isReal = (node: Node): boolean => node.class !== 'complex';
    const [a, b] = [this.part(left, 're', area), this.part(right, 're', area)];
    const [c, d] = [this.part(left, 'im', area), this.part(right, 'im', area)];
    const real = (operation: '+' | '-' | '*' | '/', x: Node, y: Node): Node =>
      this.float(operation, x, y, area);
    if (op === '+' || op === '-') {
      const imaginary = isReal(right)
        ? c
        : !isReal(left)
          ? real(op, c, d)
          : op === '+'
            ? d
            : this.negate(d, area);
      return this.pair(real(op, a, b), imaginary, bytes, area);
    }
    if (op === '*' || (op === '/' && isReal(right))) {
      if (isReal(right)) return this.pair(real(op, a, b), real(op, c, b), bytes, area);
      if (isReal(left)) return this.pair(real('*', a, b), real('*', a, d), bytes, area);
      return this.pair(
        real('-', real('*', a, b), real('*', c, d)),
        real('+', real('*', a, d), real('*', c, b)),
        bytes,
        area,
      );
    }
    const name = `complex ${op}`;
    return this.graph.make(
      { op: 'function', inputs: [left.id, right.id], class: 'complex', bytes, name },
      area,
    );
  }

  pair(real: Node, imaginary: Node, bytes: number, area: number): Node {
    const inputs = [real.id, imaginary.id];
    return this.graph.make({ op: 'phi', inputs, class: 'complex', bytes, name: 'pair' }, area);
  }

  /** The real or imaginary part; a real number is its own. */
  part(of: Node, name: 're' | 'im', area: number): Node {
    if (of.class !== 'complex') return of;
    if (of.op === 'phi' && of.name === 'pair') return this.graph.nodes[of.inputs[name === 're' ? 0 : 1]];
    return this.graph.make({ op: 'phi', inputs: [of.id], class: 'float', bytes: of.bytes / 2, name }, area);
  }

  /** Small whole powers are products; one half is a square root. */
  power(base: Node, exponent: Node, area: number): Node {
    if (base.class === 'int' && exponent.class === 'int' && exponent.op !== 'constant')
      return this.integer('mul', base, exponent, area, base.bytes);
    const by = exponent.op === 'constant' ? exponent.value : undefined;
    if (by !== undefined && Number.isInteger(by) && by >= 1 && by <= 64) return this.repeated(base, by, area);
    if (by === 0.5 && base.class === 'float') return this.unary('sqrt', base, area);
    if (by !== undefined && Number.isInteger(by) && by <= -1 && by >= -64 && base.class === 'float') {
      const one = this.graph.number(1, 'float', base.bytes);
      return this.float('/', one, this.repeated(base, -by, area), area);
    }
    if (by === 0 && base.class === 'float') return this.graph.number(1, 'float', base.bytes);
    const bytes = floatBytes(base, exponent);
    return this.graph.make(
      { op: 'function', inputs: [base.id, exponent.id], class: 'float', bytes, name: 'pow' },
      area,
    );
  }

  private repeated(base: Node, by: number, area: number): Node {
    if (by === 1) return base;
    const half = this.repeated(base, Math.floor(by / 2), area);
    const square = this.binary('*', half, half, area);
    return by % 2 === 0 ? square : this.binary('*', square, base, area);
  }
}

const OPERATIONS = { '+': 'add', '-': 'sub', '*': 'mul', '/': 'div' } as const;

/** C converts to the wider; an int takes the other's width. */
const floatBytes = (a: Node, b: Node): number =>
  Math.max(a.class === 'float' ? a.bytes : 0, b.class === 'float' ? b.bytes : 0) || 8;

const isPowerOfTwo = (value: number): boolean =>
  value !== 0 && Number.isFinite(value) && Math.log2(Math.abs(value)) % 1 === 0;

function folded(op: '+' | '-' | '*' | '/', a: number, b: number): number {
  return op === '+' ? a + b : op === '-' ? a - b : op === '*' ? a * b : a / b;
}

function compared(op: BinaryOp, a: number, b: number): number {
  const holds =
    op === '<'
      ? a < b
      : op === '>'
        ? a > b
        : op === '<='
          ? a <= b
          : op === '>='
            ? a >= b
            : op === '=='
              ? a === b
              : a !== b;
  return holds ? 1 : 0;
}

/** What the values of a type are. */
export function classOf(type: Type): ValueClass {
  switch (type.kind) {
    case 'float':
    case 'int':
    case 'complex':
    case 'pointer':
      return type.kind;
    case 'array':
      return 'pointer';
    default:
      return 'unknown';
  }
}

export const bytesOf = (type: Type): number => sizeOf(type) ?? 0;
