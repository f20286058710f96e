import { describe, expect, it } from 'vitest';
import type { CallProfile, Chain, FunctionProfile, Profile } from '../profile/profile.ts';
import type { FunctionDiff } from './diff.ts';
import { diffProfiles } from './diff-profiles.ts';

const fn = (
  name: string,
  instructions: number,
  cycles = instructions,
  more: Partial<FunctionProfile> = {},
): FunctionProfile => ({
  name,
  calls: 1,
  instructions,
  cycles,
  ilp: 1,
  ...more,
});
const call = (name: string, ...calls: CallProfile[]): CallProfile => ({
  function: name,
  depth: 1,
  index: 0,
  instructions: 1,
  cycles: 1,
  ilp: 1,
  calls,
});
const profile = (parts: Partial<Profile>): Profile => ({
  format: 'ilp-gate/profile',
  version: 1,
  command: ['./p'],
  total: { instructions: 1000, cycles: 500, ilp: 2 },
  functions: [],
  calls: [],
  chains: [],
  environment: {
    tool: '1',
    rules: 1,
    isa: 'x86-64',
    program: { name: 'p', sha256: 'a', loaded: 'a' },
    libraries: [],
    compilers: [],
  },
  ...parts,
});

/** `kind name` of each function, with the old name of a renamed one. */
function told(base: Partial<Profile>, head: Partial<Profile>): string[] {
  return diffProfiles(profile(base), profile(head)).functions.map(tell);
}

function tell(each: FunctionDiff): string {
  switch (each.kind) {
    case 'vanished':
      return `vanished ${each.base.name}`;
    case 'renamed':
      return `renamed ${each.base.name} to ${each.head.name}: ${each.because}`;
    default:
      return `${each.kind} ${each.head.name}`;
  }
}

describe('functions', () => {
  it('are told apart as changed, unchanged, appeared and vanished', () => {
    expect(
      told(
        { functions: [fn('same', 10), fn('slower', 10), fn('old', 777)] },
        { functions: [fn('slower', 11), fn('same', 10), fn('new', 20)] },
      ),
    ).toEqual(['changed slower', 'unchanged same', 'appeared new', 'vanished old']);
  });

  it('that share a name are told apart by file, and one that moved to another file is the same', () => {
    expect(
      told(
        {
          functions: [
            fn('init', 10, 10, { file: 'a.c' }),
            fn('init', 20, 20, { file: 'b.c' }),
            fn('go', 5, 5, { file: 'a.c' }),
          ],
        },
        {
          functions: [
            fn('init', 20, 20, { file: 'b.c' }),
            fn('init', 10, 10, { file: 'a.c' }),
            fn('go', 5, 5, { file: 'c.c' }),
          ],
        },
      ),
    ).toEqual(['unchanged init', 'unchanged init', 'unchanged go']);
  });

  it.each([
    ['ns::dot<float>(float*)', 'ns::dot<double>(double*, long)'],
    ['core::sum::h0123456789abcdef', 'core::sum::hfedcba9876543210'],
    ['copy', 'copy.constprop.0'],
    ['copy.isra.0.part.1', 'copy'],
  ])('are renamed when only what a compiler adds to the name differs: %s', (before, after) => {
    expect(told({ functions: [fn(before, 100)] }, { functions: [fn(after, 900)] })).toEqual([
      `renamed ${before} to ${after}: same-name-but-for-decoration`,
    ]);
  });

  it('are renamed when all counts agree', () => {
    expect(told({ functions: [fn('a', 100, 60)] }, { functions: [fn('b', 100, 60)] })).toEqual([
      'renamed a to b: same-counts',
    ]);
  });

  it('are not renamed when the counts are too small to mean anything, or fit two', () => {
    expect(told({ functions: [fn('a', 5)] }, { functions: [fn('b', 5)] })).toEqual([
      'appeared b',
      'vanished a',
    ]);
    expect(told({ functions: [fn('a', 100)] }, { functions: [fn('b', 100), fn('c', 100)] })).toEqual([
      'appeared b',
      'appeared c',
      'vanished a',
    ]);
  });

  it('are renamed when they stand at the same place in the call tree with similar counts', () => {
    const base = {
      functions: [fn('main', 500), fn('x', 300, 100), fn('y', 100)],
      calls: [call('main', call('x'), call('y'))],
    };
    const head = {
      functions: [fn('main', 520), fn('z', 320, 110), fn('y', 100)],
      calls: [call('main', call('z'), call('y'))],
    };
    expect(told(base, head)).toContain('renamed x to z: same-place');
    const much = { ...head, functions: [fn('main', 900), fn('z', 700, 110), fn('y', 100)] };
    expect(told(base, much)).toContain('appeared z');
  });
});

describe('the binary', () => {
  const environment = profile({}).environment;
  const library = { name: 'libc.so.6', sha256: '1', loaded: '1' };
  const binary = (head: Partial<Profile['environment']>) =>
    diffProfiles(
      profile({ environment: { ...environment, libraries: [library] } }),
      profile({ environment: { ...environment, libraries: [library], ...head } }),
    );

  it('is the same when only file hash and build id differ', () => {
    const diff = binary({ program: { name: 'p', sha256: 'other', buildId: 'other', loaded: 'a' } });
    expect(diff).toMatchObject({ binary: 'same', counts: 'same', environment: [] });
  });

  it('differs when a library does, and the environment says which', () => {
    expect(binary({ libraries: [{ ...library, sha256: '2222', loaded: '2' }] })).toMatchObject({
      binary: 'different',
      environment: [{ part: 'library', name: 'libc.so.6', base: 'sha256 1', head: 'sha256 2222' }],
    });
    expect(binary({ libraries: [] }).environment).toEqual([
      { part: 'library', name: 'libc.so.6', base: 'sha256 1' },
    ]);
  });

  it('is named part by part where the environment differs', () => {
    const parts = binary({ rules: 2, isa: 'x86-64-v2', tool: '2', compilers: ['clang 14'] }).environment.map(
      (change) => change.part,
    );
    expect(parts).toEqual(['rules', 'isa', 'tool', 'compilers']);
  });
});

describe('a chain', () => {
  const chain = (...links: [instruction: string, line: number, count: number][]): Chain => ({
    length: links.reduce((sum, [, , count]) => sum + count, 0),
    links: links.map(([instruction, line, count], at) => ({
      address: `p+0x${at}`,
      instruction,
      function: 'f',
      file: 'f.c',
      line,
      count,
      share: 0,
    })),
  });
  const compare = (base: Chain | undefined, head: Chain) =>
    diffProfiles(profile({ chains: base === undefined ? [] : [base] }), profile({ chains: [head] }))
      .chains[0]!;

  it('that grew is explained by the line and instruction that grew, although lines and registers shifted', () => {
    const diff = compare(
      chain(['mov rax, rdi', 3, 1], ['addsd xmm0, [rdi]', 5, 250], ['addsd xmm0, xmm1', 8, 3]),
      chain(['mov rcx, rdi', 4, 1], ['addsd xmm3, [rsi]', 6, 1000], ['addsd xmm2, xmm3', 9, 3]),
    );
    expect(diff.lines.map((line) => [line.base?.line, line.head?.line, line.delta])).toEqual([
      [3, 4, 0],
      [5, 6, 750],
      [8, 9, 0],
    ]);
    expect(diff.growth).toMatchObject({
      line: { line: 6 },
      link: { instruction: 'addsd xmm3, [rsi]' },
      baseCount: 250,
      headCount: 1000,
    });
  });

  it('that got another instruction in its loop names that instruction', () => {
    const diff = compare(
      chain(['addsd xmm0, [rdi]', 5, 100]),
      chain(['mulsd xmm0, xmm1', 5, 100], ['addsd xmm0, [rdi]', 5, 100]),
    );
    expect(diff.lines).toMatchObject([{ base: { count: 100 }, head: { count: 200 }, delta: 100 }]);
    expect(diff.growth?.link?.instruction).toBe('mulsd xmm0, xmm1');
  });

  it('that took another way shows the lines it left and the lines it came to', () => {
    const diff = compare(chain(['add rax, rbx', 5, 10]), chain(['imul rax, rbx', 20, 30]));
    expect(diff.lines.map((line) => [line.base?.line, line.head?.line, line.delta])).toEqual([
      [undefined, 20, 30],
      [5, undefined, -10],
    ]);
    expect(diff.growth?.line.line).toBe(20);
  });

  it('that did not grow, or has no base, has no growth to explain', () => {
    expect(compare(chain(['add rax, rbx', 5, 10]), chain(['add rax, rbx', 5, 9])).growth).toBeUndefined();
    expect(compare(undefined, chain(['add rax, rbx', 5, 9]))).not.toHaveProperty('growth');
  });

  it('is compared line by line with nothing lost: the deltas sum to the change of length', () => {
    const base = chain(['a x', 1, 5], ['b x', 2, 7], ['c x', 3, 1], ['b x', 4, 2]);
    const head = chain(['b x', 1, 9], ['c x', 1, 4], ['d x', 7, 1], ['a x', 2, 5]);
    const diff = compare(base, head);
    expect(diff.lines.reduce((sum, line) => sum + line.delta, 0)).toBe(head.length - base.length);
  });

  it('of 5,000 links is compared too, by order within each shape', () => {
    const links = (count: number) =>
      chain(
        ...Array.from({ length: 5000 }, (_, at): [string, number, number] => [`op${at % 7} x`, at, count]),
      );
    expect(compare(links(1), links(2)).growth).toMatchObject({ baseCount: 1, headCount: 2 });
  });
});
