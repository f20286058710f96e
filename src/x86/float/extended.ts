import { bitLength, EXTENDED, type Format, NEAREST, type Rounded, type Rules, round } from './round.ts';

/**
 * The x87's 80-bit format: a significand with explicit integer bit, and sign with biased exponent.
 * As everywhere in the lifted code these are an unsigned 64-bit significand and the upper 16 bits as stored.
 */
export interface Extended {
  readonly significand: bigint;
  /** Sign (bit 15) and biased exponent (bits 0-14). */
  readonly head: number;
}

/** A result with exception bits of exceptions.ts. */
export interface Outcome {
  readonly value: Extended;
  readonly flags: number;
}

export const INTEGER_BIT = 1n << 63n;
export const QUIET_BIT = 1n << 62n;
const FIRST_QUIET = INTEGER_BIT | QUIET_BIT;
const BIAS = 16383;
const MAX = 0x7fff;

/** What the bits are (SDM volume 1, tables 4-3 and 8-3). Unsupported: unnormals, pseudo-infinities, pseudo-NaNs. */
export type Kind =
  | 'zero'
  | 'denormal'
  | 'normal'
  | 'infinity'
  | 'quiet-nan'
  | 'signalling-nan'
  | 'unsupported';

export function kindOf({ significand, head }: Extended): Kind {
  const exponent = head & MAX;
  if (exponent === 0) return significand === 0n ? 'zero' : 'denormal';
  if (significand < INTEGER_BIT) return 'unsupported';
  if (exponent !== MAX) return 'normal';
  if (significand === INTEGER_BIT) return 'infinity';
  return significand < FIRST_QUIET ? 'signalling-nan' : 'quiet-nan';
}

export const signOf = (x: Extended): number => (x.head >> 15) & 1;
export const isNan = (kind: Kind): boolean => kind === 'quiet-nan' || kind === 'signalling-nan';

/** Of a finite number: its significand is to be multiplied by 2 to this power. */
export const scaleOf = (x: Extended): number => Math.max(x.head & MAX, 1) - BIAS - 63;

export const zero = (sign: number): Extended => ({ significand: 0n, head: sign << 15 });
export const infinity = (sign: number): Extended => ({ significand: INTEGER_BIT, head: (sign << 15) | MAX });
export const one = (sign: number): Extended => ({ significand: INTEGER_BIT, head: (sign << 15) | BIAS });
/** The default NaN, "real indefinite". */
export const INDEFINITE: Extended = { significand: INTEGER_BIT | QUIET_BIT, head: 0xffff };
export const quieted = (x: Extended): Extended => ({ significand: x.significand | QUIET_BIT, head: x.head });

/** Precision and rounding that the control word asks for (SDM volume 1, 8.1.5). */
export const roundingOf = (control: number): number => (control >> 10) & 3;
const RULES: readonly Rules[] = Array.from({ length: 16 }, (_, i) => ({
  format: { ...EXTENDED, precision: [24, 64, 53, 64][i & 3] },
  rounding: i >> 2,
}));
export const rulesOf = (control: number): Rules => RULES[(control >> 8) & 15];

/** For results that the format holds exactly. */
export const EXACT: Rules = { format: EXTENDED, rounding: NEAREST };

/** The exact value `mantissa * 2^exponent` (mantissa > 0), rounded by the rules and stored as extended. */
export function fromExact(sign: number, mantissa: bigint, exponent: number, rules: Rules): Outcome {
  const rounded = round(sign, mantissa, exponent, rules);
  if (rounded.infinite) return { value: infinity(sign), flags: rounded.flags };
  return { value: stored(sign, rounded, rules.format), flags: rounded.flags };
}

/** A rounded number as extended: denormal only where extended itself has no lower exponent. */
function stored(sign: number, rounded: Rounded, format: Format): Extended {
  if (rounded.mantissa === 0n) return zero(sign);
  const narrow = format.minExponent > EXTENDED.minExponent;
  const shift = 64 - (narrow ? bitLength(rounded.mantissa) : format.precision);
  let significand = rounded.mantissa << BigInt(Math.max(shift, 0));
  let scale = rounded.exponent - shift;
  if (significand >> 64n === 1n) {
    significand >>= 1n;
    scale += 1;
  }
  const biased = significand < INTEGER_BIT ? 0 : scale + BIAS + 63;
  return { significand, head: (sign << 15) | biased };
}

/** A finite number other than zero with the integer bit set, as if the exponent had no lower end. */
export function normalised(x: Extended): { mantissa: bigint; exponent: number } {
  let mantissa = x.significand;
  let exponent = scaleOf(x);
  while ((mantissa & INTEGER_BIT) === 0n) {
    mantissa <<= 1n;
    exponent -= 1;
  }
  return { mantissa, exponent };
}
