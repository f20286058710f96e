import type { Node } from '../../../ir/node.ts';
import type { Calculator } from '../../calculator.ts';
import type { Case } from '../../helper.ts';
import { INEXACT, ROUNDED_UP } from '../exceptions.ts';
import { BIAS, number, type Parts } from './number.ts';
import type { Cut } from './rounding.ts';

/**
 * What nearly all sums and products of long doubles are, with fewer operations than the cases that follow: all 64 bits, rounded to nearest,
 * of numbers from 2^-4095 on and below 2^4097. A loop of two sums and two products takes 45 ns a round so, and 54 with those cases alone.
 */
const LEAST = 0x3000;
/** A power of two: exponents are compared both at once. */
const RANGE = 0x2000;

function areUsual(c: Calculator, x: Parts, y: Parts, control: Node): Node {
  const exponents = c.op('or', c.op('sub', x.exponent, LEAST), c.op('sub', y.exponent, LEAST));
  return c.all(
    c.op('eq', c.op('and', control, 0xf00), 0x300),
    c.op('lt_s', c.op('and', x.significand, y.significand), 0),
    c.op('lt_u', exponents, RANGE),
  );
}

/** Of numbers with the same sign that overlap. */
export function usualSum(c: Calculator, x: Parts, y: Parts, control: Node): Case {
  const swapped = c.op('lt_u', x.exponent, y.exponent);
  const larger = c.choose(swapped, y.significand, x.significand);
  const smaller = c.choose(swapped, x.significand, y.significand);
  const exponent = c.choose(swapped, y.exponent, x.exponent);
  const apart = c.op('sub', exponent, c.choose(swapped, x.exponent, y.exponent));
  const shift = c.wide(apart);
  const aligned = c.op('shr_u', smaller, shift);
  // In two steps, for there may be nothing to shift.
  const below = c.op('shl', c.op('shl', smaller, 1), c.op('xor', shift, 63n));
  const total = c.op('add', larger, aligned);
  const carried = c.op('lt_u', total, aligned);
  const carry = c.wide(carried);
  // A carry moves the sum down by one bit, and the lowest bit below it is 0 then.
  const kept = c.op('or', c.op('shr_u', total, carry), c.op('shl', carry, 63));
  const moved = c.op('or', c.op('shr_u', below, 1), c.op('shl', total, 63));
  return rounded(
    c,
    c.all(areUsual(c, x, y, control), c.op('eq', x.sign, y.sign), c.op('lt_u', apart, 64)),
    { kept, rest: c.choose(carried, moved, below) },
    { exponent: c.op('add', exponent, carried), sign: x.sign },
  );
}

export function usualProduct(c: Calculator, x: Parts, y: Parts, control: Node): Case {
  const high = c.highProduct(x.significand, y.significand);
  const low = c.op('mul', x.significand, y.significand);
  const atLeastTwo = c.op('shr_u', high, 63);
  const up = c.op('xor', atLeastTwo, 1n);
  const kept = c.op('or', c.op('shl', high, up), c.op('and', c.op('shr_u', low, 63), up));
  return rounded(
    c,
    areUsual(c, x, y, control),
    { kept, rest: c.op('shl', low, up) },
    {
      exponent: c.op('add', c.op('sub', c.op('add', x.exponent, y.exponent), BIAS), c.narrow(atLeastTwo)),
      sign: c.op('xor', x.sign, y.sign),
    },
  );
}

/** To nearest, but for what is rounded to one bit more. */
function rounded(
  c: Calculator,
  when: Node,
  { kept, rest }: Cut,
  { exponent, sign }: Omit<Parts, 'significand'>,
): Case {
  const up = c.op('gt_u', rest, c.op('sub', c.i64(1n << 63n), c.op('and', kept, 1)));
  const flags = c.op(
    'or',
    c.op('shl', c.op('ne', rest, 0), Math.log2(INEXACT)),
    c.op('shl', up, Math.log2(ROUNDED_UP)),
  );
  return {
    when: c.all(when, c.op('ne', kept, -1n)),
    results: number(c, { significand: c.op('add', kept, c.wide(up)), exponent, sign }, flags),
  };
}
