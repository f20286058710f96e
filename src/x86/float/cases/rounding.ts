import type { Node } from '../../../ir/node.ts';
import type { Calculator } from '../../calculator.ts';
import { INEXACT, ROUNDED_UP } from '../exceptions.ts';
import { NEAREST } from '../round.ts';
import { INTEGER_BIT, number, type Parts } from './number.ts';

/**
 * A magnitude that is cut off and what lies below its last bit, as a fraction of 2^64. Where that fraction was itself
 * shortened, its last bit is set: it is compared with 0 and with one half only.
 */
export interface Cut {
  readonly kept: Node;
  readonly rest: Node;
}

/** Precision control asks for the full significand, so that rounding is at its last bit. */
export function fullPrecision(c: Calculator, control: Node): Node {
  return c.op('eq', c.op('and', control, 0x300), 0x300);
}

export function roundingOf(c: Calculator, control: Node): Node {
  return c.op('and', c.op('shr_u', control, 10), 3);
}

/** Rounds as asked: the magnitude, which may have carried into one more bit, and the exceptions with C1. */
export function rounded(
  c: Calculator,
  { kept, rest }: Cut,
  sign: Node,
  control: Node,
): { magnitude: Node; flags: Node } {
  const mode = roundingOf(c, control);
  // Rounded away from zero is what exceeds this: one half (of an odd number also one half itself), nothing or all.
  const half = c.op('sub', c.i64(INTEGER_BIT), c.op('and', kept, 1));
  const awayFromZero = c.op('eq', mode, c.op('sub', c.i32(2), c.op('shr_u', sign, 15)));
  const directed = c.choose(awayFromZero, c.i64(0n), -1);
  const up = c.op('gt_u', rest, c.choose(c.op('eq', mode, NEAREST), half, directed));
  return {
    magnitude: c.op('add', kept, c.wide(up)),
    flags: c.op(
      'or',
      c.op('shl', c.op('ne', rest, 0), Math.log2(INEXACT)),
      c.op('shl', up, Math.log2(ROUNDED_UP)),
    ),
  };
}

/** The results of an instruction: a significand of 64 bits, rounded; the exponent is in the middle of its range. */
export function roundedNumber(
  c: Calculator,
  cut: Cut,
  { exponent, sign }: Omit<Parts, 'significand'>,
  control: Node,
): Node[] {
  const { magnitude, flags } = rounded(c, cut, sign, control);
  const carried = c.op('eqz', magnitude);
  const significand = c.choose(carried, c.i64(INTEGER_BIT), magnitude);
  return number(c, { significand, exponent: c.op('add', exponent, carried), sign }, flags);
}
