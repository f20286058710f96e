import type { Node } from '../../../ir/node.ts';
import type { Case } from '../../helper.ts';
import { INEXACT } from '../exceptions.ts';
import { type Cases, FRACTION, LARGEST_EXPONENT, SseCalculator, type Value } from './sse-calculator.ts';
import {
  EXACT,
  errorOfFused,
  errorOfProduct,
  errorOfQuotient,
  errorOfRoot,
  stepped,
  twoSum,
  widened,
} from './sse-errors.ts';

/**
 * SSE operations on zeros and normal numbers with such results: then the operation of the IR gives the result rounded to nearest,
 * also where denormals are zeros and tiny results become such. Whether it is exact is left to be found; and where MXCSR asks for other
 * rounding, on which side of it the exact result lies. Everything else is left to the helper.
 */

/** Where MXCSR has its rounding: to nearest, down, up, toward zero. */
const ROUNDING = 13;
/** Of MXCSR: that a result was inexact, which is masked. */
const STICKY = INEXACT | (INEXACT << 7);

/** A condition under which `result` is what is rounded to nearest. */
interface Nearest {
  readonly when: Node;
  /** A weaker one, under which that raises nothing, unless it is inexact. */
  readonly usual: Node;
  readonly result: Value;
  readonly isExact: Node;
  /** A double with the sign of the exact result less `result`, where that is not exact. */
  readonly error: Value;
  /** What must not be small for that. */
  readonly large?: Value;
}

const roundingOf = (c: SseCalculator, mxcsr: Node): Node => c.op('and', c.op('shr_u', mxcsr, ROUNDING), 3);

/**
 * In every mode. MXCSR comes with its sticky bits: once a result was inexact, which the first ones are, nobody sees whether another one is, and
 * to find that takes most of the time.
 */
function rounded(
  c: SseCalculator,
  mxcsr: Node,
  { when, usual, result, isExact, error, large }: Nearest,
): Case[] {
  const rounding = roundingOf(c, mxcsr);
  const isSticky = c.op('eq', c.op('and', mxcsr, STICKY | (3 << ROUNDING)), STICKY);
  const isKnown = large && c.type === 'f64' ? c.all(when, c.isNormal(large, EXACT)) : when;
  return [
    { when: c.all(isSticky, usual), results: [result.bits, c.i32(0)] },
    { when: c.all(c.not(rounding), when), results: [result.bits, c.inexactUnless(isExact)] },
    {
      // A step up does not overflow, nor is the sign of a zero to be found.
      when: c.all(isKnown, c.isNormal(result, 2), c.op('lt_u', c.exponent(result), LARGEST_EXPONENT[c.type])),
      results: [stepped(c, result, error, rounding), c.inexactUnless(isExact)],
    },
  ];
}

/** A result that no rounding changes, and that raises nothing. */
const exactly = (c: SseCalculator, when: Node, result: Node): Case => ({ when, results: [result, c.i32(0)] });

function sum(c: SseCalculator, x: Value, y: Value, mxcsr: Node): Case[] {
  const [result, error] = twoSum(c, x, y);
  const when = c.all(c.isOrdinary(x), c.isOrdinary(y), c.isOrdinary(result));
  const [wide] = widened(c, error).wide;
  return rounded(c, mxcsr, { when, usual: when, result, isExact: c.isZero(error), error: wide });
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
  const result = c.compute('mul', x, y);
  const when = c.all(c.isNormal(x), c.isNormal(y), c.isNormal(result, 2));
  const isExact = isShortProduct(c, x, y, result);
  const isZero = c.all(c.op('or', c.isZero(x), c.isZero(y)), c.isOrdinary(x), c.isOrdinary(y));
  return [
    ...rounded(c, mxcsr, {
      when,
      usual: when,
      result,
      isExact,
      error: errorOfProduct(c, x, y, result),
      large: result,
    }),
    exactly(c, isZero, result.bits),
  ];
}

/** Exact when the quotient times the divisor is the dividend. */
function quotient(c: SseCalculator, x: Value, y: Value, mxcsr: Node): Case[] {
  const result = c.compute('div', x, y);
  const back = c.compute('mul', result, y);
  const isExact = c.all(isShortProduct(c, result, y, back), c.equal(back, x));
  const usual = c.all(c.isNormal(x), c.isNormal(y), c.isNormal(result, 2));
  // The product does not leave the range of normal numbers.
  const when = c.all(usual, c.isNormal(x, 2), c.isNormal(back));
  return [
    ...rounded(c, mxcsr, { when, usual, result, isExact, error: errorOfQuotient(c, x, y, result), large: x }),
    exactly(c, c.all(c.isZero(x), c.isNormal(y)), result.bits),
  ];
}

function root(c: SseCalculator, x: Value, mxcsr: Node): Case[] {
  const result = c.compute('sqrt', x);
  const back = c.compute('mul', result, result);
  const isExact = c.all(isShortProduct(c, result, result, back), c.equal(back, x));
  const usual = c.all(c.op('ge_s', x.bits, 0), c.isNormal(x));
  const when = c.all(usual, c.isNormal(x, 2), c.isNormal(back));
  return [
    ...rounded(c, mxcsr, { when, usual, result, isExact, error: errorOfRoot(c, x, result), large: x }),
    exactly(c, c.isZero(x), x.bits),
  ];
}

/** x * y + z; `signs` as in the operation's immediate. */
function fused(c: SseCalculator, [x, y, z]: readonly Value[], signs: Node, mxcsr: Node): Case[] {
  const factor = c.withSign(x, signs);
  const addend = c.withSign(z, c.op('shr_u', signs, 1));
  const result = c.from(c.b.opImm(`x86.${c.type}.fma`, 0, factor.float, y.float, addend.float));
  const error = errorOfFused(c, [factor, y, addend], result);
  const isExact = c.op('eqz', c.op('shl', error.bits, 1));
  const areOrdinary = c.all(c.isOrdinary(x), c.isOrdinary(y), c.isOrdinary(z));
  const isZero = c.op('or', c.isZero(x), c.isZero(y));
  // Nothing of a product so large is lost below the least number: a result of 0 is exact.
  const fits = c.op('or', c.isNormal(result, 2), c.all(isExact, c.isZero(result)));
  const isLarge = c.type === 'f32' ? fits : c.all(fits, c.isNormal(c.compute('mul', factor, y), EXACT));
  const hasOneSign = c.op('or', c.isNormal(z), c.not(roundingOf(c, mxcsr)));
  return [
    ...rounded(c, mxcsr, {
      when: c.all(areOrdinary, isLarge),
      usual: c.all(areOrdinary, c.isNormal(result, 2)),
      result,
      isExact,
      error,
    }),
    exactly(c, c.all(areOrdinary, isZero, hasOneSign), result.bits),
  ];
}

/** 0 greater, 1 less, 2 equal; none is unordered here. */
function order(c: SseCalculator, x: Value, y: Value): Case[] {
  const less = c.b.op(`${c.type}.lt`, x.float, y.float);
  const found = c.op('or', less, c.op('shl', c.equal(x, y), 1));
  return [exactly(c, c.all(c.isOrdinary(x), c.isOrdinary(y)), found)];
}

function extremum(comparison: 'lt' | 'gt') {
  return (c: SseCalculator, x: Value, y: Value): Case[] => {
    const first = c.b.op(`${c.type}.${comparison}`, x.float, y.float);
    return [exactly(c, c.all(c.isOrdinary(x), c.isOrdinary(y)), c.choose(first, x.bits, y.bits))];
  };
}

/** The roundings in MXCSR's order. */
const ROUNDINGS = ['nearest', 'floor', 'ceil', 'trunc'] as const;

/** A case for each rounding, of the integer that it makes of x. */
function byRounding(
  c: SseCalculator,
  rounding: Node,
  when: Node,
  x: Value,
  found: (integer: Value) => { readonly result: Node; readonly flags: Node },
): Case[] {
  return ROUNDINGS.map((how, i) => {
    const { result, flags } = found(c.compute(how, x));
    return { when: c.all(when, c.op('eq', rounding, i)), results: [result, flags] };
  });
}

/** To an integer in the same format, as a selector says. */
function integral(c: SseCalculator, x: Value, select: Node, mxcsr: Node): Case[] {
  const rounding = c.choose(c.op('and', select, 4), roundingOf(c, mxcsr), c.op('and', select, 3));
  const isSilent = c.op('ne', c.op('and', select, 8), 0);
  return byRounding(c, rounding, c.isOrdinary(x), x, (integer) => ({
    result: integer.bits,
    flags: c.inexactUnless(c.op('or', isSilent, c.equal(integer, x))),
  }));
}

function toInteger(
  c: SseCalculator,
  to: 'i32' | 'i64',
  how: 'trunc' | 'round',
  x: Value,
  mxcsr: Node,
): Case[] {
  // Below half of what fits.
  const isSmall = c.op('lt_u', c.exponent(x), LARGEST_EXPONENT[c.type] / 2 + (to === 'i32' ? 30 : 62));
  const when = c.all(c.isOrdinary(x), isSmall);
  const rounding = how === 'trunc' ? c.i32(ROUNDINGS.indexOf('trunc')) : roundingOf(c, mxcsr);
  return byRounding(c, rounding, when, x, (integer) => ({
    result: c.b.op(`x86.${to}.trunc_${c.type}`, integer.float),
    flags: c.inexactUnless(c.equal(integer, x)),
  }));
}

function fromInteger(c: SseCalculator, integer: Node, mxcsr: Node): Case[] {
  const result = c.from(c.b.op(`${c.type}.convert_i64_s`, integer));
  const rest = c.op('sub', integer, c.b.op(`x86.i64.trunc_${c.type}`, result.float));
  const when = c.op('lt_u', c.op('add', integer, 1n << 61n), 1n << 62n);
  const error = new SseCalculator(c.b, 'f64').from(c.b.op('f64.convert_i64_s', rest));
  return [
    ...rounded(c, mxcsr, { when, usual: when, result, isExact: c.op('eqz', rest), error }),
    exactly(c, c.op('eqz', integer), result.bits),
  ];
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
  ofTwo('sub', (c, x, y, mxcsr) => sum(c, x, c.negated(y), mxcsr));
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
  cases[`fma.${type}`] = (b, [x, y, z, signs, mxcsr]) => {
    const c = new SseCalculator(b, type);
    return fused(
      c,
      [x, y, z].map((bits) => c.of(bits)),
      signs,
      mxcsr,
    );
  };
  cases[`integral.${type}`] = (b, [x, select, mxcsr]) => {
    const c = new SseCalculator(b, type);
    return integral(c, c.of(x), select, mxcsr);
  };
  for (const to of ['i32', 'i64'] as const)
    for (const how of ['trunc', 'round'] as const)
      cases[`${to}_${how}_${type}`] = (b, [x, mxcsr]) => {
        const c = new SseCalculator(b, type);
        return toInteger(c, to, how, c.of(x), mxcsr);
      };
  cases[`${type}_i64`] = (b, [integer, mxcsr]) => fromInteger(new SseCalculator(b, type), integer, mxcsr);
}

/** Widening is exact. */
cases.f64_f32 = (b, [bits]) => {
  const c = new SseCalculator(b, 'f32');
  const x = c.of(bits);
  return [exactly(c, c.isOrdinary(x), b.op('i64.reinterpret_f64', b.op('x86.f64.promote_f32', x.float)))];
};

cases.f32_f64 = (b, [bits, mxcsr]) => {
  const wide = new SseCalculator(b, 'f64');
  const c = new SseCalculator(b, 'f32');
  const x = wide.of(bits);
  const result = c.from(b.op('x86.f32.demote_f64', x.float));
  const back = wide.from(b.op('x86.f64.promote_f32', result.float));
  const when = c.all(wide.isNormal(x), c.isNormal(result, 2));
  const error = wide.compute('sub', x, back);
  return [
    ...rounded(c, mxcsr, { when, usual: when, result, isExact: wide.equal(back, x), error }),
    exactly(c, wide.isZero(x), result.bits),
  ];
};
