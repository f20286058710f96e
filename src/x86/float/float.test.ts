import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { add, divide, multiply, squareRoot, subtract } from './arithmetic.ts';
import { compare } from './compare.ts';
import { fromDecimal, fromDouble, fromInteger, toDecimal, toDouble, toInteger } from './convert.ts';
import { DENORMAL, DIVIDE_BY_ZERO, INEXACT, INVALID, OVERFLOW, ROUNDED_UP, UNDERFLOW } from './exceptions.ts';
import { type Extended, INDEFINITE, infinity, one, rulesOf, zero } from './extended.ts';
import { remainder } from './parts.ts';
import { DOWN, NEAREST, TOWARDS_ZERO, UP } from './round.ts';

const view = new DataView(new ArrayBuffer(8));

function bitsOf(x: number): bigint {
  view.setFloat64(0, x);
  return view.getBigUint64(0);
}

const extend = (x: number): Extended => fromDouble(bitsOf(x)).value;

/** Round to nearest with the precision of doubles, or with all 64 bits. */
const DOUBLE_PRECISION = 0x27f;
const FULL = 0x37f;
const control = (rounding: number): number => FULL | (rounding << 10);

/** Numbers of which no operation here leaves the range of normal doubles. */
const moderate = fc
  .double({ noNaN: true, min: -1e75, max: 1e75 })
  .filter((x) => x === 0 || Math.abs(x) > 1e-75);

describe('with the precision of doubles', () => {
  const operations = {
    add: [add, (x: number, y: number) => x + y],
    subtract: [subtract, (x: number, y: number) => x - y],
    multiply: [multiply, (x: number, y: number) => x * y],
    divide: [divide, (x: number, y: number) => x / y],
  } as const;

  test.each(Object.entries(operations))('%s gives what doubles give', (_, [ours, host]) => {
    fc.assert(
      fc.property(moderate, moderate, (x, y) => {
        if (x === 0 && y === 0 && Number.isNaN(host(x, y))) return;
        const { value } = ours(extend(x), extend(y), rulesOf(DOUBLE_PRECISION));
        expect(toDouble(value, DOUBLE_PRECISION).bits).toBe(bitsOf(host(x, y)));
      }),
      { numRuns: 2000 },
    );
  });

  test('the square root is that of doubles', () => {
    fc.assert(
      fc.property(moderate, (x) => {
        const { value } = squareRoot(extend(Math.abs(x)), rulesOf(DOUBLE_PRECISION));
        expect(toDouble(value, DOUBLE_PRECISION).bits).toBe(bitsOf(Math.sqrt(Math.abs(x))));
      }),
    );
  });

  test('an exact remainder is that of doubles', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 1e9 }),
        fc.double({ noNaN: true, min: 1e-3, max: 1e9 }),
        (x, y) => {
          const result = remainder(extend(x), extend(y), false);
          if (result.condition & 0x400) return;
          expect(toDouble(result.value, FULL).bits).toBe(bitsOf(x % y));
        },
      ),
    );
  });
});

describe('conversions', () => {
  test('a double survives being extended, whatever its bits but a signalling NaN', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: (1n << 64n) - 1n }), (bits) => {
        const signalling = (bits >> 51n) % 4096n === 4094n && bits % (1n << 51n) !== 0n;
        if (!signalling) expect(toDouble(fromDouble(bits).value, FULL).bits).toBe(bits);
      }),
    );
  });

  test('every 64-bit integer is exact, and packed decimals of 18 digits', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: -(1n << 63n), max: (1n << 63n) - 1n }), (x) => {
        expect(toInteger(fromInteger(x), 64, NEAREST)).toEqual({ integer: x, flags: 0 });
        const short = x % 10n ** 18n;
        const { bits } = toDecimal(fromInteger(short), NEAREST);
        const digits = (bits & ((1n << 72n) - 1n)).toString(16);
        expect(digits).toBe((short < 0n ? -short : short).toString());
        if (short !== 0n) expect(fromDecimal(bits)).toEqual(fromInteger(short));
      }),
    );
  });

  test('2.5 and -2.5 in the four rounding modes', () => {
    const results = [NEAREST, DOWN, UP, TOWARDS_ZERO].map((rounding) =>
      [2.5, -2.5].map((x) => Number(toInteger(extend(x), 32, rounding).integer)),
    );
    expect(results).toEqual([
      [2, -2],
      [2, -3],
      [3, -2],
      [2, -2],
    ]);
  });
});

describe('special results and their flags (SDM volume 1, 8.5)', () => {
  const largest: Extended = { significand: (1n << 64n) - 1n, head: 0x7ffe };
  const smallest: Extended = { significand: 1n, head: 0 };

  test.each([
    ['infinity minus infinity', subtract(infinity(0), infinity(0), rulesOf(FULL)), INDEFINITE, INVALID],
    ['zero divided by zero', divide(zero(0), zero(1), rulesOf(FULL)), INDEFINITE, INVALID],
    ['one divided by minus zero', divide(one(0), zero(1), rulesOf(FULL)), infinity(1), DIVIDE_BY_ZERO],
    ['the root of minus one', squareRoot(one(1), rulesOf(FULL)), INDEFINITE, INVALID],
    ['the root of minus zero', squareRoot(zero(1), rulesOf(FULL)), zero(1), 0],
    ['overflow', add(largest, largest, rulesOf(FULL)), infinity(0), OVERFLOW | INEXACT | ROUNDED_UP],
    ['overflow, rounding down', add(largest, largest, rulesOf(control(DOWN))), largest, OVERFLOW | INEXACT],
    ['underflow', multiply(smallest, extend(0.5), rulesOf(FULL)), zero(0), UNDERFLOW | INEXACT | DENORMAL],
    ['x minus x, rounding down', subtract(one(0), one(0), rulesOf(control(DOWN))), zero(1), 0],
  ])('%s', (_, outcome, value, flags) => {
    expect(outcome).toEqual({ value, flags });
  });

  test('zeros of both signs are equal, and a NaN is unordered', () => {
    expect(compare(zero(0), zero(1), true)).toEqual({ order: 'equal', flags: 0 });
    expect(compare(INDEFINITE, one(0), false)).toEqual({ order: 'unordered', flags: 0 });
    expect(compare(INDEFINITE, one(0), true)).toEqual({ order: 'unordered', flags: INVALID });
  });
});
