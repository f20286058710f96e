import type { Node } from '../../../ir/node.ts';
import type { Calculator } from '../../calculator.ts';
import type { Case } from '../../helper.ts';
import type { Format } from '../round.ts';
import { BIAS, isNormal, isZero, number, type Parts, within } from './number.ts';
import { type Cut, rounded } from './rounding.ts';

/** Stores as single or double: bits in an i64, flags. */
export function storeCases(c: Calculator, x: Parts, format: Format, control: Node): Case[] {
  const { precision, minExponent, maxExponent } = format;
  const shift = 64 - precision;
  const biased = c.op('sub', x.exponent, BIAS + minExponent - 1);
  // The greatest exponent is left out: rounding may carry into it.
  const usual = c.all(c.op('lt_s', x.significand, 0), within(c, biased, 1, 2 * maxExponent - 1));
  const cut: Cut = { kept: c.op('shr_u', x.significand, shift), rest: c.op('shl', x.significand, precision) };
  const { magnitude, flags } = rounded(c, cut, x.sign, control);
  const width = precision + Math.log2(2 * maxExponent + 2);
  const sign = c.op('shl', c.wide(x.sign), width - 16);
  // The integer bit, or the bit that rounding carried to, counts one in the exponent field.
  const exponentField = c.op('shl', c.wide(c.op('sub', biased, 1)), precision - 1);
  return [
    { when: usual, results: [c.op('or', sign, c.op('add', exponentField, magnitude)), flags] },
    { when: isZero(c, x), results: [sign, c.i32(0)] },
  ];
}

/** The magnitude of a number as an integer and what is left below; for exponents under 2^63. */
function integerPart(c: Calculator, x: Parts): { fraction: Cut; mixed: Cut; hasInteger: Node } {
  const power = c.op('sub', x.exponent, BIAS);
  const up = c.wide(c.op('add', power, 1));
  const half = c.op('eq', power, -1);
  return {
    hasInteger: within(c, power, 0, 62),
    mixed: {
      kept: c.op('shr_u', x.significand, c.op('sub', c.i64(64n), up)),
      rest: c.op('shl', x.significand, up),
    },
    // Less than one half is compared with one half and 0 only.
    fraction: { kept: c.i64(0n), rest: c.choose(half, x.significand, 1) },
  };
}

/** Stores as an integer of 16, 32 or 64 bits: an i64, flags. */
export function storeIntegerCases(c: Calculator, x: Parts, width: number, control: Node): Case[] {
  const normal = isNormal(c, x);
  const { hasInteger, mixed, fraction } = integerPart(c, x);
  const negative = c.op('shr_u', x.sign, 15);
  const integer = (cut: Cut) => {
    const { magnitude, flags } = rounded(c, cut, x.sign, control);
    const signed = c.choose(negative, c.op('sub', c.i64(0n), magnitude), magnitude);
    return { magnitude, results: [signed, flags] };
  };
  const whole = integer(mixed);
  const limit = c.op('add', c.wide(negative), (1n << BigInt(width - 1)) - 1n);
  const fits = c.op('le_u', whole.magnitude, limit);
  return [
    { when: c.all(normal, hasInteger, fits), results: whole.results },
    { when: c.all(normal, c.op('lt_u', x.exponent, BIAS)), results: integer(fraction).results },
    { when: isZero(c, x), results: [c.i64(0n), c.i32(0)] },
  ];
}

/** frndint. */
export function roundCases(c: Calculator, x: Parts, control: Node): Case[] {
  const normal = isNormal(c, x);
  const { hasInteger, mixed, fraction } = integerPart(c, x);
  const whole = rounded(c, mixed, x.sign, control);
  const zeros = c.op('clz', whole.magnitude);
  const moved = c.op('shl', whole.magnitude, zeros);
  const exponent = c.op('sub', c.i32(BIAS + 63), c.narrow(zeros));
  const unit = rounded(c, fraction, x.sign, control);
  const one = {
    significand: c.op('shl', unit.magnitude, 63),
    exponent: c.op('mul', c.narrow(unit.magnitude), BIAS),
    sign: x.sign,
  };
  return [
    {
      when: c.all(normal, hasInteger),
      results: number(c, { significand: moved, exponent, sign: x.sign }, whole.flags),
    },
    { when: c.all(normal, c.op('lt_u', x.exponent, BIAS)), results: number(c, one, unit.flags) },
    { when: c.op('or', normal, isZero(c, x)), results: number(c, x) },
  ];
}
