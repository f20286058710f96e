import fc from 'fast-check';
import { add, bitsOf, doubleOf, exactly, nearest, sum } from './dyadic.ts';

/** A double with a random sign and significand and a uniform exponent. */
export function withExponent(lowest: number, highest: number): fc.Arbitrary<number> {
  return fc
    .tuple(
      fc.boolean(),
      fc.integer({ min: lowest, max: highest }),
      fc.bigInt({ min: 0n, max: (1n << 52n) - 1n }),
    )
    .map(([negative, exponent, fraction]) => {
      const value = doubleOf((BigInt(exponent + 1023) << 52n) | fraction);
      return negative ? -value : value;
    });
}

/** Any double below 2^highest, zeros and subnormal numbers included. */
export function anyBelow(highest: number): fc.Arbitrary<number> {
  const limit = 2 ** highest;
  return fc.oneof(
    fc.double({ noNaN: true, min: -limit, max: limit }),
    fc.double({ noNaN: true, min: -(2 ** -1015), max: 2 ** -1015 }),
    withExponent(-1022, highest - 1),
  );
}

/** Summands that have few significant bits and few exponents: half-way cases and exact cancellation abound. */
export function coarse(): fc.Arbitrary<number> {
  return fc
    .tuple(fc.integer({ min: -3, max: 3 }), fc.constantFrom(0, -1, -52, -53, -54, -55, -106, -107, -200))
    .map(([m, e]) => m * 2 ** e);
}

/**
 * Random numbers, then again and again the negative of the leading bits of their sum: each takes up to 53 bits off
 * it, and 18 of them reach condition numbers beyond 1e300. Shuffled.
 */
export function illConditioned(
  element: fc.Arbitrary<number>,
  maxLength = 40,
): fc.Arbitrary<readonly number[]> {
  const bits = fc.oneof(fc.constant(53), fc.integer({ min: 1, max: 53 }));
  return fc
    .tuple(
      fc.array(element, { maxLength, size: 'max' }),
      fc.array(bits, { maxLength: 20, size: 'max' }),
      fc.integer({ min: 1, max: 0x7ffffffe }),
    )
    .map(([values, cancellations, seed]) => {
      const all = [...values];
      let rest = sum(values);
      for (const kept of cancellations) {
        const value = -leading(nearest(rest), kept);
        all.push(value);
        rest = add(rest, exactly(value));
      }
      return shuffled(all, seed);
    });
}

/** The value without the last 53 - kept bits of its significand. */
function leading(value: number, kept: number): number {
  const dropped = BigInt(53 - kept);
  return doubleOf((bitsOf(value) >> dropped) << dropped);
}

/** Fisher and Yates, with the multiplicative generator of Park and Miller: a failing input shrinks and repeats. */
function shuffled(values: readonly number[], seed: number): readonly number[] {
  const result = [...values];
  let state = seed;
  for (let i = result.length - 1; i > 0; i--) {
    state = (state * 48271) % 0x7fffffff;
    const j = state % (i + 1);
    [result[i], result[j]] = [result[j]!, result[i]!];
  }
  return result;
}
