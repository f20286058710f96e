import { DENORMAL, DIVIDE_BY_ZERO, INVALID } from './exceptions.ts';
import {
  type Extended,
  fromExact,
  INDEFINITE,
  infinity,
  isNan,
  kindOf,
  normalised,
  type Outcome,
  quieted,
  scaleOf,
  signOf,
  zero,
} from './extended.ts';
import { bitLength, DOWN, type Rules } from './round.ts';

const invalid: Outcome = { value: INDEFINITE, flags: INVALID };

/**
 * The result when an operand is a NaN or no number at all, else undefined. Of two NaNs a quiet one goes before a
 * signalling one, then the larger significand, then the positive (SDM volume 1, table 4-7).
 */
export function nanOutcome(x: Extended, y: Extended): Outcome | undefined {
  const a = kindOf(x);
  const b = kindOf(y);
  if (a === 'unsupported' || b === 'unsupported') return invalid;
  if (!isNan(a) && !isNan(b)) return undefined;
  const flags = a === 'signalling-nan' || b === 'signalling-nan' ? INVALID : 0;
  return { value: quieted(chosenNan(x, y)), flags };
}

function chosenNan(x: Extended, y: Extended): Extended {
  const a = kindOf(x);
  const b = kindOf(y);
  if (!isNan(a)) return y;
  if (!isNan(b)) return x;
  if (a !== b) return a === 'quiet-nan' ? x : y;
  if (x.significand !== y.significand) return x.significand > y.significand ? x : y;
  return signOf(x) === 0 ? x : y;
}

export function oneNanOutcome(x: Extended): Outcome | undefined {
  return nanOutcome(x, x);
}

export const denormalFlag = (...operands: Extended[]): number =>
  operands.some((x) => kindOf(x) === 'denormal') ? DENORMAL : 0;

const withFlags = (outcome: Outcome, flags: number): Outcome => ({
  ...outcome,
  flags: outcome.flags | flags,
});

export function add(x: Extended, y: Extended, rules: Rules): Outcome {
  const nan = nanOutcome(x, y);
  if (nan !== undefined) return nan;
  const denormal = denormalFlag(x, y);
  const xInfinite = kindOf(x) === 'infinity';
  const yInfinite = kindOf(y) === 'infinity';
  if (xInfinite && yInfinite) return signOf(x) === signOf(y) ? { value: x, flags: 0 } : invalid;
  if (xInfinite || yInfinite) return { value: xInfinite ? x : y, flags: denormal };
  // What lies more than 130 below a normal number only tells on which side of it the sum is.
  const exponent = Math.max(Math.min(scaleOf(x), scaleOf(y)), Math.max(scaleOf(x), scaleOf(y)) - 130);
  const sum = aligned(x, exponent) + aligned(y, exponent);
  if (sum === 0n) return { value: zero(zeroSumSign(x, y, rules)), flags: denormal };
  const sign = sum < 0n ? 1 : 0;
  const magnitude = sum < 0n ? -sum : sum;
  return withFlags(fromExact(sign, magnitude, exponent, rules), denormal);
}

/** The signed significand in units of 2^exponent; a number of a lower scale as the smallest of them. */
function aligned(x: Extended, exponent: number): bigint {
  if (x.significand === 0n) return 0n;
  const shift = scaleOf(x) - exponent;
  const magnitude = shift < 0 ? 1n : x.significand << BigInt(shift);
  return signOf(x) === 1 ? -magnitude : magnitude;
}

/** Zeros of one sign keep it; an exact cancellation gives +0, or -0 when rounding down (SDM volume 1, 4.8.3.1). */
function zeroSumSign(x: Extended, y: Extended, rules: Rules): number {
  if (x.significand === 0n && y.significand === 0n && signOf(x) === signOf(y)) return signOf(x);
  return rules.rounding === DOWN ? 1 : 0;
}

export function subtract(x: Extended, y: Extended, rules: Rules): Outcome {
  return nanOutcome(x, y) ?? add(x, { ...y, head: y.head ^ 0x8000 }, rules);
}

export function multiply(x: Extended, y: Extended, rules: Rules): Outcome {
  const nan = nanOutcome(x, y);
  if (nan !== undefined) return nan;
  const sign = signOf(x) ^ signOf(y);
  const denormal = denormalFlag(x, y);
  const a = kindOf(x);
  const b = kindOf(y);
  if (a === 'infinity' || b === 'infinity')
    return a === 'zero' || b === 'zero' ? invalid : { value: infinity(sign), flags: denormal };
  if (a === 'zero' || b === 'zero') return { value: zero(sign), flags: denormal };
  const product = x.significand * y.significand;
  const exponent = scaleOf(x) + scaleOf(y);
  return withFlags(fromExact(sign, product, exponent, rules), denormal);
}

/** x * y + z, rounded once; none is a NaN. */
export function multiplyAdd(x: Extended, y: Extended, z: Extended, rules: Rules): Outcome {
  const sign = signOf(x) ^ signOf(y);
  const denormal = denormalFlag(x, y, z);
  const [a, b, d] = [x, y, z].map(kindOf);
  const isInfinite = a === 'infinity' || b === 'infinity';
  if (isInfinite && (a === 'zero' || b === 'zero')) return invalid;
  if (isInfinite && d === 'infinity' && signOf(z) !== sign) return invalid;
  if (isInfinite) return { value: infinity(sign), flags: denormal };
  if (d === 'infinity') return { value: z, flags: denormal };
  const product = x.significand * y.significand;
  const productScale = scaleOf(x) + scaleOf(y);
  // What lies 300 below the larger term's highest bit only tells on which side of it the sum is.
  const tops = [productScale + bitLength(product), scaleOf(z) + bitLength(z.significand)];
  const highest = product === 0n ? tops[1] : z.significand === 0n ? tops[0] : Math.max(...tops);
  const exponent = Math.max(Math.min(productScale, scaleOf(z)), highest - 300);
  const term = (negative: number, magnitude: bigint, scale: number): bigint => {
    const shift = scale - exponent;
    const part =
      shift >= 0 || magnitude === 0n
        ? magnitude << BigInt(Math.max(shift, 0))
        : (magnitude >> BigInt(-shift)) | 1n;
    return negative === 1 ? -part : part;
  };
  const sum = term(sign, product, productScale) + term(signOf(z), z.significand, scaleOf(z));
  if (sum === 0n) {
    const zeroSign = sign === signOf(z) ? sign : rules.rounding === DOWN ? 1 : 0;
    return { value: zero(zeroSign), flags: denormal };
  }
  return withFlags(fromExact(sum < 0n ? 1 : 0, sum < 0n ? -sum : sum, exponent, rules), denormal);
}

export function divide(x: Extended, y: Extended, rules: Rules): Outcome {
  const nan = nanOutcome(x, y);
  if (nan !== undefined) return nan;
  const sign = signOf(x) ^ signOf(y);
  const denormal = denormalFlag(x, y);
  const a = kindOf(x);
  const b = kindOf(y);
  if (a === 'infinity') return b === 'infinity' ? invalid : { value: infinity(sign), flags: denormal };
  if (b === 'infinity') return { value: zero(sign), flags: denormal };
  if (b === 'zero') return a === 'zero' ? invalid : { value: infinity(sign), flags: DIVIDE_BY_ZERO };
  if (a === 'zero') return { value: zero(sign), flags: denormal };
  const dividend = normalised(x);
  const divisor = normalised(y);
  // 66 bits or more of quotient, and a last bit for what is left.
  const scaled = dividend.mantissa << 66n;
  const quotient = scaled / divisor.mantissa;
  const rest = quotient * divisor.mantissa === scaled ? 0n : 1n;
  const exponent = dividend.exponent - divisor.exponent - 67;
  const exact = (quotient << 1n) | rest;
  return withFlags(fromExact(sign, exact, exponent, rules), denormal);
}

export function squareRoot(x: Extended, rules: Rules): Outcome {
  const nan = oneNanOutcome(x);
  if (nan !== undefined) return nan;
  if (kindOf(x) === 'zero') return { value: x, flags: 0 };
  if (signOf(x) === 1) return invalid;
  if (kindOf(x) === 'infinity') return { value: x, flags: 0 };
  const { mantissa, exponent } = normalised(x);
  // The exponent must be even; 66 bits or more of root, and a last bit for what is left.
  const shift = (exponent & 1) === 0 ? 70 : 71;
  const square = mantissa << BigInt(shift);
  const root = integerSquareRoot(square);
  const rest = root * root === square ? 0n : 1n;
  const exact = (root << 1n) | rest;
  const outcome = fromExact(0, exact, (exponent - shift) / 2 - 1, rules);
  return withFlags(outcome, denormalFlag(x));
}

/** Largest integer whose square is at most x, by Newton's iteration from above. */
function integerSquareRoot(x: bigint): bigint {
  let root = 1n << BigInt((bitLength(x) + 1) >> 1);
  for (;;) {
    const next = (root + x / root) >> 1n;
    if (next >= root) return root;
    root = next;
  }
}
