import { denormalFlag, nanOutcome, oneNanOutcome } from './arithmetic.ts';
import { fromInteger } from './convert.ts';
import { DIVIDE_BY_ZERO, INVALID } from './exceptions.ts';
import {
  EXACT,
  type Extended,
  fromExact,
  INDEFINITE,
  infinity,
  kindOf,
  normalised,
  type Outcome,
  roundingOf,
  scaleOf,
  signOf,
  zero,
} from './extended.ts';
import { roundToInteger, TOWARDS_ZERO } from './round.ts';

const invalid: Outcome = { value: INDEFINITE, flags: INVALID };

/** frndint. */
export function roundInteger(x: Extended, control: number): Outcome {
  const nan = oneNanOutcome(x);
  if (nan !== undefined) return nan;
  const kind = kindOf(x);
  // From 2^63 on every number is an integer.
  if (kind === 'zero' || kind === 'infinity' || scaleOf(x) >= 0) return { value: x, flags: 0 };
  const { magnitude, flags } = roundToInteger(signOf(x), x.significand, scaleOf(x), roundingOf(control));
  const value = fromInteger(magnitude);
  return { value: { ...value, head: value.head | (x.head & 0x8000) }, flags: flags | denormalFlag(x) };
}

/** fscale: x * 2^trunc(y). */
export function scale(x: Extended, y: Extended, control: number): Outcome {
  const nan = nanOutcome(x, y);
  if (nan !== undefined) return nan;
  const denormal = denormalFlag(x, y);
  const a = kindOf(x);
  const b = kindOf(y);
  if (b === 'infinity') {
    if (signOf(y) === 0) return a === 'zero' ? invalid : { value: infinity(signOf(x)), flags: denormal };
    return a === 'infinity' ? invalid : { value: zero(signOf(x)), flags: denormal };
  }
  if (a === 'zero' || a === 'infinity') return { value: x, flags: denormal };
  // Beyond 2^16 every result over- or underflows.
  const { magnitude } =
    b === 'zero' || scaleOf(y) + 63 < 0
      ? { magnitude: 0n }
      : scaleOf(y) + 63 > 16
        ? { magnitude: 0x20000n }
        : roundToInteger(0, y.significand, scaleOf(y), TOWARDS_ZERO);
  const power = signOf(y) === 1 ? -Number(magnitude) : Number(magnitude);
  const outcome = fromExact(signOf(x), x.significand, scaleOf(x) + power, {
    ...EXACT,
    rounding: roundingOf(control),
  });
  return { ...outcome, flags: outcome.flags | denormal };
}

/** fxtract: the unbiased exponent, and the significand as a number in [1, 2) with the operand's sign. */
export function extract(x: Extended): { exponent: Extended; significand: Extended; flags: number } {
  const nan = oneNanOutcome(x);
  if (nan !== undefined) return { exponent: nan.value, significand: nan.value, flags: nan.flags };
  switch (kindOf(x)) {
    case 'zero':
      return { exponent: infinity(1), significand: x, flags: DIVIDE_BY_ZERO };
    case 'infinity':
      return { exponent: infinity(0), significand: x, flags: 0 };
    default: {
      const { mantissa, exponent } = normalised(x);
      return {
        exponent: fromInteger(BigInt(exponent + 63)),
        significand: { significand: mantissa, head: (x.head & 0x8000) | 16383 },
        flags: denormalFlag(x),
      };
    }
  }
}

/** Condition codes at their places in the status word. */
export const C0 = 0x100;
export const C1 = 0x200;
export const C2 = 0x400;
export const C3 = 0x4000;

/**
 * fprem (quotient truncated) and fprem1 (quotient to nearest even). While the exponents are 64 or more apart they
 * reduce by part and set C2; the step's size is the implementation's choice between 32 and 63 (SDM, FPREM), here
 * what processors do: such that the next difference is a multiple of 32.
 * `flags` holds exceptions; `condition` C0, C3, C1 with the quotient's low bits, or C2.
 */
export function remainder(x: Extended, y: Extended, nearest: boolean): Outcome & { condition: number } {
  const nan = nanOutcome(x, y);
  if (nan !== undefined) return { ...nan, condition: 0 };
  const a = kindOf(x);
  const b = kindOf(y);
  if (a === 'infinity' || b === 'zero') return { ...invalid, condition: 0 };
  const denormal = denormalFlag(x, y);
  if (a === 'zero') return { value: x, flags: denormal, condition: 0 };
  if (b === 'infinity')
    return { ...fromExact(signOf(x), x.significand, scaleOf(x), EXACT), flags: denormal, condition: 0 };
  const dividend = normalised(x);
  const divisor = normalised(y);
  const difference = dividend.exponent - divisor.exponent;
  const sign = signOf(x);
  if (difference >= 64) {
    const step = (difference & 31) | 32;
    const quotient = (dividend.mantissa << BigInt(step)) / divisor.mantissa;
    const unit = divisor.exponent + difference - step;
    const rest = (dividend.mantissa << BigInt(step)) - quotient * divisor.mantissa;
    if (rest === 0n) return { value: zero(sign), flags: denormal, condition: C2 };
    return { value: fromExact(sign, rest, unit, EXACT).value, flags: denormal, condition: C2 };
  }
  // Both in units of the smaller exponent; below -65 the quotient is 0 either way.
  const shift = Math.max(difference, -66);
  const scaledDividend = shift >= 0 ? dividend.mantissa << BigInt(shift) : dividend.mantissa;
  const scaledDivisor = shift >= 0 ? divisor.mantissa : divisor.mantissa << BigInt(-shift);
  let quotient = scaledDividend / scaledDivisor;
  let rest = scaledDividend - quotient * scaledDivisor;
  if (nearest && (2n * rest > scaledDivisor || (2n * rest === scaledDivisor && (quotient & 1n) === 1n))) {
    quotient += 1n;
    rest -= scaledDivisor;
  }
  const condition =
    ((quotient & 4n) !== 0n ? C0 : 0) | ((quotient & 2n) !== 0n ? C3 : 0) | ((quotient & 1n) !== 0n ? C1 : 0);
  if (rest === 0n) return { value: zero(sign), flags: denormal, condition };
  const unit = shift >= 0 ? divisor.exponent : dividend.exponent;
  const outcome = fromExact(rest < 0n ? 1 - sign : sign, rest < 0n ? -rest : rest, unit, EXACT);
  return { value: outcome.value, flags: outcome.flags | denormal, condition };
}
