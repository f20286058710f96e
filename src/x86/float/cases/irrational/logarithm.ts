import type { Node } from '../../../../ir/node.ts';
import type { Calculator } from '../../../calculator.ts';
import type { Case } from '../../../helper.ts';
import { type Approximation, type Real, real } from '../../approximate.ts';
import { multiplyCases } from '../multiply.ts';
import { BIAS, INTEGER_BIT, isNormal, type Parts, within } from '../number.ts';
import { constants } from './constants.ts';
import { type Pair, PairCalculator } from './pairs.ts';
import { irrationalCase } from './rounded.ts';

/**
 * log2(m) = log2(c) + log2(m / c) for the eighth c that is nearest to m, and log2(m / c) = 2 artanh(r) / ln 2, r = (m - c) / (m + c): a series in r^2,
 * which is below 2^-8.4. Where m is near 1, c is 1, and the logarithm as exact as r.
 */
const FIRST_EIGHTH = 5;
const EIGHTHS = 8;
const TERMS = 12;
/** Of these, those that need two doubles. */
const PAIRS = 6;

interface Argument {
  /** m - c and m + c. */
  readonly difference: Pair;
  readonly sum: Pair;
  /** 8 c. */
  readonly eighths: Node;
}

/** y * log2(x) */
export function logarithmCases(calculator: Calculator, y: Parts, x: Parts, control: Node): Case[] {
  const c = new PairCalculator(calculator.b);
  const positive = c.all(isNormal(c, x), c.op('eqz', x.sign));
  const isPower = c.op('eq', x.significand, INTEGER_BIT);
  return [
    ...ofPower(c, y, x, control).map(({ when, results }) => ({
      when: c.all(positive, isPower, when),
      results,
    })),
    irrationalCase(
      c,
      c.all(positive, c.not(isPower), isNormal(c, y), within(c, y.exponent, 200, 32_000)),
      c.times(binaryLogarithm(c, x), c.significand(y)),
      { power: c.op('sub', y.exponent, BIAS), sign: y.sign },
      control,
    ),
  ];
}

/** The logarithm of a power of two is an integer, and the result a product. */
function ofPower(c: PairCalculator, y: Parts, x: Parts, control: Node): Case[] {
  const power = c.op('sub', x.exponent, BIAS);
  const below = c.op('shr_u', power, 31);
  const magnitude = c.wide(c.choose(below, c.op('sub', c.i32(0), power), power));
  const lead = c.op('clz', magnitude);
  const isZero = c.op('eqz', power);
  const factor: Parts = {
    significand: c.op('shl', magnitude, lead),
    exponent: c.choose(isZero, c.i32(0), c.op('sub', c.i32(BIAS + 63), c.narrow(lead))),
    sign: c.op('shl', below, 15),
  };
  // The precision control does not apply.
  return multiplyCases(c, y, factor, c.op('or', control, 0x300));
}

/** Of 2^0.5, times 2^63: what is above is halved, so that a logarithm near 0 is no difference. */
const SQUARE_ROOT_OF_TWO = 0xb504_f333_f9de_6484n;

/** Of a positive normal number. */
export function binaryLogarithm(c: PairCalculator, x: Parts): Pair {
  const up = c.op('gt_u', x.significand, BigInt.asIntN(64, SQUARE_ROOT_OF_TWO));
  const power = c.op('sub', c.op('add', x.exponent, up), BIAS);
  const m = c.scaled(c.significand(x), c.powerOfTwo(c.op('sub', c.i32(0), up)));
  const eighths = c.eighthsOf(m.high);
  const nearest = c.ofEighths(eighths);
  const above = c.sum(m.high, nearest);
  const logarithm = ofArgument(c, {
    difference: c.sum(c.subtract(m.high, nearest), m.low),
    sum: c.quickSum(above.high, c.add(above.low, m.low)),
    eighths,
  });
  const whole = { high: c.b.op('f64.convert_i32_s', power), low: c.double(0) };
  return c.plus(whole, logarithm);
}

function ofArgument(c: PairCalculator, { difference, sum, eighths }: Argument): Pair {
  const { ofEighths, series } = constants(LOGARITHMS);
  const r = c.quotient(difference, sum);
  const part = c.times(r, c.polynomial(c.times(r, r), series, PAIRS));
  return c.plus(c.select(c.op('sub', eighths, FIRST_EIGHTH), ofEighths), part);
}

const LOGARITHMS = (a: Approximation) => ({
  ofEighths: Array.from({ length: EIGHTHS }, (_, i) =>
    i === 8 - FIRST_EIGHTH
      ? real(0n)
      : binary(a, a.logarithmOfOnePlus(real(BigInt(FIRST_EIGHTH + i - 8), -3))),
  ),
  series: Array.from({ length: TERMS }, (_, n) => binary(a, a.divide(real(2n), real(BigInt(2 * n + 1))))),
});

const binary = (a: Approximation, natural: Real): Real => a.divide(natural, a.ln2());

/** y * log2(x + 1) for |x| < 0.4375 */
export function logarithmOfOnePlusCases(calculator: Calculator, y: Parts, x: Parts, control: Node): Case[] {
  const c = new PairCalculator(calculator.b);
  const { value, isNear } = logarithmOfOnePlus(c, x);
  return [
    irrationalCase(
      c,
      c.all(isNear, isNormal(c, y), within(c, y.exponent, 500, 32_000)),
      c.times(value, c.significand(y)),
      { power: c.op('sub', y.exponent, BIAS), sign: y.sign },
      control,
    ),
  ];
}

export function logarithmOfOnePlus(c: PairCalculator, x: Parts): { value: Pair; isNear: Node } {
  const scale = c.powerOfTwo(c.op('sub', x.exponent, BIAS));
  const part = c.negatedWhere(c.op('shr_u', x.sign, 15), c.scaled(c.significand(x), scale));
  const eighths = c.eighthsOf(c.add(c.double(1), part.high));
  const nearest = c.ofEighths(eighths);
  const plusPart = (number: Node): Pair => {
    const { high, low } = c.sum(number, part.high);
    return c.quickSum(high, c.add(low, part.low));
  };
  const value = ofArgument(c, {
    difference: plusPart(c.subtract(c.double(1), nearest)),
    sum: plusPart(c.add(c.double(1), nearest)),
    eighths,
  });
  const isNear = c.all(
    c.op('lt_s', x.significand, 0),
    within(c, x.exponent, BIAS - 300, BIAS - 2),
    c.op('ge_s', eighths, FIRST_EIGHTH),
  );
  return { value, isNear };
}
