import type { Node } from '../../../ir/node.ts';
import type { Calculator } from '../../calculator.ts';
import type { Case } from '../../helper.ts';
import { divideLong } from '../../quotient.ts';
import { BIAS, GREATEST, isNormal, isZero, LEAST, number, type Parts, within } from './number.ts';
import { type Cut, fullPrecision, roundedNumber } from './rounding.ts';
import { usualProduct } from './usual.ts';

export function multiplyCases(c: Calculator, x: Parts, y: Parts, control: Node): Case[] {
  const sign = c.op('xor', x.sign, y.sign);
  const exponent = c.op('sub', c.op('add', x.exponent, y.exponent), BIAS);
  const xNormal = isNormal(c, x);
  const yNormal = isNormal(c, y);
  // The product of two significands in [1, 2) may reach 2, or round to it, but never rounds to 4.
  const usual = c.all(fullPrecision(c, control), xNormal, yNormal, within(c, exponent, LEAST, GREATEST - 1));
  const high = c.highProduct(x.significand, y.significand);
  const low = c.op('mul', x.significand, y.significand);
  const atLeastTwo = c.op('lt_s', high, 0);
  const cut: Cut = {
    kept: c.choose(atLeastTwo, high, c.op('or', c.op('shl', high, 1), c.op('shr_u', low, 63))),
    rest: c.choose(atLeastTwo, low, c.op('shl', low, 1)),
  };
  const zero = { significand: c.i64(0n), exponent: c.i32(0), sign };
  const xZero = isZero(c, x);
  const yZero = isZero(c, y);
  return [
    usualProduct(c, x, y, control),
    {
      when: usual,
      results: roundedNumber(c, cut, { exponent: c.op('add', exponent, atLeastTwo), sign }, control),
    },
    { when: c.all(xZero, c.op('or', yNormal, yZero)), results: number(c, zero) },
    { when: c.all(yZero, xNormal), results: number(c, zero) },
  ];
}

export function divideCases(c: Calculator, x: Parts, y: Parts, control: Node): Case[] {
  const sign = c.op('xor', x.sign, y.sign);
  const exponent = c.op('sub', c.op('add', x.exponent, BIAS), y.exponent);
  const yNormal = isNormal(c, y);
  const usual = c.all(
    fullPrecision(c, control),
    isNormal(c, x),
    yNormal,
    within(c, exponent, LEAST + 1, GREATEST),
  );
  // The quotient has 64 bits: of a smaller dividend twice as much is divided. It never rounds to 2^64.
  const smaller = c.op('lt_u', x.significand, y.significand);
  const high = c.choose(smaller, x.significand, c.op('shr_u', x.significand, 1));
  const low = c.choose(smaller, c.i64(0n), c.op('shl', x.significand, 63));
  const { quotient, remainder } = divideLong(c, high, low, y.significand);
  // Exactly one half is never left: an odd number of 65 bits would divide the 64 bits of x.
  const aboveHalf = c.op('gt_u', remainder, c.op('sub', y.significand, remainder));
  const part = c.choose(aboveHalf, c.i64(-1n), 1);
  const cut: Cut = { kept: quotient, rest: c.choose(c.op('eqz', remainder), c.i64(0n), part) };
  const zero = { significand: c.i64(0n), exponent: c.i32(0), sign };
  return [
    {
      when: usual,
      results: roundedNumber(c, cut, { exponent: c.op('sub', exponent, smaller), sign }, control),
    },
    { when: c.all(isZero(c, x), yNormal), results: number(c, zero) },
  ];
}
