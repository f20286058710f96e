import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { LoopProfile, ParallelBounds } from '../../src/profile/loops.ts';
import { readProfile } from '../../src/profile/read.ts';
import { writeProfile } from '../../src/profile/write.ts';
import { boundsSummary } from '../../src/report/bounds-summary.ts';
import { profileReport } from '../../src/report/html/profile-report.ts';
import { isMissing } from '../measure/build.ts';
import { mainLoop, Sources } from './bounded.ts';

const textOf = (name: string): string =>
  readFileSync(new URL(`../threads/programs/${name}`, import.meta.url), 'utf8');
const PLAIN = { strong: String, faint: String, good: String, bad: String };

describe.skipIf(isMissing('gcc'))('parallel run-time bounds of a run', () => {
  const sources = new Sources();
  beforeAll(() => {
    for (const name of ['imbalance.c', 'teams.c', 'barriers.c', 'waits.c', 'started.cpp'])
      sources.write(name, textOf(name));
    sources.build('gcc -g -O2 -pthread imbalance.c -o imbalance && gcc -g -O2 -pthread waits.c -o waits');
    for (const name of ['teams', 'barriers']) sources.build(`gcc -g -O2 -fopenmp ${name}.c -o ${name}-gomp`);
  });
  afterAll(() => sources.remove());

  async function parallelOf(program: string) {
    const found = await sources.bound(program);
    const { parallel } = found.bounds;
    if (parallel === undefined) throw new Error('there are no parallel bounds');
    return { ...found, parallel };
  }
  const loadOf = (parallel: ParallelBounds, { address }: LoopProfile) =>
    parallel.loops.find((loop) => loop.address === address);

  it('threads with 3 and 1 parts of the work, started twice: an imbalance of 1.5', async () => {
    const { bounds, loops, parallel, profile } = await parallelOf('./imbalance');
    const work = mainLoop(loops, 'work');
    expect(work.iterations).toBe(2 * 80_000);
    const { MACS } = work.bounds;
    const [region] = parallel.regions;
    expect([parallel.regions.length, region.times, region.threads.length, parallel.threads]).toEqual([
      1, 2, 2, 2,
    ]);
    expect(loadOf(parallel, work)).toEqual({
      address: work.address,
      threads: 2,
      balanced: 80_000 * MACS,
      runTime: 120_000 * MACS,
      imbalance: 1.5,
    });
    expect(region.imbalance).toBeCloseTo(1.5, 1);
    // Not the same: small loops with branches have each thread's own ways.
    expect(Math.abs(parallel.sequential / bounds.runTime - 1)).toBeLessThan(0.001);
    expect(parallel.speedUp).toBeCloseTo(parallel.sequential / parallel.runTime, 3);
    expect(parallel.utilisation).toBeCloseTo(parallel.sequential / 2 / parallel.runTime, 3);
    // What one thread does outside of the region counts whole.
    const outside = bounds.runTime - region.threads.reduce((sum, { runTime }) => sum + runTime, 0);
    expect(parallel.runTime).toBeGreaterThan(region.runTime);
    expect(Math.abs(parallel.runTime - region.runTime - outside)).toBeLessThan(0.001 * bounds.runTime);

    expect(readProfile(writeProfile(profile), 'p.json').bounds).toEqual(bounds);
    expect(boundsSummary(profile, PLAIN)).toMatch(/On 2 processors: .* load imbalance 1\.4.*speed-up 1\.3/);
    expect(profileReport(profile)).toContain('started threads');
  });

  it('teams of OpenMP: balanced, 3 to 1, and two nested ones of which the larger counts', async () => {
    const { loops, parallel } = await parallelOf('./teams-gomp');
    const [part, inner] = [mainLoop(loops, 'part'), mainLoop(loops, 'inner')];
    const byName = (name: string) =>
      parallel.regions.filter((each) => each.function === `main._omp_fn.${name}`);
    const near = (value: number) => [value, value * 1.1 + 500];
    const isNear = (found: number, value: number) => {
      const [least, most] = near(value);
      expect(found).toBeGreaterThanOrEqual(least);
      expect(found).toBeLessThan(most);
    };
    const [balanced] = byName('0');
    isNear(balanced.runTime, 4000 * part.bounds.MACS);
    expect(balanced.imbalance).toBeCloseTo(1, 1);
    const [threeToOne] = byName('1');
    expect(threeToOne.times).toBe(3);
    isNear(threeToOne.runTime, 3 * 6000 * part.bounds.MACS);
    expect(threeToOne.imbalance).toBeCloseTo(1.5, 1);
    const [outer] = byName('2');
    const nested = byName('3');
    // 4000 and 8000 iterations on one side, 12000 twice on the other.
    expect(nested.map(({ forker }) => forker).sort()).toEqual([0, 1]);
    isNear(nested.find(({ forker }) => forker === 0)!.runTime, 8000 * inner.bounds.MACS);
    isNear(nested.find(({ forker }) => forker === 1)!.runTime, 12_000 * inner.bounds.MACS);
    isNear(outer.runTime, 12_000 * inner.bounds.MACS);
    for (const { within } of nested) expect(parallel.regions[within!]).toBe(outer);
    // Equation 4.19 with what the first thread does between them.
    const regions = balanced.runTime + threeToOne.runTime + outer.runTime;
    expect(parallel.runTime).toBeGreaterThan(regions);
  });

  const bounded = async (program: string, name: string) => {
    const { loops, parallel } = await parallelOf(program);
    const found = mainLoop(loops, name);
    return { parallel, load: loadOf(parallel, found)!, cycles: found.bounds.MACS };
  };

  it('a barrier of OpenMP divides a region: each part waits for its busiest thread', async () => {
    const { parallel, load, cycles } = await bounded('./barriers-gomp', 'part');
    expect(load).toMatchObject({ balanced: 16_000 * cycles, runTime: 24_000 * cycles, imbalance: 1.5 });
    expect(parallel.regions.map(({ part }) => part ?? 1)[0]).toBe(1);
    expect(parallel.regions.length).toBeGreaterThan(1);
    for (const region of parallel.regions) {
      expect(region).toMatchObject({ function: 'main._omp_fn.0', forker: 0 });
      expect(region.threads).toHaveLength(2);
      expect(region.imbalance).toBeCloseTo(1.5, 1);
    }
  });

  it('so does one of pthreads, among threads that are started one by one', async () => {
    const { parallel, load, cycles } = await bounded('./waits', 'part');
    expect(load).toMatchObject({ balanced: 80_000 * cycles, runTime: 120_000 * cycles, imbalance: 1.5 });
    expect(parallel.regions).toMatchObject([{ times: 1 }, { part: 2 }]);
    expect(parallel.regions.map(({ function: name }) => name)).toEqual([undefined, undefined]);
  });

  it.skipIf(isMissing('g++'))(
    'threads of std::thread are a region from the first start to the last end',
    async () => {
      sources.build('g++ -g -O2 -pthread started.cpp -o started');
      const { parallel, load, cycles } = await bounded('./started', 'work(long)');
      expect(parallel.regions).toMatchObject([{ times: 2, threads: [{}, {}, {}, {}] }]);
      expect(load).toMatchObject({ threads: 4, balanced: 90_000 * cycles, runTime: 180_000 * cycles });
      expect(load.imbalance).toBe(2);
    },
  );

  describe.skipIf(isMissing('clang') || lacksLibomp())('with LLVM’s libomp', () => {
    beforeAll(() => {
      for (const name of ['teams', 'barriers'])
        sources.build(`clang -g -O2 -fopenmp -isystem ${INCLUDE} ${name}.c -o ${name}-llvm`);
    });

    // The library's own work, starting threads, is in the regions: only the loops' numbers are exact.
    it('teams are told apart as with libgomp', async () => {
      const { loops, parallel } = await parallelOf('./teams-llvm');
      const [part, inner] = ['part', 'inner'].map((name) => mainLoop(loops, name));
      expect(loadOf(parallel, part!)).toMatchObject({
        balanced: 16_000 * part!.bounds.MACS,
        runTime: 22_000 * part!.bounds.MACS,
      });
      expect(loadOf(parallel, inner!)).toMatchObject({
        balanced: 18_000 * inner!.bounds.MACS,
        runTime: 20_000 * inner!.bounds.MACS,
      });
      const [balanced, threeToOne, outer, ...nested] = parallel.regions;
      expect([balanced, threeToOne, outer].map((each) => each!.threads.length)).toEqual([2, 2, 2]);
      expect([balanced, threeToOne, outer].map((each) => each!.times)).toEqual([1, 3, 1]);
      expect(threeToOne!.imbalance).toBeCloseTo(1.5, 1);
      expect(nested.map(({ forker, within }) => [forker, within]).sort()).toEqual([
        [0, 2],
        [1, 2],
      ]);
    });

    it('a barrier divides a region', async () => {
      const { parallel, load, cycles } = await bounded('./barriers-llvm', 'part');
      expect(load).toMatchObject({ balanced: 16_000 * cycles, runTime: 24_000 * cycles, imbalance: 1.5 });
      expect(parallel.regions.map(({ part }) => part)).toEqual([undefined, 2]);
    });
  });
});

/** Clang of Debian looks for omp.h where only its own version's is. */
const INCLUDE = '$(dirname $(find /usr/lib/llvm-*/lib/clang -name omp.h | head -n 1))';

function lacksLibomp(): boolean {
  const found =
    spawnSync('sh', ['-c', 'find /usr/lib/llvm-*/lib/clang -name omp.h | grep -q .']).status === 0;
  if (!found && process.env.REQUIRE_ORACLES === '1') throw new Error('libomp-dev missing');
  return !found;
}
