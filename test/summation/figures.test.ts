import { rmSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { measureWith } from '../../src/pipeline/measure.ts';
import type { Chain, FunctionProfile } from '../../src/profile/profile.ts';
import { testMeasuring } from '../guest/measuring.ts';
import { requestOf, SILENT } from '../guest/request.ts';
import { BUILDS, type Build, build, type Programs, toolchainMissing } from './program.ts';

/** What the papers show of these algorithms, asked of our own measurement. n is 10,000 as in the 2013 paper. */
const N = 10_000;
const measure = measureWith(testMeasuring());

describe.skipIf(toolchainMissing())('the figures of the PerPI papers', () => {
  let programs: Programs;
  beforeAll(() => {
    programs = build();
  });
  afterAll(() => {
    rmSync(programs.directory, { recursive: true });
  });

  const profiles = new Map<string, Promise<{ sums: FunctionProfile; chain: Chain | undefined }>>();

  /** Measured once for each algorithm, data and build. */
  function figures(which: Build, algorithm: string, distribution: string, chain = false) {
    const key = [which, algorithm, distribution, chain].join(' ');
    let known = profiles.get(key);
    if (known === undefined) {
      known = run(which, algorithm, distribution, chain);
      profiles.set(key, known);
    }
    return known;
  }

  async function run(which: Build, algorithm: string, distribution: string, chain: boolean) {
    const { exit, profile } = await measure(
      requestOf(programs.command[which], programs.directory, {
        args: [algorithm, String(N), distribution],
        chains: chain ? [algorithm] : [],
      }),
      SILENT,
    );
    expect(exit).toEqual({ kind: 'exit', status: 0 });
    const sums = profile!.functions.find((f) => f.name === algorithm)!;
    return { sums, chain: profile!.chains.find((c) => c.function === algorithm) };
  }

  const ilp = async (which: Build, algorithm: string, distribution: string) =>
    (await figures(which, algorithm, distribution)).sums.ilp;
  const cyclesPerElement = async (which: Build, algorithm: string, distribution: string) =>
    (await figures(which, algorithm, distribution)).sums.cycles / N;

  for (const which of BUILDS) {
    it(`Sum of n numbers takes n cycles and at most a dozen (${which})`, async () => {
      const { cycles } = (await figures(which, 'Sum', 'dU')).sums;
      expect(cycles).toBeGreaterThanOrEqual(N);
      expect(cycles).toBeLessThanOrEqual(N + 12);
    });

    it(`Sum2 is more parallel than Sum and than DDSum, at similar operation counts (${which})`, async () => {
      const sum2 = await ilp(which, 'Sum2', 'dU');
      expect(await ilp(which, 'Sum', 'dU')).toBeLessThan(sum2);
      expect(await ilp(which, 'DDSum', 'dU')).toBeLessThan(sum2);
    });

    it(`AccSum is more parallel than FastAccSum (${which})`, async () => {
      expect(await ilp(which, 'FastAccSum', 'dC')).toBeLessThan(await ilp(which, 'AccSum', 'dC'));
    });

    it(`iFastSum is far more parallel than Sum (${which})`, async () => {
      expect(await ilp(which, 'iFastSum', 'dC')).toBeGreaterThan(10 * (await ilp(which, 'Sum', 'dC')));
    });

    it(`CompHorner is far more parallel than DDHorner (${which})`, async () => {
      expect(await ilp(which, 'CompHorner', 'dU')).toBeGreaterThan(2 * (await ilp(which, 'DDHorner', 'dU')));
    });

    it(`with one exponent HybridSum takes about 2 cycles an element and OnlineExactSum about 3 (${which})`, async () => {
      const hybrid = await cyclesPerElement(which, 'HybridSum', 'dD');
      const online = await cyclesPerElement(which, 'OnlineExactSum', 'dD');
      expect(hybrid).toBeGreaterThanOrEqual(2);
      expect(hybrid).toBeLessThan(2.4);
      expect(online).toBeGreaterThanOrEqual(3);
      expect(online).toBeLessThan(3.2);
    });
  }

  // At -O2 the loop counter, not unrolled, makes a chain that is longer by its comparison and branch.
  it('the chain of Sum is its additions, in the line that adds', async () => {
    const { sums, chain } = await figures('paper', 'Sum', 'dU', true);
    expect(chain!.length).toBe(sums.cycles);
    expect(chain!.links.reduce((total, link) => total + link.count, 0)).toBe(sums.cycles);
    const additions = chain!.links.filter((link) => link.instruction.startsWith('addsd'));
    expect(additions.reduce((total, link) => total + link.count, 0)).toBeGreaterThanOrEqual(N - 1);
    for (const link of additions) expect(link.file).toMatch(/sum\.c$/);
  });

  it('with uniform exponents, unrolled, both take several times fewer', async () => {
    for (const algorithm of ['HybridSum', 'OnlineExactSum']) {
      const uniform = await cyclesPerElement('paper', algorithm, 'dU');
      const repeated = await cyclesPerElement('paper', algorithm, 'dD');
      expect(repeated / uniform).toBeGreaterThan(2.5);
    }
  });
});
