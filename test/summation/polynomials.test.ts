import { rmSync } from 'node:fs';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { abs, add, compare, type Dyadic, exactly, multiply, nearest, negate, polynomial } from './dyadic.ts';
import { withExponent } from './inputs.ts';
import {
  BUILDS,
  type Build,
  build,
  evaluate,
  type Programs,
  type Request,
  toolchainMissing,
} from './program.ts';

const NAMES = ['Horner', 'CompHorner', 'DDHorner'] as const;
const U = exactly(2 ** -53);
const times = (factor: number, a: Dyadic): Dyadic => multiply(exactly(factor), a);

/** (x - 1)^n expanded: the classical ill-conditioned polynomial near its root. Exact up to n = 50. */
function powerOfBinomial(n: number): readonly number[] {
  let coefficients = [1];
  for (let k = 0; k < n; k++) {
    coefficients = [...coefficients, 0].map((_, i) => (coefficients[i - 1] ?? 0) - (coefficients[i] ?? 0));
  }
  return coefficients;
}

describe.skipIf(toolchainMissing())('the polynomial evaluations', () => {
  let programs: Programs;
  beforeAll(() => {
    programs = build();
  });
  afterAll(() => {
    rmSync(programs.directory, { recursive: true });
  });

  const results = (name: Build, coefficients: readonly number[], x: number): readonly number[] =>
    evaluate(
      programs.harness[name],
      NAMES.map(
        (algorithm): Request => ({
          name: algorithm,
          n: coefficients.length - 1,
          values: [...coefficients, x],
        }),
      ),
    );

  const expectWithinBounds = (name: Build, coefficients: readonly number[], x: number): void => {
    const exact = polynomial(coefficients, x);
    const magnitude = polynomial(coefficients.map(Math.abs), Math.abs(x));
    const n = coefficients.length - 1;
    const rounding = multiply(U, abs(exact));
    const squared = multiply(multiply(U, U), magnitude);
    // Horner: gamma(2 n) p~; CompHorner: u |p| + gamma(2 n)^2 p~; DDHorner: u |p| + n (3 + 2) u^2 p~. All + 1 %.
    const bounds = [
      times(2.02 * n, multiply(U, magnitude)),
      add(rounding, times(4.04 * n * n, squared)),
      add(rounding, times(5.05 * n, squared)),
    ];
    results(name, coefficients, x).forEach((result, i) => {
      const error = abs(add(exactly(result), negate(exact)));
      expect(
        compare(error, bounds[i]!),
        `${NAMES[i]} gave ${result} for ${nearest(exact)}`,
      ).toBeLessThanOrEqual(0);
    });
  };

  for (const name of BUILDS) {
    describe(`of the ${name} build`, () => {
      it('stay within their error bounds for random coefficients', () => {
        fc.assert(
          fc.property(
            fc.array(withExponent(-30, 30), { minLength: 1, maxLength: 40 }),
            withExponent(-4, 3),
            (a, x) => expectWithinBounds(name, a, x),
          ),
          { numRuns: 150 },
        );
      });

      it('stay within their error bounds near a multiple root', () => {
        fc.assert(
          fc.property(
            fc.integer({ min: 1, max: 40 }),
            fc.double({ min: 0.9, max: 1.1, noNaN: true }),
            (n, x) => expectWithinBounds(name, powerOfBinomial(n), x),
          ),
          { numRuns: 150 },
        );
      });

      it('get the digits that Horner loses near a multiple root', () => {
        const x = 1.01;
        const coefficients = powerOfBinomial(6);
        const exact = nearest(polynomial(coefficients, x));
        const [horner, compensated, doubled] = results(name, coefficients, x).map((value) =>
          Math.abs(value / exact - 1),
        );
        expect(horner).toBeGreaterThan(1e-5);
        expect(compensated).toBeLessThan(1e-14);
        expect(doubled).toBeLessThan(1e-14);
      });

      it('give the constant for degree 0, and 0 for a polynomial of zeros', () => {
        expect(results(name, [1.25], 7)).toEqual([1.25, 1.25, 1.25]);
        expect(results(name, [0, 0, 0], 0.5)).toEqual([0, 0, 0]);
      });

      it('multiply and add from the left, two roundings a term: Dot', () => {
        fc.assert(
          fc.property(
            fc.array(fc.tuple(withExponent(-100, 100), withExponent(-100, 100)), { maxLength: 30 }),
            (pairs) => {
              const values = [...pairs.map(([a]) => a), ...pairs.map(([, b]) => b)];
              const [result] = evaluate(programs.harness[name], [{ name: 'Dot', n: pairs.length, values }]);
              expect(result).toBe(pairs.reduce((total, [a, b]) => total + a * b, 0));
            },
          ),
          { numRuns: 50 },
        );
      });
    });
  }
});
