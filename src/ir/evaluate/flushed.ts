import type { Value } from '../value.ts';
import { ARITHMETIC, arithmetic32, arithmetic64, demote, f32Of, f64Of } from './float.ts';
import { F32, F64, type Format, lanesOf, vectorOf } from './formats.ts';
import type { Evaluate } from './scalar.ts';

/**
 * Tiny numbers as zeros, on bit patterns. A result is tiny when it is below the least normal number after rounding to the
 * significand's length, as if exponents had no end (SDM volume 1, 4.9.1.5): one that is rounded up to the least normal
 * number only because subnormals have fewer places is tiny too.
 */
type Lane = (...operands: bigint[]) => bigint;

const magnitudeMask = ({ bits }: Format): bigint => (1n << BigInt(bits - 1)) - 1n;
const leastNormal = ({ fraction }: Format): bigint => 1n << BigInt(fraction);
const signed = (bits: bigint, { bits: width }: Format): bigint => BigInt.asIntN(width, bits);

/** A zero of the same sign. */
const cleared = (bits: bigint, format: Format): bigint => signed(bits & ~magnitudeMask(format), format);

const withoutSubnormals = (bits: bigint, format: Format): bigint =>
  (bits & magnitudeMask(format)) < leastNormal(format) ? cleared(bits, format) : bits;

/** Below, a number is tiny in single precision: halfway between the two largest numbers of 24 bits up to 2^-126. */
const TINY_SINGLE = 2 ** -126 - 2 ** -151;
/** Where a double has all its places, at 2^64 times the size. */
const SCALE = 2 ** 64;

function flushed32(name: string): Lane {
  const run = ARITHMETIC[name];
  return (x, y) => {
    const result = BigInt(arithmetic32(run, Number(x), Number(y)));
    // In double precision a product is exact, and a quotient on the right side of the bound.
    return Math.abs(run(f32Of(Number(x)), f32Of(Number(y)))) < TINY_SINGLE ? cleared(result, F32) : result;
  };
}

function flushed64(name: string): Lane {
  const run = ARITHMETIC[name];
  const isSum = name === 'add' || name === 'sub';
  return (x, y) => {
    const result = arithmetic64(run, x, y);
    if ((result & magnitudeMask(F64)) > leastNormal(F64)) return result;
    if (isSum) return withoutSubnormals(result, F64);
    // The first factor or the dividend is below 2^53 here, if the result is not 0.
    const scaled = run(f64Of(x) * SCALE, f64Of(y));
    return Math.abs(scaled) < 2 ** -1022 * SCALE ? cleared(result, F64) : result;
  };
}

const table: Record<string, Evaluate> = {
  'x86.f32.demote_f64_ftz': ([x]) => {
    const result = demote(x as bigint);
    return Math.abs(f64Of(x as bigint)) < TINY_SINGLE ? Number(cleared(BigInt(result), F32)) : result;
  },
};

function define(name: string, format: Format, lane: Lane): void {
  const of = (x: Value): bigint => BigInt(x as number | bigint);
  const value = (bits: bigint): Value => (format.bits === 32 ? Number(bits) : bits);
  table[`x86.f${format.bits}.${name}`] = (args) => value(lane(...args.map(of)));
  table[`x86.f${format.bits}x${128 / format.bits}.${name}`] = (args) => {
    const lanes = args.map((each) => lanesOf(each, format).map((bits) => signed(bits, format)));
    return vectorOf(
      lanes[0].map((_, i) => lane(...lanes.map((each) => each[i]))),
      format,
    );
  };
}

for (const [format, flushed] of [
  [F32, flushed32],
  [F64, flushed64],
] as const) {
  define('daz', format, (x) => withoutSubnormals(x, format));
  for (const name of Object.keys(ARITHMETIC)) define(`${name}_ftz`, format, flushed(name));
}

export const FLUSHED: Readonly<Record<string, Evaluate>> = table;
