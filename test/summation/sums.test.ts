import { rmSync } from 'node:fs';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  abs,
  add,
  compare,
  type Dyadic,
  exactly,
  isFaithful,
  multiply,
  nearest,
  negate,
  sum,
  sumOfMagnitudes,
} from './dyadic.ts';
import { anyBelow, coarse, illConditioned, withExponent } from './inputs.ts';
import {
  BUILDS,
  type Build,
  build,
  evaluate,
  type Programs,
  sumRequest,
  toolchainMissing,
} from './program.ts';

const CORRECT = ['iFastSum', 'HybridSum', 'OnlineExactSum', 'Exact'];
const FAITHFUL = ['AccSum', 'FastAccSum'];
const TWICE = ['Sum2', 'DDSum'];
const ALL = ['Sum', ...TWICE, ...FAITHFUL, ...CORRECT];
const U = exactly(2 ** -53);
const times = (factor: number, a: Dyadic): Dyadic => multiply(exactly(factor), a);

describe.skipIf(toolchainMissing())('the summation algorithms', () => {
  let programs: Programs;
  beforeAll(() => {
    programs = build();
  });
  afterAll(() => {
    rmSync(programs.directory, { recursive: true });
  });

  const results = (
    name: Build,
    names: readonly string[],
    values: readonly number[],
  ): ReadonlyMap<string, number> => {
    const numbers = evaluate(
      programs.harness[name],
      names.map((algorithm) => sumRequest(algorithm, values)),
    );
    return new Map(names.map((algorithm, i) => [algorithm, numbers[i]!]));
  };

  /** Checks both claims on one input: correct rounding by the one kind, faithful rounding by the other. */
  const expectRounded = (
    name: Build,
    values: readonly number[],
    correct: readonly string[] = CORRECT,
    faithful: readonly string[] = FAITHFUL,
  ): void => {
    const exact = sum(values);
    for (const [algorithm, result] of results(name, [...correct, ...faithful], values)) {
      const rounded = correct.includes(algorithm) ? result === nearest(exact) : isFaithful(result, exact);
      expect(rounded, `${algorithm} gave ${result}, the exact sum rounds to ${nearest(exact)}`).toBe(true);
    }
  };

  for (const name of BUILDS) {
    describe(`of the ${name} build`, () => {
      it('round ill-conditioned sums correctly or faithfully, as their authors promise', () => {
        fc.assert(
          fc.property(illConditioned(withExponent(-480, 480)), (values) => expectRounded(name, values)),
          { numRuns: 150 },
        );
      });

      it('round sums full of half-way cases and exact cancellation', () => {
        fc.assert(
          fc.property(illConditioned(coarse(), 12), (values) => expectRounded(name, values)),
          { numRuns: 300 },
        );
      });

      it('round sums of any finite numbers, subnormal ones too, within the stated ranges', () => {
        fc.assert(
          // HybridSum is not for subnormal halves; AccSum and FastAccSum need room above the largest element.
          fc.property(illConditioned(anyBelow(960)), (values) =>
            expectRounded(name, values, ['iFastSum', 'OnlineExactSum', 'Exact']),
          ),
          { numRuns: 150 },
        );
        fc.assert(
          fc.property(illConditioned(anyBelow(1010)), (values) =>
            expectRounded(name, values, ['iFastSum', 'OnlineExactSum', 'Exact'], []),
          ),
          { numRuns: 100 },
        );
      });

      it('reach condition number 1e300, where Sum, Sum2 and DDSum have no digit right', () => {
        const values = [1e200, 1, 2 ** -50, 1e-150, -1e200, -1, -(2 ** -50)];
        const exact = sum(values);
        const condition = nearest(sumOfMagnitudes(values)) / nearest(exact);
        expect(condition).toBeGreaterThan(1e300);
        expectRounded(name, values);
        for (const [algorithm, result] of results(name, ['Sum', ...TWICE], values)) {
          expect(Math.abs(result - 1e-150), algorithm).toBeGreaterThan(0.9e-150);
        }
      });

      it('give 0 for no element, for zeros and for complete cancellation, and the element for one', () => {
        for (const values of [
          [],
          [0],
          [0, 0, 0],
          [1.5, -1.5],
          [1e300, 1, -1e300, -1],
          [2 ** -1074, -(2 ** -1074)],
        ]) {
          const inRange = values.some((value) => Math.abs(value) > 1e290) ? CORRECT : ALL;
          const names = inRange.filter((algorithm) => algorithm !== 'HybridSum' || !values.includes(1e300));
          for (const [algorithm, result] of results(name, names, values))
            expect(result === 0, algorithm).toBe(true);
        }
        for (const value of [1, -(2 ** -1074), 2 ** -1022, -1e270, Math.PI]) {
          for (const [algorithm, result] of results(name, ALL, [value]))
            expect(result, algorithm).toBe(value);
        }
      });

      it('decide half-way cases by what lies far below them', () => {
        const half = 2 ** -53;
        const cases: readonly (readonly [readonly number[], number])[] = [
          [[1, half], 1],
          [[1, half, 2 ** -400], 1 + 2 * half],
          [[1, half, -(2 ** -400)], 1],
          [[1 + 2 * half, half], 1 + 4 * half],
          [[1 + 2 * half, half, -(2 ** -400)], 1 + 2 * half],
          [[1, -half / 2, -(2 ** -400)], 1 - half],
          [[1, -half / 2, 2 ** -400], 1],
        ];
        for (const [values, expected] of cases) {
          for (const signed of [values, values.map((value) => -value)]) {
            for (const [algorithm, result] of results(name, CORRECT, signed)) {
              expect(Math.abs(result), `${algorithm} of ${values}`).toBe(expected);
            }
          }
        }
      });

      it('decide half-way cases whose halves are subnormal', () => {
        const values = [2 ** -1020, 2 ** -1073, 2 ** -1074];
        expectRounded(name, values, ['iFastSum', 'OnlineExactSum', 'Exact']);
        expect(nearest(sum(values))).toBe(2 ** -1020 + 2 ** -1072);
      });

      it('end with infinity or NaN where a sum overflows on the way, and never hang', () => {
        for (const values of [
          [1.7e308, 1.7e308, -1.7e308],
          [1e308, 1, 1e308],
          [Infinity, 1],
          [NaN, 1],
          [Infinity, -Infinity],
        ]) {
          const names = ALL.filter((algorithm) => algorithm !== 'Exact');
          for (const [algorithm, result] of results(name, names, values))
            expect(result, algorithm).not.toSatisfy(Number.isFinite);
        }
      });

      it('stay within the error bounds of doubled precision: Sum2 and DDSum', () => {
        fc.assert(
          fc.property(illConditioned(withExponent(-60, 60)), (values) => {
            const exact = sum(values);
            const magnitudes = sumOfMagnitudes(values);
            const n = values.length;
            // Sum2: u |s| + gamma(n - 1)^2 S; DDSum: u |s| + 2 n u^2 S. Both rounded up by 1 %.
            const rounding = multiply(U, abs(exact));
            const squared = multiply(multiply(U, U), magnitudes);
            const bounds = {
              Sum2: add(rounding, times(1.01 * n * n, squared)),
              DDSum: add(rounding, times(2.02 * n, squared)),
            };
            for (const [algorithm, result] of results(name, TWICE, values)) {
              const error = abs(add(exactly(result), negate(exact)));
              expect(compare(error, bounds[algorithm as keyof typeof bounds]), algorithm).toBeLessThanOrEqual(
                0,
              );
            }
          }),
          { numRuns: 150 },
        );
      });

      it('add from the left, one rounding each: Sum', () => {
        fc.assert(
          fc.property(fc.array(anyBelow(1000), { maxLength: 60 }), (values) => {
            expect(results(name, ['Sum'], values).get('Sum')).toBe(
              values.reduce((total, value) => total + value, 0),
            );
          }),
          { numRuns: 50 },
        );
      });
    });
  }
});

describe.skipIf(toolchainMissing())('the accumulators of HybridSum and OnlineExactSum', () => {
  it('are redistributed without loss when a block is full', () => {
    const programs = build('-DHYBRID_BLOCK=50', '-DONLINE_BLOCK=50');
    try {
      fc.assert(
        fc.property(illConditioned(fc.oneof(withExponent(-400, 400), withExponent(0, 1)), 400), (values) => {
          for (const name of BUILDS) {
            const requests = ['HybridSum', 'OnlineExactSum'].map((algorithm) =>
              sumRequest(algorithm, values),
            );
            const expected = nearest(sum(values));
            expect(evaluate(programs.harness[name], requests)).toEqual([expected, expected]);
          }
        }),
        { numRuns: 60 },
      );
    } finally {
      rmSync(programs.directory, { recursive: true });
    }
  });
});
