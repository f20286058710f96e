import type { Type } from '../../src/ir/ops.ts';
import { double, extended, type Random, single } from '../x86/operands.ts';

/** Random and edge-case arguments of helpers. */

/** i32 as number, i64 as signed bigint. */
export type Value = number | bigint;

/** Ordinary operands are numbers in the middle of the range, under a precision that Linux starts with. */
export type Mood = 'ordinary' | 'any';

const HALVES = [0x8000_0000n, 0x8000_0001n, 0xffff_ffffn, 0xffff_fffen, 0xc000_0000n];
const LOW_HALVES = [0n, 1n, 0x7fff_ffffn, 0x8000_0000n, 0xffff_fffen, 0xffff_ffffn];

/** With the integer bit. The low bits are often such that what is cut off is nothing, just one half or next to it. */
function significand(random: Random): bigint {
  const kind = random.below(6);
  if (kind === 0) return (random.pick(HALVES) << 32n) | random.pick(LOW_HALVES);
  // A product of two short numbers: exact products and quotients.
  if (kind === 1) {
    const product = ((random.bits() >> 34n) | 1n) * ((random.bits() >> BigInt(33 + random.below(30))) | 1n);
    return product << BigInt(64 - product.toString(2).length);
  }
  const bits = random.bits() | (1n << 63n);
  if (kind === 2) return bits;
  const unit = 1n << BigInt(random.below(64));
  const ends = [0n, 1n, unit / 2n - 1n, unit / 2n, unit / 2n + 1n, unit - 1n];
  return BigInt.asUintN(64, ((bits / unit) * unit) | random.pick(ends) | (1n << 63n));
}

/** Where numbers, sums and products begin and end, and where integers of 16, 32 and 64 bits do. */
const EXPONENTS = [
  0, 1, 2, 3, 63, 64, 65, 66, 67, 68, 8191, 8192, 15360, 15361, 16256, 16257, 16381, 16382, 16383, 16384,
  16396, 16397, 16398, 16413, 16414, 16445, 16446, 16447, 16510, 16511, 17405, 17406, 24574, 24575, 32760,
  32761, 32762, 32763, 32764, 32765, 32766, 32767,
];
const DISTANCES = [0, 0, 0, 1, 1, 2, 3, 31, 32, 33, 62, 63, 64, 65, 66, 67, 126, 127, 128, 129, 130, 1000];

type Number_ = ReturnType<typeof extended>;

function number(random: Random, mood: Mood, near?: number): Number_ {
  if (random.below(24) === 0) return { significand: 0n, head: random.below(2) << 15 };
  if (mood === 'any' && random.below(4) === 0) return extended(random, near);
  const kind = random.below(3);
  const distance = random.pick(DISTANCES) * (random.below(2) * 2 - 1);
  let exponent = 16383 - 70 + random.below(140);
  if (kind === 0 && near !== undefined) exponent = near + distance;
  if (kind === 1 && mood === 'any') exponent = random.pick(EXPONENTS);
  const head = Math.max(0, Math.min(0x7fff, exponent)) | (random.below(2) << 15);
  return { significand: significand(random), head };
}

const stored = ({ significand, head }: Number_): Value[] => [BigInt.asIntN(64, significand), head];

function pair(random: Random, mood: Mood): Value[] {
  const x = number(random, mood);
  const y = number(random, mood, x.head & 0x7fff);
  const same = random.below(16) === 0 ? { ...y, significand: x.significand } : y;
  const next = random.below(16) === 0 ? { ...same, head: x.head ^ (random.below(2) << 15) } : same;
  return [...stored(x), ...stored(next)];
}

const control = (random: Random, mood: Mood): number =>
  (mood === 'ordinary' || random.below(4) > 0 ? 0x37f : 0x7f | (random.below(4) << 8)) |
  (random.below(4) << 10);

/** An 80-bit number and one in memory, of about its size. */
function withMemory(random: Random, mood: Mood, format: 'f32' | 'f64'): Value[] {
  const any = format === 'f32' ? single(random) : double(random);
  const bits =
    mood === 'any'
      ? any
      : format === 'f32'
        ? (any & 0x807f_ffffn) | (BigInt(120 + random.below(16)) << 23n)
        : (any & 0x800f_ffff_ffff_ffffn) | (BigInt(1000 + random.below(48)) << 52n);
  const value = format === 'f32' ? Number(BigInt.asIntN(32, bits)) : BigInt.asIntN(64, bits);
  return [...stored(number(random, mood, 16383)), value];
}

function quotientOperands(random: Random): Value[] {
  const divisor = significand(random) >> BigInt(random.below(3) === 0 ? random.below(64) : 0);
  const high =
    random.below(4) === 0 ? random.bits() : random.below(3) === 0 ? divisor - 1n : random.bits() % divisor;
  return [high, significand(random), divisor].map((value) => BigInt.asIntN(64, value));
}

/** By what fscale scales: mostly by less than the exponents' range. */
function power(random: Random, mood: Mood): Number_ {
  const y = number(random, mood, 16383);
  if (random.below(2) === 0 || y.significand === 0n) return y;
  const exponent = 16384 + random.below(mood === 'ordinary' ? 12 : 17);
  return { ...y, head: (y.head & 0x8000) | exponent };
}

/** Mostly of the integer's size or below one. */
function nearInteger(random: Random, mood: Mood, width: number): Number_ {
  const x = number(random, mood);
  if (x.significand === 0n || random.below(8) === 0) return x;
  return { ...x, head: (x.head & 0x8000) | (16383 - 3 + random.below(width + 3)) };
}

/** Mostly positive, often a square or next to one. */
function radicand(random: Random, mood: Mood): Number_ {
  const x = number(random, mood);
  const head = random.below(8) === 0 ? x.head : x.head & 0x7fff;
  if (x.significand === 0n || random.below(2) === 0) return { ...x, head };
  const root = (random.bits() >> BigInt(32 + random.below(20))) | 1n;
  const square = (root * root) << BigInt(64 - (root * root).toString(2).length);
  const near = square + BigInt(random.below(3) - 1);
  return { significand: BigInt.asUintN(64, near) | (1n << 63n), head };
}

/** Mostly of a magnitude below that of this exponent. */
function below(random: Random, mood: Mood, exponent: number): Number_ {
  const x = number(random, mood);
  if (mood === 'any' && random.below(4) === 0) return x;
  const range = random.below(4) === 0 ? 290 : 70;
  return { ...x, head: (x.head & 0x8000) | (exponent - 1 - random.below(range)) };
}

/** Mostly positive, often near 1 or a power of two. */
function antilogarithm(random: Random, mood: Mood): Number_ {
  const x = number(random, mood);
  const head = random.below(16) === 0 ? x.head : x.head & 0x7fff;
  const kind = random.below(6);
  if (kind === 0) return { significand: 1n << 63n, head };
  const near = (random.bits() >> BigInt(1 + random.below(63))) | 1n;
  if (kind === 1) return { significand: (1n << 63n) | near, head: 16383 };
  if (kind === 2) return { significand: (1n << 64n) - near, head: 16382 };
  return { ...x, head };
}

/** Mostly an angle of some turns at most, and below. */
function angle(random: Random, mood: Mood): Number_ {
  const x = number(random, mood);
  if (mood === 'any' && random.below(4) === 0) return x;
  const [most, range] = random.below(4) === 0 ? [20, 64] : [4, 30];
  return { ...x, head: (x.head & 0x8000) | (16383 + most - 1 - random.below(range)) };
}

/** Bits of a single or double, or an integer that becomes one. */
function sseOperand(type: Type, isInteger: boolean, random: Random, mood: Mood): Value {
  if (isInteger) return BigInt.asIntN(64, random.bits() >> BigInt(random.below(64)));
  const [any, exponents, shift] =
    type === 'i32' ? [single(random), 0x807f_ffffn, 23n] : [double(random), 0x800f_ffff_ffff_ffffn, 52n];
  const middle = type === 'i32' ? 112 : 992;
  const bits = mood === 'any' ? any : (any & exponents) | (BigInt(middle + random.below(31)) << shift);
  return type === 'i32' ? Number(BigInt.asIntN(32, bits)) : BigInt.asIntN(64, bits);
}

const positive = (bits: Value): Value =>
  typeof bits === 'bigint' ? BigInt.asUintN(63, bits) : bits & 0x7fff_ffff;

/** The last argument is MXCSR's control bits. */
function sseArguments(name: string, params: readonly Type[], random: Random, mood: Mood): Value[] {
  // The four roundings, and zeros for denormals and for tiny results.
  const modes = [0x1f80, 0x3f80, 0x5f80, 0x7f80, 0x9f80, 0x1fc0, 0x9fc0, 0xbfc0];
  const mode = random.below(2) === 0 ? 0x1f80 : random.pick(modes);
  const operands = params.slice(0, -1).map((type) => sseOperand(type, name.endsWith('_i64'), random, mood));
  if (name.startsWith('sse.sqrt') && mood === 'ordinary') return [...operands.map(positive), mode];
  return [...operands, mode];
}

/** Arguments of the helper with this name. */
export function argumentsOf(name: string, params: readonly Type[], random: Random, mood: Mood): Value[] {
  if (name.startsWith('sse.')) return sseArguments(name, params, random, mood);
  const [base, format] = name.replace('x87.', '').split('.');
  const word = control(random, mood);
  switch (base) {
    case 'div128_u':
      return quotientOperands(random);
    case 'control':
      return [word];
    case 'examine':
      return stored(number(random, mood));
    case 'rndint':
      return [...stored(number(random, mood)), word];
    case 'sqrt':
      return [...stored(radicand(random, mood)), word];
    case 'sin':
    case 'cos':
      return [...stored(angle(random, mood)), word];
    case '2xm1':
      return [...stored(below(random, mood, 16383)), word];
    case 'yl2x':
      return [...stored(number(random, mood)), ...stored(antilogarithm(random, mood)), word];
    case 'yl2xp1':
      return [...stored(number(random, mood)), ...stored(below(random, mood, 16381)), word];
    case 'prem':
      return pair(random, mood);
    case 'scale':
      return [...stored(number(random, mood)), ...stored(power(random, mood)), word];
    case 'store':
      if (format.startsWith('f')) return [...stored(number(random, mood)), word];
      return [...stored(nearInteger(random, mood, Number(format.slice(1)))), word];
    case 'compare':
      if (format !== undefined) return withMemory(random, mood, format as 'f32' | 'f64');
      return [...pair(random, mood), random.below(2)];
    default:
      if (format !== undefined) return [...withMemory(random, mood, format as 'f32' | 'f64'), word];
      return [...pair(random, mood), word];
  }
}
