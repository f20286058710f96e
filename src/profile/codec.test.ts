import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { anyLoop, cause, loop, profileWith } from '../../test/bounds/loops.ts';
import { Failure } from '../base/failure.ts';
import type { CallProfile, Profile } from './profile.ts';
import { readProfile } from './read.ts';
import { writeProfile } from './write.ts';

const count = fc.nat({ max: Number.MAX_SAFE_INTEGER });
const totals = {
  instructions: count,
  cycles: count,
  ilp: fc.double({ min: 0, noNaN: true, noDefaultInfinity: true }).map(Math.abs),
};
const text = fc.string({ unit: 'binary' });
const optional = { requiredKeys: [] };
const required = <T extends object>(model: { [K in keyof T]: fc.Arbitrary<T[K]> }) => fc.record(model);
const withOptional = <A extends object, B extends object>(must: fc.Arbitrary<A>, may: fc.Arbitrary<B>) =>
  fc.tuple(must, may).map(([a, b]) => ({ ...a, ...b }));

const callAbove = (calls: fc.Arbitrary<CallProfile[]>): fc.Arbitrary<CallProfile> =>
  withOptional(
    required({ function: text, depth: count, index: count, ...totals, calls }),
    fc.record({ aggregated: count }, optional),
  );
const leaf = callAbove(fc.constant([]));
const call = callAbove(fc.array(callAbove(fc.array(leaf, { maxLength: 3 })), { maxLength: 3 }));

const module = withOptional(
  required({ name: text, sha256: text, loaded: text }),
  fc.record({ buildId: text }, optional),
);

const inlined = fc.record({ function: text, file: text, line: count }, optional);
const profile: fc.Arbitrary<Profile> = withOptional(
  required({
    format: fc.constant('ilp-gate/profile' as const),
    version: fc.constant(1 as const),
    command: fc.array(text),
    total: required(totals),
    functions: fc.array(
      withOptional(
        required({ name: text, calls: count, ...totals }),
        fc.record({ file: text, line: count }, optional),
      ),
    ),
    calls: fc.array(call, { maxLength: 4 }),
    chains: fc.array(
      withOptional(
        required({
          length: count,
          links: fc.array(
            withOptional(
              required({ address: text, instruction: text, count, share: totals.ilp }),
              fc.record(
                { function: text, file: text, line: count, inlined: fc.array(inlined, { maxLength: 3 }) },
                optional,
              ),
            ),
          ),
        }),
        fc.record({ function: text, call: count }, optional),
      ),
    ),
    environment: withOptional(
      required({
        tool: text,
        rules: count,
        isa: text,
        program: module,
        libraries: fc.array(module),
        compilers: fc.array(text),
      }),
      fc.record({ children: fc.constant('measure' as const), others: fc.array(module) }, optional),
    ),
  }),
  fc.record(
    {
      target: text,
      processes: fc.array(
        required({ program: text, process: count, parent: count, instructions: count, cycles: count }),
      ),
      loops: fc.array(anyLoop(text), { maxLength: 3 }),
      bounds: withOptional(
        required({ machine: text, runTime: count, covered: count }),
        fc.record({ rest: required({ loops: count, runTime: count }) }, optional),
      ),
    },
    optional,
  ),
);

describe('a profile', () => {
  it('is read back as it was written', () => {
    fc.assert(
      fc.property(profile, (original) => {
        expect(readProfile(writeProfile(original), 'p.json')).toEqual(original);
      }),
      { numRuns: 200 },
    );
  });

  it('has the same bytes whatever the order of its keys', () => {
    fc.assert(
      fc.property(profile, (original) => {
        expect(writeProfile(reversed(original))).toBe(writeProfile(original));
      }),
      { numRuns: 50 },
    );
  });

  it('keeps every function, call and link on a line of its own', () => {
    const lines = writeProfile(SMALL).split('\n');
    expect(lines.filter((line) => line.includes('"sum"'))).toHaveLength(3);
    expect(lines.every((line) => line.length < 200)).toBe(true);
    expect(lines.at(-1)).toBe('');
  });

  it('keeps what a loop is, its counts, its bounds and each of its causes and notes on lines of their own', () => {
    const changed = { bounds: { MAC: 2, MACS: 4 }, causes: [cause({ line: 11 }), cause({ line: 12 })] };
    const [before, after] = [
      [loop({ causes: [cause({ line: 11 })], notes: ['No source was found.'] })],
      [loop({ ...changed, notes: ['No source was found.'] })],
    ].map((loops) => writeProfile(profileWith(loops)).split('\n'));
    expect(before!.every((line) => line.length < 200)).toBe(true);
    expect(after!.filter((line) => !before!.includes(line)).map((line) => line.trim())).toEqual([
      '"bounds": { "machine": "skylake", "runTime": 4100, "covered": 0.9 },',
      '"entries": 1, "iterations": 1000, "unroll": 1, "runTime": 4000, "share": 0.9756,',
      '"bounds": { "MAC": 2, "MACS": 4 },',
      '"gaps": { "S": 2 },',
      '{ "gap": "S", "kind": "spill", "line": 11, "text": "A value goes to the stack and back." },',
      '{ "gap": "S", "kind": "spill", "line": 12, "text": "A value goes to the stack and back." }',
    ]);
  });

  it('is written and read when calls nest 20,000 deep, without a file that is quadratic in the depth', () => {
    let deep: CallProfile = { ...SMALL.calls[0]!, calls: [] };
    for (let depth = 0; depth < 20_000; depth += 1) deep = { ...SMALL.calls[0]!, calls: [deep] };
    const written = writeProfile({ ...SMALL, calls: [deep] });
    expect(written.length).toBeLessThan(20_000 * 250);
    expect(writeProfile(readProfile(written, 'p.json'))).toBe(written);
  });
});

describe('reading refuses', () => {
  const written = writeProfileOfSmall();
  const broken: [string, string, string, RegExp][] = [
    [
      'a file that is cut off',
      written.slice(0, written.indexOf('],')),
      'profile-not-json',
      /^b\.json:\d+:\d+ is not JSON: expected .*, found the end of the file$/,
    ],
    [
      'a trailing comma',
      written.replace('"ilp": 2 }', '"ilp": 2, }'),
      'profile-not-json',
      /^b\.json:5:\d+ is not JSON: expected a key in double quotes, found "},"$/,
    ],
    [
      'an empty file',
      '',
      'profile-not-json',
      /^b\.json:1:1 is not JSON: expected a value, found the end of the file$/,
    ],
    [
      'merge conflict markers',
      written.replace('  "total"', '<<<<<<< HEAD\n  "total"'),
      'profile-conflict',
      /^b\.json:5 holds the markers of a merge conflict$/,
    ],
    [
      'other JSON',
      '{"name": "x"}',
      'profile-not-a-profile',
      /expected a JSON object with "format": "ilp-gate\/profile"/,
    ],
    ['a list', '[]', 'profile-not-a-profile', /found an empty list$/],
    [
      'a newer version',
      written.replace('"version": 1', '"version": 2'),
      'profile-newer-version',
      /^b\.json has profile version 2; this ilp-gate reads versions up to 1$/,
    ],
    [
      'a version that is none',
      written.replace('"version": 1', '"version": "1"'),
      'profile-malformed',
      /^b\.json:3: version: expected a version number from 1, found "1"$/,
    ],
    [
      'a count that is no number',
      written.replace('"cycles": 30', '"cycles": "30"'),
      'profile-malformed',
      /^b\.json:5: total\.cycles: expected a number, found "30"$/,
    ],
    [
      'a fraction',
      written.replace('"instructions": 60', '"instructions": 6.5'),
      'profile-malformed',
      /^b\.json:5: total\.instructions: expected a whole number, found 6\.5$/,
    ],
    [
      'a negative count',
      written.replace('"depth": 1', '"depth": -1'),
      'profile-malformed',
      /^b\.json:10: calls\[0\]\.depth: expected at least 0, found -1$/,
    ],
    [
      'a missing key',
      written.replace('"length": 30, ', ''),
      'profile-malformed',
      /^b\.json:13: chains\[0\]\.length: expected a number, found nothing$/,
    ],
    [
      'an unknown key',
      written.replace('"rules": 1', '"rules": 1, "mood": "good"'),
      'profile-malformed',
      /^b\.json:\d+: environment\.mood: expected no such key, found "mood"$/,
    ],
  ];

  it.each([
    [
      'a bound below zero',
      '"MACS": 3',
      '"MACS": -3',
      /loops\[0\]\.bounds\.MACS: expected at least 0, found -3$/,
    ],
    [
      'a bound beyond all counts',
      '"MACS": 3',
      '"MACS": 1e300',
      /loops\[0\]\.bounds\.MACS: expected at most \d+, found 1e\+300$/,
    ],
    ['a loop without MAC', '"MAC": 2, ', '', /loops\[0\]\.bounds\.MAC: expected a number, found nothing$/],
    [
      'a cause of a gap that there is not',
      '"gap": "S"',
      '"gap": "Q"',
      /loops\[0\]\.causes\[0\]\.gap: expected "A" or "C" or "S" or "P", found "Q"$/,
    ],
    [
      'an unknown class',
      '"class": "load-chain"',
      '"class": "slow"',
      /loops\[0\]\.class: expected "high-ilp" or "compute-chain" or "load-chain", found "slow"$/,
    ],
    [
      'an unknown key of a loop',
      '"unroll": 1',
      '"unroll": 1, "x": 1',
      /loops\[0\]\.x: expected no such key, found "x"$/,
    ],
    [
      'a machine that is no name',
      '"machine": "skylake"',
      '"machine": 5',
      /bounds\.machine: expected a string, found 5$/,
    ],
  ])('%s, with its line', (_, from, to, message) => {
    const stored = writeProfile(profileWith([loop({ class: 'load-chain', causes: [cause()] })]));
    expect(stored).toContain(from);
    const failure = failureOf(() => readProfile(stored.replace(from, to), 'b.json'));
    expect(failure.code).toBe('profile-malformed');
    expect(failure.message).toMatch(/^b\.json:\d+: /);
    expect(failure.message).toMatch(message);
  });

  it.each(broken)('%s', (_, stored, code, message) => {
    const failure = failureOf(() => readProfile(stored, 'b.json'));
    expect(failure.kind).toBe('config');
    expect(failure.code).toBe(code);
    expect(failure.message).toMatch(message);
  });

  it('anything that one changed character made unreadable, always with a Failure', () => {
    fc.assert(
      fc.property(
        fc.nat(written.length - 1),
        fc.string({ unit: 'binary', maxLength: 2 }),
        (at, replacement) => {
          const changed = written.slice(0, at) + replacement + written.slice(at + 1);
          try {
            readProfile(changed, 'b.json');
          } catch (error) {
            expect(error).toBeInstanceOf(Failure);
          }
        },
      ),
      { numRuns: 500 },
    );
  });
});

const SMALL: Profile = {
  format: 'ilp-gate/profile',
  version: 1,
  command: ['./sum'],
  total: { instructions: 60, cycles: 30, ilp: 2 },
  functions: [{ name: 'sum', calls: 1, instructions: 50, cycles: 25, ilp: 2 }],
  calls: [{ function: 'sum', depth: 1, index: 0, instructions: 50, cycles: 25, ilp: 2, calls: [] }],
  chains: [
    {
      length: 30,
      links: [{ address: 'sum+0x10', instruction: 'inc rax', function: 'sum', count: 30, share: 1 }],
    },
  ],
  environment: {
    tool: '0.1.0',
    rules: 1,
    isa: 'x86-64',
    program: { name: 'sum2', sha256: 'aa', loaded: 'bb' },
    libraries: [],
    compilers: [],
  },
};

function writeProfileOfSmall(): string {
  return writeProfile(SMALL);
}

function failureOf(work: () => unknown): Failure {
  try {
    work();
  } catch (error) {
    if (error instanceof Failure) return error;
    throw error;
  }
  throw new Error('nothing was thrown');
}

function reversed<T>(value: T): T {
  if (Array.isArray(value)) return value.map(reversed) as T;
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([key, each]) => [key, reversed(each)]),
  ) as T;
}
