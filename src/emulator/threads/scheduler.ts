import { Unwinding } from '../../base/unwinding.ts';
import { elapsed } from '../../linux/clock.ts';
import { LinuxError } from '../../linux/errno.ts';
import type { Wait } from '../../linux/not-yet.ts';
import type { System } from '../../linux/system.ts';
import { interruptsThread } from '../../linux/threads.ts';
import { passTime } from '../../linux/wait.ts';

/** Instructions that a thread executes before others run that are ready. Belongs to the rules' version (rule 1). */
export const QUANTUM = 100_000;

/** Threads that are named when all wait for ever. */
const MOST_NAMED = 8;

/** Nobody of the process can run. */
export class AllWait extends Unwinding {
  /** What they wait for, together. */
  readonly wait: Wait;

  constructor(wait: Wait) {
    super(`${wait.call} waits`);
    this.wait = wait;
  }
}

interface Waiting {
  readonly thread: number;
  readonly wait: Wait;
}

/**
 * Which thread runs (rule 1). One at a time, as on one processor, until it waits, yields, ends, or has executed QUANTUM
 * instructions since others were ready. Those who are ready run in the order in which they became so. Who waits becomes
 * ready when its call can be answered, or when its time has come; it is looked for after every system call, in the order in
 * which they began to wait, when the clock reaches a deadline or a timer expires, and when other processes have run. When nobody can run, the clock goes to the next deadline.
 *
 * Threads are numbers of the caller's. Counts are of instructions that all threads have executed.
 */
export class Scheduler {
  running: number;
  private readonly system: System;
  private readonly isAlone: boolean;
  private readonly quantum: number;
  /** Whether nobody could run. */
  private isIdle = false;
  private readonly ready: number[] = [];
  private waiting: Waiting[] = [];
  /** Count from which on the running thread's quantum lasts. */
  private since = 0;

  /** `isAlone`: there is nobody else to let run. */
  constructor(system: System, first: number, isAlone: boolean, quantum = QUANTUM) {
    this.system = system;
    this.isAlone = isAlone;
    this.quantum = quantum;
    this.running = first;
  }

  /** Whether there are other threads. */
  get isShared(): boolean {
    return this.ready.length > 0 || this.waiting.length > 0;
  }

  /** Whether threads wait in system calls. */
  get hasWaiting(): boolean {
    return this.waiting.length > 0;
  }

  /** Count at which the running thread is to stop, and `reached` to be called; Infinity if nobody else comes into question. */
  get until(): number {
    let until = this.ready.length > 0 ? this.since + this.quantum : Infinity;
    const { slept, elsewhere } = this.system.state.shared;
    for (const { wait } of this.waiting)
      if (wait.deadline !== undefined) until = Math.min(until, Number(wait.deadline - slept - elsewhere));
    return until;
  }

  /** A new thread is ready. */
  start(thread: number, executed: number): void {
    if (this.ready.length === 0) this.since = executed;
    this.ready.push(thread);
  }

  /** The running thread has made a system call, or the clock has come to a deadline, or a timer has expired: others may be ready now. */
  look(executed: number): void {
    const waiting = this.waiting.filter((each) => {
      if (!this.isReady(each)) return true;
      this.start(each.thread, executed);
      return false;
    });
    if (waiting.length < this.waiting.length) this.waiting = waiting;
  }

  private isReady({ thread, wait: { deadline, isReady, isUninterruptible } }: Waiting): boolean {
    if (isUninterruptible !== true && interruptsThread(this.system, thread)) return true;
    if (deadline !== undefined && deadline <= elapsed(this.system)) return true;
    try {
      return isReady();
    } catch (problem) {
      // The call will say so when it is made again.
      if (problem instanceof LinuxError) return true;
      throw problem;
    }
  }

  /** Whether it is another thread's turn. */
  isOver(executed: number): boolean {
    return this.ready.length > 0 && executed >= this.since + this.quantum;
  }

  /** The running thread lets those run first that are ready. */
  yield(executed: number): void {
    if (this.ready.length === 0) return;
    this.ready.push(this.running);
    this.next(executed);
  }

  /** The running thread waits, another one runs. Throws Failure `guest-blocked` when nobody can ever run again. */
  wait(wait: Wait, executed: number): void {
    this.waiting.push({ thread: this.running, wait });
    this.next(executed);
  }

  /** The running thread has ended. Throws as `wait`. */
  exit(executed: number): void {
    this.next(executed);
  }

  private next(executed: number): void {
    this.look(executed);
    while (this.ready.length === 0) {
      if (!this.isAlone) {
        this.isIdle = true;
        throw new AllWait(this.together());
      }
      passTime(this.system, this.together());
      this.look(executed);
    }
    this.running = this.ready.shift()!;
    this.since = executed;
  }

  /** Other processes have had their turns: deadlines may have passed in them. Throws AllWait, where it did before, again. */
  wake(executed: number): void {
    if (!this.isIdle) {
      this.look(executed);
      return;
    }
    this.isIdle = false;
    this.next(executed);
  }

  /** What all threads wait for, as if it were one call. */
  private together(): Wait {
    const { waiting } = this;
    const [{ wait: first }] = waiting;
    if (waiting.length === 1 && first.isUninterruptible === true) return first;
    const deadlines = waiting.flatMap(({ wait }) => wait.deadline ?? []);
    const others = waiting
      .slice(1, MOST_NAMED)
      .map(({ wait: { call, reason } }) => `another in ${call}: ${reason}`);
    const more = waiting.length - MOST_NAMED;
    return {
      kind: 'wait',
      call: first.call,
      reason: [first.reason, ...others, ...(more > 0 ? [`${more} more threads wait`] : [])].join('; '),
      ...(deadlines.length > 0 && { deadline: deadlines.reduce((a, b) => (b < a ? b : a)) }),
      isReady: () => waiting.some((each) => this.isReady(each)),
    };
  }
}
