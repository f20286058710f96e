import { Failure } from '../../base/failure.ts';
import type { Kernel } from '../../linux/kernel.ts';
import type { Guest } from '../guest.ts';
import type { Family } from '../processes/process.ts';
import type { Scheduler } from '../threads/scheduler.ts';
import type { Halt } from './halt.ts';
import type { SliceClock } from './slice-clock.ts';
import type { SliceBounds } from './slice-length.ts';

/** Instructions that a process executes before others run that are ready. Belongs to the rules' version (rule 1). */
const TURN = 1_000_000;

interface DeadlineParts {
  readonly clock: SliceClock;
  readonly kernel: Kernel;
  readonly guest: Guest;
  readonly scheduler: () => Scheduler;
  readonly family: Family | undefined;
  readonly halt: Halt | undefined;
}

/** Counts of instructions at which something ends: a thread's or process's turn, the wait for a timer, the run, what a pass is for. */
export class Deadlines {
  private readonly parts: DeadlineParts;
  private turnStart = 0;

  constructor(parts: DeadlineParts) {
    this.parts = parts;
  }

  /** The process's turn begins. */
  startTurn(): void {
    this.turnStart = this.parts.clock.executed;
  }

  /** Whether the process's turn is over, if there are others. */
  get isTurnSpent(): boolean {
    const { family, clock } = this.parts;
    return family?.isShared === true && clock.executed === this.turnStart + TURN;
  }

  /** Instructions of other processes. */
  get elsewhere(): number {
    return this.parts.family?.elsewhere() ?? 0;
  }

  /** When a timer expires that tells somebody, or that a thread may wait for; Infinity for never. */
  get timer(): number {
    const { kernel, scheduler } = this.parts;
    return Number(kernel.nextTimerSignal(scheduler().hasWaiting) ?? Infinity);
  }

  /** When a slice must end, exactly; Infinity if anywhere will do. */
  get until(): number {
    const until = Math.min(this.parts.scheduler().until, this.timer, this.haltAt(true));
    return this.parts.family?.isShared === true ? Math.min(until, this.turnStart + TURN) : until;
  }

  get bounds(): SliceBounds {
    const { guest, clock } = this.parts;
    const stops = Math.min(this.haltAt(false), (guest.fuel ?? Infinity) - this.elsewhere);
    return { executed: clock.executed, until: this.until, stops };
  }

  /** Whether the pass is to pause. */
  get isHalt(): boolean {
    const { halt, clock } = this.parts;
    return halt !== undefined && clock.executed >= halt.at;
  }

  private haltAt(isExact: boolean): number {
    const { halt } = this.parts;
    return halt?.isExact === isExact ? halt.at : Infinity;
  }

  /** Throws Failure `fuel-spent` where the run is to end. */
  check(): void {
    const { guest, clock } = this.parts;
    const { executed } = clock;
    const total = executed + this.elsewhere;
    const { fuel } = guest;
    if (fuel !== undefined && total >= fuel)
      throw new Failure(
        'guest',
        'fuel-spent',
        `the program executed ${total} instructions without ending; the limit is ${fuel}`,
        { fuel },
      );
  }
}
