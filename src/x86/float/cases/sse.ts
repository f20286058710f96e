import type { Node, NodeFactory } from '../../../ir/node.ts';
import { Calculator } from '../../calculator.ts';
import type { Case, Helper } from '../../helper.ts';
import { INEXACT } from '../exceptions.ts';

/**
 * SSE operations, rounding to nearest, on zeros and normal numbers with such results: then the operation of the IR gives the
 * result, also where denormals are zeros and tiny results become such, and only whether it is exact is left to be found.
 * Everything else is left to the helper.
 */
type Float = 'f32' | 'f64';
type Cases = NonNullable<Helper['cases']>;

/** Bits of MXCSR for other rounding. */
const OTHER_ROUNDING = 0x6000;
const FRACTION = { f32: 23, f64: 52 } as const;
const LARGEST_EXPONENT = { f32: 0xfe, f64: 0x7fe } as const;
const INTEGER = { f32: 'i32', f64: 'i64' } as const;

/** A number with its bits. */
interface Value {
  readonly bits: Node;
  readonly float: Node;
}

class SseCalculator extends Calculator {
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

/** In those modes, under a condition: a result and its flags. */
function usual(c: SseCalculator, mxcsr: Node, when: Node, result: Node, flags: Node): Case {
  return { when: c.all(c.not(c.op('and', mxcsr, OTHER_ROUNDING)), when), results: [result, flags] };
}

/** The error of a sum that does not overflow is a number (Knuth, TAOCP volume 2, 4.2.2, theorem B): 0 when it is exact. */
function sum(c: SseCalculator, x: Value, y: Value, mxcsr: Node): Case[] {
  const s = c.compute('add', x, y);
  const second = c.compute('sub', s, x);
  const first = c.compute('sub', s, second);
  const exact = c.all(c.equal(x, first), c.equal(y, second));
  const when = c.all(c.isOrdinary(x), c.isOrdinary(y), c.isOrdinary(s));
  return [usual(c, mxcsr, when, s.bits, c.inexactUnless(exact))];
}

function negated(c: SseCalculator, x: Value): Value {
  return c.of(c.op('xor', x.bits, c.type === 'f32' ? 0x8000_0000 | 0 : 1n << 63n));
}

/**
 * Whether the product of two normal numbers has no more bits than a significand: trailing zeros of factors add up, and the
 * product's exponent tells how many bits it has in all.
 */
function isShortProduct(c: SseCalculator, x: Value, y: Value, product: Value): Node {
  const fraction = FRACTION[c.type];
  const hidden = c.type === 'f32' ? 1 << fraction : 1n << BigInt(fraction);
  const zeros = c.op('add', c.op('ctz', c.op('or', x.bits, hidden)), c.op('ctz', c.op('or', y.bits, hidden)));
  const bias = LARGEST_EXPONENT[c.type] / 2;
  // 0, or 1 where the product of the significands is 2 or more.
  const carry = c.op(
    'sub',
    c.op('add', c.exponent(product), bias),
    c.op('add', c.exponent(x), c.exponent(y)),
  );
  return c.op('ge_s', c.op('sub', zeros, carry), fraction);
}

/** Tininess is looked for after rounding: a result above the smallest normal numbers is none. */
function product(c: SseCalculator, x: Value, y: Value, mxcsr: Node): Case[] {
  const r = c.compute('mul', x, y);
  const normal = c.all(c.isNormal(x), c.isNormal(y), c.isNormal(r, 2));
  const zero = c.all(c.op('or', c.isZero(x), c.isZero(y)), c.isOrdinary(x), c.isOrdinary(y));
  return [
    usual(c, mxcsr, normal, r.bits, c.inexactUnless(isShortProduct(c, x, y, r))),
    usual(c, mxcsr, zero, r.bits, c.i32(0)),
  ];
}

/** Exact when the quotient times the divisor is the dividend. */
function quotient(c: SseCalculator, x: Value, y: Value, mxcsr: Node): Case[] {
  const r = c.compute('div', x, y);
  const back = c.compute('mul', r, y);
  const exact = c.all(isShortProduct(c, r, y, back), c.equal(back, x));
  // The product does not leave the range of normal numbers.
  const normal = c.all(c.isNormal(x, 2), c.isNormal(y), c.isNormal(r, 2), c.isNormal(back));
  const zero = c.all(c.isZero(x), c.isNormal(y));
  return [usual(c, mxcsr, normal, r.bits, c.inexactUnless(exact)), usual(c, mxcsr, zero, r.bits, c.i32(0))];
}

function root(c: SseCalculator, x: Value, mxcsr: Node): Case[] {
  const r = c.compute('sqrt', x);
  const back = c.compute('mul', r, r);
  const exact = c.all(isShortProduct(c, r, r, back), c.equal(back, x));
  const positive = c.op('ge_s', x.bits, 0);
  return [
    usual(c, mxcsr, c.all(positive, c.isNormal(x, 2), c.isNormal(back)), r.bits, c.inexactUnless(exact)),
    usual(c, mxcsr, c.isZero(x), x.bits, c.i32(0)),
  ];
}

/** 0 greater, 1 less, 2 equal; none is unordered here. */
function order(c: SseCalculator, x: Value, y: Value, mxcsr: Node): Case[] {
  const less = c.b.op(`${c.type}.lt`, x.float, y.float);
  const found = c.op('or', less, c.op('shl', c.equal(x, y), 1));
  return [usual(c, mxcsr, c.all(c.isOrdinary(x), c.isOrdinary(y)), found, c.i32(0))];
}

function extremum(comparison: 'lt' | 'gt') {
  return (c: SseCalculator, x: Value, y: Value, mxcsr: Node): Case[] => {
    const first = c.b.op(`${c.type}.${comparison}`, x.float, y.float);
    const when = c.all(c.isOrdinary(x), c.isOrdinary(y));
    return [usual(c, mxcsr, when, c.choose(first, x.bits, y.bits), c.i32(0))];
  };
}

const cases: Record<string, Cases> = {};
/** By the helper's name. */
export const SSE_CASES: Readonly<Record<string, Cases>> = cases;

for (const type of ['f32', 'f64'] as const) {
  const ofTwo = (name: string, make: (c: SseCalculator, x: Value, y: Value, mxcsr: Node) => Case[]): void => {
    cases[`${name}.${type}`] = (b, [x, y, mxcsr]) => {
      const c = new SseCalculator(b, type);
      return make(c, c.of(x), c.of(y), mxcsr);
    };
  };
  ofTwo('add', sum);
  ofTwo('sub', (c, x, y, mxcsr) => sum(c, x, negated(c, y), mxcsr));
  ofTwo('mul', product);
  ofTwo('div', quotient);
  ofTwo('comi', order);
  ofTwo('ucomi', order);
  ofTwo('min', extremum('lt'));
  ofTwo('max', extremum('gt'));
  cases[`sqrt.${type}`] = (b, [x, mxcsr]) => {
    const c = new SseCalculator(b, type);
    return root(c, c.of(x), mxcsr);
  };
  const exponentOf = { i32: LARGEST_EXPONENT[type] / 2 + 30, i64: LARGEST_EXPONENT[type] / 2 + 62 };
  for (const to of ['i32', 'i64'] as const)
    for (const how of ['trunc', 'round'] as const)
      cases[`${to}_${how}_${type}`] = (b, [bits, mxcsr]) => {
        const c = new SseCalculator(b, type);
        const x = c.of(bits);
        const result = b.op(`x86.${to}.${how}_${type}`, x.float);
        const exact = c.equal(c.from(b.op(`${type}.convert_${to}_s`, result)), x);
        // Below half of what fits.
        const small = c.op('lt_u', c.exponent(x), exponentOf[to]);
        return [usual(c, mxcsr, c.all(c.isOrdinary(x), small), result, c.inexactUnless(exact))];
      };
  cases[`${type}_i64`] = (b, [integer, mxcsr]) => {
    const c = new SseCalculator(b, type);
    const result = c.from(b.op(`${type}.convert_i64_s`, integer));
    const exact = c.op('eq', b.op(`x86.i64.trunc_${type}`, result.float), integer);
    const small = c.op('lt_u', c.op('add', integer, 1n << 61n), 1n << 62n);
    return [usual(c, mxcsr, small, result.bits, c.inexactUnless(exact))];
  };
}

/** Widening is exact. */
cases.f64_f32 = (b, [bits, mxcsr]) => {
  const c = new SseCalculator(b, 'f32');
  const x = c.of(bits);
  const result = b.op('i64.reinterpret_f64', b.op('x86.f64.promote_f32', x.float));
  return [usual(c, mxcsr, c.isOrdinary(x), result, c.i32(0))];
};

cases.f32_f64 = (b, [bits, mxcsr]) => {
  const wide = new SseCalculator(b, 'f64');
  const c = new SseCalculator(b, 'f32');
  const x = wide.of(bits);
  const result = c.from(b.op('x86.f32.demote_f64', x.float));
  const exact = b.op('f64.eq', b.op('x86.f64.promote_f32', result.float), x.float);
  const normal = c.all(wide.isNormal(x), c.isNormal(result, 2));
  return [
    usual(c, mxcsr, normal, result.bits, c.inexactUnless(exact)),
    usual(c, mxcsr, wide.isZero(x), result.bits, c.i32(0)),
  ];
};
