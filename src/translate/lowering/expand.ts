import type { FunctionBuilder } from '../../wasm/function.ts';
import { CONVERSIONS } from './conversions.ts';
import type { Expansion } from './expansion.ts';
import { F32, F64, withNan, withNans } from './float-code.ts';
import { demotedWithZeros, FLUSHED } from './flushed.ts';
import { FUSED } from './fused.ts';

const expansions: Record<string, Expansion> = { ...FUSED, ...FLUSHED, ...CONVERSIONS };
export const EXPANSIONS: Readonly<Record<string, Expansion>> = expansions;

const OPERATIONS = ['add', 'sub', 'mul', 'div', 'sqrt', 'ceil', 'floor', 'trunc', 'nearest'];

for (const format of [F32, F64]) {
  const t = format.type;
  for (const op of OPERATIONS)
    expansions[`x86.${t}.${op}`] = (f, args, scratch) => {
      const result = scratch(t);
      for (const arg of args) f.get(arg);
      f.op(`${t}.${op}`);
      f.set(result);
      withNan(f, format, args, result);
      f.get(result);
    };
  for (const to of ['i32', 'i64'] as const)
    for (const mode of ['trunc', 'round'])
      expansions[`x86.${to}.${mode}_${t}`] = (f, [x], scratch) => {
        const value = scratch(t);
        f.get(x);
        if (mode === 'round') f.op(`${t}.nearest`);
        f.tee(value);
        // Saturation gives the integer indefinite below the range; above it and for NaN we must.
        f.op(`${to}.trunc_sat_${t}_s`);
        if (to === 'i32') f.i32(-0x8000_0000);
        else f.i64(-0x8000_0000_0000_0000n);
        f.get(value);
        limit(f, t, to);
        f.op(`${t}.lt`);
        f.op('select');
      };
}

/** 2^31 or 2^63 as a constant of the type. */
function limit(f: FunctionBuilder, t: 'f32' | 'f64', to: 'i32' | 'i64'): void {
  const exponent = to === 'i32' ? 31n : 63n;
  if (t === 'f32') f.i32(Number((127n + exponent) << 23n));
  else f.i64((1023n + exponent) << 52n);
  f.op(t === 'f32' ? 'f32.reinterpret_i32' : 'f64.reinterpret_i64');
}

for (const [shape, format] of [
  ['f32x4', F32],
  ['f64x2', F64],
] as const) {
  for (const op of OPERATIONS)
    expansions[`x86.${shape}.${op}`] = (f, args, scratch) => {
      const result = scratch('v128');
      for (const arg of args) f.get(arg);
      f.op(`${shape}.${op}`);
      withNans(f, format, args, result, scratch);
      f.get(result);
    };
}

expansions['x86.f64.promote_f32'] = (f, [x], scratch) => {
  const result = scratch('f64');
  f.get(x);
  f.op('f64.promote_f32');
  f.set(result);
  f.get(x);
  f.get(x);
  f.op('f32.ne');
  f.if();
  const bits = () => {
    f.get(x);
    f.op('i32.reinterpret_f32');
    f.op('i64.extend_i32_u');
  };
  // sign, all-ones exponent, quiet bit, payload at the top
  bits();
  f.i64(0x8000_0000n);
  f.op('i64.and');
  f.i64(32n);
  f.op('i64.shl');
  bits();
  f.i64(0x7f_ffffn);
  f.op('i64.and');
  f.i64(29n);
  f.op('i64.shl');
  f.op('i64.or');
  f.i64(0x7ff8_0000_0000_0000n);
  f.op('i64.or');
  f.op('f64.reinterpret_i64');
  f.set(result);
  f.end();
  f.get(result);
};

expansions['x86.f32.demote_f64'] = (f, [x], scratch) => {
  const result = scratch('f32');
  f.get(x);
  f.op('f32.demote_f64');
  f.set(result);
  f.get(x);
  f.get(x);
  f.op('f64.ne');
  f.if();
  const bits = (shift: bigint, mask: number) => {
    f.get(x);
    f.op('i64.reinterpret_f64');
    f.i64(shift);
    f.op('i64.shr_u');
    f.op('i32.wrap_i64');
    f.i32(mask);
    f.op('i32.and');
  };
  bits(32n, -0x8000_0000);
  bits(29n, 0x7f_ffff);
  f.op('i32.or');
  f.i32(0x7fc0_0000);
  f.op('i32.or');
  f.op('f32.reinterpret_i32');
  f.set(result);
  f.end();
  f.get(result);
};

expansions['x86.f32.demote_f64_ftz'] = demotedWithZeros(expansions['x86.f32.demote_f64']);

expansions['x86.parity'] = (f, [x]) => {
  f.get(x);
  f.i32(0xff);
  f.op('i32.and');
  f.op('i32.popcnt');
  f.i32(1);
  f.op('i32.and');
  f.i32(1);
  f.op('i32.xor');
};

/** Schoolbook product of 32-bit halves (Hacker's Delight, 8-2). */
const highUnsigned: Expansion = (f, [a, b], scratch) => {
  const aLow = scratch('i64');
  const aHigh = scratch('i64');
  const bLow = scratch('i64');
  const bHigh = scratch('i64');
  const middle = scratch('i64');
  for (const [source, low, high] of [
    [a, aLow, aHigh],
    [b, bLow, bHigh],
  ]) {
    f.get(source);
    f.i64(0xffff_ffffn);
    f.op('i64.and');
    f.set(low);
    f.get(source);
    f.i64(32n);
    f.op('i64.shr_u');
    f.set(high);
  }
  // middle = aHigh * bLow + (aLow * bLow >> 32)
  f.get(aLow);
  f.get(bLow);
  f.op('i64.mul');
  f.i64(32n);
  f.op('i64.shr_u');
  f.get(aHigh);
  f.get(bLow);
  f.op('i64.mul');
  f.op('i64.add');
  f.set(middle);
  // aHigh * bHigh + (middle >> 32) + ((aLow * bHigh + low(middle)) >> 32)
  f.get(aHigh);
  f.get(bHigh);
  f.op('i64.mul');
  f.get(middle);
  f.i64(32n);
  f.op('i64.shr_u');
  f.op('i64.add');
  f.get(aLow);
  f.get(bHigh);
  f.op('i64.mul');
  f.get(middle);
  f.i64(0xffff_ffffn);
  f.op('i64.and');
  f.op('i64.add');
  f.i64(32n);
  f.op('i64.shr_u');
  f.op('i64.add');
};
expansions['x86.mulhi_u'] = highUnsigned;

/** The signed high half is the unsigned one less each operand where the other is negative. */
expansions['x86.mulhi_s'] = (f, [a, b], scratch, imm, helper) => {
  highUnsigned(f, [a, b], scratch, imm, helper);
  for (const [x, y] of [
    [a, b],
    [b, a],
  ]) {
    f.get(x);
    f.i64(63n);
    f.op('i64.shr_s');
    f.get(y);
    f.op('i64.and');
    f.op('i64.sub');
  }
};

/** pdep and pext go through the mask's ones from the lowest; `bit` is the place in the narrow value. */
for (const way of ['pdep', 'pext'])
  expansions[`x86.${way}`] = (f, [x, mask], scratch) => {
    const rest = scratch('i64');
    const lowest = scratch('i64');
    const bit = scratch('i64');
    const result = scratch('i64');
    f.get(mask);
    f.set(rest);
    f.i64(1n);
    f.set(bit);
    f.i64(0n);
    f.set(result);
    const done = f.block();
    const next = f.loop();
    f.get(rest);
    f.op('i64.eqz');
    f.brIf(done);
    f.i64(0n);
    f.get(rest);
    f.op('i64.sub');
    f.get(rest);
    f.op('i64.and');
    f.set(lowest);
    const [from, to] = way === 'pdep' ? [bit, lowest] : [lowest, bit];
    f.get(result);
    f.get(result);
    f.get(to);
    f.op('i64.or');
    f.get(x);
    f.get(from);
    f.op('i64.and');
    f.op('i64.eqz');
    f.op('select');
    f.set(result);
    f.get(rest);
    f.get(lowest);
    f.op('i64.xor');
    f.set(rest);
    f.get(bit);
    f.i64(1n);
    f.op('i64.shl');
    f.set(bit);
    f.br(next);
    f.end();
    f.end();
    f.get(result);
  };
