import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { anyLoop, loop, profileWith } from '../../../test/bounds/loops.ts';
import { diffProfiles } from '../../diff/diff-profiles.ts';
import { judge } from '../../gate/judge.ts';
import type { LoopProfile } from '../../profile/loops.ts';
import type { CallProfile, Profile } from '../../profile/profile.ts';
import { boundSteps } from './bars.ts';
import { profileReport } from './profile-report.ts';
import { html } from './template.ts';
import { verdictReport } from './verdict-report.ts';

const hostile = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc
    .array(
      fc.constantFrom(
        '<script>alert(1)</script>',
        '<img src=x onerror=alert(1)>',
        '</style>',
        '</title>',
        '</code></details>',
        '" onmouseover="alert(1)',
        "' x='",
        '&lt;',
        '&#60;',
        '<!--',
        ']]>',
        '\u0000',
        '\u202e',
        '\ud800',
        'javascript:alert(1)',
        'a',
        ' ',
      ),
      { minLength: 1, maxLength: 6 },
    )
    .map((parts) => parts.join('')),
);

/** The markup without what a value may be: the names of elements and attributes, in order. */
function skeleton(page: string): string[] {
  return [...page.matchAll(/<[^>]*>/g)].map(([tag]) => tag.replace(/"[^"]*"/g, '""'));
}

/** The same profile with nothing to fear in it. */
function tamed<T>(value: T): T {
  if (typeof value === 'string') return 'x' as T;
  if (Array.isArray(value)) return value.map(tamed) as T;
  if (typeof value !== 'object' || value === null) return value;
  const keep = ['class', 'gap', 'unrollFrom', 'kind'];
  return Object.fromEntries(
    Object.entries(value).map(([key, each]) => [key, keep.includes(key) ? each : tamed(each)]),
  ) as T;
}

const profile: fc.Arbitrary<Profile> = fc
  .record({
    loops: fc.array(anyLoop(hostile), { maxLength: 3 }),
    command: fc.array(hostile, { minLength: 1, maxLength: 3 }),
    name: hostile,
    machine: hostile,
  })
  .map(({ loops, command, name, machine }) => {
    const totals = { instructions: 9, cycles: 3, ilp: 3 };
    return profileWith(loops, {
      command,
      run: { machine },
      processes: [{ program: name, process: 1000, parent: 999, instructions: 9, cycles: 3 }],
      functions: [{ name, file: name, line: 1, calls: 1, ...totals }],
      calls: [{ function: name, depth: 1, index: 0, ...totals, calls: [] }],
      chains: [
        {
          function: name,
          length: 1,
          links: [{ address: name, instruction: name, function: name, file: name, count: 1, share: 1 }],
        },
      ],
    });
  });

describe('a value in the template', () => {
  it('is text, whatever it holds, in elements and in quoted attributes', () => {
    fc.assert(
      fc.property(hostile, (text) => {
        const { text: result } = html`<p title="${text}">${[text, html`<b>${text}</b>`]}</p>`;
        expect(skeleton(result)).toEqual(['<p title="">', '<b>', '</b>', '</p>']);
        expect(result).not.toMatch(/[\p{Cc}\p{Cf}\p{Cs}]/u);
      }),
    );
  });

  it('is left out where there is none', () => {
    expect(html`<p>${undefined}${false}${[]}${0}${''}</p>`.text).toBe('<p>0</p>');
  });
});

describe('an HTML report', () => {
  it('has the same markup whatever the names, texts and reasons in it are', () => {
    fc.assert(
      fc.property(profile, (foreign) => {
        expect(skeleton(profileReport(foreign))).toEqual(skeleton(profileReport(tamed(foreign))));
      }),
      { numRuns: 200 },
    );
  });

  it('of a verdict has the same markup, too', () => {
    fc.assert(
      fc.property(profile, profile, (base, head) => {
        const report = (before: Profile, after: Profile, target: string): string =>
          verdictReport({
            targets: [{ kind: 'judged', target, verdict: judge(diffProfiles(before, after), []) }],
          });
        const tags = skeleton(report(base, head, base.command[0]!));
        const known = new Set(skeleton(report(worse(false), worse(true), 'x')).map(nameOf));
        expect(tags.map(nameOf).filter((tag) => !known.has(tag))).toEqual([]);
      }),
      { numRuns: 100 },
    );
  });

  it('of several targets has the patterns of negative gaps once, whichever target has bounds', () => {
    const without = profileWith(undefined);
    const page = verdictReport({
      targets: [
        { kind: 'judged', target: 'a', verdict: judge(diffProfiles(without, without), []) },
        { kind: 'judged', target: 'b', verdict: judge(diffProfiles(worse(false), worse(true)), []) },
      ],
    });
    expect(page).toContain('class="hatch-c"');
    for (const gap of ['a', 'c', 's', 'p']) expect(page.split(`id="hatch-${gap}"`)).toHaveLength(2);
    expect(page.match(/ id="[^"]*"/g)).toEqual([...new Set(page.match(/ id="[^"]*"/g))]);
  });

  it('runs no script and loads nothing', () => {
    const page = profileReport(worse(true));
    expect(page).toContain(`content="default-src 'none'; style-src 'unsafe-inline';`);
    expect(page).not.toMatch(/<script|<link|<img|<iframe|<form| on\w+=|https?:|@import|url\((?!#)/i);
  });

  it('shows calls that nest 20,000 deep as far as anybody would unfold them', () => {
    const call = { function: 'f', depth: 1, index: 0, instructions: 9, cycles: 3, ilp: 3 };
    let deep: CallProfile = { ...call, calls: [] };
    for (let depth = 0; depth < 20_000; depth += 1) deep = { ...call, calls: [deep] };
    const page = profileReport({ ...profileWith(undefined), calls: [deep] });
    expect(page.length).toBeLessThan(50_000);
    expect(page).toContain('and 1 more call, not shown');
  });

  it('stays readable with thousands of loops, functions and calls', () => {
    const many = <T>(make: (at: number) => T): T[] => Array.from({ length: 5000 }, (_, at) => make(at));
    const totals = { instructions: 9, cycles: 3, ilp: 3 };
    const page = profileReport({
      ...profileWith(many((at) => loop({ function: `f${at}` }))),
      functions: many((at) => ({ name: `f${at}`, calls: 1, ...totals })),
      calls: many((at) => ({ function: `f${at}`, depth: 1, index: at, ...totals, calls: [] })),
    });
    expect(page.length).toBeLessThan(2_000_000);
    expect(page).toMatch(/And 4,\d{3} more loops\./);
  });
});

describe('the bars of a loop', () => {
  const bars = (bounds: LoopProfile['bounds'], about: Partial<LoopProfile> = {}): string =>
    boundSteps(loop({ bounds, ...about })).text;

  it('go from each bound to the next', () => {
    const text = bars({ M: 1, MA: 2, MAC: 4, MACS: 8, measured: 10 });
    expect(
      [...text.matchAll(/class="(?:fill|hatch)-(\w)" x="(\S+)" width="(\S+)"/g)].map((each) => each.slice(1)),
    ).toEqual([
      ['m', '0%', '10%'],
      ['a', '10%', '10%'],
      ['c', '20%', '20%'],
      ['s', '40%', '40%'],
      ['p', '80%', '20%'],
    ]);
  });

  it('go back, hatched and with the reason, where a gap is negative', () => {
    const reason = { gap: 'C', kind: 'reuse', cycles: -1, text: 'The compiler reuses loads.' } as const;
    const text = bars({ M: 1, MA: 4, MAC: 3, MACS: 3.5 }, { causes: [reason] });
    expect(text).toContain('class="hatch-c" x="75%" width="25%"');
    expect(text).toContain('Below MA: The compiler reuses loads.');
    expect(bars({ M: 1, MA: 4, MAC: 3, MACS: 3.5 })).toContain('Below MA: No reason was found.');
  });

  it('begin with MAC where the source is not known', () => {
    expect(bars({ MAC: 2, MACS: 4 })).toMatch(/<b>MAC<\/b>.*class="fill-m" x="0%" width="50%"/s);
  });

  it('stay within their track for any bounds, none at all included', () => {
    fc.assert(
      fc.property(anyLoop(fc.constant('x')), (any) => {
        for (const [, x, width] of boundSteps(any).text.matchAll(/ x="([\d.]+)%" width="([\d.]+)%"/g))
          expect(Number(x) + Number(width)).toBeLessThanOrEqual(100.02);
      }),
    );
    expect(bars({ MAC: 0, MACS: 0 })).not.toMatch(/NaN|Infinity/);
  });
});

const nameOf = (tag: string): string => /^<[/!]?[\w-]*/.exec(tag)![0];

/** Has every kind of part: changed, new and gone loops, causes, notes, chains. */
function worse(head: boolean): Profile {
  const causes = [
    { gap: 'C', kind: 'spill', cycles: 1, count: 2, line: 3, text: 'A spill.', advice: 'Less.' },
  ] as const;
  const loops = [
    loop({
      bounds: head ? { M: 1, MA: 2, MAC: 1, MACS: 3, measured: 2 } : { MAC: 1, MACS: 2 },
      ...(head ? { causes, notes: ['A note.'], class: 'high-ilp', innermost: false } : {}),
    }),
    loop({ function: head ? 'new' : 'old', file: head ? 'n.c' : 'o.c', depth: head ? 3 : 2 }),
  ];
  const totals = { instructions: 9, cycles: head ? 4 : 3, ilp: 3 };
  return profileWith(loops, {
    total: totals,
    functions: [{ name: 'main', file: 'a.c', line: 1, calls: 1, ...totals }],
    calls: [
      {
        function: 'main',
        depth: 1,
        index: 0,
        ...totals,
        calls: [{ function: 'f', depth: 2, index: 0, ...totals, calls: [] }],
      },
    ],
    chains: [
      {
        length: totals.cycles,
        links: [
          {
            address: 'p+0x1',
            instruction: 'add',
            function: 'main',
            file: 'a.c',
            line: 2,
            count: totals.cycles,
            share: 1,
          },
        ],
      },
    ],
  });
}
