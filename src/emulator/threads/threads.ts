import { VALUES, valueOffset } from '../../guest/layout.ts';
import type { GuestMemory } from '../../guest/memory.ts';
import type { Kernel } from '../../linux/kernel.ts';
import type { Wait } from '../../linux/not-yet.ts';
import type { StartedThread } from '../../linux/system.ts';
import { FS_BASE, locationOf, RAX, RSP, VARIABLES } from '../../x86/state.ts';
import type { Contexts } from '../contexts/contexts.ts';
import type { Ledger } from '../memory/ledger.ts';
import { Scheduler } from './scheduler.ts';
import { NO_SIGNALS, type ParkedSignals, type Signals } from './signals.ts';
import { RootSearch } from './thread-root.ts';

/** A system call that is being made. */
export interface PendingCall {
  readonly number: number;
  readonly args: readonly bigint[];
  readonly flags: bigint;
  /** Of the instruction, and of the one behind it. */
  readonly address: number;
  readonly next: number;
}

/** One thread of the guest. */
export interface Thread {
  /** The kernel's number. */
  readonly id: number;
  /** In order of creation. */
  readonly index: number;
  /** Where it goes on. */
  next: bigint;
  /** The system call that it waits in, which is made again first. */
  call: { readonly call: PendingCall; readonly wait: Wait; readonly retire: () => void } | undefined;
  /** While it is not known yet which function it was started for. */
  search: RootSearch | undefined;
  /** Whether it has run. */
  hasBegun: boolean;
  /** Where its stack lies, as far as that is known. */
  readonly stack: StartedThread['stack'];
  /** Values and steps of its registers, while others run. */
  values: Uint8Array;
  steps: Uint8Array;
  signals: ParkedSignals;
}

interface ThreadsParts {
  readonly memory: GuestMemory;
  readonly kernel: Kernel;
  readonly ledger: Ledger;
  readonly contexts: Contexts;
  readonly signals: Signals;
  readonly executed: () => number;
  /** Whether there can be no other processes: when nobody can run, the clock goes on. */
  readonly isAlone: boolean;
  readonly quantum: number | undefined;
  /** Hears which thread runs, by its index. */
  readonly onSwitch: (index: number) => void;
}

const NONE = new Uint8Array(0);
const STARTED = [RSP, FS_BASE].map(locationOf);

/** The threads of a pass: one runs, the state of the others is kept here. Nothing changes hands but between slices. */
export class Threads {
  readonly scheduler: Scheduler;
  running: Thread;
  private readonly parts: ThreadsParts;
  private readonly all = new Map<number, Thread>();
  private started = 0;

  constructor(parts: ThreadsParts, first: number) {
    this.parts = parts;
    this.running = this.add(first, 0n, undefined, undefined);
    this.running.hasBegun = true;
    this.scheduler = new Scheduler(parts.kernel, first, parts.isAlone, parts.quantum);
  }

  private add(
    id: number,
    next: bigint,
    search: RootSearch | undefined,
    stack: StartedThread['stack'],
  ): Thread {
    const thread: Thread = {
      id,
      index: this.started++,
      next,
      call: undefined,
      search,
      hasBegun: false,
      stack,
      values: NONE,
      steps: NONE,
      signals: NO_SIGNALS,
    };
    this.all.set(id, thread);
    return thread;
  }

  /** The system call that was just performed has started a thread, which goes on behind it. */
  start({ id, stackPointer, stack, fsBase }: StartedThread, next: number): void {
    const { memory, ledger, executed } = this.parts;
    const thread = this.add(id, BigInt(next), new RootSearch(fsBase), stack);
    thread.values = valuesOf(memory);
    const view = new DataView(thread.values.buffer);
    const set = (variable: number, value: bigint) =>
      view.setBigInt64(valueOffset(variable) - VALUES, value, true);
    set(RAX, 0n);
    if (stackPointer !== undefined) set(RSP, stackPointer);
    if (fsBase !== undefined) set(FS_BASE, fsBase);
    thread.steps = ledger.parked.fork(STARTED);
    this.scheduler.start(id, executed());
  }

  /** The running thread waits in a system call, which has not retired; another one is to run. Throws as Scheduler.wait. */
  wait(call: PendingCall, wait: Wait, retire: () => void): void {
    this.running.call = { call, wait, retire };
    this.scheduler.wait(wait, this.parts.executed());
  }

  /** The running thread has made a system call, perhaps to let others run; tells whether another one is to run now. */
  called(yields: boolean): boolean {
    const executed = this.parts.executed();
    this.scheduler.look(executed);
    if (yields || this.scheduler.isOver(executed)) this.scheduler.yield(executed);
    return this.scheduler.running !== this.running.id;
  }

  /** The running thread has executed what it was to execute. */
  reached(): void {
    this.called(false);
  }

  /** The running thread has ended; another one is to run. Throws as Scheduler.exit. */
  exit(): void {
    this.parts.contexts.endThread();
    this.all.delete(this.running.id);
    this.scheduler.exit(this.parts.executed());
  }

  /** Other processes have had their turns. Throws AllWait. */
  wake(): void {
    this.scheduler.wake(this.parts.executed());
  }

  /** Lets the thread run that the scheduler says. */
  switch(): void {
    const { memory, kernel, ledger, contexts, signals, onSwitch } = this.parts;
    const before = this.running;
    const now = this.all.get(this.scheduler.running)!;
    if (now === before) return;
    const steps = ledger.park();
    if (this.all.has(before.id))
      Object.assign(before, { values: valuesOf(memory, before.values), steps, signals: signals.park() });
    else ledger.parked.drop(steps);
    this.running = now;
    kernel.switchTo(now.id);
    memory.bytes.set(now.values, VALUES);
    ledger.parked.resume(now.steps);
    signals.resume(now.signals);
    if (now.hasBegun) contexts.switchThread(now.index);
    else contexts.startThread(Number(now.next), now.stack);
    now.hasBegun = true;
    onSwitch(now.index);
  }
}

/** In room that a thread has for them, or in new one. */
function valuesOf({ bytes }: GuestMemory, room: Uint8Array = NONE): Uint8Array {
  const values = room.length > 0 ? room : new Uint8Array(16 * VARIABLES.length);
  values.set(bytes.subarray(VALUES, VALUES + values.length));
  return values;
}
