import { type Value, viewOf } from '../value.ts';
import {
  ARITHMETIC,
  arithmetic32,
  arithmetic64,
  COMPARE,
  f32Bits,
  f32Of,
  f64Bits,
  f64Of,
  UNARY,
} from './float.ts';
import type { Evaluate } from './scalar.ts';

/** Vector operations, lane by lane. A lane is a bigint: signed where `signed`, of `bits` bits. */
interface Shape {
  readonly name: string;
  readonly bits: 8 | 16 | 32 | 64;
}

const SHAPES: readonly Shape[] = [
  { name: 'i8x16', bits: 8 },
  { name: 'i16x8', bits: 16 },
  { name: 'i32x4', bits: 32 },
  { name: 'i64x2', bits: 64 },
];

function lanes(vector: Value, bits: number, signed: boolean): bigint[] {
  const view = viewOf(vector as Uint8Array);
  const count = 128 / bits;
  return Array.from({ length: count }, (_, i) => {
    const low = view.getBigUint64(i * bits >= 64 ? 8 : 0, true) >> BigInt((i * bits) % 64);
    return signed ? BigInt.asIntN(bits, low) : BigInt.asUintN(bits, low);
  });
}

function pack(values: readonly bigint[], bits: number): Uint8Array {
  let whole = 0n;
  values.forEach((value, i) => {
    whole |= BigInt.asUintN(bits, value) << BigInt(i * bits);
  });
  const bytes = new Uint8Array(16);
  viewOf(bytes).setBigUint64(0, BigInt.asUintN(64, whole), true);
  viewOf(bytes).setBigUint64(8, whole >> 64n, true);
  return bytes;
}

type Binary = (x: bigint, y: bigint) => bigint;

const mask = (condition: boolean): bigint => (condition ? -1n : 0n);
const min: Binary = (x, y) => (x < y ? x : y);
const max: Binary = (x, y) => (x > y ? x : y);
const clamp = (x: bigint, low: bigint, high: bigint): bigint => max(low, min(high, x));

const table: Record<string, Evaluate> = {};

/** A lane-wise operation on two vectors. */
function binary(shape: Shape, name: string, signed: boolean, run: Binary): void {
  table[`${shape.name}.${name}`] = ([x, y]) => {
    const right = lanes(y, shape.bits, signed);
    return pack(
      lanes(x, shape.bits, signed).map((lane, i) => run(lane, right[i])),
      shape.bits,
    );
  };
}

function saturate(bits: number, signed: boolean, x: bigint): bigint {
  const span = 1n << BigInt(bits);
  return signed ? clamp(x, -span / 2n, span / 2n - 1n) : clamp(x, 0n, span - 1n);
}

for (const shape of SHAPES) {
  const { name, bits } = shape;
  const low = (value: bigint) => BigInt.asUintN(bits, value);
  table[`${name}.splat`] = ([x]) => pack(Array(128 / bits).fill(BigInt(x as number | bigint)), bits);
  table[`${name}.replace_lane`] = ([vector, x], lane) => {
    const all = lanes(vector, bits, false);
    all[lane as number] = low(BigInt(x as number | bigint));
    return pack(all, bits);
  };
  const extract =
    (signed: boolean): Evaluate =>
    ([vector], lane) => {
      const value = lanes(vector, bits, signed)[lane as number];
      return bits === 64 ? value : Number(value);
    };
  if (bits <= 16) {
    table[`${name}.extract_lane_s`] = extract(true);
    table[`${name}.extract_lane_u`] = extract(false);
  } else table[`${name}.extract_lane`] = extract(true);

  binary(shape, 'add', false, (x, y) => x + y);
  binary(shape, 'sub', false, (x, y) => x - y);
  binary(shape, 'mul', false, (x, y) => x * y);
  binary(shape, 'eq', true, (x, y) => mask(x === y));
  binary(shape, 'ne', true, (x, y) => mask(x !== y));
  binary(shape, 'gt_s', true, (x, y) => mask(x > y));
  binary(shape, 'lt_s', true, (x, y) => mask(x < y));
  for (const [suffix, signed] of [
    ['s', true],
    ['u', false],
  ] as const) {
    binary(shape, `min_${suffix}`, signed, min);
    binary(shape, `max_${suffix}`, signed, max);
    binary(shape, `add_sat_${suffix}`, signed, (x, y) => saturate(bits, signed, x + y));
    binary(shape, `sub_sat_${suffix}`, signed, (x, y) => saturate(bits, signed, x - y));
  }
  binary(shape, 'avgr_u', false, (x, y) => (x + y + 1n) >> 1n);

  const shift = (operation: string, signed: boolean, run: Binary) => {
    table[`${name}.${operation}`] = ([vector, count]) => {
      const by = BigInt(count as number) & BigInt(bits - 1);
      return pack(
        lanes(vector, bits, signed).map((lane) => run(lane, by)),
        bits,
      );
    };
  };
  shift('shl', false, (x, by) => x << by);
  shift('shr_s', true, (x, by) => x >> by);
  shift('shr_u', false, (x, by) => x >> by);
  table[`${name}.abs`] = ([x]) =>
    pack(
      lanes(x, bits, true).map((lane) => (lane < 0n ? -lane : lane)),
      bits,
    );
  table[`${name}.bitmask`] = ([x]) =>
    lanes(x, bits, true).reduce((all, lane, i) => (lane < 0n ? all | (1 << i) : all), 0);
}

for (const [wide, narrow] of [
  [16, 8],
  [32, 16],
] as const) {
  const target = `i${narrow}x${128 / narrow}.narrow_i${wide}x${128 / wide}`;
  for (const signed of [true, false])
    table[`${target}_${signed ? 's' : 'u'}`] = ([x, y]) =>
      pack(
        [...lanes(x, wide, true), ...lanes(y, wide, true)].map((lane) => saturate(narrow, signed, lane)),
        narrow,
      );
  const source = `i${narrow}x${128 / narrow}`;
  const result = `i${wide}x${128 / wide}`;
  table[`${result}.extadd_pairwise_${source}_u`] = ([x]) => {
    const all = lanes(x, narrow, false);
    return pack(
      Array.from({ length: 128 / wide }, (_, i) => all[2 * i] + all[2 * i + 1]),
      wide,
    );
  };
}

for (const wide of [16, 32, 64] as const) {
  const narrow = wide / 2;
  const count = 128 / wide;
  const result = `i${wide}x${count}`;
  const source = `i${narrow}x${2 * count}`;
  for (const [half, first] of [
    ['low', 0],
    ['high', count],
  ] as const)
    for (const signed of [true, false]) {
      const suffix = `${half}_${source}_${signed ? 's' : 'u'}`;
      const halfOf = (x: Value) => lanes(x, narrow, signed).slice(first, first + count);
      table[`${result}.extend_${suffix}`] = ([x]) => pack(halfOf(x), wide);
      table[`${result}.extmul_${suffix}`] = ([x, y]) => {
        const right = halfOf(y);
        return pack(
          halfOf(x).map((lane, i) => lane * right[i]),
          wide,
        );
      };
    }
}

table['i32x4.dot_i16x8_s'] = ([x, y]) => {
  const left = lanes(x, 16, true);
  const right = lanes(y, 16, true);
  return pack(
    [0, 2, 4, 6].map((i) => left[i] * right[i] + left[i + 1] * right[i + 1]),
    32,
  );
};

function bytewise(run: (x: number, y: number) => number): Evaluate {
  return ([x, y]) => (x as Uint8Array).map((byte, i) => run(byte, (y as Uint8Array | undefined)?.[i] ?? 0));
}

table['v128.and'] = bytewise((x, y) => x & y);
table['v128.or'] = bytewise((x, y) => x | y);
table['v128.xor'] = bytewise((x, y) => x ^ y);
table['v128.andnot'] = bytewise((x, y) => x & ~y);
table['v128.not'] = bytewise((x) => ~x);
table['v128.bitselect'] = ([ifOne, ifZero, control]) =>
  (control as Uint8Array).map(
    (bits, i) => ((ifOne as Uint8Array)[i] & bits) | ((ifZero as Uint8Array)[i] & ~bits),
  );
table['v128.any_true'] = ([x]) => ((x as Uint8Array).some((byte) => byte !== 0) ? 1 : 0);
table['i8x16.swizzle'] = ([x, selectors]) =>
  (selectors as Uint8Array).map((lane) => (x as Uint8Array)[lane] ?? 0);
table['i8x16.shuffle'] = ([x, y], pattern) =>
  Uint8Array.from(pattern as readonly number[], (lane) =>
    lane < 16 ? (x as Uint8Array)[lane] : (y as Uint8Array)[lane - 16],
  );

// --- floating-point lanes: bit patterns in integer lanes

const f32Lanes = (x: Value): number[] => lanes(x, 32, true).map(Number);
const pack32 = (values: readonly number[]): Uint8Array => pack(values.map(BigInt), 32);

table['f32x4.splat'] = table['i32x4.splat'];
table['f64x2.splat'] = table['i64x2.splat'];
table['f32x4.replace_lane'] = table['i32x4.replace_lane'];
table['f64x2.replace_lane'] = table['i64x2.replace_lane'];
table['f32x4.extract_lane'] = table['i32x4.extract_lane'];
table['f64x2.extract_lane'] = table['i64x2.extract_lane'];
for (const [name, run] of Object.entries(UNARY)) {
  table[`x86.f32x4.${name}`] = ([x]) => pack32(f32Lanes(x).map((lane) => arithmetic32(run, lane, lane)));
  table[`x86.f64x2.${name}`] = ([x]) =>
    pack(
      lanes(x, 64, true).map((lane) => arithmetic64(run, lane, lane)),
      64,
    );
}
table['f32x4.convert_i32x4_s'] = ([x]) => pack32(f32Lanes(x).map(f32Bits));
table['f64x2.convert_low_i32x4_s'] = ([x]) => pack(f32Lanes(x).slice(0, 2).map(f64Bits), 64);

for (const [name, run] of Object.entries(ARITHMETIC)) {
  table[`x86.f32x4.${name}`] = ([x, y]) => {
    const right = f32Lanes(y);
    return pack32(f32Lanes(x).map((lane, i) => arithmetic32(run, lane, right[i])));
  };
  table[`x86.f64x2.${name}`] = ([x, y]) => {
    const right = lanes(y, 64, true);
    return pack(
      lanes(x, 64, true).map((lane, i) => arithmetic64(run, lane, right[i])),
      64,
    );
  };
}

for (const [name, holds] of Object.entries(COMPARE)) {
  table[`f32x4.${name}`] = ([x, y]) => {
    const right = f32Lanes(y);
    return pack(
      f32Lanes(x).map((lane, i) => mask(holds(f32Of(lane), f32Of(right[i])))),
      32,
    );
  };
  table[`f64x2.${name}`] = ([x, y]) => {
    const right = lanes(y, 64, true);
    return pack(
      lanes(x, 64, true).map((lane, i) => mask(holds(f64Of(lane), f64Of(right[i])))),
      64,
    );
  };
}

for (const [name, takesSecond] of [
  ['pmin', (x: number, y: number) => y < x],
  ['pmax', (x: number, y: number) => x < y],
] as const) {
  table[`f32x4.${name}`] = ([x, y]) => {
    const right = f32Lanes(y);
    return pack32(
      f32Lanes(x).map((lane, i) => (takesSecond(f32Of(lane), f32Of(right[i])) ? right[i] : lane)),
    );
  };
  table[`f64x2.${name}`] = ([x, y]) => {
    const right = lanes(y, 64, true);
    return pack(
      lanes(x, 64, true).map((lane, i) => (takesSecond(f64Of(lane), f64Of(right[i])) ? right[i] : lane)),
      64,
    );
  };
}

export const VECTOR: Readonly<Record<string, Evaluate>> = table;
