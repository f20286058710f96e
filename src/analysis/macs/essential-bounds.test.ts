import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { IsaLevel } from '../../base/isa-level.ts';
import { readGrammar } from '../../host/grammars.ts';
import { builtInMachine, MACHINE_NAMES } from '../../machines/catalog.ts';
import { sourceLoops } from '../../source/analyse.ts';
import type { LoopDemand } from '../../source/demand.ts';
import { essentialBounds, ksrEssentialBounds } from './essential-bounds.ts';

/** GAPS_TIMES=10: ten times as many of what is made by chance. */
const TIMES = Number(process.env.GAPS_TIMES ?? 1);

const LEVELS: readonly IsaLevel[] = ['x86-64', 'x86-64-v2', 'x86-64-v3'];
const machines = new Map(
  await Promise.all(MACHINE_NAMES.map(async (name) => [name, await builtInMachine(name)] as const)),
);

async function loopOf(body: string): Promise<LoopDemand> {
  const text = `void f(int n, int m, double a, double b, float c, double *x, double *y, double *z, float *s, float *t, int *k, int *l) {
    for (int i = 0; i < n; i++) { ${body} }
  }`;
  const { loops } = await sourceLoops(text, 'c', readGrammar);
  return loops.at(-1)!;
}

const bounds = async (body: string, machine: string, isa: IsaLevel, reassociate = false) => {
  const { M, MA, limit } = essentialBounds(await loopOf(body), machines.get(machine)!, { isa, reassociate });
  return { M, MA, limit };
};

describe('M and MA', () => {
  test.each<[body: string, machine: string, isa: IsaLevel, M: number | undefined, MA: number, limit: string]>(
    [
      // 2 operations of 4 lanes x 2 ports x 2; 2 loads of 4 lanes on ports 2 and 3.
      ['x[i] += a * y[i];', 'skylake', 'x86-64-v3', 0.125, 0.25, 'port 2, 3'],
      // 2 operations of 2 lanes x 2 ports; as many cycles for them as for the loads.
      ['x[i] += a * y[i];', 'skylake', 'x86-64', 0.5, 0.5, 'port 0, 1'],
      // Single precision: twice the lanes.
      ['s[i] += c * t[i];', 'skylake', 'x86-64-v3', 0.0625, 0.125, 'port 2, 3'],
      // Without pairs: an addition on port 1, a product on port 0, 4 lanes each; stores take the ports of loads.
      ['x[i] += a * y[i];', 'ivybridge', 'x86-64-v3', 0.25, 0.375, 'port 2, 3'],
      // AMD's adders stand beside the multipliers: 2 pairs and 2 additions a cycle, 4 lanes, are 24 operations.
      ['x[i] += a * y[i];', 'zen4', 'x86-64-v3', 0.0833, 0.25, 'port 6, 7'],
      // A sum may not be done in another order: an addition of 4 cycles, or a pair of 4; of 3, where a pair takes 5.
      ['a += x[i] * y[i];', 'skylake', 'x86-64-v3', 0.125, 4, 'recurrence'],
      ['a += x[i] * y[i];', 'haswell', 'x86-64-v3', 0.125, 3, 'recurrence'],
      // Zen 5 adds to the result of an addition after 2 cycles instead of 3, so that a pair of 4 is worse.
      ['a += x[i] * y[i];', 'zen5', 'x86-64-v3', 0.0833, 2, 'recurrence'],
      // Through the product: a pair of 4 cycles, a product and an addition of 4 each.
      ['a = a * x[i] + b;', 'skylake', 'x86-64-v3', 0.125, 4, 'recurrence'],
      ['a = a * x[i] + b;', 'skylake', 'x86-64', 0.5, 8, 'recurrence'],
      // Livermore kernel 5: a difference and a product, 4 cycles each.
      ['x[i] = z[i] * (y[i] - x[i - 1]);', 'skylake', 'x86-64-v3', 0.125, 8, 'recurrence'],
      // 4 cycles over 4 iterations.
      ['x[i] = x[i - 4] * a + b;', 'skylake', 'x86-64-v3', 0.125, 1, 'recurrence'],
      // 8 cycles of divider for 4 quotients.
      ['x[i] = a / y[i];', 'skylake', 'x86-64-v3', 0.0625, 2, 'divider'],
      // Every second element: a vector holds 2 of them.
      ['x[i] = y[2 * i];', 'skylake', 'x86-64-v3', undefined, 0.25, 'port 2, 3'],
      // Each indirect element has an access of its own; 8 indices come with one.
      ['x[i] = y[k[i]];', 'skylake', 'x86-64-v3', undefined, 0.5625, 'port 2, 3'],
      // Integers: 8 lanes; one load of 8, one store of 8.
      ['k[i] = l[i] + m;', 'skylake', 'x86-64-v3', undefined, 0.125, 'port 4'],
      // A sum of integers may be done in any order.
      ['m += k[i];', 'skylake', 'x86-64-v3', undefined, 0.0625, 'port 2, 3'],
      ['m = m * k[i] + 1;', 'skylake', 'x86-64-v3', undefined, 4, 'recurrence'],
      // A walk over a list waits for its loads.
      ['m = k[m];', 'skylake', 'x86-64-v3', undefined, 4, 'recurrence'],
    ],
  )('of %s on %s at %s', async (body, machine, isa, M, MA, limit) => {
    const found = await bounds(body, machine, isa);
    expect(found.M).toBe(M);
    expect(found.MA).toBe(MA);
    expect(found.limit).toBe(limit);
  });

  test('let a sum be done in another order where that is allowed', async () => {
    expect(await bounds('a += x[i] * y[i];', 'skylake', 'x86-64-v3', true)).toMatchObject({
      MA: 0.25,
      limit: 'port 2, 3',
    });
    expect(await bounds('x[i] = x[i - 1] + y[i];', 'skylake', 'x86-64-v3', true)).toMatchObject({ MA: 4 });
  });

  test('count an area as often as it happens', async () => {
    const loop = await loopOf('\nif (k[i]) {\n x[i] = a / y[i];\n }\n');
    const often = (weight: number) =>
      essentialBounds(loop, machines.get('skylake')!, {
        isa: 'x86-64-v3',
        weigh: (area) => (area === 0 ? 1 : weight),
      });
    expect(often(1)).toMatchObject({ M: 0.0625, MA: 2 });
    expect(often(0.25)).toMatchObject({ M: 0.0156, MA: 0.5 });
  });

  test('on the KSR1 follow equations 4.1 to 4.9', async () => {
    // TNF = 2: M = 0.5 * 2; t_i = max(2 + 1, 1, 1 + 1).
    expect(ksrEssentialBounds(await loopOf('x[i] += a * y[i];'))).toEqual({
      M: 1,
      MA: 3,
      limit: 'issue',
      perOperation: { M: 0.5, MA: 1.5 },
    });
    // No loads or stores: a sum and two products, of which one is paired: t_f = 2, as long as the
    // recurrence when each takes a cycle; where a product takes 3 and a pair 4, the
    // recurrence takes 7.
    const recurrence = await loopOf('a = a * a * b + 1.0;');
    expect(ksrEssentialBounds(recurrence)).toMatchObject({
      M: 1.5,
      MA: 2,
      limit: 'issue',
    });
    const slow = { of: ({ op }: { readonly op: string }) => (op === 'pass' ? 0 : 3), fused: () => 4 };
    expect(ksrEssentialBounds(recurrence, () => 1, slow)).toMatchObject({ MA: 7, limit: 'dependence' });
  });
});

describe('on loops made at random', () => {
  const leaf = fc.constantFrom(
    'x[i]',
    'y[i]',
    'y[i + 1]',
    'z[i - 2]',
    'z[2 * i]',
    'x[k[i]]',
    'a',
    'b',
    's[i]',
    't[i]',
    '2.0',
    'c',
    'k[i]',
    'i',
  );
  const { expression } = fc.letrec<{ expression: string }>((tie) => ({
    expression: fc.oneof(
      { maxDepth: 4, depthSize: 'small' },
      leaf,
      fc
        .tuple(tie('expression'), fc.constantFrom('+', '-', '*', '*', '+', '/'), tie('expression'))
        .map(([l, op, r]) => `(${l} ${op} ${r})`),
      tie('expression').map((of) => `sqrt(${of})`),
      tie('expression').map((of) => `(-${of})`),
      fc.tuple(tie('expression'), tie('expression')).map(([l, r]) => `(${l} > ${r} ? ${l} : ${r})`),
    ),
  }));
  const target = fc.constantFrom(
    'x[i]',
    'y[i]',
    'x[i + 1]',
    'z[m]',
    'a',
    'b',
    's[i]',
    'k[i]',
    'x[k[i]]',
    'm',
  );
  const assignment = fc
    .tuple(target, fc.constantFrom('=', '+=', '-=', '*='), expression)
    .map((parts) => `${parts.join(' ')};`);
  const statement = fc.oneof(
    assignment,
    assignment,
    fc
      .tuple(expression, assignment, assignment)
      .map(([test, yes, no]) => `if (${test} > 0) { ${yes} } else { ${no} }`),
  );
  const body = fc.array(statement, { minLength: 1, maxLength: 5 }).map((parts) => parts.join('\n'));

  test(
    'M is at most MA on every machine and level, whatever the branches weigh',
    async () => {
      await fc.assert(
        fc.asyncProperty(
          body,
          fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: 12, maxLength: 12 }),
          async (text, weights) => {
            const loop = await loopOf(text);
            const weigh = (area: number): number => (area === 0 ? 1 : weights[area % weights.length]);
            for (const machine of machines.values())
              for (const isa of LEVELS) {
                const { M, MA } = essentialBounds(loop, machine, { isa, weigh });
                expect(Number.isFinite(MA)).toBe(true);
                expect(M ?? 0).toBeLessThanOrEqual(MA);
                expect(
                  essentialBounds(loop, machine, { isa, weigh, reassociate: true }).MA,
                ).toBeLessThanOrEqual(MA);
              }
            const { M, MA } = ksrEssentialBounds(loop, weigh);
            expect(M ?? 0).toBeLessThanOrEqual(MA);
          },
        ),
        { numRuns: 60 * TIMES },
      );
    },
    120_000 * TIMES,
  );

  test(
    'a wider level takes no longer',
    async () => {
      await fc.assert(
        fc.asyncProperty(body, async (text) => {
          const loop = await loopOf(text);
          for (const machine of machines.values()) {
            const [first, , last] = LEVELS.map((isa) => essentialBounds(loop, machine, { isa }).M ?? 0);
            expect(last).toBeLessThanOrEqual(first);
          }
        }),
        { numRuns: 60 * TIMES },
      );
    },
    120_000 * TIMES,
  );
});
