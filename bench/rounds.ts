import type { Case } from './case.ts';
import type { Outcome, Result, Sample } from './result.ts';
import type { Run } from './stopwatch.ts';
import { instructionsIn, KEEPING, reasonIn, type Tool } from './tools.ts';

/** How many rounds a case deserves: noise is a smaller part of long ones, and three give a median and a range. */
function roundsFor(firstRound: number, most: number): number {
  if (firstRound <= 15) return most;
  return Math.min(most, firstRound <= 120 ? 3 : 1);
}

function failureOf(run: Run, expected: Run): string | undefined {
  if (run.end === 'stopped') return `not finished after ${run.wall.toFixed(0)} s`;
  if (run.end !== expected.end) return `${run.end} instead of ${expected.end}: ${reasonIn(run.stderr)}`;
  if (run.output !== expected.output) return 'its output differs from that of the native run';
  return undefined;
}

/** After so many, hardly anything of what is kept for the next run changes. */
const RUNS_BEFORE = 2;

/**
 * Runs a case under every tool once, and again, so that what else the machine does falls on all tools alike; each round
 * begins with another tool. A native run before warms the file cache and says what the program prints, and tools that keep code for their
 * next run get it. A tool that fails
 * once is left out of the further rounds.
 */
export function measure(
  benchmark: Case,
  tools: readonly Tool[],
  most: number,
  run: (tool: Tool) => Run,
  progress: (text: string) => void,
): Result {
  const expected = run('native');
  for (const tool of tools.filter((each) => KEEPING.includes(each)))
    for (let time = 0; time < RUNS_BEFORE; time++) run(tool);
  const samples = new Map<Tool, Sample[]>();
  const failures = new Map<Tool, string>();
  let instructions: number | undefined;
  let rounds = most;
  for (let round = 0; round < rounds; round++) {
    const from = round % tools.length;
    for (const tool of [...tools.slice(from), ...tools.slice(0, from)]) {
      if (failures.has(tool)) continue;
      const ran = run(tool);
      const failure = failureOf(ran, expected);
      progress(`round ${round + 1} of ${rounds}: ${tool} ${failure ?? `${ran.wall.toFixed(3)} s`}`);
      if (failure !== undefined) {
        failures.set(tool, failure);
        continue;
      }
      if (tool === 'callgrind') instructions = instructionsIn(ran.stderr);
      const { wall, cpu, memory } = ran;
      samples.set(tool, [...(samples.get(tool) ?? []), { wall, cpu, memory }]);
    }
    if (round === 0) {
      const firstRound = [...samples.values()].reduce((sum, [sample]) => sum + sample.wall, 0);
      rounds = roundsFor(firstRound, most);
    }
  }
  const outcome = (tool: Tool): Outcome => {
    const reason = failures.get(tool);
    return reason === undefined
      ? { kind: 'measured', samples: samples.get(tool)! }
      : { kind: 'failed', reason };
  };
  return {
    group: benchmark.group,
    name: benchmark.name,
    ...(instructions !== undefined && { instructions }),
    outcomes: Object.fromEntries(tools.map((tool) => [tool, outcome(tool)])),
  };
}
