import type { Value } from '../value.ts';
import type { Evaluate } from './scalar.ts';

/**
 * Fused multiply-add on bit patterns, exactly: numbers are integers times powers of two, and the one rounding is of their
 * exact sum.
 */
interface Format {
  readonly bits: number;
  readonly fraction: number;
}

const F32: Format = { bits: 32, fraction: 23 };
const F64: Format = { bits: 64, fraction: 52 };

/** Bits of the immediate of `fma`: the product's sign is changed; and the addend's, by lane. */
export const NEGATES_PRODUCT = 1;
export const negatesAddend = (lane: number): number => 2 << lane;

const bias = ({ bits, fraction }: Format): number => 2 ** (bits - fraction - 2) - 1;
const maximum = ({ bits, fraction }: Format): number => 2 ** (bits - fraction - 1) - 1;

interface Number_ {
  readonly negative: boolean;
  /** A number is mantissa * 2^exponent. */
  readonly mantissa: bigint;
  readonly exponent: number;
  readonly kind: 'finite' | 'infinity' | 'nan';
}

function read(bits: bigint, format: Format): Number_ {
  const fraction = bits & ((1n << BigInt(format.fraction)) - 1n);
  const biased = Number(bits >> BigInt(format.fraction)) & maximum(format);
  const negative = bits >> BigInt(format.bits - 1) === 1n;
  const lowest = 1 - bias(format) - format.fraction;
  if (biased === maximum(format))
    return { negative, mantissa: 0n, exponent: 0, kind: fraction === 0n ? 'infinity' : 'nan' };
  if (biased === 0) return { negative, mantissa: fraction, exponent: lowest, kind: 'finite' };
  const mantissa = fraction | (1n << BigInt(format.fraction));
  return { negative, mantissa, exponent: lowest + biased - 1, kind: 'finite' };
}

const pattern = (negative: boolean, magnitude: bigint, { bits }: Format): bigint =>
  magnitude | (negative ? 1n << BigInt(bits - 1) : 0n);
const infinity = (negative: boolean, format: Format): bigint =>
  pattern(negative, BigInt(maximum(format)) << BigInt(format.fraction), format);

/** mantissa * 2^exponent (mantissa > 0) rounded to nearest even. */
function round(negative: boolean, mantissa: bigint, exponent: number, format: Format): bigint {
  const top = exponent + mantissa.toString(2).length - 1;
  const unit = Math.max(top, 1 - bias(format)) - format.fraction;
  const drop = BigInt(Math.max(unit - exponent, 0));
  const kept = (mantissa << BigInt(Math.max(exponent - unit, 0))) >> drop;
  const rest = mantissa - ((mantissa >> drop) << drop);
  const half = drop === 0n ? 1n : 1n << (drop - 1n);
  const up = drop > 0n && (rest > half || (rest === half && (kept & 1n) === 1n));
  // The mantissa's own highest bit counts as one in the exponent field, and a carry goes on into it.
  const biased = unit + format.fraction + bias(format) - 1;
  const magnitude = (BigInt(biased) << BigInt(format.fraction)) + kept + (up ? 1n : 0n);
  return magnitude >> BigInt(format.fraction) >= BigInt(maximum(format))
    ? infinity(negative, format)
    : pattern(negative, magnitude, format);
}

function fused(operands: readonly bigint[], signs: number, lane: number, format: Format): bigint {
  const [x, y, z] = operands.map((bits) => read(bits, format));
  const quiet = 1n << BigInt(format.fraction - 1);
  const nan = [x, y, z].findIndex(({ kind }) => kind === 'nan');
  if (nan >= 0) return operands[nan] | quiet;
  const productNegative = (x.negative !== y.negative) !== ((signs & NEGATES_PRODUCT) !== 0);
  const addendNegative = z.negative !== ((signs & negatesAddend(lane)) !== 0);
  const isInfinite = x.kind === 'infinity' || y.kind === 'infinity';
  const isZero = [x, y].some(({ kind, mantissa }) => kind === 'finite' && mantissa === 0n);
  const invalid = isInfinite && (isZero || (z.kind === 'infinity' && addendNegative !== productNegative));
  if (invalid) return infinity(true, format) | quiet;
  if (isInfinite) return infinity(productNegative, format);
  if (z.kind === 'infinity') return infinity(addendNegative, format);
  const exponent = Math.min(x.exponent + y.exponent, z.exponent);
  const scaled = (negative: boolean, mantissa: bigint, at: number) =>
    (negative ? -mantissa : mantissa) << BigInt(at - exponent);
  const product = scaled(productNegative, x.mantissa * y.mantissa, x.exponent + y.exponent);
  const sum = product + scaled(addendNegative, z.mantissa, z.exponent);
  if (sum === 0n) return pattern(productNegative && addendNegative, 0n, format);
  return round(sum < 0n, sum < 0n ? -sum : sum, exponent, format);
}

function lanesOf(value: Value, { bits }: Format): bigint[] {
  const view = new DataView((value as Uint8Array).slice().buffer);
  return bits === 32
    ? [0, 4, 8, 12].map((at) => BigInt(view.getUint32(at, true)))
    : [0, 8].map((at) => view.getBigUint64(at, true));
}

const scalar =
  (format: Format): Evaluate =>
  (args, signs) => {
    const operands = args.map((each) => BigInt.asUintN(format.bits, BigInt(each as number | bigint)));
    const bits = BigInt.asIntN(format.bits, fused(operands, signs as number, 0, format));
    return format.bits === 32 ? Number(bits) : bits;
  };

const vector =
  (format: Format): Evaluate =>
  (args, signs) => {
    const lanes = args.map((each) => lanesOf(each, format));
    const result = new DataView(new ArrayBuffer(16));
    for (let i = 0; i < lanes[0].length; i++) {
      const bits = fused(
        lanes.map((each) => each[i]),
        signs as number,
        i,
        format,
      );
      if (format.bits === 32) result.setUint32(4 * i, Number(bits), true);
      else result.setBigUint64(8 * i, bits, true);
    }
    return new Uint8Array(result.buffer);
  };

export const FUSED: Readonly<Record<string, Evaluate>> = {
  'x86.f32.fma': scalar(F32),
  'x86.f64.fma': scalar(F64),
  'x86.f32x4.fma': vector(F32),
  'x86.f64x2.fma': vector(F64),
};
