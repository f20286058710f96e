import { Failure } from '../../base/failure.ts';
import type { BornProcess } from '../../linux/system.ts';
import type { Family, PassCounts, Process } from '../processes/process.ts';
import type { Deadlines } from '../slices/deadlines.ts';
import type { PendingCall } from '../threads/threads.ts';

interface ProcessTurnParts {
  readonly process: Process;
  readonly family: Family | undefined;
  readonly deadlines: Deadlines;
}

/** The turn that a process has among others, and what these hear of it. */
export class ProcessTurn {
  /** Whether others run next. */
  isOver = false;
  private readonly parts: ProcessTurnParts;

  constructor(parts: ProcessTurnParts) {
    this.parts = parts;
  }

  /** Whether there can be no others. */
  get isAlone(): boolean {
    return this.parts.family === undefined;
  }

  begin(): void {
    this.isOver = false;
    this.parts.deadlines.startTurn();
  }

  /** As many instructions as a turn has were executed: others that can run do so now. */
  spend(): void {
    const { process, family, deadlines } = this.parts;
    this.isOver = family!.areOthersReady(process);
    deadlines.startTurn();
  }

  /** The process has made a system call, perhaps to let others run; tells whether they run now. */
  called(yields: boolean): boolean {
    const { process, family } = this.parts;
    this.isOver ||= process.kernel.isStopped || (yields && family?.areOthersReady(process) === true);
    return this.isOver;
  }

  /** The process has started another one. Throws Failure where there can be none. */
  bear(born: BornProcess, call: PendingCall): void {
    const { process, family, deadlines } = this.parts;
    if (family === undefined)
      throw new Failure('guest', 'no-processes', 'child processes cannot be started here');
    family.born(process, born, call);
    deadlines.startTurn();
  }

  /** The process becomes another program; what it is before has ended. */
  replaced(counts: PassCounts): void {
    const { process, family } = this.parts;
    family?.replaced(process, counts);
  }
}
