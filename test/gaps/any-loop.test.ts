import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { CAUSE_KINDS } from '../../src/analysis/gaps/kinds.ts';
import { haveTools } from '../../src/elf/fixtures/tools.ts';
import { MACHINE_NAMES } from '../../src/machines/catalog.ts';
import { type Explained, explained } from './explained.ts';

/** Differences of the bounds as they are shown, every cause of a known kind, and a reason for whatever is negative. */
function holds({ bounds, gaps, causes }: Explained): void {
  const { M, MA, MAC, MACS, measured } = bounds;
  const difference = (to: number, from: number): number => Math.round((to - from) * 10_000) / 10_000 + 0;
  expect(gaps).toEqual({
    ...(M === undefined ? {} : { A: difference(MA!, M) }),
    ...(MA === undefined ? {} : { C: difference(MAC, MA) }),
    S: difference(MACS, MAC),
    ...(measured === undefined ? {} : { P: difference(measured, MACS) }),
  });
  expect(gaps.A ?? 0).toBeGreaterThanOrEqual(0);
  expect(gaps.S).toBeGreaterThanOrEqual(0);
  for (const { gap, kind, cycles, count, text } of causes) {
    expect(CAUSE_KINDS).toContain(kind);
    expect(text).toMatch(/^[A-Z0-9].*[^.]$/);
    expect(text).not.toMatch(/undefined|NaN|Infinity/);
    for (const number of [cycles, count]) if (number !== undefined) expect(number).toSatisfy(Number.isFinite);
    // Nothing costs more than there is.
    const most = { A: MA ?? 0, C: MAC, S: gaps.S, P: gaps.P ?? 0 }[gap];
    if ((cycles ?? 0) > 0) expect(cycles).toBeLessThanOrEqual(most + 1e-3);
    if ((cycles ?? 0) < -0.05) expect(gaps[gap]).toBeLessThan(0);
  }
  for (const gap of ['A', 'C', 'S', 'P'] as const) {
    const cycles = gaps[gap] ?? 0;
    if (cycles >= 0) continue;
    const reasons = causes.filter((each) => each.gap === gap && (each.cycles ?? 0) < 0);
    expect(reasons.length).toBeGreaterThan(0);
    expect(reasons.reduce((sum, each) => sum + each.cycles!, 0)).toBeCloseTo(cycles, 3);
  }
}

const operand = fc.constantFrom(
  'x[i]',
  'y[i]',
  'z[i]',
  'x[i + 1]',
  'y[i - 1]',
  'q',
  'r',
  's',
  'x[k[i]]',
  '2.0',
);
const expression = fc.letrec<{ tree: string }>((tie) => ({
  tree: fc.oneof(
    { maxDepth: 3, depthSize: 'small' },
    operand,
    fc
      .tuple(fc.constantFrom('+', '-', '*', '/'), tie('tree'), tie('tree'))
      .map(([op, a, b]) => `(${a} ${op} ${b})`),
  ),
})).tree;
const statement = fc.oneof(
  fc
    .tuple(fc.constantFrom('z[i]', 'x[i]', 's', 'z[2 * i]'), expression)
    .map(([to, from]) => `${to} = ${from};`),
  expression.map((from) => `s += ${from};`),
  fc.tuple(operand, expression).map(([a, b]) => `if (${a} > 0) s -= ${b};`),
  fc.constant('n += k[i] & 3;'),
  fc.constant('z[i] = outside(z[i]);'),
);
const program = fc
  .record({
    type: fc.constantFrom('double', 'float', 'int'),
    keyword: fc.constantFrom('', 'restrict'),
    body: fc.array(statement, { minLength: 1, maxLength: 3 }),
  })
  .map(
    ({ type, keyword, body }) => `extern double outside(double);
${type} f(int m, int n, ${type} *${keyword} x, ${type} *${keyword} y, ${type} *${keyword} z, int *k, ${type} q, ${type} r) {
  ${type} s = 0;
  for (int i = 1; i < m; i++) {
    ${body.join('\n    ')}
  }
  return s + n;
}`,
  );
/** GAPS_TIMES=10: ten times as many programs. */
const RUNS = 60 * Number(process.env.GAPS_TIMES ?? 1);

const FLAGS: readonly (readonly string[])[] = [
  ['-O0'],
  ['-O1'],
  ['-O2'],
  ['-O3'],
  ['-O3', '-ffast-math'],
  ['-O3', '-march=x86-64-v3', '-ffast-math', '-funroll-loops'],
  ['-O3', '-march=x86-64-v4', '-ffast-math'],
];

describe.skipIf(!haveTools('gcc'))('whatever a loop is', () => {
  test('its gaps are the differences of its bounds, and each negative one has its reason', {
    timeout: 2_000 * RUNS,
  }, async () => {
    const option = fc.record({
      flags: fc.constantFrom(...FLAGS),
      machine: fc.constantFrom(...MACHINE_NAMES),
      isa: fc.constantFrom('x86-64' as const, 'x86-64-v3' as const),
      source: fc.boolean(),
      measured: fc
        .double({ min: 0.1, max: 50, noNaN: true })
        .map((value) => Math.round(value * 10_000) / 10_000),
      entries: fc.integer({ min: 1, max: 100 }),
      iterations: fc.integer({ min: 1, max: 1_000_000 }),
      rarely: fc.constantFrom(0, 0.3, 1),
    });
    await fc.assert(
      fc.asyncProperty(program, option, async (text, options) => {
        for (const each of await explained(text, 'f', options)) holds(each);
      }),
      { numRuns: RUNS },
    );
  });
});
