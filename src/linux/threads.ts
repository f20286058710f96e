import { wake } from './futexes.ts';
import { DEFAULT_POLICY } from './memory-policy.ts';
import { NO_SANDBOX } from './seccomp/filters.ts';
import { NO_STACK } from './signals/alternate-stack.ts';
import { interrupts } from './signals/pending.ts';
import { signalsOf } from './signals/send.ts';
import type { KernelState, ThreadOwn, ThreadState } from './state.ts';
import type { System } from './system.ts';

/** Threads of a process before its first instruction: one. */
function firstThread(id: number, executed: bigint): ThreadState {
  return { id, clearedAtEnd: 0, robustList: 0, own: newOwn(), executed };
}

/** Instructions that a thread of the process has executed. */
export function threadTime(system: System, id: number): bigint {
  const { threads, running, runningSince } = system.state;
  const { executed } = threads.get(id)!;
  return id === running ? executed + system.instructions() - runningSince : executed;
}

const newOwn = (): ThreadOwn => ({
  blocked: 0n,
  savedMask: undefined,
  pending: [],
  alternateStack: NO_STACK,
  lastFault: { trap: 0n, error: 0n, address: 0n },
  restartable: undefined,
  sandbox: NO_SANDBOX,
  memoryPolicy: DEFAULT_POLICY,
  name: '',
});

export function runningThread({ state }: System): ThreadState {
  return state.threads.get(state.running)!;
}

function ownOf({ signals, restartable, sandbox, memoryPolicy, program }: KernelState): ThreadOwn {
  const { blocked, savedMask, pending, alternateStack, lastFault } = signals;
  const { name } = program;
  return {
    blocked,
    savedMask,
    pending,
    alternateStack,
    lastFault,
    restartable,
    sandbox,
    memoryPolicy,
    name,
  };
}

/** From now on system calls are another thread's. */
export function switchThread(system: System, id: number): void {
  const { state } = system;
  if (state.running === id) return;
  const before = state.threads.get(state.running);
  if (before !== undefined) {
    before.executed = threadTime(system, before.id);
    before.own = ownOf(state);
  }
  const { own } = state.threads.get(id)!;
  const { signals } = state;
  signals.blocked = own.blocked;
  signals.savedMask = own.savedMask;
  signals.pending = own.pending;
  signals.alternateStack = own.alternateStack;
  signals.lastFault = own.lastFault;
  state.restartable = own.restartable;
  state.sandbox = own.sandbox;
  state.memoryPolicy = own.memoryPolicy;
  if (state.program.name !== own.name) state.program = { ...state.program, name: own.name };
  state.running = id;
  state.runningSince = system.instructions();
}

/** A thread like the running one, which has its mask of signals, its policy of memory and its name: clone(2). */
export function addThread({ state }: System): ThreadState {
  const { blocked, sandbox, memoryPolicy, name } = ownOf(state);
  const thread: ThreadState = {
    id: state.shared.nextId++,
    clearedAtEnd: 0,
    robustList: 0,
    own: { ...newOwn(), blocked, sandbox, memoryPolicy, name },
    executed: 0n,
  };
  state.threads.set(thread.id, thread);
  return thread;
}

/**
 * A process has become another program, or is a copy of one: of its threads there is the running one, with its number. So many
 * instructions were its own, of those of the process.
 */
export function onlyThread(
  id: number,
  executed = 0n,
  ofProcess = 0n,
): Pick<KernelState, 'threads' | 'running' | 'runningSince' | 'status'> {
  const threads = new Map([[id, firstThread(id, executed)]]);
  return { threads, running: id, runningSince: ofProcess, status: 0 };
}

/** Whether a signal is pending that ends what a thread waits for. */
export function interruptsThread({ state }: System, id: number): boolean {
  const thread = state.threads.get(id);
  return thread !== undefined && interrupts(signalsOf(state, thread));
}

/** The running thread ends: its locks are given up, and whoever waits for its end is woken. */
export function endThread(system: System): void {
  const { state } = system;
  const { id, clearedAtEnd } = runningThread(system);
  giveUpLocks(system, runningThread(system));
  state.threads.delete(id);
  if (clearedAtEnd === 0 || !system.user.isWritable(clearedAtEnd, 4)) return;
  system.user.putI32(clearedAtEnd, 0);
  wake(system, clearedAtEnd, 1);
}

/** The process ends with all its threads: others may wait for their locks. */
export function endThreads(system: System): void {
  for (const thread of system.state.threads.values()) giveUpLocks(system, thread);
}

const OWNER_DIED = 0x4000_0000;
const WAITERS = 0x8000_0000;
const OWNER = 0x3fff_ffff;
/** As the kernel's ROBUST_LIST_LIMIT: the guest's list may be a circle. */
const LONGEST_LIST = 2048;

/** struct robust_list_head: the list, the distance from an entry to its lock, and the lock that is being taken. */
function giveUpLocks(system: System, { robustList: head, id }: ThreadState): void {
  const { user } = system;
  if (head === 0 || !user.isReadable(head, 24)) return;
  const distance = Number(user.i64(head + 8));
  const pending = Number(user.u64(head + 16));
  // The lowest bit tells how the lock is waited for. Bits of numbers are cut off at the 32nd.
  const at = (entry: number) => entry - (entry % 2);
  const giveUp = (entry: number) => giveUpLock(system, at(entry) + distance, id);
  let entry = Number(user.u64(head));
  for (let count = 0; entry !== head && count < LONGEST_LIST; count++) {
    if (!user.isReadable(at(entry), 8)) return;
    const next = Number(user.u64(at(entry)));
    if (entry !== pending) giveUp(entry);
    entry = next;
  }
  if (pending !== 0) giveUp(pending);
}

function giveUpLock(system: System, lock: number, owner: number): void {
  const { user } = system;
  if (!user.isWritable(lock, 4)) return;
  const word = user.i32(lock) >>> 0;
  if ((word & OWNER) !== owner) return;
  user.putI32(lock, (word & WAITERS) | OWNER_DIED | 0);
  if ((word & WAITERS) !== 0) wake(system, lock, 1);
}
