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
  const difference = c.op('sub', x.exponent, y.exponent);
  const partial = isPartial(c, difference);
  const { quotient, remainder, unit } = reduced(c, x, y, partial);
  const condition = c.choose(partial, c.i32(C2), quotientBits(c, c.narrow(quotient)));
  const normal = c.all(isNormal(c, x), isNormal(c, y));
  return [
    {
      when: c.all(normal, c.op('ge_s', difference, 0), c.op('ge_u', y.exponent, LEAST_DIVISOR)),
      results: [...number(c, exactly(c, remainder, unit, x.sign)), condition],
    },
    ...unchanged(c, x, y, c.op('lt_s', difference, 0)),
  ];
}

/** fprem1: the same with the quotient to nearest, to even of two. Only the last part of a reduction is rounded. */
export function nearestRemainderCases(c: Calculator, x: Parts, y: Parts): Case[] {
  const difference = c.op('sub', x.exponent, y.exponent);
  const partial = isPartial(c, difference);
  const { quotient, remainder, unit } = reduced(c, x, y, partial);
  const rest = c.op('sub', y.significand, remainder);
  const up = c.all(c.op('gt_u', c.op('add', remainder, c.op('and', quotient, 1n)), rest), c.not(partial));
  const bits = quotientBits(c, c.narrow(c.op('add', quotient, c.wide(up))));
  const nearest = exactly(c, c.choose(up, rest, remainder), unit, otherSign(c, x.sign, up));
  // Of half a divisor and more, but less than a whole one: a whole divisor is twice the significand in x's unit.
  const beyond = c.op('gt_u', x.significand, y.significand);
  const below = c.op('sub', c.op('shl', y.significand, 1), x.significand);
  const half = exactly(c, c.choose(beyond, below, x.significand), x.exponent, otherSign(c, x.sign, beyond));
  const normal = c.all(isNormal(c, x), isNormal(c, y), c.op('ge_u', y.exponent, LEAST_DIVISOR + 1));
  return [
    {
      when: c.all(normal, c.op('ge_s', difference, 0)),
      results: [...number(c, nearest), c.choose(partial, c.i32(C2), bits)],
    },
    {
      when: c.all(normal, c.op('eq', difference, -1)),
      results: [...number(c, half), quotientBits(c, beyond)],
    },
    ...unchanged(c, x, y, c.op('lt_s', difference, -1)),
  ];
}

function isPartial(c: Calculator, difference: Node): Node {
  return c.op('ge_s', difference, 64);
}

/** The quotient's whole part and what is left, in units of an exponent, of an x that is not the smaller one. */
function reduced(c: Calculator, x: Parts, y: Parts, partial: Node) {
  const difference = c.op('sub', x.exponent, y.exponent);
  const step = c.op('or', c.op('and', difference, 31), 32);
  const shift = c.choose(partial, step, difference);
  const { quotient, remainder } = shiftedQuotient(c, x.significand, c.wide(shift), y.significand);
  return { quotient, remainder, unit: c.op('sub', x.exponent, shift) };
}

/** A significand in units of an exponent, which may have leading zeros or be 0, as a number. */
function exactly(c: Calculator, significand: Node, unit: Node, sign: Node): Parts {
  const zeros = c.op('clz', significand);
  const exponent = c.op('sub', unit, c.narrow(zeros));
  return {
    significand: c.op('shl', significand, zeros),
    exponent: c.choose(c.op('eqz', significand), c.i32(0), exponent),
    sign,
  };
}

/** x itself, where it is normal and the quotient 0 (`small`), or 0. */
function unchanged(c: Calculator, x: Parts, y: Parts, small: Node): Case[] {
  const results = [...number(c, x), c.i32(0)];
  const normal = c.all(isNormal(c, x), isNormal(c, y));
  return [
    { when: c.all(normal, small), results },
    { when: c.all(isZero(c, x), isNormal(c, y)), results },
  ];
}

function otherSign(c: Calculator, sign: Node, other: Node): Node {
  return c.op('xor', sign, c.op('shl', other, 15));
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
