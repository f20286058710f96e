import type { Node } from '../../../ir/node.ts';
import { SseCalculator, type Value } from './sse-calculator.ts';

/**
 * By how much results that are rounded to nearest differ from what is exact: doubles whose signs are right, and which are 0 where
 * nothing is lost. Of normal numbers and zeros; products of doubles at or above EXACT, below which their errors may be too small.
 */

/** Exponent field of a double: the last bit of a product's error is 104 places below. */
export const EXACT = 200;

/** Doubles of singles; doubles as they are. */
export function widened(c: SseCalculator, ...values: readonly Value[]): { d: SseCalculator; wide: Value[] } {
  if (c.type === 'f64') return { d: c, wide: [...values] };
  const d = new SseCalculator(c.b, 'f64');
  return { d, wide: values.map(({ float }) => d.from(c.b.op('x86.f64.promote_f32', float))) };
}

/** A sum that does not overflow, and its error, which has the same format (Knuth, TAOCP volume 2, 4.2.2, theorem B). */
export function twoSum(c: SseCalculator, x: Value, y: Value): readonly [sum: Value, error: Value] {
  const sum = c.compute('add', x, y);
  const second = c.compute('sub', sum, x);
  const first = c.compute('sub', sum, second);
  return [sum, c.compute('add', c.compute('sub', x, first), c.compute('sub', y, second))];
}

/** The signs of the product and of the addend change where `signs` has bits 0 and 1. */
const fma = (d: SseCalculator, x: Value, y: Value, z: Value, signs: number): Value =>
  d.from(d.b.opImm('x86.f64.fma', signs, x.float, y.float, z.float));

export function errorOfProduct(c: SseCalculator, x: Value, y: Value, result: Value): Value {
  const {
    d,
    wide: [left, right, rounded],
  } = widened(c, x, y, result);
  return fma(d, left, right, rounded, 2);
}

/** The remainder has the quotient's error's sign, times the divisor's. */
export function errorOfQuotient(c: SseCalculator, x: Value, y: Value, result: Value): Value {
  const {
    d,
    wide: [dividend, divisor, rounded],
  } = widened(c, x, y, result);
  const remainder = fma(d, rounded, divisor, dividend, 1);
  return d.of(d.op('xor', remainder.bits, d.op('and', divisor.bits, 1n << 63n)));
}

export function errorOfRoot(c: SseCalculator, x: Value, result: Value): Value {
  const {
    d,
    wide: [square, rounded],
  } = widened(c, x, result);
  return fma(d, rounded, rounded, square, 1);
}

/** Of x * y + z (Boldo and Muller, "Exact and approximated error of the FMA", 2011, algorithm ErrFmaNearest). */
export function errorOfFused(
  c: SseCalculator,
  [x, y, z]: readonly [Value, Value, Value],
  result: Value,
): Value {
  const {
    d,
    wide: [left, right, addend, rounded],
  } = widened(c, x, y, z, result);
  const product = d.compute('mul', left, right);
  const productError = fma(d, left, right, product, 2);
  const [low, lowError] = twoSum(d, addend, productError);
  const [high, highError] = twoSum(d, product, low);
  const difference = d.compute('add', d.compute('sub', high, rounded), highError);
  return d.compute('add', difference, lowError);
}

/** Roundings of MXCSR (SDM volume 1, table 4-8). */
const DOWN = 1;
const UP = 2;
const TOWARD_ZERO = 3;

/** The bits of a result rounded to nearest, in one of the other ways. The step stays among normal numbers. */
export function stepped(c: SseCalculator, result: Value, error: Value, rounding: Node): Node {
  const zero = c.b.op('f64.reinterpret_i64', c.i64(0n));
  const isAbove = c.b.op('f64.gt', error.float, zero);
  const isBelow = c.b.op('f64.lt', error.float, zero);
  const isNegative = c.op('lt_s', result.bits, 0);
  const isInside = c.choose(isNegative, isAbove, isBelow);
  const isOutside = c.choose(isNegative, isBelow, isAbove);
  const outward = c.choose(isNegative, c.op('eq', rounding, DOWN), c.op('eq', rounding, UP));
  const inward = c.op(
    'or',
    c.op('eq', rounding, TOWARD_ZERO),
    c.choose(isNegative, c.op('eq', rounding, UP), c.op('eq', rounding, DOWN)),
  );
  const step = c.op('sub', c.all(outward, isOutside), c.all(inward, isInside));
  return c.op('add', result.bits, c.type === 'f32' ? step : c.b.op('i64.extend_i32_s', step));
}
