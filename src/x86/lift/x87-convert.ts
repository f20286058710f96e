import type { Node } from '../../ir/node.ts';
import { DENORMAL, INVALID } from '../float/exceptions.ts';
import type { Lift } from './context.ts';
import type { Extended } from './x87-stack.ts';

/** Conversions to extended that are exact, and short enough to be generated in place. */

interface Layout {
  readonly fractionBits: number;
  readonly exponentMask: number;
  /** What is added to a biased exponent. */
  readonly rebias: number;
}

export const SINGLE: Layout = { fractionBits: 23, exponentMask: 0xff, rebias: 16383 - 127 };
export const DOUBLE: Layout = { fractionBits: 52, exponentMask: 0x7ff, rebias: 16383 - 1023 };

/** A number from memory, in an i64: its extended form, and the flags of a denormal operand or a signalling NaN. */
export function extend(c: Lift, bits: Node, layout: Layout): { value: Extended; flags: Node } {
  const { b } = c;
  const { fractionBits, exponentMask, rebias } = layout;
  const upper = b.op('i32.wrap_i64', b.op('i64.shr_u', bits, b.i64(fractionBits)));
  const exponent = b.op('i32.and', upper, b.i32(exponentMask));
  const sign = b.op(
    'i32.shl',
    b.op('i32.and', upper, b.i32(exponentMask + 1)),
    b.i32(15 - Math.log2(exponentMask + 1)),
  );
  const fraction = b.op('i64.shl', bits, b.i64(64 - fractionBits));
  const zeroFraction = b.op('i64.eqz', fraction);
  const small = b.op('i32.eqz', exponent);
  const special = b.op('i32.eq', exponent, b.i32(exponentMask));
  const nan = b.op('i32.and', special, b.op('i32.eqz', zeroFraction));
  // Subnormal: the highest bit of the fraction becomes the integer bit. Shifting by 64 leaves the 0 that it shifts.
  const zeros = b.op('i64.clz', fraction);
  const shifted = b.op('i64.shl', fraction, zeros);
  const lowered = b.op('i32.sub', b.i32(rebias), b.op('i32.wrap_i64', zeros));
  const quiet = b.op('i64.shl', b.op('i64.extend_i32_u', nan), b.i64(62));
  const integerBit = b.op('i64.or', b.op('i64.shr_u', fraction, b.i64(1)), b.i64(1n << 63n));
  const significand = b.op('select.i64', shifted, b.op('i64.or', integerBit, quiet), small);
  const regular = b.op('select.i32', b.i32(0x7fff), b.op('i32.add', exponent, b.i32(rebias)), special);
  const biased = b.op('select.i32', b.op('select.i32', b.i32(0), lowered, zeroFraction), regular, small);
  const denormal = b.op('i32.and', small, b.op('i32.eqz', zeroFraction));
  const signalling = b.op('i32.and', nan, b.op('i64.ge_s', fraction, b.i64(0)));
  return {
    value: { significand, head: b.op('i32.or', sign, biased) },
    flags: b.op(
      'i32.or',
      b.op('select.i32', b.i32(DENORMAL), b.i32(0), denormal),
      b.op('select.i32', b.i32(INVALID), b.i32(0), signalling),
    ),
  };
}

/** A signed integer, in an i64. */
export function fromInteger(c: Lift, x: Node): Extended {
  const { b } = c;
  const signs = b.op('i64.shr_s', x, b.i64(63));
  const magnitude = b.op('i64.sub', b.op('i64.xor', x, signs), signs);
  const zeros = b.op('i64.clz', magnitude);
  const biased = b.op('i32.sub', b.i32(16383 + 63), b.op('i32.wrap_i64', zeros));
  const sign = b.op('i32.and', b.op('i32.wrap_i64', signs), b.i32(0x8000));
  return {
    significand: b.op('i64.shl', magnitude, zeros),
    head: b.op('i32.or', sign, b.op('select.i32', b.i32(0), biased, b.op('i64.eqz', x))),
  };
}
