/** A stretch of code and how often it was executed: a basic block, or a residue. */
export interface ExecutedBlock {
  /** Its MACS bound, B of the paper. */
  readonly cycles: number;
  /** C of the paper. */
  readonly executions: number;
}

/**
 * RB, the run-time bound in cycles of what one processor executes (equation 4.15, and 4.16 for a sequential section of a
 * parallel program). Adding blocks is right where they do not overlap, as on the KSR1.
 */
export function runTimeBound(blocks: readonly ExecutedBlock[]): number {
  return blocks.reduce((sum, { cycles, executions }) => sum + cycles * executions, 0);
}

/**
 * What each thread of a team does in a region, in cycles: its own work, and the regions that it forks in it, one after the
 * other. A sequential section is a team of one.
 */
export interface TeamWork {
  readonly threads: readonly {
    /** RB of what the thread executes itself (equation 4.15 for its own iterations). */
    readonly cycles: number;
    readonly regions: readonly TeamWork[];
  }[];
}

/** Para_RB of a region with an equal share of all work for each processor of the team (equation 4.17), with the regions within. */
export function balancedBound({ threads }: TeamWork): number {
  if (threads.length === 0) return 0;
  return total(threads.map((each) => alongThread(each, balancedBound))) / threads.length;
}

/**
 * Para_RB of a region with the work as it was distributed: the most that one of its threads takes (equation 4.18), with the
 * regions within, which it waits for (equation 4.19).
 */
export function actualBound({ threads }: TeamWork): number {
  return Math.max(0, ...threads.map((each) => alongThread(each, actualBound)));
}

function alongThread({ cycles, regions }: TeamWork['threads'][number], bound: typeof actualBound): number {
  return cycles + total(regions.map(bound));
}

/** RB of all the work, as if one processor did it. */
export function sequentialBound({ threads }: TeamWork): number {
  return total(threads.map((each) => alongThread(each, sequentialBound)));
}

/** How many times as long the actual distribution takes as an equal one; 1 where there is nothing to distribute. */
export function loadImbalance(actual: number, balanced: number): number {
  return balanced === 0 ? 1 : actual / balanced;
}

/**
 * MUF: the share of its time that a processor does what the MACS bound counts (equation 7.1: MACS over MACS and the gap to
 * the whole time). 0 where there is no time.
 */
export function machineUtilisation(macs: number, whole: number): number {
  return whole === 0 ? 0 : macs / whole;
}

/** How many times as fast as on one processor. */
export function speedUp(onOne: number, onMany: number): number {
  return onMany === 0 ? 1 : onOne / onMany;
}

const total = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0);
