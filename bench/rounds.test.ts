import { describe, expect, it } from 'vitest';
import type { Case } from './case.ts';
import { measure } from './rounds.ts';
import type { Run } from './stopwatch.ts';
import type { Tool } from './tools.ts';

const CASE: Case = { group: 'kernels', name: 'sum', program: '/sum', args: [] };
const RUN: Run = { end: 'exit 0', wall: 1, cpu: 1, memory: 4096, output: 'a', stderr: '' };
const TOOLS: readonly Tool[] = ['native', 'callgrind', 'gate'];

function record(answers: Partial<Record<Tool, Partial<Run>>>, most: number) {
  const order: Tool[] = [];
  const run = (tool: Tool): Run => {
    order.push(tool);
    return { ...RUN, ...answers[tool] };
  };
  const result = measure(CASE, TOOLS, most, run, () => {});
  return { order, result };
}

describe('the rounds of a case', () => {
  it('run every tool once before any runs again, each round from another tool on, after a native run and two of what keeps code', () => {
    const { order } = record({}, 3);
    expect(order).toEqual([
      'native',
      ...['gate', 'gate'],
      ...['native', 'callgrind', 'gate'],
      ...['callgrind', 'gate', 'native'],
      ...['gate', 'native', 'callgrind'],
    ]);
  });

  it('become three for a case of 15 seconds or more a round, and one from two minutes on', () => {
    expect(record({ gate: { wall: 20 } }, 5).order.length).toBe(3 + 3 * 3);
    expect(record({ gate: { wall: 200 } }, 5).order.length).toBe(3 + 3);
  });

  it('leave a tool out that failed, and keep its message', () => {
    const stderr =
      'ilp-gate: the program uses an instruction that is not supported: vpaddd\n  Build for ...\n';
    const { order, result } = record({ gate: { end: 'exit 126', stderr } }, 2);
    expect(order.filter((tool) => tool === 'gate')).toHaveLength(2 + 1);
    expect(result.outcomes.gate).toEqual({
      kind: 'failed',
      reason:
        'exit 126 instead of exit 0: ilp-gate: the program uses an instruction that is not supported: vpaddd',
    });
    expect(result.outcomes.native).toMatchObject({ kind: 'measured', samples: [{}, {}] });
  });

  it('do not count a run whose output is not that of the native run', () => {
    const { result } = record({ callgrind: { output: 'b' } }, 1);
    expect(result.outcomes.callgrind).toEqual({
      kind: 'failed',
      reason: 'its output differs from that of the native run',
    });
  });

  it('take the instruction count from what callgrind says at its end', () => {
    const { result } = record(
      { callgrind: { stderr: '==7== Events    : Ir\n==7== Collected : 123456\n' } },
      1,
    );
    expect(result.instructions).toBe(123456);
  });
});
