import { describe, expect, it } from 'vitest';
import { cause, loop, profileWith } from '../../test/bounds/loops.ts';
import { Failure } from '../base/failure.ts';
import { diffProfiles } from '../diff/diff-profiles.ts';
import { judge } from '../gate/judge.ts';
import type { GateResult, TargetResult } from '../gate/result.ts';
import type { Chain, Profile } from '../profile/profile.ts';
import { markdownReport } from './markdown.ts';

/** A profile of `functions` functions, each with a chain of `lines` source lines, all proportional to `size`. */
function profileOf(functions: number, lines: number, size: number, nameLength = 10): Profile {
  const name = (at: number): string => `f${at}`.padEnd(nameLength, '\u202e');
  const counts = { instructions: 100 * size, cycles: lines * size, ilp: 2 };
  const chain = (at: number): Chain => ({
    function: name(at),
    call: 0,
    length: lines * size,
    links: Array.from({ length: lines }, (_, line) => ({
      address: `p+0x${at}`,
      instruction: `add r${line}, rax`,
      function: name(at),
      file: `src/${at}.c`,
      line: line + 1,
      count: size,
      share: 1 / lines,
    })),
  });
  const every = Array.from({ length: functions }, (_, at) => at);
  return {
    format: 'ilp-gate/profile',
    version: 1,
    command: ['./p'],
    total: counts,
    functions: every.map((at) => ({ name: name(at), calls: 1, ...counts })),
    calls: [],
    chains: every.map(chain),
    environment: {
      tool: '1',
      rules: 1,
      isa: 'x86-64',
      program: { name: 'p', sha256: '', loaded: String(size) },
      libraries: [],
      compilers: [],
    },
  };
}

function regression(target: string, functions: number, lines: number, nameLength?: number): TargetResult {
  const verdict = judge(
    diffProfiles(profileOf(functions, lines, 5, nameLength), profileOf(functions, lines, 6, nameLength)),
    [],
  );
  return { kind: 'judged', target, verdict };
}

/** Every loop got worse and says why, with names that escaping makes long. */
function worseLoops(target: string, count: number, nameLength: number): TargetResult {
  const loops = (worse: boolean) =>
    Array.from({ length: count }, (_, at) =>
      loop({
        function: `f${at}`.padEnd(nameLength, '\u202e'),
        line: at + 1,
        address: `p+0x${at}`,
        bounds: worse ? { MAC: 3, MACS: 4 } : { MAC: 2, MACS: 3 },
        causes: worse ? [cause({ cycles: 1, text: '`|'.repeat(nameLength), advice: '<b>'.repeat(99) })] : [],
      }),
    );
  const head = profileWith(loops(true));
  const program = { ...head.environment.program, loaded: 'rebuilt' };
  const rebuilt = { ...head, environment: { ...head.environment, program } };
  const none = { kind: 'absolute', amount: { units: 0, decimals: 0 } } as const;
  const verdict = judge(diffProfiles(profileWith(loops(false)), rebuilt), [{ macs: none, mac: none }]);
  return { kind: 'judged', target, verdict };
}

const linesOf = (markdown: string): string[] => markdown.split('\n');

describe('the Markdown report', () => {
  it('shows everything where it fits', () => {
    const report = markdownReport({ targets: [regression('t', 3, 3)] });
    expect(report).toContain('```mermaid');
    expect(report).not.toContain('Left out');
  });

  it('shows the loops that got worse with what came with it, and all bounds folded', () => {
    const report = markdownReport({ targets: [worseLoops('t', 3, 5)] });
    expect(report.split('**3.00 → 4.00** ❌')).toHaveLength(4);
    expect(report.match(/^\*\*Why:\*\* the loop at `kernel\.c:\d` in .*: a spill/gm)).toHaveLength(3);
    expect(report).toContain('<summary>Bounds of loops on skylake</summary>');
  });

  it('gives up diagrams before it gives up reasons, and says so', () => {
    const result: GateResult = { targets: [regression('t', 20, 6)] };
    const whole = markdownReport(result, Number.POSITIVE_INFINITY);
    const report = markdownReport(result, whole.length - 1);
    expect(report.length).toBeLessThan(whole.length);
    expect(report).not.toContain('```mermaid');
    expect(report.match(/\*\*Why:\*\*/g)).toHaveLength(whole.match(/\*\*Why:\*\*/g)!.length);
    expect(report).toContain('*Left out to keep within the length of a comment: unchanged rows, diagrams.*');
  });

  it.each([
    ['1,000 regressions', [regression('t', 1000, 3)]],
    ['names that escaping makes ten times as long', [regression('t', 300, 8, 1000)]],
    ['300 loops with worse bounds', [worseLoops('t', 300, 10)]],
    ['loops with names that escaping makes ten times as long', [worseLoops('t', 100, 1000)]],
    ['60 targets with worse loops', Array.from({ length: 60 }, (_, at) => worseLoops(`t${at}`, 20, 40))],
    ['200 targets', Array.from({ length: 200 }, (_, at) => regression(`target-${at}`, 5, 5))],
    [
      '200 failures with long output',
      Array.from({ length: 200 }, (_, at): TargetResult => {
        const facts = { output: Array.from({ length: 10 }, () => '\u202e'.repeat(200)) };
        return {
          kind: 'failed',
          target: `t${at}`,
          failure: new Failure('guest', 'guest-exit', '\u202e'.repeat(2000), facts),
        };
      }),
    ],
  ])('keeps to its budget with %s, the verdict in the first line and every block closed', (_, targets) => {
    const report = markdownReport({ targets });
    expect(report.length).toBeLessThanOrEqual(60_000);
    expect(linesOf(report)[0]).toMatch(/^### /);
    expect(linesOf(report).filter((line) => line.startsWith('```')).length % 2).toBe(0);
    expect(report.split('<details>').length).toBe(report.split('</details>').length);
  });
});
