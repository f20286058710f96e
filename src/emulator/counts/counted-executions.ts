import type { Executions } from '../../observation/observation.ts';
import type { ThreadShares } from '../../observation/shares.ts';
import { Tally } from '../../translate/counts/tally.ts';
import type { RecordSpace } from '../../translate/interpreter/record-space.ts';
import type { MeasuredMemory } from '../memory/measured-memory.ts';
import { DividedCounts } from './divided-counts.ts';
import { ExecutionCounts } from './executions.ts';
import type { Forks } from './forks.ts';

/** How often the instructions of a code space are executed, if anybody asks. The tally in generated code comes and goes with the code. */
export class CountedExecutions {
  /** Counts in the code that there is. */
  tally: Tally | undefined;
  private readonly isWanted: boolean;
  private readonly forks: Forks | undefined;
  private counted = new ExecutionCounts();
  private divided: DividedCounts | undefined;
  private isCounted = false;

  /** With forks it is divided among threads and their regions. */
  constructor(isWanted: boolean, forks: Forks | undefined) {
    this.isWanted = isWanted;
    this.forks = forks;
  }

  get isDivided(): boolean {
    return this.divided !== undefined;
  }

  /** The run begins anew, or with another program: what was counted so far is not to be. */
  restart(): void {
    this.counted = new ExecutionCounts();
    this.forks?.restart();
    this.divided = this.forks && new DividedCounts(this.forks);
  }

  /** There is new code, and none yet. Chains are found by running again: what is executed is known by then. */
  startTally({ memory, plan, places }: MeasuredMemory, records: RecordSpace): void {
    this.tally = undefined;
    if (!this.isWanted || plan.kind !== 'lanes') return;
    this.tally = new Tally(memory.buffer, records, places);
    if (this.isCounted) this.tally.close();
  }

  /** The code is about to go. */
  takeTally(): void {
    if (this.tally === undefined) return;
    if (this.divided === undefined) this.counted.add(this.tally, false);
    else this.divided.take(this.tally);
  }

  /** Refers to no memory any more. */
  letGo(): void {
    this.tally = undefined;
  }

  /** An execution that was counted, or is about to be, has not retired: until what this gives is called. */
  postpone(address: number): () => void {
    return (this.divided ?? this.counted).postpone(address);
  }

  /** Counts go to the thread that runs, in the region that it is in. Between slices. */
  divide(): void {
    if (this.tally !== undefined) this.divided?.follow(this.tally);
  }

  /** What was executed since there is this memory. To be asked for once, after the first pass. */
  executions(): Executions {
    if (this.tally !== undefined) this.counted.add(this.tally, true);
    this.tally?.close();
    const result = this.counted.result();
    this.counted = new ExecutionCounts();
    this.isCounted = true;
    return result;
  }

  /** `executions`, divided. After the run. */
  threadShares(): ThreadShares {
    this.takeTally();
    this.tally?.close();
    return this.divided!.result();
  }
}
