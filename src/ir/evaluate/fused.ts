import { F32, F64, type Format, lanesOf, vectorOf } from './formats.ts';
import type { Evaluate } from './scalar.ts';

/**
 * Fused multiply-add on bit patterns, exactly: numbers are integers times powers of two, and the one rounding is of their
 * exact sum.
 */
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

/** Whether |mantissa * 2^exponent|, rounded to the format's length whatever the exponent, is below its least normal number. */
function isTiny(mantissa: bigint, exponent: number, format: Format): boolean {
  // Halfway between the two largest numbers of that length up to the least normal one; the tie goes to the even one, which that is.
  const [bound, at] = [(4n << BigInt(format.fraction)) - 1n, -bias(format) - format.fraction - 1];
  const lowest = Math.min(exponent, at);
  return mantissa << BigInt(exponent - lowest) < bound << BigInt(at - lowest);
}

interface Operation {
  readonly format: Format;
  /** Whether tiny results are zeros. */
  readonly flushes: boolean;
}

function fused(
  operands: readonly bigint[],
  signs: number,
  lane: number,
  { format, flushes }: Operation,
): bigint {
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
  const magnitude = sum < 0n ? -sum : sum;
  if (flushes && isTiny(magnitude, exponent, format)) return pattern(sum < 0n, 0n, format);
  return round(sum < 0n, magnitude, exponent, format);
}

const scalar =
  (operation: Operation): Evaluate =>
  (args, signs) => {
    const { bits: width } = operation.format;
    const operands = args.map((each) => BigInt.asUintN(width, BigInt(each as number | bigint)));
    const bits = BigInt.asIntN(width, fused(operands, signs as number, 0, operation));
    return width === 32 ? Number(bits) : bits;
  };

const vector =
  (operation: Operation): Evaluate =>
  (args, signs) => {
    const { format } = operation;
    const lanes = args.map((each) => lanesOf(each, format));
    const results = lanes[0].map((_, i) =>
      fused(
        lanes.map((each) => each[i]),
        signs as number,
        i,
        operation,
      ),
    );
    return vectorOf(results, format);
  };

const table: Record<string, Evaluate> = {};
for (const [suffix, flushes] of [
  ['', false],
  ['_ftz', true],
] as const) {
  table[`x86.f32.fma${suffix}`] = scalar({ format: F32, flushes });
  table[`x86.f64.fma${suffix}`] = scalar({ format: F64, flushes });
  table[`x86.f32x4.fma${suffix}`] = vector({ format: F32, flushes });
  table[`x86.f64x2.fma${suffix}`] = vector({ format: F64, flushes });
}

export const FUSED: Readonly<Record<string, Evaluate>> = table;
