import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cause, loop, profileWith } from '../../test/bounds/loops.ts';
import type { LoopProfile } from '../profile/loops.ts';
import type { Profile } from '../profile/profile.ts';
import { diffProfiles } from './diff-profiles.ts';

const loopsOf = (base: Profile, head: Profile) => diffProfiles(base, head).bounds?.loops ?? [];
const named = (base: readonly LoopProfile[], head: readonly LoopProfile[]): string[] =>
  loopsOf(profileWith(base), profileWith(head)).map((each) => {
    const [old, now] = [each.kind === 'vanished' || 'bounds' in each ? each.base : undefined].concat(
      each.kind === 'vanished' ? [undefined] : [each.head],
    );
    return `${each.kind} ${old?.address ?? '-'} ${now?.address ?? '-'}`;
  });

/** Loops of one function that follow each other, told apart by their addresses, which no alignment may use. */
function functionOf(count: number): LoopProfile[] {
  return Array.from({ length: count }, (_, at) =>
    loop({
      line: 10 + 10 * at,
      address: `p+0x${(at + 1) * 1000}`,
      iterations: 1000 + at,
      essential: { fa: at, fm: 0, fma: 0, fmisc: 0, loads: 1, stores: 0 },
    }),
  );
}

describe('the loops of two profiles', () => {
  it('are none where neither has bounds', () => {
    expect(diffProfiles(profileWith(undefined), profileWith(undefined)).bounds).toBeUndefined();
  });

  it('are paired as they were, whatever was inserted, removed, shifted and compiled differently', () => {
    const edit = fc.record({
      kept: fc.boolean(),
      inserted: fc.integer({ min: 0, max: 2 }),
      shift: fc.integer({ min: 0, max: 7 }),
      worse: fc.boolean(),
    });
    fc.assert(
      fc.property(fc.array(edit, { minLength: 1, maxLength: 12 }), (edits) => {
        const base = functionOf(edits.length);
        const head: LoopProfile[] = [];
        const expected = new Map<string, string>();
        let line = 10;
        for (const [at, { kept, inserted, shift, worse }] of edits.entries()) {
          for (let nth = 0; nth < inserted; nth += 1) {
            line += 3;
            head.push(loop({ line, address: `p+0x${line}`, iterations: 7 + nth, runTime: 50_000 }));
          }
          line += 3 + shift;
          if (!kept) continue;
          const old = base[at]!;
          const address = `p+0x${line}`;
          const bounds = worse ? { MAC: 3, MACS: 9 } : old.bounds;
          head.push({ ...old, line, address, bounds });
          expected.set(address, old.address);
        }
        const found = loopsOf(profileWith(base), profileWith(head));
        const pairs = found.flatMap((each) =>
          'bounds' in each ? [[each.head.address, each.base.address] as const] : [],
        );
        for (const [now, old] of expected) expect(new Map(pairs).get(now)).toBe(old);
        expect(found.filter((each) => each.kind === 'vanished').length + pairs.length).toBe(base.length);
        expect(found.filter((each) => each.kind === 'appeared').length + pairs.length).toBe(head.length);
      }),
      { numRuns: 300 },
    );
  });

  it('are each in one pair at most, and none is lost', () => {
    const some = fc.array(
      fc.record({
        function: fc.constantFrom('f', 'g', 'f(int)', 'g.isra.0'),
        line: fc.integer({ min: 1, max: 5 }),
        depth: fc.integer({ min: 1, max: 2 }),
        innermost: fc.boolean(),
        iterations: fc.constantFrom(10, 11, 1000),
      }),
      { maxLength: 8 },
    );
    fc.assert(
      fc.property(some, some, (before, after) => {
        const [base, head] = [before, after].map((each) => each.map((about) => loop(about)));
        const found = loopsOf(profileWith(base), profileWith(head));
        const olds = found.flatMap((each) =>
          each.kind === 'vanished' || 'bounds' in each ? [each.base] : [],
        );
        const news = found.flatMap((each) => (each.kind === 'vanished' ? [] : [each.head]));
        expect(olds).toHaveLength(base!.length);
        expect(new Set(olds).size).toBe(base!.length);
        expect(news).toHaveLength(head!.length);
        expect(new Set(news).size).toBe(head!.length);
      }),
    );
  });

  it('pair a vectorised loop with the one that is left when vectorisation is lost, not with its remainder', () => {
    const vector = loop({ address: 'p+0x10', iterations: 1000, unroll: 4, bounds: { MAC: 0.5, MACS: 0.5 } });
    const remainder = loop({ address: 'p+0x40', iterations: 3, runTime: 9 });
    const scalar = loop({ address: 'p+0x20', iterations: 1003 });
    expect(named([vector, remainder], [scalar])).toEqual(['changed p+0x10 p+0x20', 'vanished p+0x40 -']);
  });

  it('pair across a rename of their function, and across inlining where the line names one loop', () => {
    const here = loop({ function: 'dot(float const*, long)', address: 'p+0x1' });
    expect(
      named([here], [{ ...here, function: 'dot(float const*, int)', line: 14, address: 'p+0x2' }]),
    ).toEqual(['unchanged p+0x1 p+0x2']);
    expect(named([here], [{ ...here, function: 'main', depth: 2, address: 'p+0x2' }])).toEqual([
      'unchanged p+0x1 p+0x2',
    ]);
    const copies = ['p+0x2', 'p+0x3'].map((address) => ({ ...here, function: 'main', depth: 2, address }));
    expect(named([here], copies).map((each) => each.split(' ')[0])).toEqual([
      'appeared',
      'appeared',
      'vanished',
    ]);
  });

  it('say which bounds moved, but not what hardware measured', () => {
    const bounds = { M: 0.5, MA: 1, MAC: 2, MACS: 3, measured: 3.2 };
    const [quiet] = loopsOf(
      profileWith([loop({ bounds })]),
      profileWith([loop({ bounds: { ...bounds, measured: 4 } })]),
    );
    expect(quiet).toMatchObject({ kind: 'unchanged', bounds: [] });
    const [worse] = loopsOf(
      profileWith([loop({ bounds })]),
      profileWith([loop({ bounds: { ...bounds, MAC: 2.5, MACS: 3.5 } })]),
    );
    expect(worse).toMatchObject({ kind: 'changed', bounds: ['MAC', 'MACS'] });
  });

  it('are not compared where the base has no bounds or those of another machine', () => {
    const head = profileWith([loop()]);
    for (const base of [profileWith(undefined), profileWith([loop()], { run: { machine: 'zen4' } })])
      expect(diffProfiles(base, head).bounds).toMatchObject({
        comparable: false,
        loops: [{ kind: 'unpaired' }],
      });
  });

  it('are compared quickly where a function has thousands, and an inserted one does not shift the others', () => {
    const many = functionOf(3000);
    const head = many.map((each) => (each.line! > 20_000 ? { ...each, line: each.line! + 5 } : each));
    head.push(loop({ line: 20_003, iterations: 77, runTime: 50_000 }));
    const found = named(many, head);
    expect(found.filter((each) => each.startsWith('unchanged'))).toHaveLength(3000);
    expect(found.filter((each) => each.startsWith('appeared'))).toHaveLength(1);
  });
});

describe('the causes of a loop', () => {
  const changes = (before: Partial<LoopProfile>, after: Partial<LoopProfile>) => {
    const [pair] = loopsOf(profileWith([loop(before)]), profileWith([loop(after)]));
    return pair !== undefined && 'causes' in pair
      ? pair.causes.map(({ kind, base, head }) => [kind, base?.line, head?.line])
      : [];
  };

  it('came or went by kind and by a line that moved as the loop did', () => {
    const before = { line: 40, causes: [cause({ line: 42, count: 1 }), cause({ line: 44, count: 1 })] };
    const spills = [
      cause({ line: 45, count: 1 }),
      cause({ line: 46, count: 1 }),
      cause({ line: 47, count: 1 }),
    ];
    expect(changes(before, { line: 43, causes: spills })).toEqual([['came', undefined, 46]]);
    expect(changes({ line: 43, causes: spills }, before)).toEqual([['went', 46, undefined]]);
  });

  it('grew or shrank by cycles, the most expensive first; those of hardware do not count', () => {
    const before = {
      causes: [
        cause({ cycles: 1, line: 11 }),
        cause({ kind: 'call', cycles: 9 }),
        cause({ gap: 'P', kind: 'miss' }),
      ],
    };
    const after = { causes: [cause({ cycles: 2, line: 11 }), cause({ kind: 'call', cycles: 6 })] };
    expect(changes(before, after)).toEqual([
      ['shrank', undefined, undefined],
      ['grew', 11, 11],
    ]);
  });
});
