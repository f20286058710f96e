import type { Node } from '../../../ir/node.ts';
import type { Calculator } from '../../calculator.ts';
import type { Case } from '../../helper.ts';
import { BIAS, isNormal, isZero, number, type Parts } from './number.ts';
import { fullPrecision, roundedNumber } from './rounding.ts';

/** 128 bits. */
interface Long {
  readonly high: Node;
  readonly low: Node;
}

export function rootCases(c: Calculator, x: Parts, control: Node): Case[] {
  // An even power of two is taken out; of what stays, times 2^126, the root has 64 bits. (The bias is odd.)
  const even = c.op('and', x.exponent, 1);
  const square: Long = {
    high: c.choose(even, c.op('shr_u', x.significand, 1), x.significand),
    low: c.choose(even, c.op('shl', x.significand, 63), 0),
  };
  const { root, rest } = integerRoot(c, square);
  const aboveHalf = c.op('or', c.op('ne', rest.high, 0), c.op('gt_u', rest.low, root));
  const exact = c.op('eqz', c.op('or', rest.high, rest.low));
  const part = c.choose(aboveHalf, c.i64(-1n), 1);
  const cut = { kept: root, rest: c.choose(exact, c.i64(0n), part) };
  const exponent = c.op('shr_u', c.op('add', x.exponent, BIAS), 1);
  return [
    {
      when: c.all(fullPrecision(c, control), isNormal(c, x), c.op('eqz', x.sign)),
      results: roundedNumber(c, cut, { exponent, sign: x.sign }, control),
    },
    { when: isZero(c, x), results: number(c, x) },
  ];
}

/** Root of a number of at least 2^126, cut, and what its square lacks. */
function integerRoot(c: Calculator, square: Long): { root: Node; rest: Long } {
  const below = estimatedRoot(c, square.high);
  const lacking = minusSquare(c, square, below);
  // What is lacking is 2 * below * error + error^2 and a rest of 2 * root at most: divided by 2 * below, which is cut as
  // it is to units of 2^32, it gives the error or 1 more.
  const units = c.op('or', c.op('shl', lacking.high, 32), c.op('shr_u', lacking.low, 32));
  const error = c.op('div_u', units, c.op('shr_u', below, 31));
  const candidate = c.op('sub', c.op('add', below, error), 1);
  return increased(c, candidate, minusSquare(c, square, candidate));
}

/**
 * Below the root of high * 2^64 by less than 2^14: a double's root is off by less than 2^-52 of it, which is 2^12, and
 * its last 12 bits are cut.
 */
function estimatedRoot(c: Calculator, high: Node): Node {
  const { b } = c;
  const quarter = b.op('f64.convert_i64_s', c.op('shr_u', high, 2));
  const half = b.op('i64.reinterpret_f64', b.op('x86.f64.sqrt', quarter));
  const scaled = b.op('f64.reinterpret_i64', c.op('add', half, 21n << 52n));
  return c.op('shl', c.op('sub', b.op('x86.i64.trunc_f64', scaled), 1), 12);
}

function minusSquare(c: Calculator, { high, low }: Long, x: Node): Long {
  const lowSquare = c.op('mul', x, x);
  const borrow = c.wide(c.op('lt_u', low, lowSquare));
  return {
    high: c.op('sub', c.op('sub', high, c.highProduct(x, x)), borrow),
    low: c.op('sub', low, lowSquare),
  };
}

/** The next root where there is one: the rest exceeds twice this one, and lacks that and 1 less for the next. */
function increased(c: Calculator, root: Node, rest: Long): { root: Node; rest: Long } {
  const high = c.op('shr_u', root, 63);
  const twice = c.op('shl', root, 1);
  const next = c.op('or', twice, 1);
  const exceeds = c.op(
    'or',
    c.op('gt_u', rest.high, high),
    c.all(c.op('eq', rest.high, high), c.op('gt_u', rest.low, twice)),
  );
  const borrow = c.wide(c.op('lt_u', rest.low, next));
  return {
    root: c.op('add', root, c.wide(exceeds)),
    rest: {
      high: c.choose(exceeds, c.op('sub', c.op('sub', rest.high, high), borrow), rest.high),
      low: c.choose(exceeds, c.op('sub', rest.low, next), rest.low),
    },
  };
}
