import type { Node } from '../../../../ir/node.ts';
import type { Case } from '../../../helper.ts';
import { BIAS, type Parts } from '../number.ts';
import { roundedNumber } from '../rounding.ts';
import type { Pair, PairCalculator } from './pairs.ts';

/**
 * Bits of a result that are taken for right. Those of its pair are, but for the last ten or so (test/x86/irrational-cases.test.ts), and
 * whatever more this asks for only sends more results to the general way.
 */
export const RIGHT_BITS = 90;
/** In fractions 2^-64 of a unit in the last place of 64 bits, a number that may be in doubt: 2^64 * 2^64 / 2^RIGHT_BITS. */
const DOUBT = 1n << BigInt(128 - RIGHT_BITS);

/** A number that is not zero, cut to 64 bits, and what lies below. */
export interface Digits {
  readonly kept: Node;
  readonly rest: Node;
  /** The biased exponent of an 80-bit number. */
  readonly exponent: Node;
  /** 1 for numbers below 0. */
  readonly negative: Node;
}

/** Of a number between 2^-900 and 2^900. */
export function digitsOf(c: PairCalculator, x: Pair): Digits {
  const bits = c.bits(x.high);
  const negative = c.op('shr_u', bits, 63);
  const { high, low } = c.negatedWhere(c.narrow(negative), x);
  const exponent = c.op('and', c.narrow(c.op('shr_u', bits, 52)), 0x7ff);
  // Times this the number is between 2^62 and 2^63, or just below; a double of that size is an integer.
  const scale = c.powerOfTwo(c.op('sub', c.i32(1023 + 62), exponent));
  const whole = c.b.op('x86.i64.trunc_f64', c.multiply(high, scale));
  // The second double is 2^9 at most, so that 53 bits behind its point fit.
  const fraction = c.b.op('x86.i64.trunc_f64', c.multiply(c.multiply(low, scale), c.double(2 ** 53)));
  const upper = c.op('add', whole, c.op('shr_s', fraction, 53));
  const lower = c.op('shl', fraction, 11);
  const lead = c.op('clz', upper);
  const back = c.op('sub', c.i64(64n), lead);
  return {
    kept: c.op('or', c.op('shl', upper, lead), c.op('shr_u', lower, back)),
    rest: c.op('shl', lower, lead),
    exponent: c.op('sub', c.op('add', exponent, BIAS - 1022), c.narrow(lead)),
    negative: c.narrow(negative),
  };
}

/**
 * The case of an irrational result: its pair times 2^`power`, correctly rounded where the pair tells how (Ziv, "Fast evaluation of elementary
 * mathematical functions with correctly rounded last bit", 1991). `sign` changes its sign where it is 0x8000.
 */
export function irrationalCase(
  c: PairCalculator,
  when: Node,
  value: Pair,
  { power, sign }: { readonly power: Node; readonly sign: Parts['sign'] },
  control: Node,
): Case {
  const digits = digitsOf(c, value);
  const parts = {
    exponent: c.op('add', digits.exponent, power),
    sign: c.op('xor', sign, c.op('shl', digits.negative, 15)),
  };
  return { when: c.all(when, isCertain(c, digits.rest)), results: roundedNumber(c, digits, parts, control) };
}

/** Whether what is cut off is neither next to nothing or all nor next to one half. */
function isCertain(c: PairCalculator, rest: Node): Node {
  return c.op('ge_u', c.op('shl', c.op('add', rest, DOUBT), 1), 4n * DOUBT);
}
