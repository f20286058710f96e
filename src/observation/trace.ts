/**
 * What iterations of a loop accessed, as it was: the second half of what is asked of a run, once the first has told which
 * loops there are and how often they ran.
 */
export interface TraceRequest {
  /** First instruction of the loop's header, a guest address. */
  readonly header: number;
  /** The code whose accesses are recorded: all of an innermost loop, the residue of an outer one. Ends are exclusive. */
  readonly body: readonly CodeRange[];
  /** All of the loop, with those inside it, where that is more: what is outside of it enters the loop, and has left it. */
  readonly loop?: readonly CodeRange[];
  /** Which executions of the header samples begin with, counted from 0, in ascending order. One that lies in the sample
   * before it gets none of its own. */
  readonly occurrences: readonly number[];
  /** Executions of the header in a row that make a sample. */
  readonly iterations: number;
  /**
   * Most instructions of a sample, with those of the functions that it calls: it ends early before an iteration that does
   * not fit (the first is there, as far as it fits). So it does when the loop is left for more than AWAY instructions.
   */
  readonly instructions: number;
}

export interface CodeRange {
  readonly start: number;
  readonly end: number;
}

/** A sample goes on where a loop that was left is entered again within so many instructions. */
export const AWAY = 2000;

export interface LoopTrace {
  readonly header: number;
  readonly samples: readonly LoopSample[];
}

export interface LoopSample {
  /** Which execution of the header it begins with. */
  readonly occurrence: number;
  readonly iterations: readonly TracedIteration[];
}

/** From one execution of the header to the next. */
export interface TracedIteration {
  /** Control came to the header from outside of the loop, so that nothing is carried into it. Not known, and false, for a sample's first. */
  readonly entered: boolean;
  /** In the order in which they happened. */
  readonly accesses: readonly TracedAccess[];
}

export interface TracedAccess {
  readonly kind: 'load' | 'store';
  /** Address of the instruction. */
  readonly instruction: number;
  readonly address: number;
  /** Bytes; more than 16 for instructions that repeat, and for system calls. */
  readonly size: number;
}
