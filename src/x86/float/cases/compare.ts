import type { Node } from '../../../ir/node.ts';
import type { Calculator } from '../../calculator.ts';
import type { Case } from '../../helper.ts';
import { isNormal, isZero, type Parts } from './number.ts';

/** Condition codes of a comparison, at their places in the status word: C0 less, C3 equal, all three unordered. */
export const CONDITIONS = { greater: 0, less: 0x100, equal: 0x4000, unordered: 0x4500 } as const;

/** Numbers, not NaNs: whether a quiet one would be invalid does not matter. */
export function compareCases(c: Calculator, x: Parts, y: Parts): Case[] {
  const xZero = isZero(c, x);
  const yZero = isZero(c, y);
  const ordered = c.all(c.op('or', isNormal(c, x), xZero), c.op('or', isNormal(c, y), yZero));
  const sameSign = c.op('eq', x.sign, y.sign);
  const sameExponent = c.op('eq', x.exponent, y.exponent);
  const sameMagnitude = c.all(sameExponent, c.op('eq', x.significand, y.significand));
  const equal = c.all(sameMagnitude, c.op('or', sameSign, xZero));
  const smaller = c.op(
    'or',
    c.op('lt_u', x.exponent, y.exponent),
    c.all(sameExponent, c.op('lt_u', x.significand, y.significand)),
  );
  const negative = c.op('ne', x.sign, 0);
  const less = c.choose(sameSign, c.op('xor', smaller, negative), negative);
  const unequal = c.choose(less, c.i32(CONDITIONS.less), CONDITIONS.greater);
  const condition: Node = c.choose(equal, c.i32(CONDITIONS.equal), unequal);
  return [{ when: ordered, results: [condition, c.i32(0)] }];
}
