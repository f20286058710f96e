import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { anyLoop, cause, loop, profileWith } from '../../test/bounds/loops.ts';
import { diffProfiles } from '../diff/diff-profiles.ts';
import { judge } from '../gate/judge.ts';
import type { Limit } from '../gate/limits.ts';
import type { GateResult } from '../gate/result.ts';
import type { LoopProfile } from '../profile/loops.ts';
import { sourceNotes } from './annotate.ts';
import { boundsSummary } from './bounds-summary.ts';
import { describeLoopChange, gapLines, reasonsFor } from './bounds-words.ts';
import { IN_TEXT } from './escape.ts';
import { jsonReport } from './json.ts';
import { markdownReport } from './markdown.ts';
import { NO_PAINT } from './ports.ts';
import { textReport } from './text.ts';

const hostile = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc
    .array(
      fc.constantFrom(
        ...['`', '|', '\\', '@octocat', '#1', '<b>', '</details>', '\n', '\r', '::error::', '##[error]'],
        ...['\u202e', '\u001b[31m', '```', '-->', '| --- |', '- ', '# ', 'a', ' ', 'spill', 'kernel.c'],
      ),
      { minLength: 1, maxLength: 8 },
    )
    .map((parts) => parts.join('')),
);

const NONE_MORE: Limit = { kind: 'absolute', amount: { units: 0, decimals: 0 } };

/** The head's loops are the base's, compiled differently, and some others. */
const result: fc.Arbitrary<GateResult> = fc
  .record({
    base: fc.array(anyLoop(hostile), { maxLength: 4 }),
    worse: fc.array(anyLoop(hostile), { minLength: 4, maxLength: 4 }),
    others: fc.array(anyLoop(hostile), { maxLength: 2 }),
    machine: hostile,
  })
  .map(({ base, worse, others, machine }) => {
    const changed = base.map((each, at): LoopProfile => {
      const { bounds, gaps, runTime, causes, notes, limits } = worse[at]!;
      return { ...each, bounds, gaps, runTime, causes, notes, limits };
    });
    const head = profileWith([...changed, ...others], { run: { machine } });
    const program = { ...head.environment.program, loaded: 'rebuilt' };
    const diff = diffProfiles(profileWith(base, { run: { machine } }), {
      ...head,
      environment: { ...head.environment, program },
    });
    const levels = [{ mac: NONE_MORE, macs: NONE_MORE, 'run-time-bound': NONE_MORE }];
    return { targets: [{ kind: 'judged', target: 't', verdict: judge(diff, levels) }] };
  });

describe('whatever loops hold,', () => {
  it('the text is lines that no terminal and no runner obeys', () => {
    fc.assert(
      fc.property(result, (judged) => {
        const text = textReport(judged, NO_PAINT);
        expect(text).not.toMatch(/[^\P{C}\n]/u);
        for (const line of text.split('\n')) expect(line).not.toMatch(/^\s*::|##\[/);
      }),
    );
  });

  it('the Markdown keeps its tables, blocks and its budget', () => {
    fc.assert(
      fc.property(result, (judged) => {
        const report = markdownReport(judged);
        expect(report.length).toBeLessThanOrEqual(60_000);
        expect(report.split('\n').filter((line) => line === '<details>').length).toBe(
          report.split('\n').filter((line) => line === '</details>').length,
        );
        const bars = (line: string): number => line.match(/(?<!\\)\|/g)?.length ?? 0;
        let columns = 0;
        for (const line of report.split('\n')) {
          if (!line.startsWith('|')) columns = 0;
          else if (columns === 0) columns = bars(line);
          else expect(bars(line)).toBe(columns);
        }
      }),
    );
  });

  it('annotations, JSON and the summary are made', () => {
    fc.assert(
      fc.property(result, (judged) => {
        for (const { message, title } of sourceNotes(judged))
          expect(`${title}${message}`).not.toMatch(/\p{Cc}/u);
        expect(JSON.parse(jsonReport(judged)).targets[0].bounds.comparable).toBe(true);
      }),
    );
    fc.assert(
      fc.property(fc.array(anyLoop(hostile), { maxLength: 4 }), (loops) => {
        expect(boundsSummary(profileWith(loops), NO_PAINT)).not.toMatch(/[^\P{C}\n]|##\[/u);
      }),
    );
  });
});

describe('what came with a change of bounds is', () => {
  const pairOf = (base: Partial<LoopProfile>, head: Partial<LoopProfile>) => {
    const [pair] = diffProfiles(profileWith([loop(base)]), profileWith([loop(head)])).bounds!.loops;
    if (pair === undefined || !('causes' in pair)) throw new Error('the loops are not paired');
    return pair;
  };
  const reasons = (base: Partial<LoopProfile>, head: Partial<LoopProfile>): string[] =>
    reasonsFor(pairOf(base, head), IN_TEXT);
  const [fast, slow] = [{ bounds: { MAC: 2, MACS: 3 } }, { bounds: { MAC: 2, MACS: 4 } }];

  it('causes that cost more where it got worse, and less where it got better', () => {
    const spill = cause({ line: 42, cycles: 1 });
    const call = cause({ kind: 'call', cycles: 0.5 });
    expect(reasons({ ...fast, causes: [call] }, { ...slow, causes: [spill] })).toEqual([
      'a spill in line 42 (+1.00 CPL)',
    ]);
    expect(reasons({ ...slow, causes: [spill] }, { ...fast, causes: [call] })).toEqual([
      'no longer a spill in line 42 (-1.00 CPL)',
    ]);
    expect(
      reasons(
        { ...fast, causes: [{ ...spill, count: 1 }] },
        { ...slow, causes: [{ ...spill, count: 3, cycles: 2 }] },
      ),
    ).toEqual(['a spill in line 42 (1 → 3, +1.00 CPL)']);
    expect(reasons(fast, { ...slow, causes: [cause({ kind: 'odd-thing', file: 'x.h', line: 7 })] })).toEqual([
      'odd thing at x.h:7',
    ]);
  });

  it('without causes, what was compiled differently', () => {
    const compiled = { ...loop().compiled, loads: 3, instructions: 8 };
    expect(reasons({ ...fast, unroll: 4 }, { ...slow, compiled, unroll: 1 })).toEqual([
      'not unrolled, before 4 times',
      'instructions 6 → 8 an iteration',
      'loads 1 → 3 an iteration',
    ]);
    expect(reasons(fast, slow)).toEqual([]);
    expect(describeLoopChange(pairOf(fast, slow), IN_TEXT)).toBe(
      'the loop at kernel.c:10 in kernel: MACS 3.00 → 4.00 CPL: the profiles hold no cause.',
    );
  });

  it('said with a hint only where it got worse', () => {
    const bad = { ...slow, causes: [cause({ line: 11, cycles: 2, advice: 'Do less' })] };
    const good = { ...fast, causes: [cause({ line: 11, cycles: 1, advice: 'Do less' })] };
    expect(describeLoopChange(pairOf(good, bad), IN_TEXT)).toMatch(/ back\. Do less\.$/);
    expect(describeLoopChange(pairOf(bad, good), IN_TEXT)).not.toMatch(/Do less/);
  });

  it('more iterations where the bounds stand still', () => {
    expect(describeLoopChange(pairOf(fast, { ...fast, iterations: 2000, runTime: 6000 }), IN_TEXT)).toBe(
      'the loop at kernel.c:10 in kernel: run-time bound 3,000 → 6,000 cycles: 1,000 → 2,000 iterations.',
    );
  });
});

it('a negative gap has its reason, or it is said that none was found', () => {
  const bounds = { M: 1, MA: 3, MAC: 2, MACS: 2 };
  expect(gapLines(loop({ bounds }), IN_TEXT)).toEqual(['gap C -1.00: no reason was found']);
  const reuse = cause({ gap: 'C', kind: 'reuse', cycles: -1, text: 'Loads are shared.' });
  expect(gapLines(loop({ bounds, causes: [reuse] }), IN_TEXT)).toEqual([
    'gap C -1.00: reuse (-1.00 CPL). Loads are shared.',
  ]);
});
