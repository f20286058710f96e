import { DENORMAL, INEXACT, INVALID, ROUNDED_UP } from './exceptions.ts';
import {
  EXACT,
  type Extended,
  fromExact,
  INTEGER_BIT,
  infinity,
  kindOf,
  type Outcome,
  quieted,
  roundingOf,
  scaleOf,
  signOf,
  zero,
} from './extended.ts';
import { DOUBLE, type Format, type Rounded, round, roundToInteger, SINGLE } from './round.ts';

/** Width in bits of a stored format's exponent field. */
const exponentBits = (format: Format): number => Math.log2(format.maxExponent + 1) + 1;

/**
 * A single or double number, as stored; every one of them is representable. A signalling NaN stays one, for the
 * instruction that reads it to choose by; `flags` tells of a denormal operand.
 */
export function fromBinary(bits: bigint, format: Format): Outcome {
  const fractionBits = BigInt(format.precision - 1);
  const sign = Number(bits >> (fractionBits + BigInt(exponentBits(format)))) & 1;
  const maximum = (1 << exponentBits(format)) - 1;
  const biased = Number(bits >> fractionBits) & maximum;
  const fraction = bits & ((1n << fractionBits) - 1n);
  if (biased === maximum) {
    if (fraction === 0n) return { value: infinity(sign), flags: 0 };
    const significand = INTEGER_BIT | (fraction << (63n - fractionBits));
    return { value: { significand, head: (sign << 15) | 0x7fff }, flags: 0 };
  }
  if (biased === 0) {
    if (fraction === 0n) return { value: zero(sign), flags: 0 };
    const lowest = format.minExponent - format.precision + 1;
    return { value: fromExact(sign, fraction, lowest, EXACT).value, flags: DENORMAL };
  }
  const mantissa = fraction | (1n << fractionBits);
  const exponent = biased + format.minExponent - format.precision;
  return { value: fromExact(sign, mantissa, exponent, EXACT).value, flags: 0 };
}

export const fromDouble = (bits: bigint): Outcome => fromBinary(bits, DOUBLE);
export const fromSingle = (bits: bigint): Outcome => fromBinary(bits, SINGLE);

/** Stores as single or double: the bits, and the exceptions that storing raises. */
export function toBinary(x: Extended, format: Format, control: number): { bits: bigint; flags: number } {
  const fractionBits = BigInt(format.precision - 1);
  const maximum = (1n << BigInt(exponentBits(format))) - 1n;
  const assemble = (sign: number, biased: bigint, fraction: bigint): bigint =>
    (((BigInt(sign) << BigInt(exponentBits(format))) | biased) << fractionBits) | fraction;
  const sign = signOf(x);
  switch (kindOf(x)) {
    case 'zero':
      return { bits: assemble(sign, 0n, 0n), flags: 0 };
    case 'infinity':
      return { bits: assemble(sign, maximum, 0n), flags: 0 };
    case 'unsupported':
      return { bits: assemble(1, maximum, 1n << (fractionBits - 1n)), flags: INVALID };
    case 'quiet-nan':
    case 'signalling-nan': {
      const fraction = (quieted(x).significand & (INTEGER_BIT - 1n)) >> (63n - fractionBits);
      return { bits: assemble(sign, maximum, fraction), flags: kindOf(x) === 'signalling-nan' ? INVALID : 0 };
    }
    case 'denormal':
    case 'normal': {
      const rounded = round(sign, x.significand, scaleOf(x), { format, rounding: roundingOf(control) });
      if (rounded.infinite) return { bits: assemble(sign, maximum, 0n), flags: rounded.flags };
      return { bits: assemble(sign, 0n, 0n) | packed(rounded, format), flags: rounded.flags };
    }
  }
}

/** Exponent and fraction fields; a mantissa of full length carries one into the exponent field. */
function packed({ mantissa, exponent }: Rounded, format: Format): bigint {
  const biasedMinusOne = BigInt(exponent + format.precision - 1 - format.minExponent);
  return (biasedMinusOne << BigInt(format.precision - 1)) + mantissa;
}

export const toDouble = (x: Extended, control: number) => toBinary(x, DOUBLE, control);
export const toSingle = (x: Extended, control: number) => toBinary(x, SINGLE, control);

export function fromInteger(x: bigint): Extended {
  if (x === 0n) return zero(0);
  return fromExact(x < 0n ? 1 : 0, x < 0n ? -x : x, 0, EXACT).value;
}

/** Converts to a signed integer of 16, 32 or 64 bits; what does not fit gives the integer indefinite, -2^(bits-1). */
export function toInteger(x: Extended, bits: number, rounding: number): { integer: bigint; flags: number } {
  const limit = 1n << BigInt(bits - 1);
  const invalid = { integer: -limit, flags: INVALID };
  const kind = kindOf(x);
  if (kind === 'zero') return { integer: 0n, flags: 0 };
  if (kind !== 'normal' && kind !== 'denormal') return invalid;
  // Beyond 2^64 nothing fits, and huge shifts are spared.
  if (scaleOf(x) > 0) return invalid;
  const { magnitude, flags } = roundToInteger(signOf(x), x.significand, scaleOf(x), rounding);
  const integer = signOf(x) === 1 ? -magnitude : magnitude;
  return integer >= limit || integer < -limit ? invalid : { integer, flags };
}

/** 18 packed decimal digits and a sign byte, low byte first in the integer. Digits above 9 are undefined. */
export function fromDecimal(bits: bigint): Extended {
  let magnitude = 0n;
  for (let digit = 17n; digit >= 0n; digit--) magnitude = magnitude * 10n + ((bits >> (4n * digit)) & 15n);
  const sign = Number(bits >> 79n) & 1;
  const value = fromInteger(magnitude);
  return { ...value, head: value.head | (sign << 15) };
}

const DECIMAL_INDEFINITE = 0xffffc000000000000000n;

export function toDecimal(x: Extended, rounding: number): { bits: bigint; flags: number } {
  const { integer, flags } = toInteger(x, 64, rounding);
  const magnitude = integer < 0n ? -integer : integer;
  if ((flags & INVALID) !== 0 || magnitude >= 10n ** 18n) return { bits: DECIMAL_INDEFINITE, flags: INVALID };
  let bits = BigInt(signOf(x)) << 79n;
  let rest = magnitude;
  for (let digit = 0n; rest > 0n; digit++, rest /= 10n) bits |= (rest % 10n) << (4n * digit);
  return { bits, flags: flags & (INEXACT | ROUNDED_UP) };
}
