import type { Node } from '../../../ir/node.ts';
import type { Calculator } from '../../calculator.ts';
import type { Case } from '../../helper.ts';
import { divideLong } from '../../quotient.ts';
import { C0, C1, C2, C3 } from '../parts.ts';
import { isNormal, isZero, LEAST, number, type Parts } from './number.ts';

/** A remainder has up to 64 leading zeros to shift out, and must stay normal. */
const LEAST_DIVISOR = LEAST + 64;

/** fprem: whole, or of the part by which float/parts.ts reduces. Condition codes come last. */
export function remainderCases(c: Calculator, x: Parts, y: Parts): Case[] {
  const normal = c.all(isNormal(c, x), isNormal(c, y));
  const difference = c.op('sub', x.exponent, y.exponent);
  const partial = c.op('ge_s', difference, 64);
  const step = c.op('or', c.op('and', difference, 31), 32);
  const shift = c.choose(partial, step, difference);
  const { quotient, remainder } = shiftedQuotient(c, x.significand, c.wide(shift), y.significand);
  const zeros = c.op('clz', remainder);
  const unit = c.op('sub', x.exponent, shift);
  const isExact = c.op('eqz', remainder);
  const result: Parts = {
    significand: c.op('shl', remainder, zeros),
    exponent: c.choose(isExact, c.i32(0), c.op('sub', unit, c.narrow(zeros))),
    sign: x.sign,
  };
  const condition = c.choose(partial, c.i32(C2), quotientBits(c, c.narrow(quotient)));
  return [
    {
      when: c.all(normal, c.op('ge_s', difference, 0), c.op('ge_u', y.exponent, LEAST_DIVISOR)),
      results: [...number(c, result), condition],
    },
    { when: c.all(normal, c.op('lt_s', difference, 0)), results: [...number(c, x), c.i32(0)] },
    { when: c.all(isZero(c, x), isNormal(c, y)), results: [...number(c, x), c.i32(0)] },
  ];
}

/** x * 2^shift, with a shift of 0 to 63, by a divisor with its highest bit set. */
function shiftedQuotient(c: Calculator, x: Node, shift: Node, divisor: Node) {
  const high = c.op('shr_u', c.op('shr_u', x, 1), c.op('sub', c.i64(63n), shift));
  return divideLong(c, high, c.op('shl', x, shift), divisor);
}

function quotientBits(c: Calculator, quotient: Node): Node {
  const bit = (place: number, code: number) =>
    c.op('mul', c.op('and', c.op('shr_u', quotient, place), 1), code);
  return c.op('or', bit(2, C0), c.op('or', bit(1, C3), bit(0, C1)));
}
