import type { Calculator } from '../../calculator.ts';
import type { Case } from '../../helper.ts';
import { BIAS, GREATEST, isNormal, isZero, LEAST, number, type Parts, within } from './number.ts';

/** fscale: y cut to an integer is added to x's exponent. Exact, whatever the precision. */
export function scaleCases(c: Calculator, x: Parts, y: Parts): Case[] {
  const power = c.op('sub', y.exponent, BIAS);
  const magnitude = c.narrow(c.op('shr_u', y.significand, c.wide(c.op('sub', c.i32(63), power))));
  const cut = c.choose(c.op('lt_s', power, 0), c.i32(0), magnitude);
  const by = c.choose(c.op('ne', y.sign, 0), c.op('sub', c.i32(0), cut), cut);
  const exponent = c.op('add', x.exponent, by);
  // 2^15 and more is beyond any exponent; a y of 0 has an exponent below 0 here.
  const small = c.all(c.op('or', isNormal(c, y), isZero(c, y)), c.op('le_s', power, 14));
  return [
    {
      when: c.all(isNormal(c, x), small, within(c, exponent, LEAST, GREATEST)),
      results: number(c, { ...x, exponent }),
    },
    { when: c.all(isZero(c, x), small), results: number(c, x) },
  ];
}
