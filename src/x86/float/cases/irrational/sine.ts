import type { Node } from '../../../../ir/node.ts';
import type { Calculator } from '../../../calculator.ts';
import type { Case } from '../../../helper.ts';
import { type Approximation, type Real, real } from '../../approximate.ts';
import { PI, PI_SHIFT } from '../../trigonometry.ts';
import { BIAS, type Parts, within } from '../number.ts';
import { constants } from './constants.ts';
import { type Pair, PairCalculator } from './pairs.ts';
import { irrationalCase } from './rounded.ts';

/**
 * sin(|x|) and cos(|x|) by r = |x| - k q, where q is half of the processor's pi and k the nearest number of them: series in r^2, which is below 0.62. r is
 * exact: k and each half of q have so few bits that their products are doubles, and all else is a multiple of 2^-65 that cancels or fits.
 */
const TERMS = 15;
/** Of these, those that need two doubles. */
const PAIRS = 9;
/** k is below 2^20. Below the least, x and the result differ too late to be told apart. */
const EXPONENTS = [BIAS - 45, BIAS + 19] as const;
/** Just below half of q: beyond, k may be another one for the exact reduction. */
const MOST_REST = 0.785_39;

const HALF_BITS = 33n;
const UPPER = Number(PI >> HALF_BITS) * 2 ** (Number(HALF_BITS) - PI_SHIFT - 1);
const LOWER = Number(PI & ((1n << HALF_BITS) - 1n)) * 2 ** -(PI_SHIFT + 1);
const TURNS_OF_ONE = 0.636_619_772_367_581_4;

interface Turn {
  readonly sine: Pair;
  readonly cosine: Pair;
  /** Quarters of a turn. */
  readonly quarter: Node;
  /** Whether these are so exact. */
  readonly isNear: Node;
}

/** Of |x|. */
export function turnOf(c: PairCalculator, x: Parts): Turn {
  const magnitude = c.scaled(c.significand(x), c.powerOfTwo(c.op('sub', x.exponent, BIAS)));
  const estimate = c.add(c.multiply(magnitude.high, c.double(TURNS_OF_ONE)), c.double(0.5));
  const quarter = c.b.op('x86.i32.trunc_f64', estimate);
  const turns = c.b.op('f64.convert_i32_s', quarter);
  const first = c.subtract(magnitude.high, c.multiply(turns, c.double(UPPER)));
  const second = c.sum(first, c.multiply(turns, c.double(-LOWER)));
  const third = c.sum(second.high, magnitude.low);
  const rest = c.quickSum(third.high, c.add(second.low, third.low));
  const { sines, cosines } = constants(SERIES);
  const square = c.times(rest, rest);
  const restBits = c.op('and', c.bits(rest.high), (1n << 63n) - 1n);
  return {
    sine: c.times(rest, c.polynomial(square, sines, PAIRS)),
    cosine: c.polynomial(square, cosines, PAIRS),
    quarter,
    isNear: c.all(
      c.op('lt_s', x.significand, 0),
      within(c, x.exponent, ...EXPONENTS),
      c.op('lt_u', restBits, c.bits(c.double(MOST_REST))),
    ),
  };
}

export function sineCases(calculator: Calculator, x: Parts, control: Node): Case[] {
  const c = new PairCalculator(calculator.b);
  const { sine, cosine, quarter, isNear } = turnOf(c, x);
  const value = c.choosePair(c.op('and', quarter, 1), cosine, sine);
  const sign = c.op('xor', x.sign, signOfHalf(c, quarter));
  return [irrationalCase(c, isNear, value, { power: c.i32(0), sign }, control)];
}

export function cosineCases(calculator: Calculator, x: Parts, control: Node): Case[] {
  const c = new PairCalculator(calculator.b);
  const { sine, cosine, quarter, isNear } = turnOf(c, x);
  const value = c.choosePair(c.op('and', quarter, 1), sine, cosine);
  const sign = signOfHalf(c, c.op('add', quarter, 1));
  return [irrationalCase(c, isNear, value, { power: c.i32(0), sign }, control)];
}

/** The sign that a sine has in the half of the turn to which a quarter belongs. */
const signOfHalf = (c: PairCalculator, quarter: Node): Node => c.op('shl', c.op('and', quarter, 2), 14);

/** 1 / (2 n + 1)! and 1 / (2 n)!, with alternating signs. */
const SERIES = (a: Approximation): { readonly sines: Real[]; readonly cosines: Real[] } => {
  let factorial = 1n;
  const [sines, cosines]: [Real[], Real[]] = [[], []];
  for (let n = 0; n < 2 * TERMS; n++) {
    if (n > 1) factorial *= BigInt(n);
    const sign = n % 4 < 2 ? 1n : -1n;
    (n % 2 === 0 ? cosines : sines).push(a.divide(real(sign), real(factorial)));
  }
  return { sines, cosines };
};
