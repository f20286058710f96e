import { INEXACT, OVERFLOW, ROUNDED_UP, UNDERFLOW } from './exceptions.ts';

/** Rounding control as the x87 control word and MXCSR encode it. */
export const NEAREST = 0;
export const DOWN = 1;
export const UP = 2;
export const TOWARDS_ZERO = 3;

/** A binary format: bits of the significand, exponents of the smallest and the largest normal numbers. */
export interface Format {
  readonly precision: number;
  readonly minExponent: number;
  readonly maxExponent: number;
}

export const HALF: Format = { precision: 11, minExponent: -14, maxExponent: 15 };
export const SINGLE: Format = { precision: 24, minExponent: -126, maxExponent: 127 };
export const DOUBLE: Format = { precision: 53, minExponent: -1022, maxExponent: 1023 };
export const EXTENDED: Format = { precision: 64, minExponent: -16382, maxExponent: 16383 };

/** How a result is rounded. */
export interface Rules {
  readonly format: Format;
  readonly rounding: number;
  /** Tiny results become zeros (MXCSR's flush to zero). */
  readonly flush?: boolean;
  /** Underflow is not masked: exact results raise it, too (SDM volume 1, 4.9.1.5). */
  readonly flagsTiny?: boolean;
}

/** `mantissa * 2^exponent`; mantissa has at most `precision` bits, fewer for subnormal numbers, none for zero. */
export interface Rounded {
  readonly mantissa: bigint;
  readonly exponent: number;
  readonly infinite: boolean;
  readonly flags: number;
}

const scratch = new DataView(new ArrayBuffer(8));

/** Number of bits of a natural number below 2^1023; 0 for 0. */
export function bitLength(x: bigint): number {
  if (x === 0n) return 0;
  scratch.setFloat64(0, Number(x));
  const bits = (scratch.getUint16(0) >> 4) - 1022;
  // Converting rounds to nearest: up to the next power of two at most, which has no fraction.
  if ((scratch.getUint32(0) & 0xf_ffff) !== 0 || scratch.getUint32(4) !== 0) return bits;
  return x >> BigInt(bits - 1) === 0n ? bits - 1 : bits;
}

/**
 * Rounds `mantissa * 2^exponent` (mantissa > 0, exact; a caller that drops bits ors them into the lowest one) to the
 * format, with the response to masked overflow and underflow (SDM volume 1, 4.9.1.4 and 4.9.1.5): tininess is
 * detected after rounding, and underflow is flagged when the tiny result is also inexact, or underflow is not masked.
 */
export function round(sign: number, mantissa: bigint, exponent: number, rules: Rules): Rounded {
  const { format, rounding } = rules;
  const { precision, minExponent, maxExponent } = format;
  const bits = bitLength(mantissa);
  const top = exponent + bits - 1;
  const normal = roundAt(sign, mantissa, exponent, top - precision + 1, rounding);
  const normalTop = normal.carried ? top + 1 : top;
  if (normalTop > maxExponent) return overflow(sign, format, rounding);
  if (top >= minExponent) return { ...normal, infinite: false };
  const lowest = minExponent - precision + 1;
  const tiny = normalTop < minExponent;
  if (tiny && rules.flush)
    return { mantissa: 0n, exponent: lowest, infinite: false, flags: UNDERFLOW | INEXACT };
  const denormalised = roundAt(sign, mantissa, exponent, lowest, rounding);
  const underflow = tiny && (rules.flagsTiny || denormalised.flags !== 0) ? UNDERFLOW : 0;
  return { ...denormalised, flags: denormalised.flags | underflow, infinite: false };
}

/** Rounds to a multiple of 2^lowest; `carried` tells that the result became a power of two one above. */
function roundAt(sign: number, mantissa: bigint, exponent: number, lowest: number, rounding: number) {
  const drop = lowest - exponent;
  if (drop <= 0) return { mantissa: mantissa << BigInt(-drop), exponent: lowest, flags: 0, carried: false };
  const shift = BigInt(drop);
  const kept = mantissa >> shift;
  const rest = mantissa - (kept << shift);
  if (rest === 0n) return { mantissa: kept, exponent: lowest, flags: 0, carried: false };
  if (!roundsUp(sign, kept, rest, shift, rounding))
    return { mantissa: kept, exponent: lowest, flags: INEXACT, carried: false };
  const raised = kept + 1n;
  const carried = bitLength(raised) > bitLength(kept) && bitLength(mantissa) > drop;
  return { mantissa: raised, exponent: lowest, flags: INEXACT | ROUNDED_UP, carried };
}

/** Whether the magnitude grows when the non-zero `rest` (of `shift` bits) below `kept` is dropped. */
function roundsUp(sign: number, kept: bigint, rest: bigint, shift: bigint, rounding: number): boolean {
  switch (rounding) {
    case NEAREST: {
      const half = 1n << (shift - 1n);
      return rest > half || (rest === half && (kept & 1n) === 1n);
    }
    case DOWN:
      return sign === 1;
    case UP:
      return sign === 0;
    default:
      return false;
  }
}

function overflow(sign: number, format: Format, rounding: number): Rounded {
  const { precision, maxExponent } = format;
  const infinite = rounding === NEAREST || rounding === (sign === 1 ? DOWN : UP);
  return {
    mantissa: infinite ? 0n : (1n << BigInt(precision)) - 1n,
    exponent: maxExponent - precision + 1,
    infinite,
    flags: OVERFLOW | INEXACT | (infinite ? ROUNDED_UP : 0),
  };
}

/** Rounds `mantissa * 2^exponent` to an integer; the result is its magnitude. */
export function roundToInteger(sign: number, mantissa: bigint, exponent: number, rounding: number) {
  const { mantissa: magnitude, flags } = roundAt(sign, mantissa, exponent, 0, rounding);
  return { magnitude, flags };
}
