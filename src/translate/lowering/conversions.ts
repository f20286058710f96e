import type { FunctionBuilder } from '../../wasm/function.ts';
import type { Expansion } from './expansion.ts';
import { F64 } from './float-code.ts';
import { pushClearedBelow, TINY_SINGLE } from './flushed.ts';

/** Conversions of vectors. Lane by lane a loop of `vcvtps2dq` took 2.59 s, and now 1.12, with the measurement of its accesses. */

/** 2^31, in the lanes of a format, and what lanes of 32 bits become that are not below it: the integer indefinite. */
const LIMITS = { f32x4: 0x4f00_0000_4f00_0000n, f64x2: 0x41e0_0000_0000_0000n } as const;
const INDEFINITE = 0x8000_0000_8000_0000n;

/** The lower halves of 64-bit lanes, and the first of another vector. */
const NARROWED = [0, 1, 2, 3, 8, 9, 10, 11, 16, 17, 18, 19, 20, 21, 22, 23];

/** Makes lanes of 32 bits, the upper two of them 0, of the 64-bit lanes on the stack. */
function narrow(f: FunctionBuilder): void {
  f.v128(0n, 0n);
  f.shuffle(NARROWED);
}

const toIntegers =
  (shape: 'f32x4' | 'f64x2', how: 'trunc' | 'round'): Expansion =>
  (f, [x], scratch) => {
    const value = scratch('v128');
    f.get(x);
    if (how === 'round') f.op(`${shape}.nearest`);
    f.tee(value);
    // Saturation gives the integer indefinite below the range; above it and for NaN we must.
    f.op(shape === 'f32x4' ? 'i32x4.trunc_sat_f32x4_s' : 'i32x4.trunc_sat_f64x2_s_zero');
    f.v128(INDEFINITE, shape === 'f32x4' ? INDEFINITE : 0n);
    f.get(value);
    f.v128(LIMITS[shape], LIMITS[shape]);
    f.op(`${shape}.lt`);
    if (shape === 'f64x2') narrow(f);
    f.op('v128.bitselect');
  };

/** Pushes the result, in which lanes of NaNs become what the function pushes: the sign, and the payload from the top, quieted. */
function withNanOf(
  f: FunctionBuilder,
  { wide, result, isNarrow }: { wide: number; result: number; isNarrow: boolean },
  pushNan: () => void,
): void {
  const isNan = () => {
    f.get(wide);
    f.get(wide);
    f.op('f64x2.ne');
  };
  isNan();
  f.op('i64x2.bitmask');
  f.if(undefined, 'unlikely');
  pushNan();
  if (isNarrow) narrow(f);
  f.get(result);
  isNan();
  if (isNarrow) narrow(f);
  f.op('v128.bitselect');
  f.set(result);
  f.end();
  f.get(result);
}

/** Pushes 64-bit lanes of a value on the stack, shifted and masked. */
function field(f: FunctionBuilder, shift: 'shl' | 'shr_u', count: number, mask: bigint): void {
  f.i32(count);
  f.op(`i64x2.${shift}`);
  f.v128(mask, mask);
  f.op('v128.and');
}

function constantOr(f: FunctionBuilder, bits: bigint): void {
  f.v128(bits, bits);
  f.op('v128.or');
}

const promote: Expansion = (f, [x], scratch) => {
  const result = scratch('v128');
  f.get(x);
  f.op('f64x2.promote_low_f32x4');
  f.set(result);
  const bits = () => {
    f.get(x);
    f.op('i64x2.extend_low_i32x4_u');
  };
  withNanOf(f, { wide: result, result, isNarrow: false }, () => {
    bits();
    field(f, 'shl', 32, 1n << 63n);
    bits();
    field(f, 'shl', 29, 0x7f_ffffn << 29n);
    f.op('v128.or');
    constantOr(f, 0x7ff8n << 48n);
  });
};

const demote =
  (flushes: boolean): Expansion =>
  (f, [x], scratch) => {
    const result = scratch('v128');
    const wide = scratch('v128');
    if (flushes) pushClearedBelow(f, F64, TINY_SINGLE, x, x);
    else f.get(x);
    f.tee(wide);
    f.op('f32x4.demote_f64x2_zero');
    f.set(result);
    withNanOf(f, { wide, result, isNarrow: true }, () => {
      f.get(wide);
      field(f, 'shr_u', 32, 0x8000_0000n);
      f.get(wide);
      field(f, 'shr_u', 29, 0x7f_ffffn);
      f.op('v128.or');
      constantOr(f, 0x7fc0_0000n);
    });
  };

export const CONVERSIONS: Readonly<Record<string, Expansion>> = {
  'x86.i32x4.trunc_f32x4': toIntegers('f32x4', 'trunc'),
  'x86.i32x4.round_f32x4': toIntegers('f32x4', 'round'),
  'x86.i32x4.trunc_f64x2': toIntegers('f64x2', 'trunc'),
  'x86.i32x4.round_f64x2': toIntegers('f64x2', 'round'),
  'x86.f64x2.promote_f32x4': promote,
  'x86.f32x4.demote_f64x2': demote(false),
  'x86.f32x4.demote_f64x2_ftz': demote(true),
};
