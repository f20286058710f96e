import { describe, expect, test } from 'vitest';
import { comparedOf, differencesOf } from './differential/compare.ts';
import { withInstruction } from './differential/draw.ts';
import { Engine, TIERS } from './differential/engine.ts';
import { assemble } from './native/assemble.ts';
import { hasFeatures } from './native/features.ts';
import { hasNativeOracle, runNative } from './native/runner.ts';
import { Random } from './operands.ts';
import { type Fill, randomState } from './sse-cases.ts';

/** Results and operands about the least normal number, where results are flushed, denormals are zeros, both, or neither. */

interface Format {
  readonly bits: bigint;
  readonly fraction: bigint;
  readonly bias: number;
  /**
   * Products of 1 + k units and 1 - 2k half units are 1 - 2k^2 of their products: these k are about the places where that is
   * rounded to 1, and where it is so only to the places of a subnormal number.
   */
  readonly factors: readonly bigint[];
}

const SINGLE: Format = {
  bits: 32n,
  fraction: 23n,
  bias: 127,
  factors: [1000n, 1447n, 1448n, 1449n, 1500n, 2047n, 2048n, 2049n],
};
const DOUBLE: Format = {
  bits: 64n,
  fraction: 52n,
  bias: 1023,
  factors: [30_000_000n, 33_554_431n, 33_554_432n, 33_554_433n, 40_000_000n, 47_453_132n, 47_453_133n],
};

function lane({ bits, fraction, bias, factors }: Format, random: Random): bigint {
  const sign = BigInt(random.below(2)) << (bits - 1n);
  const number = (exponent: number, places: bigint) => sign + (BigInt(bias + exponent) << fraction) + places;
  const half = (bias - 1) / 2;
  const least = 1 - bias;
  const ones = (1n << fraction) - 1n;
  switch (random.below(12)) {
    case 0:
      return sign;
    case 1:
      return sign | (random.bits() & ones);
    case 2:
      return sign | random.pick([1n, 2n, ones, ones - 1n, 1n << (fraction - 1n)]);
    case 3:
      return number(least, random.pick([0n, 1n, ones, random.bits() & ones]));
    case 4:
      return number(least + random.below(30), random.bits() & ones);
    case 5:
      return number(random.pick([0, 0, 1, -1, 2, 3]), random.pick([0n, 0n, ones, 1n << (fraction - 1n)]));
    case 6:
      return number(random.pick([bias, bias - 1, 1, 0]), random.bits() & ones);
    case 7:
      return random.pick([bias, bias + 1]) === bias ? random.bits() & ((1n << bits) - 1n) : number(0, 1n);
    case 8:
    case 9:
      return number(-half, random.pick(factors));
    default:
      // 1 - 2k half units: below a power of two by k units of the next smaller one, twice.
      return number(-half, 0n) - 2n * random.pick(factors);
  }
}

const singles: Fill = (random) => lane(SINGLE, random) | (lane(SINGLE, random) << 32n);
const doubles: Fill = (random) => lane(DOUBLE, random);
/** Doubles that become singles about the least normal one. */
const narrowed: Fill = (random) => {
  const least = 0x3810_0000_0000_0000n;
  const edge = least + random.pick([0n, 1n, -1n]) - random.pick([0n, 1n << 28n, 1n << 27n, 3n << 27n]);
  const sign = BigInt(random.below(2)) << 63n;
  return random.below(3) === 0 ? doubles(random) : sign | edge;
};

const MODES = [0x9fc0, 0x9f80, 0x1fc0, 0x1f80];
/** Of each line in each mode. */
const STATES = Number(process.env.ILP_GATE_CASES ?? 40);

/** Register forms of packed and scalar instructions. */
const forms = (names: string, type: 's' | 'd', immediate = ''): string[] =>
  names
    .split(' ')
    .flatMap((name) => ['p', 's'].map((width) => `${name}${width}${type} xmm1, xmm2${immediate}`));
/** One instruction after another in a block, where the second takes what the first gives. */
const chains = (type: 's' | 'd'): string[] => [
  `mulp${type} xmm1, xmm2\naddp${type} xmm1, xmm3\nmulp${type} xmm4, xmm1`,
  `subs${type} xmm1, xmm2\nmuls${type} xmm1, xmm3\ndivs${type} xmm1, xmm4`,
  `sqrtp${type} xmm1, xmm2\nmaxp${type} xmm1, xmm3\nsubp${type} xmm1, xmm4`,
];
const fused = (type: 's' | 'd'): string[] =>
  'vfmadd213 vfnmadd231 vfmsub132 vfnmsub213'
    .split(' ')
    .flatMap((name) => [`${name}p${type} ymm1, ymm2, ymm3`, `${name}s${type} xmm1, xmm2, xmm3`])
    .concat(`vfmaddsub213p${type} ymm1, ymm2, ymm3`);

/** Text of what differs from the host, by line, mode and tier. */
function divergences(lines: readonly string[], fill: Fill): string[] {
  const random = new Random(lines.length);
  const engines = TIERS.map((tier) => new Engine(tier));
  return assemble(lines).flatMap((code, at) =>
    MODES.flatMap((mode) => {
      const cases = Array.from({ length: STATES }, () => ({ code, before: randomState(random, fill, mode) }));
      const hosts = runNative(cases);
      return TIERS.flatMap((tier, i) =>
        [false, true].flatMap((keepsStatus) => {
          const outcomes = engines[i].run(
            code,
            cases.map(({ before }) => before),
            keepsStatus,
          );
          return outcomes.flatMap((outcome, which) => {
            if ('unsupported' in outcome) return [`${lines[at]} is not executed`];
            const { before } = cases[which];
            const found = withInstruction(code, (instruction) =>
              differencesOf(
                comparedOf(instruction, before, { keepsStatus, memory: 0 }),
                outcome,
                hosts[which],
              ),
            );
            const name = `${lines[at]}, mode ${mode.toString(16)}, ${tier}, status ${keepsStatus}, case ${which}`;
            return found.length === 0 ? [] : [`${name}: ${found.join('; ')}`];
          });
        }),
      );
    }),
  );
}

describe.skipIf(!hasNativeOracle())("about the least normal number, results are the processor's", () => {
  const agree = (lines: readonly string[], fill: Fill) =>
    expect(divergences(lines, fill).slice(0, 5)).toEqual([]);

  for (const [type, fill] of [
    ['s', singles],
    ['d', doubles],
  ] as const) {
    test(`of arithmetic (${type})`, () => {
      agree(forms('add sub mul div sqrt min max', type), fill);
      agree(forms('round', type, ', 2'), fill);
      agree(chains(type), fill);
    });

    test(`of comparisons (${type})`, () => {
      agree([...forms('cmp', type, ', 1'), ...forms('cmp', type, ', 4'), `ucomis${type} xmm1, xmm2`], fill);
    });

    test.skipIf(!hasFeatures('fma'))(`of fused operations (${type})`, () => {
      agree(fused(type), fill);
    });
  }

  test('of conversions', () => {
    agree(
      ['cvtss2sd xmm1, xmm2', 'cvtps2pd xmm1, xmm2', 'cvtss2si eax, xmm1', 'cvttps2dq xmm1, xmm2'],
      singles,
    );
    agree(['cvtsd2ss xmm1, xmm2', 'cvtpd2ps xmm1, xmm2', 'cvtsd2si rax, xmm1'], narrowed);
  });
});
