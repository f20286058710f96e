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
    for (const name of ['imbalance.c', 'teams.c']) sources.write(name, textOf(name));
    sources.build('gcc -g -O2 -pthread imbalance.c -o imbalance && gcc -g -O2 -fopenmp teams.c -o teams');
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
    const { loops, parallel } = await parallelOf('./teams');
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
});
