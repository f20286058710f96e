import { describe, expect, test } from 'vitest';
import { helperFunction } from '../../src/translate/helper-functions.ts';
import type { Helper } from '../../src/x86/helper.ts';
import { HELPERS } from '../../src/x86/helpers.ts';
import { double, extended, Random, single } from '../x86/operands.ts';

/**
 * The common cases of helpers as WebAssembly, against the helpers themselves, which were compared with the processor.
 * HELPER_CASES sets how many operands of either kind each helper gets.
 */
const CASES = Number(process.env.HELPER_CASES ?? 10_000);

type Value = number | bigint;

/** Ordinary operands are numbers in the middle of the range, under a precision that Linux starts with. */
type Mood = 'ordinary' | 'any';

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

function argumentsOf(name: string, random: Random, mood: Mood): Value[] {
  if (name === 'div128_u') return quotientOperands(random);
  if (name === 'x87.control') return [control(random, 'any')];
  if (name === 'x87.examine') return stored(number(random, mood));
  if (name === 'x87.compare') return [...pair(random, mood), random.below(2)];
  const memory = /^x87\.(?!store)\w+\.(f32|f64)$/.exec(name)?.[1] as 'f32' | 'f64' | undefined;
  if (memory !== undefined) {
    const args = withMemory(random, mood, memory);
    return name.startsWith('x87.compare') ? args : [...args, control(random, mood)];
  }
  if (name === 'x87.scale') {
    const by =
      random.below(2) === 0
        ? number(random, mood, 16383)
        : { ...number(random, mood), head: 0x4000 | random.below(16) };
    return [...stored(number(random, mood)), ...stored(by), control(random, mood)];
  }
  const one = /store|rndint|sqrt/.test(name);
  return [...(one ? stored(number(random, mood)) : pair(random, mood)), control(random, mood)];
}

describe('the common cases of a helper give the same bits as WebAssembly and in general', () => {
  for (const [name, helper] of HELPERS)
    if (helper.cases !== undefined) test(name, () => compare(name, helper));
});

function compare(name: string, helper: Helper): void {
  let general = 0;
  const run = helperFunction({
    ...helper,
    run: (...args) => {
      general++;
      return helper.run(...args);
    },
  }) as (...args: Value[]) => Value | Value[];
  const random = new Random(name.length);
  for (let i = 0; i < CASES; i++) {
    const args = argumentsOf(name, random, 'ordinary');
    compareOne(helper, run, args);
  }
  // Or the helper was compared with itself.
  expect(general / CASES, 'share of ordinary operands that need the general way').toBeLessThan(0.45);
  for (let i = 0; i < CASES; i++) compareOne(helper, run, argumentsOf(name, random, 'any'));
}

function compareOne(helper: Helper, run: (...args: Value[]) => Value | Value[], args: Value[]): void {
  const actual = [run(...args)].flat();
  const expected = helper.run(...args);
  // Spares a slow comparison where there is nothing to tell.
  if (actual.every((value, i) => value === expected[i])) return;
  expect({ args, results: actual }).toEqual({ args, results: expected });
}
