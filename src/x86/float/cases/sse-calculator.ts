import type { Node, NodeFactory } from '../../../ir/node.ts';
import { Calculator } from '../../calculator.ts';
import type { Helper } from '../../helper.ts';
import { INEXACT } from '../exceptions.ts';

export type Float = 'f32' | 'f64';
export type Cases = NonNullable<Helper['cases']>;

/** Bits of a fraction. */
export const FRACTION = { f32: 23, f64: 52 } as const;
export const LARGEST_EXPONENT = { f32: 0xfe, f64: 0x7fe } as const;
const INTEGER = { f32: 'i32', f64: 'i64' } as const;

/** A number with its bits. */
export interface Value {
  readonly bits: Node;
  readonly float: Node;
}

/** Writes operations on singles or doubles briefly. */
export class SseCalculator extends Calculator {
  readonly type: Float;

  constructor(b: NodeFactory, type: Float) {
    super(b);
    this.type = type;
  }

  of(bits: Node): Value {
    return { bits, float: this.b.op(`${this.type}.reinterpret_${INTEGER[this.type]}`, bits) };
  }

  from(float: Node): Value {
    return { bits: this.b.op(`${INTEGER[this.type]}.reinterpret_${this.type}`, float), float };
  }

  negated(x: Value): Value {
    return this.withSign(x, this.i32(1));
  }

  /** With its sign changed where the number's lowest bit is 1. */
  withSign(x: Value, change: Node): Value {
    const wide = this.type === 'f32' ? change : this.wide(change);
    return this.of(this.op('xor', x.bits, this.op('shl', wide, this.type === 'f32' ? 31 : 63)));
  }

  compute(name: string, ...values: Value[]): Value {
    return this.from(this.b.op(`x86.${this.type}.${name}`, ...values.map(({ float }) => float)));
  }

  /** The exponent's field. */
  exponent({ bits }: Value): Node {
    return this.op('and', this.op('shr_u', bits, FRACTION[this.type]), LARGEST_EXPONENT[this.type] + 1);
  }

  isZero({ bits }: Value): Node {
    return this.op('eqz', this.op('shl', bits, 1));
  }

  /** Normal, with an exponent field of at least so much. */
  isNormal(x: Value, least = 1): Node {
    const largest = LARGEST_EXPONENT[this.type];
    return this.op('le_u', this.op('sub', this.exponent(x), least), largest - least);
  }

  isOrdinary(x: Value): Node {
    return this.op('or', this.isNormal(x), this.isZero(x));
  }

  equal(x: Value, y: Value): Node {
    return this.b.op(`${this.type}.eq`, x.float, y.float);
  }

  /** Flags of a result that is exact under the condition. */
  inexactUnless(exact: Node): Node {
    return this.choose(exact, this.i32(0), INEXACT);
  }
}
