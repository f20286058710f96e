import { type Approximation, type Real, real, roundIrrational } from './approximate.ts';
import { denormalFlag, oneNanOutcome } from './arithmetic.ts';
import { INEXACT, INVALID } from './exceptions.ts';
import {
  EXACT,
  type Extended,
  INDEFINITE,
  kindOf,
  normalised,
  type Outcome,
  one,
  roundingOf,
  signOf,
} from './extended.ts';

/**
 * fsin, fcos, fptan and fsincos. Their argument is reduced by a pi of 66 bits (SDM volume 1, 8.3.8), which is part of what
 * they compute; the result of that is correctly rounded here, where processors are within a unit of the last place. The
 * precision control does not apply to them.
 */
type Function = (a: Approximation, turn: Turn) => Real;

/** An argument, less `quarter` quarter turns. */
interface Turn {
  readonly rest: Real;
  readonly quarter: number;
}

/** pi to 66 bits, times 2^64 (SDM volume 1, 8.3.8). */
export const PI = 0x3_243f_6a88_85a3_08d3n;
export const PI_SHIFT = 64;

/** Exponents from which arguments are out of range: they are left alone, with C2 set. */
const OUT_OF_RANGE = 16383 + 63;

export const isOutOfRange = (x: Extended): boolean =>
  kindOf(x) === 'normal' && (x.head & 0x7fff) >= OUT_OF_RANGE;

function turnOf(x: Extended): Turn {
  const { mantissa, exponent } = normalised(x);
  const signed = signOf(x) === 1 ? -mantissa : mantissa;
  if (exponent + 64 < 0) return { rest: real(signed, exponent), quarter: 0 };
  // In units of 2^-shift; half of pi is PI / 2 of the units of 2^-PI_SHIFT.
  const shift = BigInt(PI_SHIFT + 1 + 64);
  const argument = exponent + Number(shift) >= 0 ? signed << BigInt(exponent + Number(shift)) : signed;
  const quarter = PI << 64n;
  const count = (2n * argument + (argument < 0n ? -quarter : quarter)) / (2n * quarter);
  return {
    rest: real(argument - count * quarter, -Number(shift)),
    quarter: Number(BigInt.asUintN(2, count)),
  };
}

const negated = ({ mantissa, exponent }: Real): Real => real(-mantissa, exponent);

const sine: Function = (a, { rest, quarter }) => {
  const value = quarter % 2 === 0 ? a.sine(rest) : a.cosine(rest);
  return quarter >= 2 ? negated(value) : value;
};

const cosine: Function = (a, { rest, quarter }) => sine(a, { rest, quarter: (quarter + 1) % 4 });

const tangent: Function = (a, turn) => a.divide(sine(a, turn), cosine(a, turn));

function compute(x: Extended, control: number, ofZero: Extended, run: Function): Outcome {
  const nan = oneNanOutcome(x);
  if (nan !== undefined) return nan;
  const kind = kindOf(x);
  if (kind === 'infinity') return { value: INDEFINITE, flags: INVALID };
  if (kind === 'zero') return { value: ofZero, flags: 0 };
  const turn = turnOf(x);
  const rules = { ...EXACT, rounding: roundingOf(control) };
  const outcome = roundIrrational((a) => run(a, turn), rules);
  return { value: outcome.value, flags: outcome.flags | INEXACT | denormalFlag(x) };
}

export const sineOf = (x: Extended, control: number): Outcome => compute(x, control, x, sine);
export const cosineOf = (x: Extended, control: number): Outcome => compute(x, control, one(0), cosine);
export const tangentOf = (x: Extended, control: number): Outcome => compute(x, control, x, tangent);
