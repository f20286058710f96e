/**
 * Instruction codes by name, after the WebAssembly core specification, appendix "Index of Instructions".
 * A code above 0xff belongs to the SIMD prefix 0xfd (`SIMD | n`) or the saturating prefix 0xfc (`MISC | n`).
 */
export const SIMD = 0xfd00_0000;
export const MISC = 0xfc00_0000;

const codes: Record<string, number> = {};

function sequence(first: number, names: string): void {
  let code = first;
  for (const name of names.trim().split(/\s+/)) {
    if (name !== '-') codes[name] = code;
    code++;
  }
}

sequence(
  0x00,
  'unreachable nop block loop if else - - - - - end br br_if br_table return call call_indirect return_call return_call_indirect',
);
sequence(0x1a, 'drop select');
sequence(0x20, 'local.get local.set local.tee global.get global.set');
sequence(0x28, 'i32.load i64.load f32.load f64.load i32.load8_s i32.load8_u i32.load16_s i32.load16_u');
sequence(0x30, 'i64.load8_s i64.load8_u i64.load16_s i64.load16_u i64.load32_s i64.load32_u');
sequence(
  0x36,
  'i32.store i64.store f32.store f64.store i32.store8 i32.store16 i64.store8 i64.store16 i64.store32',
);
sequence(0x41, 'i32.const i64.const f32.const f64.const');
sequence(
  0x45,
  'i32.eqz i32.eq i32.ne i32.lt_s i32.lt_u i32.gt_s i32.gt_u i32.le_s i32.le_u i32.ge_s i32.ge_u',
);
sequence(
  0x50,
  'i64.eqz i64.eq i64.ne i64.lt_s i64.lt_u i64.gt_s i64.gt_u i64.le_s i64.le_u i64.ge_s i64.ge_u',
);
sequence(0x5b, 'f32.eq f32.ne f32.lt f32.gt f32.le f32.ge f64.eq f64.ne f64.lt f64.gt f64.le f64.ge');
sequence(0x67, 'i32.clz i32.ctz i32.popcnt i32.add i32.sub i32.mul i32.div_s i32.div_u i32.rem_s i32.rem_u');
sequence(0x71, 'i32.and i32.or i32.xor i32.shl i32.shr_s i32.shr_u i32.rotl i32.rotr');
sequence(0x79, 'i64.clz i64.ctz i64.popcnt i64.add i64.sub i64.mul i64.div_s i64.div_u i64.rem_s i64.rem_u');
sequence(0x83, 'i64.and i64.or i64.xor i64.shl i64.shr_s i64.shr_u i64.rotl i64.rotr');
sequence(
  0x8b,
  'f32.abs f32.neg f32.ceil f32.floor f32.trunc f32.nearest f32.sqrt f32.add f32.sub f32.mul f32.div f32.min f32.max f32.copysign',
);
sequence(
  0x99,
  'f64.abs f64.neg f64.ceil f64.floor f64.trunc f64.nearest f64.sqrt f64.add f64.sub f64.mul f64.div f64.min f64.max f64.copysign',
);
sequence(
  0xa7,
  'i32.wrap_i64 i32.trunc_f32_s i32.trunc_f32_u i32.trunc_f64_s i32.trunc_f64_u i64.extend_i32_s i64.extend_i32_u',
);
sequence(0xae, 'i64.trunc_f32_s i64.trunc_f32_u i64.trunc_f64_s i64.trunc_f64_u');
sequence(0xb2, 'f32.convert_i32_s f32.convert_i32_u f32.convert_i64_s f32.convert_i64_u f32.demote_f64');
sequence(0xb7, 'f64.convert_i32_s f64.convert_i32_u f64.convert_i64_s f64.convert_i64_u f64.promote_f32');
sequence(0xbc, 'i32.reinterpret_f32 i64.reinterpret_f64 f32.reinterpret_i32 f64.reinterpret_i64');
sequence(0xc0, 'i32.extend8_s i32.extend16_s i64.extend8_s i64.extend16_s i64.extend32_s');
sequence(MISC, 'i32.trunc_sat_f32_s i32.trunc_sat_f32_u i32.trunc_sat_f64_s i32.trunc_sat_f64_u');
sequence(
  MISC + 4,
  'i64.trunc_sat_f32_s i64.trunc_sat_f32_u i64.trunc_sat_f64_s i64.trunc_sat_f64_u - - memory.copy memory.fill',
);

const simd = (first: number, names: string) => sequence(SIMD + first, names);
simd(
  0,
  'v128.load - - - - - - v128.load8_splat v128.load16_splat v128.load32_splat v128.load64_splat v128.store v128.const',
);
simd(
  13,
  'i8x16.shuffle i8x16.swizzle i8x16.splat i16x8.splat i32x4.splat i64x2.splat f32x4.splat f64x2.splat',
);
simd(
  21,
  'i8x16.extract_lane_s i8x16.extract_lane_u i8x16.replace_lane i16x8.extract_lane_s i16x8.extract_lane_u i16x8.replace_lane',
);
simd(
  27,
  'i32x4.extract_lane i32x4.replace_lane i64x2.extract_lane i64x2.replace_lane f32x4.extract_lane f32x4.replace_lane f64x2.extract_lane f64x2.replace_lane',
);
for (const [shape, first] of [
  ['i8x16', 35],
  ['i16x8', 45],
  ['i32x4', 55],
] as const)
  simd(
    first,
    ['eq', 'ne', 'lt_s', 'lt_u', 'gt_s', 'gt_u', 'le_s', 'le_u', 'ge_s', 'ge_u']
      .map((n) => `${shape}.${n}`)
      .join(' '),
  );
simd(
  65,
  'f32x4.eq f32x4.ne f32x4.lt f32x4.gt f32x4.le f32x4.ge f64x2.eq f64x2.ne f64x2.lt f64x2.gt f64x2.le f64x2.ge',
);
simd(77, 'v128.not v128.and v128.andnot v128.or v128.xor v128.bitselect v128.any_true');
simd(
  90,
  'v128.store32_lane v128.store64_lane v128.load32_zero v128.load64_zero f32x4.demote_f64x2_zero f64x2.promote_low_f32x4',
);
simd(
  96,
  'i8x16.abs i8x16.neg i8x16.popcnt i8x16.all_true i8x16.bitmask i8x16.narrow_i16x8_s i8x16.narrow_i16x8_u',
);
simd(103, 'f32x4.ceil f32x4.floor f32x4.trunc f32x4.nearest');
simd(
  107,
  'i8x16.shl i8x16.shr_s i8x16.shr_u i8x16.add i8x16.add_sat_s i8x16.add_sat_u i8x16.sub i8x16.sub_sat_s i8x16.sub_sat_u',
);
simd(116, 'f64x2.ceil f64x2.floor');
simd(118, 'i8x16.min_s i8x16.min_u i8x16.max_s i8x16.max_u f64x2.trunc i8x16.avgr_u');
simd(
  124,
  'i16x8.extadd_pairwise_i8x16_s i16x8.extadd_pairwise_i8x16_u i32x4.extadd_pairwise_i16x8_s i32x4.extadd_pairwise_i16x8_u',
);
simd(128, 'i16x8.abs i16x8.neg - i16x8.all_true i16x8.bitmask i16x8.narrow_i32x4_s i16x8.narrow_i32x4_u');
simd(
  135,
  'i16x8.extend_low_i8x16_s i16x8.extend_high_i8x16_s i16x8.extend_low_i8x16_u i16x8.extend_high_i8x16_u',
);
simd(
  139,
  'i16x8.shl i16x8.shr_s i16x8.shr_u i16x8.add i16x8.add_sat_s i16x8.add_sat_u i16x8.sub i16x8.sub_sat_s i16x8.sub_sat_u',
);
simd(148, 'f64x2.nearest');
simd(149, 'i16x8.mul i16x8.min_s i16x8.min_u i16x8.max_s i16x8.max_u - i16x8.avgr_u');
simd(160, 'i32x4.abs i32x4.neg - i32x4.all_true i32x4.bitmask');
simd(
  167,
  'i32x4.extend_low_i16x8_s i32x4.extend_high_i16x8_s i32x4.extend_low_i16x8_u i32x4.extend_high_i16x8_u',
);
simd(
  171,
  'i32x4.shl i32x4.shr_s i32x4.shr_u i32x4.add - - i32x4.sub - - - i32x4.mul i32x4.min_s i32x4.min_u i32x4.max_s i32x4.max_u i32x4.dot_i16x8_s',
);
simd(
  188,
  'i32x4.extmul_low_i16x8_s i32x4.extmul_high_i16x8_s i32x4.extmul_low_i16x8_u i32x4.extmul_high_i16x8_u',
);
simd(192, 'i64x2.abs i64x2.neg - i64x2.all_true i64x2.bitmask');
simd(
  199,
  'i64x2.extend_low_i32x4_s i64x2.extend_high_i32x4_s i64x2.extend_low_i32x4_u i64x2.extend_high_i32x4_u',
);
simd(
  203,
  'i64x2.shl i64x2.shr_s i64x2.shr_u i64x2.add - - i64x2.sub - - - i64x2.mul i64x2.eq i64x2.ne i64x2.lt_s i64x2.gt_s',
);
simd(
  220,
  'i64x2.extmul_low_i32x4_s i64x2.extmul_high_i32x4_s i64x2.extmul_low_i32x4_u i64x2.extmul_high_i32x4_u',
);
simd(
  224,
  'f32x4.abs f32x4.neg - f32x4.sqrt f32x4.add f32x4.sub f32x4.mul f32x4.div - - f32x4.pmin f32x4.pmax',
);
simd(
  236,
  'f64x2.abs f64x2.neg - f64x2.sqrt f64x2.add f64x2.sub f64x2.mul f64x2.div - - f64x2.pmin f64x2.pmax',
);
simd(
  248,
  'i32x4.trunc_sat_f32x4_s - f32x4.convert_i32x4_s - i32x4.trunc_sat_f64x2_s_zero - f64x2.convert_low_i32x4_s',
);
simd(0x105, 'f32x4.relaxed_madd - f64x2.relaxed_madd');

/** Property names are single string objects, which are found faster (see OPS). */
export const OPCODES: ReadonlyMap<string, number> = new Map(Object.entries(codes));
