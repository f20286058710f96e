import { describe, expect, it } from 'vitest';
import { cause, loop, profileWith } from '../../test/bounds/loops.ts';
import { diffProfiles } from '../diff/diff-profiles.ts';
import type { LoopProfile, ParallelBounds, RunBounds } from '../profile/loops.ts';
import type { Profile } from '../profile/profile.ts';
import { judge } from './judge.ts';
import { unjudgedBounds } from './judge-bounds.ts';
import type { BoundMetric, Limits } from './limits.ts';
import { parseLimit } from './parse-limit.ts';

const limit = (metric: BoundMetric, text: string) => {
  const parsed = parseLimit(metric, text);
  if (parsed.kind === 'refused') throw new Error(parsed.expected);
  return { [metric]: parsed.limit };
};

const rebuilt = (loops: readonly LoopProfile[], about: Parameters<typeof profileWith>[1] = {}): Profile => {
  const { environment, ...profile } = profileWith(loops, about);
  return {
    ...profile,
    environment: { ...environment, program: { name: 'p', sha256: '', loaded: 'rebuilt' } },
  };
};

const dot = loop({ function: 'dot', line: 5, runTime: 3000 });
const slowDot = loop({
  function: 'dot',
  line: 6,
  bounds: { MAC: 2, MACS: 4 },
  runTime: 4000,
  causes: [cause({ line: 7, cycles: 1 })],
});
const other = loop({ function: 'other', line: 20, iterations: 5000, runTime: 15_000 });

const verdictOn = (base: readonly LoopProfile[], head: readonly LoopProfile[], ...levels: Limits[]) =>
  judge(diffProfiles(profileWith(base), rebuilt(head)), levels);
const found = (...args: Parameters<typeof verdictOn>) =>
  verdictOn(...args).findings.map(({ metric, function: name, base, head }) => [metric, name, base, head]);

describe('bounds', () => {
  it('are not limited unless the user says so', () => {
    expect(verdictOn([dot, other], [slowDot, other]).outcome).toBe('passed');
  });

  it('per iteration are held against the limit of the loop’s function, with the loop’s line and its causes', () => {
    const { outcome, findings } = verdictOn([dot, other], [slowDot, other], limit('macs', '0'));
    expect(outcome).toBe('regression');
    expect(findings).toMatchObject([
      {
        metric: 'macs',
        function: 'dot',
        file: 'kernel.c',
        line: 6,
        base: 3,
        head: 4,
        delta: 1,
        cause: { kind: 'loop', pair: { bounds: ['M', 'MA', 'MACS'], causes: [{ kind: 'came' }] } },
      },
    ]);
    expect(found([dot], [slowDot], limit('macs', '+1'))).toEqual([]);
    expect(found([dot], [slowDot], limit('macs', '+33%'))).toHaveLength(1);
    expect(found([dot], [slowDot], limit('macs', '+34%'))).toEqual([]);
    expect(found([dot], [slowDot], limit('mac', '0'))).toEqual([]);
    const others: Limits = { ...limit('macs', '0'), functions: { dot: limit('macs', 'none') } };
    expect(found([dot], [slowDot], others)).toEqual([]);
    const onlyDot: Limits = { functions: { dot: limit('macs', '0') } };
    expect(found([dot, other], [slowDot, { ...other, bounds: { MAC: 9, MACS: 9 } }], onlyDot)).toHaveLength(
      1,
    );
  });

  it('of the run are held against its limit, then those of each function, and name the loop that did it', () => {
    const limits = limit('run-time-bound', '+1%');
    expect(found([dot, other], [slowDot, other], limits)).toEqual([
      ['run-time-bound', undefined, 18_100, 19_100],
      ['run-time-bound', 'dot', 3000, 4000],
    ]);
    expect(verdictOn([dot, other], [slowDot, other], limits).findings[0]?.cause).toMatchObject({
      kind: 'loop',
      pair: { head: { function: 'dot' } },
    });
    const added = loop({ function: 'added', runTime: 9000 });
    expect(verdictOn([dot, other], [dot, other, added], limits).findings).toMatchObject([
      { metric: 'run-time-bound', cause: { kind: 'new-loop', loop: { function: 'added' } } },
    ]);
  });

  it('of a loop that moved to another function count where it is now, so that inlining is no regression', () => {
    const main = loop({ function: 'main', file: 'main.c', line: 1, iterations: 9 });
    const inlined = { ...dot, function: 'main', depth: 2 };
    expect(found([main, dot], [main, inlined], limit('run-time-bound', '0'))).toEqual([]);
  });

  it('of the same binary with the same counts are not judged: the tool moved them', () => {
    const verdict = judge(diffProfiles(profileWith([dot]), profileWith([slowDot])), [limit('macs', '0')]);
    expect(verdict).toMatchObject({ outcome: 'unchanged', findings: [] });
  });
});

describe('limits on bounds that cannot be judged', () => {
  const bounded = profileWith([dot]);
  const limits: Limits[] = [{}, { functions: { '*': limit('macs', '0') } }];
  const problem = (base: Profile, head: Profile, levels = limits) =>
    unjudgedBounds(diffProfiles(base, head), levels);

  it('are a failure that says which side lacks them', () => {
    expect(problem(profileWith(undefined), bounded)).toMatchObject({
      code: 'bounds-missing',
      facts: { side: 'base', limits: ['macs'] },
    });
    expect(problem(bounded, profileWith(undefined))).toMatchObject({ facts: { side: 'head' } });
    expect(problem(profileWith(undefined), profileWith(undefined))).toMatchObject({
      facts: { side: 'head' },
    });
    expect(problem(profileWith([dot], { run: { machine: 'zen4' } }), bounded)).toMatchObject({
      code: 'bounds-other-machine',
      facts: { base: 'zen4', head: 'skylake' },
    });
  });

  it('are none where nothing is limited, or both sides have bounds of one machine', () => {
    expect(problem(bounded, bounded)).toBeUndefined();
    expect(problem(profileWith(undefined), bounded, [limit('macs', 'none')])).toBeUndefined();
  });

  it('leave a note where nothing is limited', () => {
    const notes = (base: Profile, head: Profile) => judge(diffProfiles(base, head), []).notes;
    expect(notes(profileWith(undefined), bounded)).toEqual([
      { kind: 'bounds-not-compared', because: 'no-base' },
    ]);
    expect(notes(bounded, profileWith(undefined))).toEqual([
      { kind: 'bounds-not-compared', because: 'no-head' },
    ]);
    expect(notes(profileWith(undefined), profileWith(undefined))).toEqual([]);
  });
});

describe('the parallel bounds of a run', () => {
  const parallel = (about: Partial<ParallelBounds> = {}): ParallelBounds => ({
    threads: 4,
    sequential: 4000,
    balanced: 1000,
    runTime: 1050,
    imbalance: 1.05,
    utilisation: 0.9524,
    speedUp: 3.8095,
    waiting: 0,
    regions: [],
    loops: [],
    ...about,
  });
  const skewed = parallel({ runTime: 2000, imbalance: 2, utilisation: 0.5, speedUp: 2 });
  const verdict = (base: Partial<RunBounds>, head: Partial<RunBounds>, ...levels: Limits[]) =>
    judge(diffProfiles(profileWith([dot], { run: base }), rebuilt([dot], { run: head })), levels);
  const limits = {
    ...limit('parallel-bound', '+1%'),
    ...limit('load-imbalance', '+0.1'),
    ...limit('utilisation', '-0.1'),
  };

  it('are held against their limits: more cycles, more imbalance, less utilisation', () => {
    const { outcome, findings } = verdict({ parallel: parallel() }, { parallel: skewed }, limits);
    expect(outcome).toBe('regression');
    expect(findings.map(({ metric, base, head, delta }) => [metric, base, head, delta])).toEqual([
      ['parallel-bound', 1050, 2000, 950],
      ['load-imbalance', 1.05, 2, 0.95],
      ['utilisation', 0.9524, 0.5, -0.4524],
    ]);
    expect(verdict({ parallel: skewed }, { parallel: parallel() }, limits).findings).toEqual([]);
    expect(verdict({ parallel: parallel() }, { parallel: skewed }).findings).toEqual([]);
  });

  it('of a run with one thread are its bounds on one processor', () => {
    const { findings } = verdict({ parallel: parallel() }, {}, limits);
    expect(findings.map(({ metric, head }) => [metric, head])).toEqual([['parallel-bound', 3100]]);
    expect(verdict({}, {}, limits).findings).toEqual([]);
  });

  it('are no pass where a run has too many threads for them', () => {
    const threads = [{ index: 0, instructions: 900 }];
    const head = profileWith([dot], { threads });
    const diff = diffProfiles(profileWith([dot], { run: { parallel: parallel() } }), head);
    expect(unjudgedBounds(diff, [limits])).toMatchObject({
      code: 'parallel-bounds-missing',
      facts: { side: 'head', limits: ['parallel-bound', 'load-imbalance', 'utilisation'] },
    });
    expect(unjudgedBounds(diff, [limit('macs', '0')])).toBeUndefined();
  });
});
