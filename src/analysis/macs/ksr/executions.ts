import { Failure } from '../../../base/failure.ts';
import type { Area } from '../../../ksr/areas.ts';
import type { KsrLoop, KsrLoops } from '../../../ksr/loops.ts';
import { type ExecutedBlock, runTimeBound } from '../run-time.ts';

/**
 * Counts of a run by label (section 4.3, figure 3): of a loop how often its body was executed, of a forward branch in an
 * innermost loop how often it was taken. `LABEL@LINE` names one of several branches to a label by its line.
 */
export type Counts = ReadonlyMap<string, number>;

export interface Executed {
  /** Iterations of the compiled loop. */
  readonly executions: number;
  /** RB of the loop: of its blocks, or of its residue. */
  readonly cycles: number;
  /** Pairs that an iteration executes on average. */
  readonly length: number;
}

/** Of each loop that has a count, in their order; undefined for the others. */
export function executedLoops({ loops }: KsrLoops, counts: Counts): readonly (Executed | undefined)[] {
  const names = new Names(counts);
  const areas = loops.map((loop) => loop.areas.map((area) => names.countOf(area.target, area.branchLine)));
  const executions = loops.map(({ label, branchLine }) => names.countOf(label, branchLine));
  names.check(loops);
  return loops.map((loop, i) => {
    const times = executions[i];
    return times === undefined ? undefined : executedLoop(loop, times, areas[i]);
  });
}

function executedLoop(loop: KsrLoop, executions: number, taken: readonly (number | undefined)[]): Executed {
  const blocks = blocksOf(loop, executions, taken);
  const cycles = runTimeBound(blocks);
  return { executions, cycles, length: executions === 0 ? 0 : cycles / executions };
}

/**
 * The loop less what its branches skipped, each area as a block that was not executed as often as its branch was taken: going
 * forward, an iteration passes by a pair through one branch at most, so areas within each other or across need no more.
 */
function blocksOf(
  loop: KsrLoop,
  executions: number,
  taken: readonly (number | undefined)[],
): readonly ExecutedBlock[] {
  const skips: { readonly area: Area; readonly times: number }[] = [];
  loop.areas.forEach((area, i) => {
    const passedBy = skips.filter((skip) => skip.area.begin <= area.branch && area.branch < skip.area.end);
    const reached = passedBy.reduce((rest, { times }) => rest - times, executions);
    const times = taken[i] ?? (area.conditional ? 0 : reached);
    if (times > reached)
      throw new Failure(
        'usage',
        'bad-counts',
        `the branch to ${area.target} on line ${area.branchLine} cannot have been taken ${times} times: it was reached ${reached} times`,
      );
    skips.push({ area, times });
  });
  return [
    { cycles: loop.statistics.length, executions },
    ...skips.map(({ area, times }) => ({ cycles: area.statistics.length, executions: -times })),
  ];
}

/** Looks counts up by label, and by label and line where a label alone could mean several branches. */
class Names {
  readonly #counts: Counts;
  readonly #used = new Map<string, number>();

  constructor(counts: Counts) {
    this.#counts = counts;
  }

  countOf(label: string, line: number): number | undefined {
    const exact = `${label}@${line}`;
    const key = this.#counts.has(exact) ? exact : label;
    const count = this.#counts.get(key);
    if (count !== undefined) this.#used.set(key, (this.#used.get(key) ?? 0) + 1);
    return count;
  }

  /** Every count must have been for one branch. */
  check(loops: readonly KsrLoop[]): void {
    for (const key of this.#counts.keys()) {
      const uses = this.#used.get(key) ?? 0;
      if (uses === 1) continue;
      const known = loops.flatMap(({ label, areas }) => [label, ...areas.map(({ target }) => target)]);
      const problem =
        uses === 0
          ? `there is a count for ${JSON.stringify(key)}, but no loop or forward branch of that label; there are: ${[...new Set(known)].slice(0, 20).join(', ')}`
          : `there are ${uses} branches to ${key}: give a count for each as ${key}@LINE, with the line of the branch`;
      throw new Failure('usage', 'bad-counts', problem, { label: key });
    }
  }
}
