import { type Approximation, type Real, real, roundIrrational } from './approximate.ts';
import { denormalFlag, multiply, nanOutcome, oneNanOutcome } from './arithmetic.ts';
import { fromInteger } from './convert.ts';
import { DIVIDE_BY_ZERO, INVALID } from './exceptions.ts';
import {
  EXACT,
  type Extended,
  INDEFINITE,
  INTEGER_BIT,
  infinity,
  kindOf,
  normalised,
  type Outcome,
  one,
  roundingOf,
  signOf,
  zero,
} from './extended.ts';
import type { Rules } from './round.ts';

/**
 * f2xm1, fyl2x, fyl2xp1 and fpatan. Processors differ in the last bit of these (within one unit, SDM volume 1, 8.3.10); to
 * be the same everywhere, ours are correctly rounded. The precision control does not apply to them.
 */
const invalid: Outcome = { value: INDEFINITE, flags: INVALID };
const rulesFor = (control: number): Rules => ({ ...EXACT, rounding: roundingOf(control) });

function exact(x: Extended): Real {
  const { mantissa, exponent } = normalised(x);
  return real(signOf(x) === 1 ? -mantissa : mantissa, exponent);
}

const withDenormal = (outcome: Outcome, ...operands: Extended[]): Outcome => ({
  ...outcome,
  flags: outcome.flags | denormalFlag(...operands),
});

const isOne = (x: Extended): boolean => (x.head & 0x7fff) === 16383 && x.significand === INTEGER_BIT;

/** 2^x - 1 for -1 <= x <= 1; outside, where the manual leaves it undefined, x itself (and -1 for minus infinity). */
export function powerMinusOne(x: Extended, control: number): Outcome {
  const nan = oneNanOutcome(x);
  if (nan !== undefined) return nan;
  const kind = kindOf(x);
  if (kind === 'infinity') return { value: signOf(x) === 1 ? one(1) : x, flags: 0 };
  if (isOne(x)) return { value: signOf(x) === 1 ? { significand: INTEGER_BIT, head: 0xbffe } : x, flags: 0 };
  if (kind === 'zero' || (x.head & 0x7fff) >= 16383) return { value: x, flags: 0 };
  const value = (a: Approximation) => a.exponentialMinusOne(a.multiply(exact(x), a.ln2()));
  return withDenormal(roundIrrational(value, rulesFor(control)), x);
}

/** y * log2(x) */
export function logarithm(y: Extended, x: Extended, control: number): Outcome {
  const nan = nanOutcome(y, x);
  if (nan !== undefined) return nan;
  const yKind = kindOf(y);
  if (kindOf(x) === 'zero') {
    if (yKind === 'zero') return invalid;
    return { value: infinity(1 - signOf(y)), flags: yKind === 'infinity' ? 0 : DIVIDE_BY_ZERO };
  }
  if (signOf(x) === 1) return invalid;
  if (kindOf(x) === 'infinity')
    return yKind === 'zero' ? invalid : withDenormal({ value: infinity(signOf(y)), flags: 0 }, y);
  const { mantissa, exponent } = normalised(x);
  if (mantissa === INTEGER_BIT) return timesInteger(y, exponent + 63, x, control);
  const below = exponent + 63 < 0 ? 1 : 0;
  if (yKind === 'zero' || yKind === 'infinity') return timesSign(y, below, x);
  // x = f * 2^k with f near 1, so that the sum loses nothing.
  const up = mantissa > SQUARE_ROOT_OF_TWO ? 1 : 0;
  const k = exponent + 63 + up;
  const fraction = real(mantissa - (1n << BigInt(63 + up)), -63 - up);
  const value = (a: Approximation) => {
    const base2 = a.divide(a.logarithmOfOnePlus(fraction), a.ln2());
    return a.multiply(exact(y), a.add(real(BigInt(k)), base2));
  };
  return withDenormal(roundIrrational(value, rulesFor(control)), x, y);
}

/** Of sqrt(2) * 2^63. */
const SQUARE_ROOT_OF_TWO = 0xb504_f333_f9de_6484n;

/** A product with an exact logarithm. */
function timesInteger(y: Extended, k: number, x: Extended, control: number): Outcome {
  return withDenormal(multiply(y, fromInteger(BigInt(k)), rulesFor(control)), x);
}

/** y is zero or infinite, and the logarithm neither: its sign alone counts. */
function timesSign(y: Extended, sign: number, x: Extended): Outcome {
  return withDenormal({ value: { ...y, head: y.head ^ (sign << 15) }, flags: 0 }, x);
}

/** y * log2(x + 1), meant for x near 0. */
export function logarithmOfOnePlus(y: Extended, x: Extended, control: number): Outcome {
  const nan = nanOutcome(y, x);
  if (nan !== undefined) return nan;
  const [xKind, yKind] = [kindOf(x), kindOf(y)];
  if (xKind === 'zero') {
    if (yKind === 'infinity') return invalid;
    return withDenormal({ value: zero(signOf(x) ^ signOf(y)), flags: 0 }, y);
  }
  if (signOf(x) === 1 && (x.head & 0x7fff) >= 16383) return invalid;
  if (xKind === 'infinity') return yKind === 'zero' ? invalid : { value: infinity(signOf(y)), flags: 0 };
  if (yKind === 'zero' || yKind === 'infinity') return timesSign(y, signOf(x), x);
  // Outside the range that the manual defines, 1 + x is split as in `logarithm`: the series would take for ever.
  const isNear = (x.head & 0x7fff) < 16382;
  const value = (a: Approximation) =>
    a.multiply(
      exact(y),
      isNear
        ? a.divide(a.logarithmOfOnePlus(exact(x)), a.ln2())
        : a.binaryLogarithm(a.add(real(1n), exact(x))),
    );
  return withDenormal(roundIrrational(value, rulesFor(control)), x, y);
}

/** The angle of the point (x, y). */
export function arcTangent(y: Extended, x: Extended, control: number): Outcome {
  const nan = nanOutcome(y, x);
  if (nan !== undefined) return nan;
  const [xKind, yKind] = [kindOf(x), kindOf(y)];
  const negative = signOf(x) === 1;
  /** A multiple of pi / 4, with y's sign. */
  const quarters = (count: bigint): Outcome => {
    const value = (a: Approximation) => {
      const pi = a.pi();
      return real((signOf(y) === 1 ? -count : count) * pi.mantissa, pi.exponent - 2);
    };
    return withDenormal(roundIrrational(value, rulesFor(control)), x, y);
  };
  if (yKind === 'zero' || (xKind === 'infinity' && yKind !== 'infinity'))
    return negative ? quarters(4n) : withDenormal({ value: zero(signOf(y)), flags: 0 }, x, y);
  if (yKind === 'infinity') return quarters(xKind === 'infinity' ? (negative ? 3n : 1n) : 2n);
  if (xKind === 'zero') return quarters(2n);
  const value = (a: Approximation) => angle(a, y, x);
  return withDenormal(roundIrrational(value, rulesFor(control)), x, y);
}

/** Both finite and not zero: by the smaller quotient, and the quadrant. */
function angle(a: Approximation, y: Extended, x: Extended): Real {
  const [height, width] = [y, x].map((z) => real(normalised(z).mantissa, normalised(z).exponent));
  const steep =
    height.exponent !== width.exponent ? height.exponent > width.exponent : height.mantissa > width.mantissa;
  const part = a.arcTangent(steep ? a.divide(width, height) : a.divide(height, width));
  const pi = a.pi();
  const negative = signOf(x) === 1;
  const minus = (z: Real) => real(-z.mantissa, z.exponent);
  const half = real(pi.mantissa, pi.exponent - 1);
  let result = part;
  if (steep) result = a.add(half, negative ? part : minus(part));
  else if (negative) result = a.add(pi, minus(part));
  return signOf(y) === 1 ? minus(result) : result;
}
