import { elapsed } from '../linux/clock.ts';
import { LinuxError } from '../linux/errno.ts';
import type { Kernel } from '../linux/kernel.ts';
import type { Wait } from '../linux/not-yet.ts';

/** Instructions that a thread executes before others run that are ready. Belongs to the rules' version (rule 1). */
export const QUANTUM = 100_000;

/** Threads that are named when all wait for ever. */
const MOST_NAMED = 8;

interface Waiting {
  readonly thread: number;
  readonly wait: Wait;
}

/**
 * Which thread runs (rule 1). One at a time, as on one processor, until it waits, yields, ends, or has executed QUANTUM
 * instructions since others were ready. Those who are ready run in the order in which they became so. Who waits becomes
 * ready when its call can be answered, or when its time has come; it is looked for after every system call, in the order in
 * which they began to wait, and when the clock reaches a deadline. When nobody can run, `wait` says what would change that.
 *
 * Threads are numbers of the caller's. Counts are of instructions that all threads have executed.
 */
export class Scheduler {
  running: number;
  /** Whether the running thread can go on: it does not wait, and has not ended. */
  canRun = true;
  private readonly kernel: Kernel;
  private readonly quantum: number;
  private readonly ready: number[] = [];
  private waiting: Waiting[] = [];
  /** Count from which on the running thread's quantum lasts. */
  private since = 0;

  constructor(kernel: Kernel, first: number, quantum = QUANTUM) {
    this.kernel = kernel;
    this.quantum = quantum;
    this.running = first;
  }

  /** Count at which the running thread is to stop, and `reached` to be called; Infinity if nobody else comes into question. */
  get until(): number {
    let until = this.ready.length > 0 ? this.since + this.quantum : Infinity;
    const { slept, elsewhere } = this.kernel.state.shared;
    for (const { wait } of this.waiting)
      if (wait.deadline !== undefined) until = Math.min(until, Number(wait.deadline - slept - elsewhere));
    return until;
  }

  /** A new thread is ready. */
  start(thread: number, executed: number): void {
    if (this.ready.length === 0) this.since = executed;
    this.ready.push(thread);
  }

  /** The running thread has made a system call, or the clock has come to a deadline: others may be ready now. */
  look(executed: number): void {
    const waiting = this.waiting.filter(({ thread, wait }) => {
      if (!this.isReady(thread, wait)) return true;
      this.start(thread, executed);
      return false;
    });
    if (waiting.length < this.waiting.length) this.waiting = waiting;
  }

  private isReady(thread: number, { deadline, isReady, isUninterruptible }: Wait): boolean {
    const { kernel } = this;
    if (deadline !== undefined && deadline <= elapsed(kernel)) return true;
    if (isUninterruptible !== true && kernel.interruptsThread(thread)) return true;
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

  /** The running thread waits, another one runs. */
  park(wait: Wait, executed: number): void {
    this.waiting.push({ thread: this.running, wait });
    this.next(executed);
  }

  /** The running thread has ended. */
  exit(executed: number): void {
    this.next(executed);
  }

  /** Nobody could run: perhaps somebody can by now. */
  wake(executed: number): void {
    if (!this.canRun) this.next(executed);
  }

  private next(executed: number): void {
    this.look(executed);
    const next = this.ready.shift();
    this.canRun = next !== undefined;
    if (next === undefined) return;
    this.running = next;
    this.since = executed;
  }

  /** What all threads wait for, as if it were one call. */
  get wait(): Wait {
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
      isReady: () => waiting.some(({ thread, wait }) => this.isReady(thread, wait)),
    };
  }
}
