import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { readConfig } from '../../src/config/read.ts';
import { hostMeasuring } from '../../src/host/measuring.ts';
import { check } from '../../src/pipeline/check.ts';
import { measureWith } from '../../src/pipeline/measure.ts';
import type { GatePorts, TargetProgress } from '../../src/pipeline/ports.ts';
import { quietly, serially } from '../../src/pipeline/quietly.ts';
import { trimChains } from '../../src/pipeline/trim-chains.ts';
import { update } from '../../src/pipeline/update.ts';
import type { Profile } from '../../src/profile/profile.ts';
import { EXAMPLE } from '../summation/program.ts';

// With the real engine, on the example's prebuilt program: how often a check runs it, and for what.
const ALONE = 'targets: [{ name: Sum2, command: prebuilt/summation Sum2 300 dU }]';
const NAMED = 'targets: [{ name: Sum2, command: prebuilt/summation Sum2 300 dU, functions: [Sum2] }]';
const BASELINE = join(EXAMPLE, '.ilp-gate/Sum2.json');

/** A project whose baselines are in memory; hears of every pass. */
class Scene {
  readonly files = new Map<string, string>();
  private readonly project;
  private passes = new Set<string>();

  constructor(config: string) {
    this.project = { config: readConfig(config, 'ilp-gate.yml'), directory: EXAMPLE };
  }

  async update(): Promise<Profile> {
    const [updated] = await update(this.project, [], this.ports());
    return updated!.profile;
  }

  async check() {
    this.passes = new Set();
    const { result, profiles } = await check(this.project, [], this.ports());
    const [target] = result.targets;
    if (target?.kind !== 'judged') throw new Error('it was not judged');
    return { passes: [...this.passes], profile: profiles[0]!.profile, verdict: target.verdict };
  }

  private ports(): GatePorts {
    const { files } = this;
    return {
      measureAll: serially(quietly(measureWith(hostMeasuring('0')))),
      files: {
        read: async (path) => files.get(path),
        writeAll: async (all) => all.forEach(({ path, text }) => void files.set(path, text)),
        resolve,
      },
      build: async () => {},
      atMergeBase: async () => {
        throw new Error('there is a baseline');
      },
      progress: ({ phase, pass, passes }: TargetProgress) =>
        void this.passes.add(`${phase} ${pass} of ${passes}`),
    };
  }
}

test('a check that finds nothing new runs the program once', async () => {
  const scene = new Scene(ALONE);
  expect((await scene.update()).chains).toHaveLength(1);
  const { passes, profile, verdict } = await scene.check();
  expect(verdict.outcome).toBe('unchanged');
  expect(passes).toEqual(['counting 1 of 1']);
  expect(profile.chains).toEqual([]);
});

test('once more for named functions, and never for a chain', async () => {
  const scene = new Scene(NAMED);
  await scene.update();
  const { passes, verdict } = await scene.check();
  expect(verdict.outcome).toBe('unchanged');
  expect(passes).toEqual(['counting 1 of 2', 'functions 2 of 2']);
});

test('chains that are followed only when a limit was passed are those that an update follows at once', async () => {
  const scene = new Scene(NAMED);
  await scene.update();
  // A baseline of a program that was one cycle faster in its function.
  const baseline: Profile = JSON.parse(scene.files.get(BASELINE)!);
  const functions = baseline.functions.map((each) =>
    each.name === 'Sum2' ? { ...each, cycles: each.cycles - 1 } : each,
  );
  scene.files.set(BASELINE, JSON.stringify({ ...baseline, functions }));
  const { passes, profile, verdict } = await scene.check();
  expect(verdict.findings).toMatchObject([{ metric: 'cycles', function: 'Sum2' }]);
  expect(passes.filter((each) => each.startsWith('chains'))).toHaveLength(2);
  expect(trimChains(profile).chains).toEqual(baseline.chains);
});
