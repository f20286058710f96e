import type { Type } from '../../ir/ops.ts';
import type { FunctionBuilder } from '../../wasm/function.ts';
import type { Expansion } from './expansion.ts';
import { F32, F64, type FloatFormat, withNan, withNans } from './float-code.ts';

/**
 * Tiny numbers as zeros. A result is tiny when it is below the least normal number after rounding to the significand's
 * length, as if exponents had no end (SDM volume 1, 4.9.1.5). Sums are exact where they are that small. Products and quotients
 * are computed again at 2^64 times the size, where they have all their places: the factor or dividend to be scaled is below
 * 2^53 then, or the result is 0.
 */

/** The least normal number and 2^64 as many of it, and 2^64. */
const BOUNDS = {
  f32: { least: 0x0080_0000n, scaledLeast: 0x2080_0000n, scale: 0x5f80_0000n },
  f64: {
    least: 0x0010_0000_0000_0000n,
    scaledLeast: 0x0410_0000_0000_0000n,
    scale: 0x43f0_0000_0000_0000n,
  },
} as const;

/** Doubles below are tiny in single precision: 2^-126 - 2^-151, from where on they are rounded to 2^-126. */
export const TINY_SINGLE = 0x380f_ffff_f000_0000n;

/** Pushes a number by its bits. */
function number(f: FunctionBuilder, { type, bits }: FloatFormat, value: bigint): void {
  if (bits === 'i32') f.i32(Number(value));
  else f.i64(value);
  f.op(`${type}.reinterpret_${bits}`);
}

function splat(f: FunctionBuilder, { bits }: FloatFormat, value: bigint): void {
  const half = bits === 'i32' ? (value << 32n) | value : value;
  f.v128(half, half);
}

/** Where a number's magnitude is below a bound (and where it is 0), the local, of its own format, becomes a zero of its sign. */
function clearBelow(
  f: FunctionBuilder,
  format: FloatFormat,
  bound: bigint,
  value: number,
  local: number,
  localFormat = format,
): void {
  const { type } = format;
  f.get(value);
  f.op(`${type}.abs`);
  number(f, format, bound);
  f.op(`${type}.lt`);
  f.if(undefined, 'unlikely');
  number(f, localFormat, 0n);
  f.get(local);
  f.op(`${localFormat.type}.copysign`);
  f.set(local);
  f.end();
}

/** The same by lanes, of one format; the result is pushed. */
export function pushClearedBelow(
  f: FunctionBuilder,
  format: FloatFormat,
  bound: bigint,
  value: number,
  local: number,
): void {
  const { shape } = format;
  f.get(local);
  f.get(value);
  f.op(`${shape}.abs`);
  splat(f, format, bound);
  f.op(`${shape}.lt`);
  // All bits but the sign's.
  f.i32(1);
  f.op(format.bits === 'i32' ? 'i32x4.shr_u' : 'i64x2.shr_u');
  f.op('v128.andnot');
}

/** A vector whose subnormal lanes are zeros. */
export function pushWithoutSubnormals(f: FunctionBuilder, format: FloatFormat, value: number): void {
  pushClearedBelow(f, format, BOUNDS[format.type].least, value, value);
}

/** By lanes, whether they are the least normal number, with either sign. */
export function pushIsLeastNormal(f: FunctionBuilder, format: FloatFormat, value: number): void {
  f.get(value);
  f.op(`${format.shape}.abs`);
  splat(f, format, BOUNDS[format.type].least);
  f.op(`${format.shape}.eq`);
}

const isSum = (operation: string): boolean => operation === 'add' || operation === 'sub';

function scalar(format: FloatFormat, operation: string): Expansion {
  const { type } = format;
  const { least, scaledLeast, scale } = BOUNDS[type];
  return (f, [x, y], scratch) => {
    const result = scratch(type);
    f.get(x);
    f.get(y);
    f.op(`${type}.${operation}`);
    f.tee(result);
    f.op(`${type}.abs`);
    number(f, format, least);
    f.op(`${type}.gt`);
    f.op('i32.eqz');
    // Small, zero or NaN.
    f.if(undefined, 'unlikely');
    withNan(f, format, [x, y], result);
    if (isSum(operation)) clearBelow(f, format, least, result, result);
    else {
      const scaled = scratch(type);
      f.get(x);
      number(f, format, scale);
      f.op(`${type}.mul`);
      f.get(y);
      f.op(`${type}.${operation}`);
      f.set(scaled);
      clearBelow(f, format, scaledLeast, scaled, result);
    }
    f.end();
    f.get(result);
  };
}

function vector(format: FloatFormat, operation: string): Expansion {
  const { type, shape } = format;
  const { least, scaledLeast, scale } = BOUNDS[type];
  return (f, [x, y], scratch) => {
    const result = scratch('v128');
    f.get(x);
    f.get(y);
    f.op(`${shape}.${operation}`);
    withNans(f, format, [x, y], result, scratch);
    if (isSum(operation)) return pushWithoutSubnormals(f, format, result);
    f.get(result);
    f.op(`${shape}.abs`);
    splat(f, format, least);
    f.op(`${shape}.le`);
    f.op('v128.any_true');
    f.if(undefined, 'unlikely');
    const scaled = scratch('v128');
    f.get(x);
    splat(f, format, scale);
    f.op(`${shape}.mul`);
    f.get(y);
    f.op(`${shape}.${operation}`);
    f.set(scaled);
    pushClearedBelow(f, format, scaledLeast, scaled, result);
    f.set(result);
    f.end();
    f.get(result);
  };
}

/** A copy of a value in a local of its own. */
function copied(f: FunctionBuilder, value: number, type: Type, scratch: (type: Type) => number): number {
  const local = scratch(type);
  f.get(value);
  f.set(local);
  return local;
}

const expansions: Record<string, Expansion> = {};

for (const format of [F32, F64]) {
  const { type, shape } = format;
  const { least } = BOUNDS[type];
  expansions[`x86.${type}.daz`] = (f, [x], scratch) => {
    const result = copied(f, x, type, scratch);
    clearBelow(f, format, least, x, result);
    f.get(result);
  };
  expansions[`x86.${shape}.daz`] = (f, [x]) => pushWithoutSubnormals(f, format, x);
  for (const operation of ['add', 'sub', 'mul', 'div']) {
    expansions[`x86.${type}.${operation}_ftz`] = scalar(format, operation);
    expansions[`x86.${shape}.${operation}_ftz`] = vector(format, operation);
  }
}

export const FLUSHED: Readonly<Record<string, Expansion>> = expansions;

/** What `demote` makes of a double, with zeros for tiny singles. */
export function demotedWithZeros(demote: Expansion): Expansion {
  return (f, args, scratch, imm, helper) => {
    const result = scratch('f32');
    demote(f, args, scratch, imm, helper);
    f.set(result);
    clearBelow(f, F64, TINY_SINGLE, args[0], result, F32);
    f.get(result);
  };
}
