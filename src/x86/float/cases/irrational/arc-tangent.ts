import type { Node } from '../../../../ir/node.ts';
import type { Calculator } from '../../../calculator.ts';
import type { Case } from '../../../helper.ts';
import { type Approximation, real } from '../../approximate.ts';
import { isNormal, type Parts } from '../number.ts';
import { constants } from './constants.ts';
import { type Pair, PairCalculator } from './pairs.ts';
import { irrationalCase } from './rounded.ts';

/**
 * atan(q) = atan(t) + atan(r) for the eighth t that is nearest to q = a / b, 0 < q <= 1, and r = (a - t b) / (b + t a), a series in r^2, which is
 * below 2^-8. Where q is near 0, t is 0, and the angle as exact as r.
 */
const EIGHTHS = 9;
const TERMS = 13;
/** Of these, those that need two doubles. */
const PAIRS = 7;
/** Exponents may differ by so much: a quotient is a double. */
const FARTHEST = 300;

/** The angle of the point (x, y). */
export function arcTangentCases(calculator: Calculator, y: Parts, x: Parts, control: Node): Case[] {
  const c = new PairCalculator(calculator.b);
  const { angle, isNear } = angleOf(c, y, x);
  const when = c.all(isNormal(c, x), isNormal(c, y), isNear);
  return [irrationalCase(c, when, angle, { power: c.i32(0), sign: y.sign }, control)];
}

/** By the smaller quotient, and the quadrant; without y's sign. */
export function angleOf(c: PairCalculator, y: Parts, x: Parts): { angle: Pair; isNear: Node } {
  const { right, straight } = constants(ANGLES);
  const above = c.op('sub', y.exponent, x.exponent);
  const steep = c.op(
    'or',
    c.op('gt_s', above, 0),
    c.all(c.op('eqz', above), c.op('gt_u', y.significand, x.significand)),
  );
  const distance = c.choose(c.op('lt_s', above, 0), above, c.op('sub', c.i32(0), above));
  const large = c.choose(steep, y.significand, x.significand);
  const small = c.choose(steep, x.significand, y.significand);
  const significand = (bits: Node) => c.significand({ ...x, significand: bits });
  const part = ofQuotient(c, c.scaled(significand(small), c.powerOfTwo(distance)), significand(large));
  const negative = c.op('shr_u', x.sign, 15);
  const turned = { high: c.double(0), low: c.double(0) };
  const straightWhere = c.choosePair(negative, c.constant(straight), turned);
  const from = c.choosePair(steep, c.constant(right), straightWhere);
  return {
    angle: c.plus(from, c.negatedWhere(c.op('xor', steep, negative), part)),
    isNear: c.op('ge_s', distance, -FARTHEST),
  };
}

/** atan(a / b), 0 < a <= b. */
function ofQuotient(c: PairCalculator, a: Pair, b: Pair): Pair {
  const { ofEighths, ofOne, series } = constants(ANGLES);
  const eighths = c.eighthsOf(c.divide(a.high, b.high));
  const t = c.ofEighths(eighths);
  const r = c.quotient(
    c.plus(a, c.negatedWhere(c.i32(1), c.timesDouble(b, t))),
    c.plus(b, c.timesDouble(a, t)),
  );
  const part = c.times(r, c.polynomial(c.times(r, r), series, PAIRS));
  const isOne = c.op('eq', eighths, EIGHTHS - 1);
  const base = c.choosePair(isOne, c.constant(ofOne), c.select(eighths, ofEighths));
  return c.plus(base, part);
}

const ANGLES = (a: Approximation) => {
  const pi = a.pi();
  return {
    straight: pi,
    right: real(pi.mantissa, pi.exponent - 1),
    ofEighths: Array.from({ length: EIGHTHS - 1 }, (_, i) =>
      i === 0 ? real(0n) : a.arcTangent(real(BigInt(i), -3)),
    ),
    ofOne: real(pi.mantissa, pi.exponent - 2),
    series: Array.from({ length: TERMS }, (_, n) =>
      a.divide(real(n % 2 === 0 ? 1n : -1n), real(BigInt(2 * n + 1))),
    ),
  };
};
