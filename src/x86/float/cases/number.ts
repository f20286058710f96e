import type { Node } from '../../../ir/node.ts';
import type { Calculator } from '../../calculator.ts';
import type { Format } from '../round.ts';

/** An 80-bit number in parts: sign is 0 or 0x8000, the exponent is biased. */
export interface Parts {
  readonly significand: Node;
  readonly exponent: Node;
  readonly sign: Node;
}

export const INTEGER_BIT = 1n << 63n;
export const BIAS = 16383;
/** Biased exponents of normal numbers. */
export const LEAST = 1;
export const GREATEST = 0x7ffe;

export function parts(c: Calculator, significand: Node, head: Node): Parts {
  return { significand, exponent: c.op('and', head, 0x7fff), sign: c.op('and', head, 0x8000) };
}

export function negated(c: Calculator, x: Parts): Parts {
  return { ...x, sign: c.op('xor', x.sign, 0x8000) };
}

/** The results of an instruction. */
export function number(c: Calculator, x: Parts, flags: Node = c.i32(0)): Node[] {
  return [x.significand, c.op('or', x.sign, x.exponent), flags];
}

/** least <= exponent <= greatest. */
export function within(c: Calculator, exponent: Node, least: number, greatest: number): Node {
  return c.op('le_u', c.op('sub', exponent, least), greatest - least);
}

export function isNormal(c: Calculator, x: Parts): Node {
  return c.all(c.op('lt_s', x.significand, 0), within(c, x.exponent, LEAST, GREATEST));
}

export function isZero(c: Calculator, x: Parts): Node {
  return c.op('eqz', c.op('or', x.significand, c.wide(x.exponent)));
}

/** A stored single or double (in an i64) in parts; of anything but normal numbers and zeros, something that is neither. */
export function fromMemory(c: Calculator, bits: Node, format: Format): Parts {
  const { precision, minExponent, maxExponent } = format;
  const upper = c.narrow(c.op('shr_u', bits, precision - 1));
  const mask = 2 * maxExponent + 1;
  const exponentBits = Math.log2(mask + 1);
  const biased = c.op('and', upper, mask);
  const normal = within(c, biased, 1, mask - 1);
  const zero = c.op('eqz', c.op('shl', bits, 65 - precision - exponentBits));
  return {
    significand: c.choose(
      normal,
      c.op('or', c.op('shl', bits, 64 - precision), INTEGER_BIT),
      c.wide(c.not(zero)),
    ),
    exponent: c.choose(normal, c.op('add', biased, BIAS + minExponent - 1), 0),
    sign: c.op('shl', c.op('and', upper, mask + 1), 15 - exponentBits),
  };
}
