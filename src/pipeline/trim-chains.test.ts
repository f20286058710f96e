import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { diffProfiles } from '../diff/diff-profiles.ts';
import type { Chain, ChainLink, Profile } from '../profile/profile.ts';
import { readProfile } from '../profile/read.ts';
import { writeProfile } from '../profile/write.ts';
import { trimChains } from './trim-chains.ts';

const trim = (chain: Chain): Chain => trimChains(profileWith(chain)).chains[0]!;

/** Start-up code without lines, a loop of the user's, and a loop in a library. */
const RUN = chainOf([
  ...Array.from({ length: 400 }, (_, at): Row => ({ name: `start${at % 7}`, count: 1 })),
  { name: 'kernel', line: 12, count: 5000 },
  { name: 'kernel', line: 9, count: 1 },
  { name: 'memcpy', count: 300 },
  ...Array.from({ length: 60 }, (): Row => ({ count: 2 })),
]);

describe('the chain of a run in a baseline', () => {
  it('keeps the links with a source line and those that carry it, in order', () => {
    expect(trim(RUN).links.map(({ function: name, line, count }) => [name, line, count])).toEqual([
      ['kernel', 12, 5000],
      ['kernel', 9, 1],
      ['memcpy', undefined, 300],
    ]);
  });

  it('sums the others by function, or by module without a symbol, and loses none', () => {
    const { rest = [], links, length } = trim(RUN);
    expect(rest).toHaveLength(8);
    expect(rest[0]).toEqual({ module: 'p', function: 'start0', links: 58, count: 58 });
    expect(rest[7]).toEqual({ module: 'p', links: 60, count: 120 });
    expect([...links, ...rest].reduce((sum, each) => sum + each.count, 0)).toBe(length);
  });

  it('is read as it was written', () => {
    const profile = trimChains(profileWith(RUN));
    expect(readProfile(writeProfile(profile), 'baseline.json')).toEqual(profile);
  });

  it('stays whole where that is short', () => {
    const short = chainOf(Array.from({ length: 40 }, () => ({ name: 'f', count: 1 })));
    expect(trim(short)).toEqual(short);
  });
});

it('a comparison with the trimmed chain finds the same lines, counts and growth as with the whole one', () => {
  const row = fc.record({
    name: fc.constantFrom('a', 'b', 'c'),
    count: fc.oneof(
      { arbitrary: fc.integer({ min: 1, max: 3 }), weight: 9 },
      { arbitrary: fc.integer({ min: 500, max: 2000 }), weight: 1 },
    ),
    line: fc.option(fc.integer({ min: 1, max: 5 }), { nil: undefined, freq: 3 }),
  });
  const rows = fc.array(row, { minLength: 100, maxLength: 150 });
  fc.assert(
    fc.property(rows, rows, (before, after) => {
      const [base, head] = [profileWith(chainOf(before)), profileWith(chainOf(after))];
      fc.pre(trimChains(base).chains[0]?.rest !== undefined);
      const unlined = (profile: Profile) =>
        diffProfiles(profile, head)
          .chains[0]!.lines.filter((line) => (line.head ?? line.base)!.file === undefined)
          .map((line) => [line.head?.function, line.base?.function, line.base?.count, line.delta])
          .sort();
      expect(unlined(trimChains(base))).toEqual(unlined(base));
    }),
    { numRuns: 60 },
  );
});

interface Row {
  readonly name?: string;
  readonly line?: number | undefined;
  readonly count: number;
}

function chainOf(rows: readonly Row[]): Chain {
  const length = rows.reduce((sum, each) => sum + each.count, 0);
  const links = rows.map(
    ({ name, line, count }, at): ChainLink => ({
      address: `p+0x${(0x1000 + at).toString(16)}`,
      instruction: 'add rax,rbx',
      ...(name === undefined ? {} : { function: name }),
      ...(line === undefined ? {} : { file: 'p.c', line }),
      count,
      share: Math.round((count / length) * 10_000) / 10_000,
    }),
  );
  return { length, links };
}

function profileWith(chain: Chain): Profile {
  const total = { instructions: chain.length, cycles: chain.length, ilp: 1 };
  const program = { name: 'p', sha256: '', loaded: '' };
  return {
    format: 'ilp-gate/profile',
    version: 1,
    command: ['p'],
    total,
    functions: [],
    calls: [],
    chains: [chain],
    environment: { tool: '1', rules: 1, isa: 'x86-64', program, libraries: [], compilers: [] },
  };
}
