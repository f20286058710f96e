import type { Node } from '../../../../ir/node.ts';
import type { Calculator } from '../../../calculator.ts';
import type { Case } from '../../../helper.ts';
import { type Approximation, type Real, real } from '../../approximate.ts';
import { BIAS, type Parts, within } from '../number.ts';
import { constants } from './constants.ts';
import { type Pair, PairCalculator } from './pairs.ts';
import { irrationalCase } from './rounded.ts';

/**
 * e^8t - 1 by e^t - 1 = t + t^2/2 + t^3/6 ..., |t| < 2^-3.5, and by e^2t - 1 = (e^t - 1) (e^t - 1 + 2), thrice. Nothing is taken off, so that it is as exact
 * near 0 as anywhere.
 */
const DOUBLINGS = 3;
const TERMS = 16;
/** Of these, those that need two doubles. */
const PAIRS = 9;

/** 2^x - 1 for |x| < 1 */
export function powerMinusOneCases(calculator: Calculator, x: Parts, control: Node): Case[] {
  const c = new PairCalculator(calculator.b);
  const when = c.all(c.op('lt_s', x.significand, 0), within(c, x.exponent, BIAS - 300, BIAS - 1));
  return [irrationalCase(c, when, powerMinusOne(c, x), { power: c.i32(0), sign: c.i32(0) }, control)];
}

export function powerMinusOne(c: PairCalculator, x: Parts): Pair {
  const { factor, series } = constants(EXPONENTIALS);
  const scale = c.powerOfTwo(c.op('sub', x.exponent, BIAS));
  const magnitude = c.times(c.scaled(c.significand(x), scale), c.constant(factor));
  const t = c.negatedWhere(c.op('shr_u', x.sign, 15), magnitude);
  let value = c.times(t, c.polynomial(t, series, PAIRS));
  const two = { high: c.double(2), low: c.double(0) };
  for (let i = 0; i < DOUBLINGS; i++) value = c.times(value, c.plusSmaller(two, value));
  return value;
}

const EXPONENTIALS = (a: Approximation) => ({
  factor: real(a.ln2().mantissa, a.ln2().exponent - DOUBLINGS),
  series: reciprocalFactorials(a),
});

/** 1, 1/2, 1/6 ... */
function reciprocalFactorials(a: Approximation): Real[] {
  let factorial = 1n;
  return Array.from({ length: TERMS }, (_, n) => {
    factorial *= BigInt(n + 1);
    return a.divide(real(1n), real(factorial));
  });
}
