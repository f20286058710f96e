import type { Machine } from '../../machines/machine.ts';
import type { RegionRecord, ThreadShare, ThreadShares } from '../../observation/shares.ts';
import type { LoopProfile, ParallelBounds, ParallelLoop, ParallelRegion } from '../../profile/loops.ts';
import type { MachineLoop } from '../loops/machine-loop.ts';
import {
  actualBound,
  balancedBound,
  loadImbalance,
  machineUtilisation,
  sequentialBound,
  speedUp,
  type TeamWork,
} from '../macs/run-time.ts';
import { type ExecutedCode, executedCode } from './executed.ts';
import { type RunLoop, threadRunTime } from './loop-profile.ts';
import { loopRun } from './loop-run.ts';

/** A loop of the run, with its bound. */
export interface BoundedLoop extends Pick<RunLoop, 'loop' | 'run' | 'memory'> {
  readonly profile: LoopProfile;
  readonly inner: readonly MachineLoop[];
  /** What a guest address has more than the image's. */
  readonly base: number;
}

/** Cycles of one thread in one region. */
interface Work {
  readonly region: number;
  readonly processor: number;
  readonly cycles: number;
  readonly byLoop: ReadonlyMap<BoundedLoop, number>;
}

/**
 * The parallel run-time bounds of a run (equations 4.16 to 4.19). `nameOf` names the function at a guest address. Loops that
 * wait by turning round (those with a pause instruction) are no work.
 */
export function parallelBounds(
  { regions, shares }: ThreadShares,
  loops: readonly BoundedLoop[],
  machine: Machine,
  nameOf: (address: number) => string | undefined,
): ParallelBounds {
  const working = loops.filter(({ loop }) => !waits(loop));
  const waiting = loops.filter(({ loop }) => waits(loop));
  const works = shares.map((share) => workOf(share, working, waiting, machine));
  const teams = regions.map((region, index) => teamOf(region, index, works));
  const run = teamWork(0, regions, teams, works);
  const runTime = actualBound(run);
  const sequential = sequentialBound(run);
  const threads = Math.max(1, ...teams.slice(1).map((team) => team.length));
  return {
    threads,
    sequential: rounded(sequential),
    balanced: rounded(balancedBound(run)),
    runTime: rounded(runTime),
    imbalance: rounded(loadImbalance(runTime, balancedBound(run))),
    utilisation: rounded(machineUtilisation(sequential / threads, runTime)),
    speedUp: rounded(speedUp(sequential, runTime)),
    waiting: rounded(waiting.reduce((sum, { profile }) => sum + profile.runTime, 0)),
    regions: regions.flatMap((region, index): ParallelRegion[] => {
      if (index === 0) return [];
      const work = teamWork(index, regions, teams, works);
      const [actual, balanced] = [actualBound(work), balancedBound(work)];
      const name = region.entry === undefined ? undefined : nameOf(region.entry);
      const part = partOf(index, regions);
      return [
        {
          ...(name === undefined ? {} : { function: name }),
          forker: region.forker,
          ...(region.parent === undefined || region.parent === 0 ? {} : { within: region.parent - 1 }),
          ...(part === 1 ? {} : { part }),
          times: region.times,
          balanced: rounded(balanced),
          runTime: rounded(actual),
          imbalance: rounded(loadImbalance(actual, balanced)),
          threads: teams[index].map((thread) => ({
            index: thread,
            runTime: rounded(cyclesIn(works, index, thread)),
          })),
        },
      ];
    }),
    loops: working
      .flatMap((loop) => parallelLoop(loop, regions, teams, works))
      .filter((loop) => loop.runTime >= NOTABLE * runTime)
      .sort((a, b) => b.runTime - a.runTime || (a.address < b.address ? -1 : 1)),
  };
}

/** Barriers divide a region into parts, in the order in which they were come to first. */
function partOf(index: number, regions: readonly RegionRecord[]): number {
  const { parent, forker, entry } = regions[index];
  return regions
    .slice(0, index + 1)
    .filter((each) => each.parent === parent && each.forker === forker && each.entry === entry).length;
}

/** A loop with less of the run-time bound tells nothing. */
const NOTABLE = 0.001;

const rounded = (value: number): number => Math.round(value * 10_000) / 10_000;

const waits = ({ blocks }: MachineLoop): boolean =>
  blocks.some(({ instructions }) => instructions.some(({ mnemonic }) => mnemonic === 'pause'));

function workOf(
  { region, processor, executions }: ThreadShare,
  working: readonly BoundedLoop[],
  waiting: readonly BoundedLoop[],
  machine: Machine,
): Work {
  const byBase = new Map<number, ExecutedCode>();
  const runOf = ({ loop, inner, base }: BoundedLoop) => {
    const executed = byBase.get(base) ?? executedCode(executions, base);
    byBase.set(base, executed);
    return loopRun(loop, inner, executed);
  };
  const byLoop = new Map<BoundedLoop, number>();
  let rest = executions.ranges.reduce((sum, range) => sum + range.instructions * range.executions, 0);
  rest += executions.replaced;
  for (const each of working) {
    const run = runOf(each);
    if (run === undefined) continue;
    rest -= run.instructions;
    byLoop.set(each, threadRunTime(each, each.profile.runTime, run, machine));
  }
  for (const each of waiting) rest -= runOf(each)?.instructions ?? 0;
  const inLoops = [...byLoop.values()].reduce((sum, cycles) => sum + cycles, 0);
  return { region, processor, cycles: inLoops + Math.max(0, rest) / machine.issue.width, byLoop };
}

/** What a processor does in a region; its threads there come one after the other. */
function cyclesIn(works: readonly Work[], region: number, processor: number, loop?: BoundedLoop): number {
  let sum = 0;
  for (const work of works)
    if (work.region === region && work.processor === processor)
      sum += loop === undefined ? work.cycles : (work.byLoop.get(loop) ?? 0);
  return sum;
}

/** Below this share of the busiest thread's work one that only starts and joins others is no worker. */
const WORKS = 0.01;

/** The processors that a region's work is for. Outside of all regions it is one. */
function teamOf(
  { entry, forker, team }: RegionRecord,
  index: number,
  works: readonly Work[],
): readonly number[] {
  if (index === 0) return [forker];
  if (entry !== undefined) return team.length === 0 ? [forker] : team;
  const most = Math.max(...team.map((thread) => cyclesIn(works, index, thread)));
  return team.filter((thread) => thread !== forker || cyclesIn(works, index, thread) >= WORKS * most);
}

/**
 * With the regions that are forked in it, each by its thread. What that does in one without working in it, starting and
 * joining threads, is a sequential section.
 */
function teamWork(
  index: number,
  regions: readonly RegionRecord[],
  teams: readonly (readonly number[])[],
  works: readonly Work[],
): TeamWork {
  return {
    threads: teams[index].map((thread) => {
      const inner = [...regions.keys()].filter(
        (each) => regions[each].parent === index && regions[each].forker === thread,
      );
      const apart = inner.filter((each) => !teams[each].includes(thread));
      return {
        cycles: [index, ...apart].reduce((sum, each) => sum + cyclesIn(works, each, thread), 0),
        regions: inner.map((each) => teamWork(each, regions, teams, works)),
      };
    }),
  };
}

/** A loop that a team of several executes: the same bounds of it alone. */
function parallelLoop(
  loop: BoundedLoop,
  regions: readonly RegionRecord[],
  teams: readonly (readonly number[])[],
  works: readonly Work[],
): ParallelLoop[] {
  let [balanced, runTime, threads] = [0, 0, 1];
  for (const index of [...regions.keys()].slice(1)) {
    const work: TeamWork = {
      threads: teams[index].map((thread) => ({
        cycles: cyclesIn(works, index, thread, loop),
        regions: [],
      })),
    };
    const actual = actualBound(work);
    if (actual === 0) continue;
    balanced += balancedBound(work);
    runTime += actual;
    threads = Math.max(threads, teams[index].length);
  }
  if (threads === 1) return [];
  const { address } = loop.profile;
  const imbalance = rounded(loadImbalance(runTime, balanced));
  return [{ address, threads, balanced: rounded(balanced), runTime: rounded(runTime), imbalance }];
}
