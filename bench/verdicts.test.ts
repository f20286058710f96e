import { describe, expect, it } from 'vitest';
import type { Group } from './case.ts';
import type { Outcome, Result } from './result.ts';
import { verdicts } from './verdicts.ts';

function result(group: Group, name: string, callgrind: number, gate: number | string, memory = 5e8): Result {
  const measured = (wall: number, bytes: number): Outcome => ({
    kind: 'measured',
    samples: [{ wall, cpu: wall, memory: bytes }],
  });
  return {
    group,
    name,
    outcomes: {
      native: measured(0.1, 5e7),
      callgrind: measured(callgrind, 1e8),
      gate: typeof gate === 'string' ? { kind: 'failed', reason: gate } : measured(gate, memory),
    },
  };
}

function told(results: readonly Result[]): Record<string, string> {
  return Object.fromEntries(
    verdicts(results).map(({ target, measured, passed }) => [
      target.slice(0, 40),
      `${passed === undefined ? '-' : passed ? 'pass' : 'fail'}: ${measured}`,
    ]),
  );
}

describe('the verdicts', () => {
  it('judge the mean of the kernels that take callgrind a second, and no others', () => {
    const told_ = told([
      result('kernels', 'sum', 2, 0.2),
      result('kernels', 'dot', 2, 0.8),
      result('kernels', 'tiny', 0.5, 5),
    ]);
    expect(told_['kernels of 1 s or more: geometric mean o']).toBe('pass: 0.200 (2 measured)');
    expect(told_['stretch: at most 0.15']).toBe('fail: 0.200 (2 measured)');
    expect(told_['kernels of 1 s or more: none over callgr']).toBe('pass: all 2');
  });

  it('fail a mean that a case is missing from, and name the case', () => {
    const told_ = told([result('programs', 'bc', 2, 0.2), result('programs', 'jq', 2, 'unsupported')]);
    expect(told_['real programs: geometric mean over callg']).toBe('fail: 0.100 (1 measured, without jq)');
    expect(told_['real programs of 2 s or more: none over ']).toBe('fail: jq: not measured');
  });

  it('allow a program of less than two seconds half a second more than callgrind takes', () => {
    const told_ = told([result('programs', 'sort', 1, 1.4), result('programs', 'bc', 1.9, 2.5)]);
    expect(told_['shorter real programs: at most callgrind']).toBe('fail: bc: 2.50 s');
    expect(told_['real programs of 2 s or more: none over ']).toBe('-: not measured');
  });

  it('judge random chases over memory by themselves', () => {
    const told_ = told([result('kernels', 'list 16 MB', 2, 2.4), result('kernels', 'list 16 KB', 2, 3)]);
    expect(told_['random chases over 16 MB and 64 MB: none']).toBe('fail: list 16 MB: 1.20');
  });

  it('judge first runs as well, where they were measured', () => {
    const bc = result('programs', 'bc', 2, 0.8);
    const first = result('programs', 'bc', 2, 2.2).outcomes.gate;
    const told_ = told([{ ...bc, outcomes: { ...bc.outcomes, 'gate, first run': first! } }]);
    expect(told_['real programs: geometric mean over callg']).toBe('pass: 0.400 (1 measured)');
    expect(told_['first runs: real programs: geometric mea']).toBe('fail: 1.100 (1 measured)');
    expect(told_['first runs: real programs of 2 s or more']).toBe('fail: bc: 1.10');
    expect(told([bc])['first runs: real programs: geometric mea']).toBeUndefined();
  });

  it('judge start-up and memory by what was measured, and nothing by what was not', () => {
    const told_ = told([result('startup', 'true', 0.4, 0.45, 2 ** 31)]);
    expect(told_['`true`, dynamic: at most 0.5 s']).toBe('pass: 0.45 s');
    expect(told_['guests of at most 100 MB: peak memory at']).toBe('fail: true: 2.00 GB');
    expect(told_['four nested contexts: at most 1.15 times']).toBe('-: not measured (--contexts)');
  });
});
