import { FLOAT } from './float.ts';
import { FLUSHED } from './flushed.ts';
import { F32, F64, type Format, lanesOf, vectorOf } from './formats.ts';
import type { Evaluate } from './scalar.ts';

/** Conversions of vectors, lane by lane. */
const SCALARS = { ...FLOAT, ...FLUSHED };

function lanewise(name: string, from: Format, to: Format): Evaluate {
  const scalar = SCALARS[name];
  const count = 128 / Math.max(from.bits, to.bits);
  return ([x], imm) => {
    const operands = lanesOf(x, from)
      .slice(0, count)
      .map((bits) => (from.bits === 32 ? Number(BigInt.asIntN(32, bits)) : BigInt.asIntN(64, bits)));
    return vectorOf(
      operands.map((operand) => BigInt(scalar([operand], imm) as number | bigint)),
      to,
    );
  };
}

export const CONVERSIONS: Readonly<Record<string, Evaluate>> = {
  'x86.i32x4.trunc_f32x4': lanewise('x86.i32.trunc_f32', F32, F32),
  'x86.i32x4.round_f32x4': lanewise('x86.i32.round_f32', F32, F32),
  'x86.i32x4.trunc_f64x2': lanewise('x86.i32.trunc_f64', F64, F32),
  'x86.i32x4.round_f64x2': lanewise('x86.i32.round_f64', F64, F32),
  'x86.f64x2.promote_f32x4': lanewise('x86.f64.promote_f32', F32, F64),
  'x86.f32x4.demote_f64x2': lanewise('x86.f32.demote_f64', F64, F32),
  'x86.f32x4.demote_f64x2_ftz': lanewise('x86.f32.demote_f64_ftz', F64, F32),
};
