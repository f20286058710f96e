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
