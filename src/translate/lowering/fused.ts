import { NEGATES_PRODUCT, negatesAddend } from '../../ir/evaluate/fused.ts';
import type { Immediate } from '../../ir/node.ts';
import type { Type } from '../../ir/ops.ts';
import type { FunctionBuilder } from '../../wasm/function.ts';
import type { Expansion, ExpansionHost } from './expansion.ts';
import { F32, F64, type FloatFormat, withNan, withNans } from './float-code.ts';
import { pushClearedBelow, pushIsLeastNormal, pushWithoutSubnormals, TINY_SINGLE } from './flushed.ts';

/**
 * x * y + z with one rounding: by the host, where that has it (host-fma.ts), else from operations that round each.
 *
 * Singles: their product is exact in double precision. The sum of three is rounded to odd there, which leaves the one
 * rounding to single precision that counts (Boldo and Melquiond, "Emulation of FMA and correctly rounded sums: proved
 * algorithms using rounding to odd", 2008, theorem 1; 53 >= 24 + 2 bits).
 *
 * Doubles: the same paper's algorithm Fmac. The product is p + e exactly (Dekker, Veltkamp's splitting), z + e is h + l, p + h
 * is s + t (Knuth's sums), and s + odd(l + t), rounded to nearest, is the result: unless something overflows, or the product is so
 * small that e has no room. Such lanes, and infinities and NaNs, are left to a helper; seldom, so that hot loops stay as they are.
 */
class Lanes {
  readonly f: FunctionBuilder;
  private readonly scratch: (type: Type) => number;

  constructor(f: FunctionBuilder, scratch: (type: Type) => number) {
    this.f = f;
    this.scratch = scratch;
  }

  /** The operation of these locals, in a local. */
  op(name: string, ...args: number[]): number {
    for (const arg of args) this.f.get(arg);
    this.f.op(name);
    return this.kept();
  }

  /** What is on the stack's top, in a local. */
  kept(type: Type = 'v128'): number {
    const local = this.scratch(type);
    this.f.set(local);
    return local;
  }

  constant(bits: bigint): number {
    this.f.v128(bits, bits);
    return this.kept();
  }

  f64(name: string, ...args: number[]): number {
    return this.op(`f64x2.${name}`, ...args);
  }

  shifted(name: string, value: number, count: number): number {
    this.f.get(value);
    this.f.i32(count);
    this.f.op(name);
    return this.kept();
  }

  /** Sum and rounding error, of any two numbers (Knuth). */
  sum(x: number, y: number): readonly [sum: number, error: number] {
    const sum = this.f64('add', x, y);
    const part = this.f64('sub', sum, x);
    const left = this.f64('sub', x, this.f64('sub', sum, part));
    return [sum, this.f64('add', left, this.f64('sub', y, part))];
  }

  /** Upper and lower half of the bits (Veltkamp). */
  private split(x: number): readonly [upper: number, lower: number] {
    const scaled = this.f64('mul', x, this.constant(SPLITTER));
    const upper = this.f64('sub', scaled, this.f64('sub', scaled, x));
    return [upper, this.f64('sub', x, upper)];
  }

  /** The rounding error of a product (Dekker). */
  productError(x: number, y: number, product: number): number {
    const [xUpper, xLower] = this.split(x);
    const [yUpper, yLower] = this.split(y);
    const first = this.f64('sub', this.f64('mul', xUpper, yUpper), product);
    const second = this.f64('add', first, this.f64('mul', xUpper, yLower));
    const third = this.f64('add', second, this.f64('mul', xLower, yUpper));
    return this.f64('add', third, this.f64('mul', xLower, yLower));
  }

  /**
   * A sum rounded to odd, from the sum rounded to nearest and its error: where it is inexact and even, the neighbour on the
   * error's side. An error that is no number changes nothing.
   */
  odd(sum: number, error: number): number {
    const zero = this.constant(0n);
    const inexact = this.op('v128.or', this.f64('lt', error, zero), this.f64('gt', error, zero));
    const last = this.op('v128.and', sum, this.constant(1n));
    const isOdd = this.op('i64x2.sub', zero, last);
    // -1 where the signs differ, else 1.
    const apart = this.shifted('i64x2.shr_s', this.op('v128.xor', sum, error), 63);
    const step = this.op('v128.or', apart, this.constant(1n));
    const moves = this.op('v128.andnot', inexact, isOdd);
    return this.op('i64x2.add', sum, this.op('v128.and', step, moves));
  }
}

/** 2^27 + 1 */
const SPLITTER = 0x41a0_0000_0200_0000n;
/** Below: nothing on the way overflows (2^990). Above: the product's error is a multiple of the least number (2^-900). */
const LARGE = 0x7dd0_0000_0000_0000n;
const SMALL = 0x07b0_0000_0000_0000n;
const SIGN = 1n << 63n;
const SIGN32 = 0x8000_0000_8000_0000n;

/** Of doubles in locals: x and z with their signs changed already. */
function doubles(
  lanes: Lanes,
  x: number,
  y: number,
  z: number,
  flushes: boolean,
  { helper }: ExpansionHost,
): number {
  const { f } = lanes;
  const product = lanes.f64('mul', x, y);
  const error = lanes.productError(x, y, product);
  const [high, low] = lanes.sum(z, error);
  const [sum, rest] = lanes.sum(product, high);
  const tail = lanes.odd(...lanes.sum(low, rest));
  const rounded = lanes.f64('add', sum, tail);
  // The sign of a zero product would be lost on the way.
  const zero = lanes.constant(0n);
  const plain = lanes.f64('add', product, z);
  const isZero = lanes.f64('eq', product, zero);
  const result = lanes.op('v128.bitselect', plain, rounded, isZero);

  const magnitudes = [x, y, z, product].map((each) => lanes.f64('abs', each));
  const total = magnitudes.reduce((all, each) => lanes.f64('add', all, each));
  const isSmall = lanes.f64('lt', total, lanes.constant(LARGE));
  const isZeroFactor = lanes.op('v128.or', lanes.f64('eq', x, zero), lanes.f64('eq', y, zero));
  const isLarge = lanes.f64('ge', magnitudes[3], lanes.constant(SMALL));
  const fits = lanes.op('v128.and', isSmall, lanes.op('v128.or', isLarge, isZeroFactor));
  f.get(fits);
  f.op('i64x2.all_true');
  f.op('i32.eqz');
  f.if(undefined, 'unlikely');
  for (const lane of [0, 1]) {
    f.get(result);
    for (const operand of [x, y, z]) {
      f.get(operand);
      f.lane('i64x2.extract_lane', lane);
    }
    f.call(helper(flushes ? 'fma_ftz.f64' : 'fma.f64'));
    f.lane('i64x2.replace_lane', lane);
    f.set(result);
  }
  f.end();
  if (!flushes) return result;
  // Other than the helper's these are only addends of zero products: cancellation leaves 2^-1006 or more of what is large enough here.
  pushWithoutSubnormals(f, F64, result);
  return lanes.kept();
}

/**
 * Of singles that were made doubles: the sum rounded to odd in double precision, which tells tiny ones from others. Those
 * become zeros where the operation flushes.
 */
function singles(lanes: Lanes, x: number, y: number, z: number, flushes: boolean): number {
  const sum = lanes.odd(...lanes.sum(lanes.f64('mul', x, y), z));
  if (!flushes) return sum;
  pushClearedBelow(lanes.f, F64, TINY_SINGLE, sum, sum);
  return lanes.kept();
}

type Operands = readonly [x: number, y: number, z: number];

/** Changes signs as the immediate says: by lanes of the addend, of the product everywhere. */
function signed(
  lanes: Lanes,
  { type }: FloatFormat,
  [x, y, z]: readonly number[],
  imm: Immediate,
  isScalar: boolean,
): Operands {
  const signs = imm as number;
  const count = type === 'f32' ? 4 : 2;
  const changes = Array.from({ length: count }, (_, i) => (signs & negatesAddend(isScalar ? 0 : i)) !== 0);
  const bits = (from: number): bigint =>
    changes
      .slice((from * count) / 2, ((from + 1) * count) / 2)
      .reduce(
        (all, change, i) => (change ? all | (1n << BigInt((type === 'f32' ? 31 : 63) + 32 * i)) : all),
        0n,
      );
  const changed = (value: number, low: bigint, high: bigint): number => {
    if (low === 0n && high === 0n) return value;
    lanes.f.get(value);
    lanes.f.v128(low, high);
    lanes.f.op('v128.xor');
    return lanes.kept();
  };
  const all = (signs & NEGATES_PRODUCT) === 0 ? 0n : type === 'f32' ? SIGN32 : SIGN;
  return [changed(x, all, all), y, changed(z, bits(0), bits(1))];
}

const UPPER = [8, 9, 10, 11, 12, 13, 14, 15, 8, 9, 10, 11, 12, 13, 14, 15];
const BOTH_LOW = [0, 1, 2, 3, 4, 5, 6, 7, 16, 17, 18, 19, 20, 21, 22, 23];

/** Of four singles, or of the first one alone. */
function promoted(lanes: Lanes, operands: Operands, flushes: boolean, isScalar: boolean): number {
  const { f } = lanes;
  const half = (upper: boolean): number => {
    const [x, y, z] = operands.map((operand) => {
      f.get(operand);
      if (upper) {
        f.get(operand);
        f.shuffle(UPPER);
      }
      f.op('f64x2.promote_low_f32x4');
      return lanes.kept();
    });
    return lanes.op('f32x4.demote_f64x2_zero', singles(lanes, x, y, z, flushes));
  };
  const low = half(false);
  if (isScalar) return low;
  const high = half(true);
  f.get(low);
  f.get(high);
  f.shuffle(BOTH_LOW);
  return lanes.kept();
}

interface Fusion {
  readonly format: FloatFormat;
  readonly flushes: boolean;
  readonly isScalar: boolean;
}

/** Of operands in lanes, x and z with their signs changed already. */
function fused(
  lanes: Lanes,
  operands: Operands,
  { format, flushes, isScalar }: Fusion,
  host: ExpansionHost,
): number {
  const ours = () =>
    format.type === 'f64'
      ? doubles(lanes, ...operands, flushes, host)
      : promoted(lanes, operands, flushes, isScalar);
  if (!host.fuses) return ours();
  const { f } = lanes;
  const result = lanes.op(`${format.shape}.relaxed_madd`, ...operands);
  if (!flushes) return result;
  // The least normal number may have been below itself until it was rounded.
  pushIsLeastNormal(f, format, result);
  f.op('v128.any_true');
  f.if(undefined, 'unlikely');
  f.get(ours());
  f.set(result);
  f.end();
  pushWithoutSubnormals(f, format, result);
  return lanes.kept();
}

const vector =
  (format: FloatFormat, flushes: boolean): Expansion =>
  (f, args, scratch, imm, host) => {
    const lanes = new Lanes(f, scratch);
    const operands = signed(lanes, format, args, imm, false);
    const result = fused(lanes, operands, { format, flushes, isScalar: false }, host);
    f.get(result);
    withNans(f, format, args, result, scratch);
    f.get(result);
  };

const scalar =
  (format: FloatFormat, flushes: boolean): Expansion =>
  (f, args, scratch, imm, host) => {
    const lanes = new Lanes(f, scratch);
    const { type, shape } = format;
    // In all lanes: V8's registers are the same.
    const splats = args.map((arg) => lanes.op(`${shape}.splat`, arg));
    const operands = signed(lanes, format, splats, imm, true);
    f.get(fused(lanes, operands, { format, flushes, isScalar: true }, host));
    f.lane(`${shape}.extract_lane`, 0);
    const result = lanes.kept(type);
    withNan(f, format, args, result);
    f.get(result);
  };

const table: Record<string, Expansion> = {};
/** The helpers that `doubles` calls are in float/sse-helpers.ts. */
for (const [suffix, flushes] of [
  ['', false],
  ['_ftz', true],
] as const) {
  for (const format of [F32, F64]) {
    table[`x86.${format.type}.fma${suffix}`] = scalar(format, flushes);
    table[`x86.${format.shape}.fma${suffix}`] = vector(format, flushes);
  }
}

export const FUSED: Readonly<Record<string, Expansion>> = table;
