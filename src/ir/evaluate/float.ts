import type { Value } from '../value.ts';
import type { Evaluate } from './scalar.ts';

/**
 * Floating point on bit patterns. Arithmetic is JavaScript's on doubles, which rounds to nearest even; NaNs never reach
 * it. A binary32 result computed in binary64 and rounded once more is the correctly rounded one for + - * / and sqrt,
 * because 53 >= 2 * 24 + 2 (Figueroa, "When is double rounding innocuous?", 1995).
 */
const scratch = new DataView(new ArrayBuffer(8));

export function f64Of(bits: bigint): number {
  scratch.setBigInt64(0, bits);
  return scratch.getFloat64(0);
}

export function f64Bits(x: number): bigint {
  scratch.setFloat64(0, x);
  return scratch.getBigInt64(0);
}

export function f32Of(bits: number): number {
  scratch.setInt32(0, bits);
  return scratch.getFloat32(0);
}

export function f32Bits(x: number): number {
  scratch.setFloat32(0, x);
  return scratch.getInt32(0);
}

const isNan32 = (bits: number): boolean => (bits & 0x7fff_ffff) > 0x7f80_0000;
const isNan64 = (bits: bigint): boolean => (bits & 0x7fff_ffff_ffff_ffffn) > 0x7ff0_0000_0000_0000n;
const quiet32 = (bits: number): number => bits | 0x0040_0000;
const quiet64 = (bits: bigint): bigint => BigInt.asIntN(64, bits | 0x0008_0000_0000_0000n);
/** SDM volume 1, table 4-3: QNaN floating-point indefinite. */
const INDEFINITE32 = 0xffc0_0000 | 0;
const INDEFINITE64 = BigInt.asIntN(64, 0xfff8_0000_0000_0000n);

type Arithmetic = (x: number, y: number) => number;

export function arithmetic32(run: Arithmetic, x: number, y: number): number {
  if (isNan32(x)) return quiet32(x);
  if (isNan32(y)) return quiet32(y);
  const result = run(f32Of(x), f32Of(y));
  return Number.isNaN(result) ? INDEFINITE32 : f32Bits(result);
}

export function arithmetic64(run: Arithmetic, x: bigint, y: bigint): bigint {
  if (isNan64(x)) return quiet64(x);
  if (isNan64(y)) return quiet64(y);
  const result = run(f64Of(x), f64Of(y));
  return Number.isNaN(result) ? INDEFINITE64 : f64Bits(result);
}

export const ARITHMETIC: Readonly<Record<string, Arithmetic>> = {
  add: (x, y) => x + y,
  sub: (x, y) => x - y,
  mul: (x, y) => x * y,
  div: (x, y) => x / y,
};

/** Of one operand. */
export const UNARY: Readonly<Record<string, (x: number) => number>> = {
  sqrt: Math.sqrt,
  ceil: Math.ceil,
  floor: Math.floor,
  trunc: Math.trunc,
  nearest: roundToEven,
};

export const COMPARE: Readonly<Record<string, (x: number, y: number) => boolean>> = {
  eq: (x, y) => x === y,
  ne: (x, y) => x !== y,
  lt: (x, y) => x < y,
  le: (x, y) => x <= y,
  gt: (x, y) => x > y,
  ge: (x, y) => x >= y,
};

/** Adding 2^52 leaves no room for a fraction: the sum is rounded to nearest even. */
function roundToEven(x: number): number {
  const limit = 2 ** 52;
  // A zero keeps its sign, and what becomes zero does.
  if (x === 0 || !(Math.abs(x) < limit)) return x;
  return x < 0 ? -(limit - x - limit) : x + limit - limit;
}

function toInt32(x: number): number {
  return x >= -(2 ** 31) && x < 2 ** 31 ? x | 0 : -(2 ** 31);
}

function toInt64(x: number): bigint {
  return x >= -(2 ** 63) && x < 2 ** 63 ? BigInt(x) : -(2n ** 63n);
}

/** Through a double of 53 significant bits whose last one is sticky, so that only the second rounding matters. */
export function f32FromInt64(x: bigint): number {
  if (BigInt.asIntN(54, x) === x) return f32Bits(Number(x));
  const sticky = (x & 0x7ffn) === 0n ? 0n : 1n;
  return f32Bits(Number((x >> 11n) | sticky) * 2048);
}

function promote(bits: number): bigint {
  if (!isNan32(bits)) return f64Bits(f32Of(bits));
  const sign = bits < 0 ? 0x8000_0000_0000_0000n : 0n;
  return quiet64(sign | 0x7ff0_0000_0000_0000n | (BigInt(bits & 0x7f_ffff) << 29n));
}

export function demote(bits: bigint): number {
  if (!isNan64(bits)) return f32Bits(f64Of(bits));
  const payload = Number((bits >> 29n) & 0x3f_ffffn);
  return (bits < 0n ? 0x8000_0000 : 0) | 0x7fc0_0000 | payload;
}

const same: Evaluate = ([x]) => x;
const table: Record<string, Evaluate> = {
  'i32.reinterpret_f32': same,
  'f32.reinterpret_i32': same,
  'i64.reinterpret_f64': same,
  'f64.reinterpret_i64': same,
  'f32.convert_i32_s': ([x]) => f32Bits(x as number),
  'f32.convert_i64_s': ([x]) => f32FromInt64(x as bigint),
  'f64.convert_i32_s': ([x]) => f64Bits(x as number),
  'f64.convert_i64_s': ([x]) => f64Bits(Number(x)),
  'x86.f64.promote_f32': ([x]) => promote(x as number),
  'x86.f32.demote_f64': ([x]) => demote(x as bigint),
};

for (const [name, run] of Object.entries(ARITHMETIC)) {
  table[`x86.f32.${name}`] = ([x, y]) => arithmetic32(run, x as number, y as number);
  table[`x86.f64.${name}`] = ([x, y]) => arithmetic64(run, x as bigint, y as bigint);
  // One of the NaNs that these may give.
  table[`f64.${name}`] = table[`x86.f64.${name}`];
}
for (const [name, run] of Object.entries(UNARY)) {
  table[`x86.f32.${name}`] = ([x]) => arithmetic32(run, x as number, x as number);
  table[`x86.f64.${name}`] = ([x]) => arithmetic64(run, x as bigint, x as bigint);
}
for (const [name, holds] of Object.entries(COMPARE)) {
  table[`f32.${name}`] = ([x, y]) => (holds(f32Of(x as number), f32Of(y as number)) ? 1 : 0);
  table[`f64.${name}`] = ([x, y]) => (holds(f64Of(x as bigint), f64Of(y as bigint)) ? 1 : 0);
}
const real: readonly (readonly [string, (x: Value) => number])[] = [
  ['f32', (x) => f32Of(x as number)],
  ['f64', (x) => f64Of(x as bigint)],
];
for (const [type, of] of real) {
  table[`x86.i32.trunc_${type}`] = ([x]) => toInt32(Math.trunc(of(x)));
  table[`x86.i32.round_${type}`] = ([x]) => toInt32(roundToEven(of(x)));
  table[`x86.i64.trunc_${type}`] = ([x]) => toInt64(Math.trunc(of(x)));
  table[`x86.i64.round_${type}`] = ([x]) => toInt64(roundToEven(of(x)));
}

export const FLOAT: Readonly<Record<string, Evaluate>> = table;
