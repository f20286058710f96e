import { resolve } from 'node:path';
import { expect, it } from 'vitest';
import { loop, profileWith } from '../../test/bounds/loops.ts';
import { Failure } from '../base/failure.ts';
import { readConfig } from '../config/read.ts';
import type { Profile } from '../profile/profile.ts';
import { writeProfile } from '../profile/write.ts';
import { remedyFor } from '../report/remedies.ts';
import { check } from './check.ts';
import type { GatePorts, MeasureAll, QuietMeasurement } from './ports.ts';
import type { MeasureRequest } from './request.ts';

const NAMES = ['a', 'b', 'c'];
const project = {
  config: readConfig(
    `targets: [${NAMES.map((name) => `{ name: ${name}, command: ./${name} }`).join(', ')}]`,
    'ilp-gate.yml',
  ),
  directory: '/work',
};

function profile(target: string, cycles: number): Profile {
  return {
    format: 'ilp-gate/profile',
    version: 1,
    target,
    command: [`./${target}`],
    total: { instructions: 100, cycles, ilp: 2 },
    functions: [],
    calls: [],
    chains: [],
    environment: {
      tool: '1',
      rules: 1,
      isa: 'x86-64',
      program: { name: target, sha256: '', loaded: '' },
      libraries: [],
      compilers: [],
    },
  };
}

/** Everything that a check says while it runs. The baselines have 50 cycles. */
async function checkWith(measureAll: MeasureAll) {
  const said: string[] = [];
  const ports: GatePorts = {
    measureAll,
    files: {
      read: async (path) => writeProfile(profile(path.slice(-'x.json'.length, -'.json'.length), 50)),
      writeAll: async () => {},
      resolve,
    },
    build: async () => {},
    atMergeBase: async () => {
      throw new Error('there is a baseline');
    },
    finished: (target) => said.push(`${target} is over`),
    ran: (target, what) => said.push(`${target}: ${what}`),
    note: (target, text) => said.push(`${target}: ${text}`),
  };
  const { result } = await check(project, [], ports);
  const outcomes = result.targets.map((each) =>
    each.kind === 'failed' ? each.failure.code : each.verdict.outcome,
  );
  return { said, outcomes };
}

function measured({ target = '' }: MeasureRequest, cycles: number, notes: string[]): QuietMeasurement {
  return { exit: { kind: 'exit', status: 0 }, profile: profile(target, cycles), notes, output: [] };
}

it('tells of its runs and notes in the order of the configuration, whichever is over first', async () => {
  const { said } = await checkWith(async (requests, listener) => {
    for (const at of [2, 0, 1]) listener?.finished?.(at);
    return requests.map((request) => measured(request, 50, ['a note']));
  });
  expect(said).toEqual([
    ...['c is over', 'a is over', 'a: head', 'b is over', 'b: head', 'c: head'],
    ...['a: a note', 'b: a note', 'c: a note'],
  ]);
});

it('keeps a verdict whose chains could not be measured, and says so', async () => {
  const { said, outcomes } = await checkWith(async (requests) =>
    requests.map((request) =>
      request.chains.length === 0
        ? measured(request, request.target === 'b' ? 60 : 50, [])
        : new Failure('environment', 'measurement-died', 'its process was killed'),
    ),
  );
  expect(outcomes).toEqual(['unchanged', 'regression', 'unchanged']);
  expect(said).toEqual(['b: the longest chains could not be measured: its process was killed']);
});

it('a target whose bounds are limited but not there is not judged, and what to do is said', async () => {
  const limited = {
    config: readConfig(
      'machine: skylake\nlimits: { macs: 0 }\ntargets: [{ name: a, command: ./a }]',
      'ilp-gate.yml',
    ),
    directory: '/work',
  };
  const checked = async (base: Profile, head: Profile) => {
    const { result } = await check(limited, [], {
      measureAll: async (requests) =>
        requests.map(() => ({ exit: { kind: 'exit', status: 0 }, profile: head, notes: [], output: [] })),
      files: { read: async () => writeProfile(base), writeAll: async () => {}, resolve },
      build: async () => {},
      atMergeBase: async () => {
        throw new Error('there is a baseline');
      },
    });
    return result.targets[0];
  };
  const [without, bounded] = [profile('a', 50), { ...profileWith([loop()]), target: 'a' }];
  const missing = await checked(without, bounded);
  expect(missing).toMatchObject({
    kind: 'failed',
    failure: { code: 'bounds-missing', facts: { side: 'base' } },
  });
  if (missing?.kind === 'failed')
    expect(remedyFor(missing.failure)).toMatch(/^Run "ilp-gate update" with "machine: NAME"/);
  expect(await checked(bounded, without)).toMatchObject({
    kind: 'failed',
    failure: { facts: { side: 'head' } },
  });
  expect(await checked(bounded, bounded)).toMatchObject({
    kind: 'judged',
    verdict: { outcome: 'unchanged' },
  });
});
