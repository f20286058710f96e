/**
 * The operations of the intermediate representation.
 *
 * Primitive operations carry the name and the meaning of the WebAssembly instruction that they become, so their
 * reference is the WebAssembly specification. Operations under `x86.` have the processor's meaning where WebAssembly's
 * differs or leaves freedom (NaN results, conversions out of range, 128-bit products); reference: Intel SDM volume 2.
 *
 * Floating-point values are bit patterns: no operation here is free to change a NaN, but for the four that say so.
 */
export type Type = 'i32' | 'i64' | 'f32' | 'f64' | 'v128';

export interface OpInfo {
  readonly args: readonly Type[];
  readonly result: Type;
  /** A helper that generated code of the operation calls in rare cases. */
  readonly helper: string | undefined;
}

const rows: Record<string, OpInfo> = {};

/** `define('i64,i64->i32', 'i64.eq i64.ne')` adds a row for each name. */
function define(signature: string, names: string, helper?: string): void {
  const [args, result] = signature.split('->') as [string, Type];
  const info = { args: (args === '' ? [] : args.split(',')) as Type[], result, helper };
  for (const name of names.trim().split(/\s+/)) rows[name] = info;
}

for (const t of ['i32', 'i64']) {
  const named = (names: string) => names.replaceAll('@', t);
  define(`${t},${t}->${t}`, named('@.add @.sub @.mul @.and @.or @.xor @.shl @.shr_s @.shr_u @.rotl @.rotr'));
  /** WebAssembly traps on division by 0 and on overflow: the lifter never gives such operands. */
  define(`${t},${t}->${t}`, named('@.div_s @.div_u @.rem_s @.rem_u'));
  define(`${t},${t}->i32`, named('@.eq @.ne @.lt_s @.lt_u @.le_s @.le_u @.gt_s @.gt_u @.ge_s @.ge_u'));
  define(`${t}->i32`, named('@.eqz'));
  define(`${t}->${t}`, named('@.clz @.ctz @.popcnt @.extend8_s @.extend16_s'));
}
define('i64->i64', 'i64.extend32_s');
define('i64->i32', 'i32.wrap_i64');
define('i32->i64', 'i64.extend_i32_s i64.extend_i32_u');

define('f32->i32', 'i32.reinterpret_f32');
define('i32->f32', 'f32.reinterpret_i32');
define('f64->i64', 'i64.reinterpret_f64');
define('i64->f64', 'f64.reinterpret_i64');
/** Comparisons are exact on every host: false when an operand is NaN, `ne` true. */
define('f32,f32->i32', 'f32.eq f32.ne f32.lt f32.le f32.gt f32.ge');
define('f64,f64->i32', 'f64.eq f64.ne f64.lt f64.le f64.gt f64.ge');
/** Round to nearest even; the integers are never NaN. */
define('i32->f32', 'f32.convert_i32_s');
define('i64->f32', 'f32.convert_i64_s');
define('i32->f64', 'f64.convert_i32_s');
define('i64->f64', 'f64.convert_i64_s');

/** Round to nearest even. Of a NaN that comes out the bits are open: for numbers alone, and where nothing asks for the result if it is none. */
define('f64,f64->f64', 'f64.add f64.sub f64.mul f64.div');

/** select(ifTrue, ifFalse, condition) */
for (const t of ['i32', 'i64', 'f32', 'f64', 'v128']) define(`${t},${t},i32->${t}`, `select.${t}`);

define('v128,v128->v128', 'v128.and v128.or v128.xor v128.andnot');
define('v128->v128', 'v128.not');
define('v128,v128,v128->v128', 'v128.bitselect');
define('v128->i32', 'v128.any_true i8x16.bitmask i16x8.bitmask i32x4.bitmask i64x2.bitmask');
for (const [shape, lane] of [
  ['i8x16', 'i32'],
  ['i16x8', 'i32'],
  ['i32x4', 'i32'],
  ['i64x2', 'i64'],
  ['f32x4', 'f32'],
  ['f64x2', 'f64'],
] as const) {
  define(`${lane}->v128`, `${shape}.splat`);
  /** The lane number is the node's immediate. */
  define(`v128,${lane}->v128`, `${shape}.replace_lane`);
  if (shape === 'i8x16' || shape === 'i16x8')
    define('v128->i32', `${shape}.extract_lane_u ${shape}.extract_lane_s`);
  else define(`v128->${lane}`, `${shape}.extract_lane`);
}
for (const shape of ['i8x16', 'i16x8', 'i32x4', 'i64x2']) {
  define('v128,v128->v128', `${shape}.add ${shape}.sub ${shape}.eq ${shape}.ne ${shape}.gt_s ${shape}.lt_s`);
  define('v128,i32->v128', `${shape}.shl ${shape}.shr_s ${shape}.shr_u`);
}
define('v128,v128->v128', 'i16x8.mul i32x4.mul i64x2.mul i32x4.dot_i16x8_s i8x16.swizzle');
define('v128,v128->v128', 'i8x16.add_sat_s i8x16.add_sat_u i8x16.sub_sat_s i8x16.sub_sat_u');
define('v128,v128->v128', 'i16x8.add_sat_s i16x8.add_sat_u i16x8.sub_sat_s i16x8.sub_sat_u');
define(
  'v128,v128->v128',
  'i8x16.min_u i8x16.max_u i8x16.min_s i8x16.max_s i16x8.min_u i16x8.max_u i16x8.min_s i16x8.max_s',
);
define('v128,v128->v128', 'i32x4.min_u i32x4.max_u i32x4.min_s i32x4.max_s i8x16.avgr_u i16x8.avgr_u');
define(
  'v128,v128->v128',
  'i8x16.narrow_i16x8_s i8x16.narrow_i16x8_u i16x8.narrow_i32x4_s i16x8.narrow_i32x4_u',
);
define(
  'v128,v128->v128',
  'i32x4.extmul_low_i16x8_s i32x4.extmul_high_i16x8_s i32x4.extmul_low_i16x8_u i32x4.extmul_high_i16x8_u',
);
define(
  'v128->v128',
  'i16x8.extadd_pairwise_i8x16_u i32x4.extadd_pairwise_i16x8_u i16x8.abs i8x16.abs i32x4.abs',
);
/** Lanes of one half, twice as wide; extmul multiplies them too. */
for (const [wide, narrow] of [
  ['i16x8', 'i8x16'],
  ['i32x4', 'i16x8'],
  ['i64x2', 'i32x4'],
])
  for (const half of ['low', 'high'])
    define('v128->v128', `${wide}.extend_${half}_${narrow}_s ${wide}.extend_${half}_${narrow}_u`);
define(
  'v128,v128->v128',
  'i64x2.extmul_low_i32x4_s i64x2.extmul_high_i32x4_s i64x2.extmul_low_i32x4_u i64x2.extmul_high_i32x4_u',
);
/** The 16 lane numbers are the node's immediate: 0-15 of the first operand, 16-31 of the second. */
define('v128,v128->v128', 'i8x16.shuffle');
define('v128,v128->v128', 'f32x4.eq f32x4.ne f32x4.lt f32x4.le f64x2.eq f64x2.ne f64x2.lt f64x2.le');
/** pmin(x, y) is y < x ? y : x, pmax(x, y) is x < y ? y : x: a bit-exact copy of an operand, x when unordered. */
define('v128,v128->v128', 'f32x4.pmin f32x4.pmax f64x2.pmin f64x2.pmax');
define('v128->v128', 'f32x4.convert_i32x4_s f64x2.convert_low_i32x4_s');

/** High 64 bits of the 128-bit product. */
define('i64,i64->i64', 'x86.mulhi_s x86.mulhi_u');
/** The lowest bits of the first operand at the places that the second marks, and the other way round. */
define('i64,i64->i64', 'x86.pdep x86.pext');
/** Low byte's parity: 1 when the number of one bits in bits 0-7 is even. */
define('i32->i32', 'x86.parity');
/**
 * SSE arithmetic, round to nearest even: a NaN operand is returned quieted, the first operand's when both are NaN;
 * an invalid operation gives the default NaN (sign set). SDM volume 1, table 4-7.
 */
define('f32,f32->f32', 'x86.f32.add x86.f32.sub x86.f32.mul x86.f32.div');
define('f64,f64->f64', 'x86.f64.add x86.f64.sub x86.f64.mul x86.f64.div');
define('f32->f32', 'x86.f32.sqrt');
define('f64->f64', 'x86.f64.sqrt');
define('v128,v128->v128', 'x86.f32x4.add x86.f32x4.sub x86.f32x4.mul x86.f32x4.div');
define('v128,v128->v128', 'x86.f64x2.add x86.f64x2.sub x86.f64x2.mul x86.f64x2.div');
define('v128->v128', 'x86.f32x4.sqrt x86.f64x2.sqrt');
/** To an integer in the same format; of a NaN as of sqrt. */
for (const how of ['ceil', 'floor', 'trunc', 'nearest']) {
  define('f32->f32', `x86.f32.${how}`);
  define('f64->f64', `x86.f64.${how}`);
  define('v128->v128', `x86.f32x4.${how} x86.f64x2.${how}`);
}
/**
 * x * y + z, rounded once. The immediate changes signs: bit 0 the product's, bit 1 + i the addend's in lane i. A NaN operand
 * is returned quieted, with its own sign: x before y before z.
 */
define('f32,f32,f32->f32', 'x86.f32.fma');
define('v128,v128,v128->v128', 'x86.f32x4.fma');
/** Doubles whose product's rounding error is no double are left to a helper. */
define('f64,f64,f64->f64', 'x86.f64.fma', 'fma.f64');
define('v128,v128,v128->v128', 'x86.f64x2.fma', 'fma.f64');
/** cvtss2sd and cvtsd2ss: NaN payloads are kept from the top, quieted. */
define('f32->f64', 'x86.f64.promote_f32');
define('f64->f32', 'x86.f32.demote_f64');
/** Subnormal numbers become zeros of their sign. */
define('f32->f32', 'x86.f32.daz');
define('f64->f64', 'x86.f64.daz');
define('v128->v128', 'x86.f32x4.daz x86.f64x2.daz');
/** The same as without the suffix, with a zero of its sign for a tiny result: MXCSR's flush to zero (SDM volume 1, 10.2.3.3). */
for (const [shape, of] of [
  ['f32', 'f32'],
  ['f64', 'f64'],
  ['f32x4', 'v128'],
  ['f64x2', 'v128'],
]) {
  for (const name of ['add', 'sub', 'mul', 'div']) define(`${of},${of}->${of}`, `x86.${shape}.${name}_ftz`);
  define(
    `${of},${of},${of}->${of}`,
    `x86.${shape}.fma_ftz`,
    shape.startsWith('f64') ? 'fma_ftz.f64' : undefined,
  );
}
define('f64->f32', 'x86.f32.demote_f64_ftz');
/** cvt(t)s[sd]2si: `trunc` cuts, `round` goes to nearest even; out of range or NaN gives the integer indefinite value. */
define('f32->i32', 'x86.i32.trunc_f32 x86.i32.round_f32');
define('f64->i32', 'x86.i32.trunc_f64 x86.i32.round_f64');
define('f32->i64', 'x86.i64.trunc_f32 x86.i64.round_f32');
define('f64->i64', 'x86.i64.trunc_f64 x86.i64.round_f64');

/** The same of vectors' lanes: those of half the width are the lower ones, and zeros above them in a result. */
define(
  'v128->v128',
  'x86.i32x4.trunc_f32x4 x86.i32x4.round_f32x4 x86.i32x4.trunc_f64x2 x86.i32x4.round_f64x2',
);
define('v128->v128', 'x86.f64x2.promote_f32x4 x86.f32x4.demote_f64x2 x86.f32x4.demote_f64x2_ftz');

/** The engine keeps one string object for each property name, and compares and finds those much faster than others. */
export const OPS: ReadonlyMap<string, OpInfo> = new Map(Object.entries(rows));

const names: ReadonlyMap<string, string> = new Map(Object.keys(rows).map((name) => [name, name]));

/** An operation's name as OPS holds it, for names that are put together. */
export function nameOf(name: string): string {
  const known = names.get(name);
  if (known === undefined) throw new Error(`unknown operation ${name}`);
  return known;
}
