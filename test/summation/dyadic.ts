/**
 * Exact arithmetic on dyadic rationals m * 2^e: sums, differences and products of doubles never need anything else.
 * The oracle for the example's algorithms; it shares no idea with them.
 */
export interface Dyadic {
  readonly m: bigint;
  readonly e: number;
}

export const ZERO: Dyadic = { m: 0n, e: 0 };

const view = new DataView(new ArrayBuffer(8));

export function bitsOf(value: number): bigint {
  view.setFloat64(0, value);
  return view.getBigUint64(0);
}

export function doubleOf(bits: bigint): number {
  view.setBigUint64(0, bits);
  return view.getFloat64(0);
}

/** The value of a finite double. */
export function exactly(value: number): Dyadic {
  const bits = bitsOf(value);
  const exponent = Number((bits >> 52n) & 0x7ffn);
  const fraction = bits & 0xfffffffffffffn;
  const magnitude = exponent === 0 ? fraction : fraction | (1n << 52n);
  return { m: bits >> 63n === 1n ? -magnitude : magnitude, e: Math.max(exponent, 1) - 1075 };
}

export function add(a: Dyadic, b: Dyadic): Dyadic {
  const e = Math.min(a.e, b.e);
  return { m: (a.m << BigInt(a.e - e)) + (b.m << BigInt(b.e - e)), e };
}

export function negate(a: Dyadic): Dyadic {
  return { m: -a.m, e: a.e };
}

export function multiply(a: Dyadic, b: Dyadic): Dyadic {
  return { m: a.m * b.m, e: a.e + b.e };
}

export function abs(a: Dyadic): Dyadic {
  return a.m < 0n ? negate(a) : a;
}

/** Negative, 0 or positive as a is below, equal to or above b. */
export function compare(a: Dyadic, b: Dyadic): number {
  const { m } = add(a, negate(b));
  return m < 0n ? -1 : m > 0n ? 1 : 0;
}

export function sum(values: readonly number[]): Dyadic {
  return values.reduce((total, value) => add(total, exactly(value)), ZERO);
}

export function sumOfMagnitudes(values: readonly number[]): Dyadic {
  return sum(values.map(Math.abs));
}

/** The value of the polynomial with these coefficients, that of x^0 first. */
export function polynomial(coefficients: readonly number[], x: number): Dyadic {
  return coefficients.reduceRight((value, a) => add(multiply(value, exactly(x)), exactly(a)), ZERO);
}

/** The nearest double, ties to even, as IEEE 754 rounds; infinite where it overflows. */
export function nearest(a: Dyadic): number {
  const magnitude = a.m < 0n ? -a.m : a.m;
  if (magnitude === 0n) return 0;
  const length = magnitude.toString(2).length;
  // The weight of the last bit kept: 53 bits, but never below the smallest subnormal number.
  const last = Math.max(a.e + length - 53, -1074);
  const shift = BigInt(last - a.e);
  let kept = shift >= 0n ? magnitude >> shift : magnitude << -shift;
  if (shift > 0n) {
    const rest = magnitude - (kept << shift);
    const half = 1n << (shift - 1n);
    if (rest > half || (rest === half && (kept & 1n) === 1n)) kept += 1n;
  }
  const biased = kept >= 1n << 53n ? last + 1 : last;
  if (biased > 971) return a.m < 0n ? -Infinity : Infinity;
  // kept has at most 54 bits, the last of them 0 where it has 54; both factors and the product are exact.
  const value = Number(kept) * 2 ** Math.max(last, -1022) * 2 ** Math.min(last + 1022, 0);
  return a.m < 0n ? -value : value;
}

/** The next double above or below a finite one. */
export function neighbour(value: number, direction: 1 | -1): number {
  if (value === 0) return direction * 2 ** -1074;
  const away = value > 0 === direction > 0;
  return doubleOf(bitsOf(value) + (away ? 1n : -1n));
}

/** Whether value is one of the two doubles around a, or a itself where a is a double (S. M. Rump's definition). */
export function isFaithful(value: number, a: Dyadic): boolean {
  if (!Number.isFinite(value)) return false;
  const order = compare(exactly(value), a);
  if (order === 0) return true;
  // No other double lies between the value and a.
  const next = neighbour(value, order < 0 ? 1 : -1);
  if (!Number.isFinite(next)) return true;
  const beyond = compare(exactly(next), a);
  return order < 0 ? beyond > 0 : beyond < 0;
}
