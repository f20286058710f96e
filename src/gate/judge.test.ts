import { describe, expect, it } from 'vitest';
import { diffProfiles } from '../diff/diff-profiles.ts';
import type { Environment, Profile } from '../profile/profile.ts';
import { judge } from './judge.ts';
import type { Limits } from './limits.ts';
import { parseLimit } from './parse-limit.ts';
import { exitStatus } from './result.ts';

const ENVIRONMENT: Environment = {
  tool: '1',
  rules: 1,
  isa: 'x86-64',
  program: { name: 'p', sha256: 'a', loaded: 'a' },
  libraries: [{ name: 'libc.so.6', sha256: 'c', loaded: 'c' }],
  compilers: ['gcc 12'],
};
const REBUILT: Partial<Environment> = { program: { name: 'p', sha256: 'b', loaded: 'b' } };

/** main calls work and rest. */
function profile(
  counts: { total: [number, number]; work?: [number, number] },
  environment: Partial<Environment> = {},
): Profile {
  const sum = ([instructions, cycles]: [number, number]) => ({
    instructions,
    cycles,
    ilp: Math.round((instructions / cycles) * 1e4) / 1e4,
  });
  const work = sum(counts.work ?? [100, 50]);
  return {
    format: 'ilp-gate/profile',
    version: 1,
    command: ['./p'],
    total: sum(counts.total),
    functions: [
      { name: 'main', calls: 1, ...sum(counts.total) },
      { name: 'work', file: 'w.c', line: 7, calls: 1, ...work },
    ],
    calls: [
      {
        function: 'main',
        depth: 1,
        index: 0,
        ...sum(counts.total),
        calls: [{ function: 'work', depth: 2, index: 0, ...work, calls: [] }],
      },
    ],
    chains: [],
    environment: { ...ENVIRONMENT, ...environment },
  };
}

const limits = (text: { instructions?: string; cycles?: string; ilp?: string }): Limits =>
  Object.fromEntries(
    Object.entries(text).map(([metric, value]) => {
      const parsed = parseLimit(metric as 'cycles', value);
      if (parsed.kind === 'refused') throw new Error(parsed.expected);
      return [metric, parsed.limit];
    }),
  );

const base = profile({ total: [1000, 500] });
const verdictOn = (head: Profile, ...levels: Limits[]) => judge(diffProfiles(base, head), levels);
const statusOn = (head: Profile, ...levels: Limits[]) =>
  exitStatus({ targets: [{ kind: 'judged', target: 't', verdict: verdictOn(head, ...levels) }] });

describe('the verdict is', () => {
  it('unchanged for the same binary with the same numbers', () => {
    expect(verdictOn(profile({ total: [1000, 500] }))).toMatchObject({
      outcome: 'unchanged',
      findings: [],
      notes: [],
    });
    expect(statusOn(profile({ total: [1000, 500] }))).toBe(0);
  });

  it('passed for another binary with the same numbers', () => {
    expect(verdictOn(profile({ total: [1000, 500] }, REBUILT)).outcome).toBe('passed');
  });

  it('improved when a total falls and none rises', () => {
    expect(verdictOn(profile({ total: [1000, 499] }, REBUILT)).outcome).toBe('improved');
    expect(verdictOn(profile({ total: [1001, 499] }, REBUILT), limits({ instructions: '+1%' })).outcome).toBe(
      'passed',
    );
  });

  it('a regression for one instruction or one cycle more, without any limit in the configuration', () => {
    expect(verdictOn(profile({ total: [1001, 500] }, REBUILT)).findings).toMatchObject([
      { metric: 'instructions', base: 1000, head: 1001, delta: 1 },
      { metric: 'instructions', function: 'main' },
    ]);
    expect(statusOn(profile({ total: [1000, 501] }, REBUILT))).toBe(1);
  });

  it('a regression for a function that got slower behind an unchanged total', () => {
    expect(verdictOn(profile({ total: [1000, 500], work: [100, 51] }, REBUILT))).toMatchObject({
      outcome: 'regression',
      findings: [{ metric: 'cycles', function: 'work', file: 'w.c', line: 7, base: 50, head: 51 }],
    });
  });

  it('passed for growth within the limits, and a regression of ILP where it is limited', () => {
    const head = profile({ total: [1000, 505] }, REBUILT);
    expect(verdictOn(head, limits({ cycles: '+1%' })).outcome).toBe('passed');
    expect(
      verdictOn(head, limits({ cycles: '+1%', ilp: '-0.5%' })).findings.map((each) => each.metric),
    ).toEqual(['ilp', 'ilp']);
  });
});

describe('when something besides the program’s source changed, the verdict is', () => {
  it.each([
    ['rules', { rules: 2 }],
    ['isa', { isa: 'x86-64-v2' }],
  ] as const)(
    'environment-changed, exit status 2, without judging numbers that mean something else: %s',
    (part, environment) => {
      const head = profile({ total: [9000, 9000] }, environment);
      expect(verdictOn(head)).toMatchObject({
        outcome: 'environment-changed',
        findings: [],
        notes: [{ kind: 'environment', comparable: false }],
        diff: { environment: [{ part }] },
      });
      expect(statusOn(head)).toBe(2);
    },
  );

  const moved: [string, Partial<Environment>][] = [
    ['the compiler', { ...REBUILT, compilers: ['gcc 13'] }],
    ['a library', { libraries: [{ name: 'libc.so.6', sha256: 'd', loaded: 'd' }] }],
  ];
  it.each(moved)(
    'environment-changed, exit status 2, beyond the limits, and passed within them: %s',
    (_, environment) => {
      const worse = profile({ total: [1001, 500] }, environment);
      expect(verdictOn(worse)).toMatchObject({
        outcome: 'environment-changed',
        notes: [{ kind: 'environment', comparable: true }],
      });
      expect(verdictOn(worse).findings).toHaveLength(2);
      expect(statusOn(worse)).toBe(2);
      expect(statusOn(profile({ total: [1000, 500] }, environment))).toBe(0);
    },
  );

  it('a regression, when it is only the tool’s version', () => {
    expect(verdictOn(profile({ total: [1001, 500] }, { ...REBUILT, tool: '2' }))).toMatchObject({
      outcome: 'regression',
      notes: [{ kind: 'environment', comparable: true }],
    });
  });

  it('a regression, when it is the input of the same binary', () => {
    expect(verdictOn(profile({ total: [1001, 500] }))).toMatchObject({
      outcome: 'regression',
      notes: [{ kind: 'same-binary-other-counts' }],
    });
  });
});

describe('a cause', () => {
  it('of more instructions is the deepest function that gained at least half of them', () => {
    const head = profile({ total: [1100, 500], work: [190, 50] }, REBUILT);
    expect(verdictOn(head).findings[0]?.cause).toEqual({
      kind: 'function',
      path: ['main', 'work'],
      delta: 90,
      file: 'w.c',
      line: 7,
    });
    const elsewhere = profile({ total: [1100, 500], work: [110, 50] }, REBUILT);
    expect(verdictOn(elsewhere).findings[0]?.cause).toMatchObject({ path: ['main'], delta: 100 });
  });
});

it('a function that the configuration relies on but that was not called is said', () => {
  const verdict = judge(diffProfiles(base, base), [], ['work', 'gone']);
  expect(verdict.notes).toEqual([{ kind: 'functions-not-called', names: ['gone'] }]);
});
