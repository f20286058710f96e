import { describe, expect, test } from 'vitest';
import type { Node } from '../../src/ir/node.ts';
import { helperFunction } from '../../src/translate/lowering/helper-functions.ts';
import { Calculator } from '../../src/x86/calculator.ts';
import { Approximation, type Real, real } from '../../src/x86/float/approximate.ts';
import { angleOf } from '../../src/x86/float/cases/irrational/arc-tangent.ts';
import { powerMinusOne } from '../../src/x86/float/cases/irrational/exponential.ts';
import { binaryLogarithm, logarithmOfOnePlus } from '../../src/x86/float/cases/irrational/logarithm.ts';
import { type Pair, PairCalculator } from '../../src/x86/float/cases/irrational/pairs.ts';
import { digitsOf, RIGHT_BITS } from '../../src/x86/float/cases/irrational/rounded.ts';
import { turnOf } from '../../src/x86/float/cases/irrational/sine.ts';
import { type Parts, parts } from '../../src/x86/float/cases/number.ts';
import { Random } from './operands.ts';

/**
 * How exact the pairs of doubles are by which irrational results are rounded: eight bits more than they are taken for. Where they were
 * not, a result would be wrong in one of 2^24 cases or less, so that comparing results would hardly tell.
 */
const ALLOWED = 2 ** -(RIGHT_BITS + 8);
const CASES = Number(process.env.HELPER_CASES ?? 10_000) / 5;

const exact = new Approximation(256);
const BIAS = 16383;

interface Operand {
  readonly significand: bigint;
  readonly exponent: number;
}

const exactly = ({ significand, exponent }: Operand): Real => real(significand, exponent - 63);

/** The digits of a pair as WebAssembly, of one or two positive operands. */
function digits(make: (c: PairCalculator, ...operands: Parts[]) => Pair, operands: 1 | 2) {
  const extended = ['i64', 'i32'] as const;
  return helperFunction({
    params: operands === 1 ? extended : [...extended, ...extended],
    results: ['i64', 'i64', 'i32', 'i32'],
    run: () => {
      throw new Error('the case covers all');
    },
    cases: (b, args) => {
      const c = new PairCalculator(b);
      const of = (i: number): Parts => parts(new Calculator(b), args[i], args[i + 1]);
      const { kept, rest, exponent, negative } = digitsOf(
        c,
        make(c, ...(operands === 1 ? [of(0)] : [of(0), of(2)])),
      );
      const when: Node = c.i32(1);
      return [{ when, results: [kept, rest, exponent, negative] }];
    },
  }) as (...args: (bigint | number)[]) => [bigint, bigint, number, number];
}

function worst(
  make: (c: PairCalculator, ...operands: Parts[]) => Pair,
  value: (...operands: Real[]) => Real,
  operands: (random: Random) => Operand[],
): number {
  const random = new Random(98);
  const first = operands(random);
  const run = digits(make, first.length as 1 | 2);
  let most = 0;
  for (let i = 0; i < CASES; i++) {
    const given = operands(random);
    const [kept, rest, exponent, negative] = run(
      ...given.flatMap(({ significand, exponent }) => [BigInt.asIntN(64, significand), exponent + BIAS]),
    );
    const magnitude = (BigInt.asUintN(64, kept) << 64n) | BigInt.asUintN(64, rest);
    const found = real(negative === 1 ? -magnitude : magnitude, exponent - BIAS - 127);
    const wanted = value(...given.map(exactly));
    const error = exact.divide(exact.add(found, real(-wanted.mantissa, wanted.exponent)), wanted);
    most = Math.max(most, Math.abs(Number(error.mantissa) * 2 ** error.exponent));
  }
  return most;
}

const significand = (random: Random): bigint => random.bits() | (1n << 63n);
const below = (random: Random, exponent: number, range: number): Operand => ({
  significand: significand(random),
  exponent: exponent - 1 - random.below(range),
});
const near = (random: Random): bigint => (random.bits() >> BigInt(1 + random.below(63))) | 1n;

describe('pairs of doubles have the bits that results are rounded by', () => {
  test('logarithm', () => {
    const of = (x: Real) => {
      const { mantissa, exponent } = x;
      const up = mantissa > 0xb504_f333_f9de_6484n ? 1 : 0;
      const fraction = real(mantissa - (1n << BigInt(63 + up)), -63 - up);
      return exact.add(
        real(BigInt(exponent + 63 + up)),
        exact.divide(exact.logarithmOfOnePlus(fraction), exact.ln2()),
      );
    };
    const operands = (random: Random): Operand[] => {
      const kind = random.below(4);
      if (kind === 0) return [{ significand: (1n << 63n) + near(random), exponent: 0 }];
      if (kind === 1) return [{ significand: (1n << 64n) - near(random), exponent: -1 }];
      return [{ significand: significand(random), exponent: random.below(kind === 2 ? 16_000 : 6) - 3 }];
    };
    expect(worst(binaryLogarithm, of, operands)).toBeLessThan(ALLOWED);
  });

  test('logarithm of one plus', () => {
    const of = (x: Real) => exact.divide(exact.logarithmOfOnePlus(x), exact.ln2());
    const make = (c: PairCalculator, x: Parts) => logarithmOfOnePlus(c, x).value;
    expect(worst(make, of, (random) => [below(random, -1, 5)])).toBeLessThan(ALLOWED);
    expect(worst(make, of, (random) => [below(random, -1, 300)])).toBeLessThan(ALLOWED);
  });

  test('power minus one', () => {
    const of = (x: Real) => exact.exponentialMinusOne(exact.multiply(x, exact.ln2()));
    expect(worst(powerMinusOne, of, (random) => [below(random, 0, 5)])).toBeLessThan(ALLOWED);
    expect(worst(powerMinusOne, of, (random) => [below(random, 0, 300)])).toBeLessThan(ALLOWED);
  });

  test('sine and cosine', () => {
    // By the pi of 66 bits, where a multiple of its half is nearest; `isNear` leaves out what is next to the middle.
    const HALF_PI = real(0x3_243f_6a88_85a3_08d3n, -65);
    const restOf = (x: Real): Real => {
      const shift = Math.min(x.exponent, HALF_PI.exponent);
      const [argument, half] = [x, HALF_PI].map(
        ({ mantissa, exponent }) => mantissa << BigInt(exponent - shift),
      );
      return real(argument - ((2n * argument + half) / (2n * half)) * half, shift);
    };
    const operands = (random: Random): Operand[] => {
      for (;;) {
        const operand = random.below(4) === 0 ? nearTurn(random) : below(random, 20, 60);
        const { mantissa, exponent } = restOf(exactly(operand));
        if (Math.abs(Number(mantissa) * 2 ** exponent) < 0.785_39 && operand.exponent >= -45)
          return [operand];
      }
    };
    /** As near to a multiple as 64 bits allow: most of the digits cancel. */
    const nearTurn = (random: Random): Operand => {
      const product = HALF_PI.mantissa * BigInt(1 + random.below(600_000));
      const length = product.toString(2).length;
      return { significand: product >> BigInt(length - 64), exponent: length - 65 - 1 };
    };
    const sine = (c: PairCalculator, x: Parts) => turnOf(c, x).sine;
    const cosine = (c: PairCalculator, x: Parts) => turnOf(c, x).cosine;
    expect(worst(sine, (x) => exact.sine(restOf(x)), operands)).toBeLessThan(ALLOWED);
    expect(worst(cosine, (x) => exact.cosine(restOf(x)), operands)).toBeLessThan(ALLOWED);
  });

  test('arc tangent', () => {
    const of = (y: Real, x: Real) => {
      const quotient = exact.divide(y, x);
      if (Number(quotient.mantissa) * 2 ** quotient.exponent <= 1) return exact.arcTangent(quotient);
      const other = exact.arcTangent(exact.divide(x, y));
      const pi = exact.pi();
      return exact.add(real(pi.mantissa, pi.exponent - 1), real(-other.mantissa, other.exponent));
    };
    const make = (c: PairCalculator, y: Parts, x: Parts) => angleOf(c, y, x).angle;
    for (const range of [5, 300])
      expect(worst(make, of, (random) => [below(random, 0, range), below(random, 0, 3)])).toBeLessThan(
        ALLOWED,
      );
  });
});
