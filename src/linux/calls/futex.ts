import { type Args, int, size, uint } from '../arguments.ts';
import { monotonicTime, realTime } from '../clock.ts';
import { fail } from '../errno.ts';
import { ALL_BITS, removeWaiter, requeue, waitsFor, wake } from '../futexes.ts';
import { NotYet, type Wait } from '../not-yet.ts';
import type { FutexWaiter } from '../state.ts';
import { row, type SyscallRow, type System } from '../system.ts';
import { runningThread } from '../threads.ts';
import { deadlineAfter, isOver } from '../wait.ts';
import { readDuration } from './durations.ts';

const COMMAND = 0x7f;
const CLOCK_REALTIME = 0x100;
/** FUTEX_WAIT_BITSET, FUTEX_WAIT_REQUEUE_PI, FUTEX_LOCK_PI2 */
const CHOOSE_CLOCK = [9, 11, 13];

/** futex(2): its words are the guest's own, so that private and shared ones are the same. */
function futex(system: System, args: Args): number {
  const [address, operation, value, , , third] = args;
  const word = size(address);
  const command = int(operation) & COMMAND;
  if ((int(operation) & CLOCK_REALTIME) !== 0 && !CHOOSE_CLOCK.includes(command)) fail('ENOSYS');
  if (word % 4 !== 0) fail('EINVAL');
  switch (command) {
    case 0:
      return wait(system, args, ALL_BITS);
    case 9:
      if (int(third) === 0) fail('EINVAL');
      return wait(system, args, int(third));
    case 1:
      system.user.read(word, 4);
      return wake(system, word, atLeastOne(value));
    case 10:
      if (int(third) === 0) fail('EINVAL');
      system.user.read(word, 4);
      return wake(system, word, atLeastOne(value), int(third));
    case 3:
    case 4:
      return moveWaiters(system, args);
    case 5:
      return wakeBoth(system, args);
    case 6:
    case 13:
      return lock(system, args);
    case 7:
      return unlock(system, word);
    case 8:
      return tryLock(system, word);
    case 11:
      if (size(args[4]) % 4 !== 0 || size(args[4]) === word) fail('EINVAL');
      return wait(system, args, ALL_BITS, size(args[4]));
    case 12:
      return moveToLock(system, args);
    default:
      return fail('ENOSYS');
  }
}

/** As in the kernel, who asks for nobody wakes one. */
const atLeastOne = (count: bigint): number => Math.max(1, int(count));

/** The timeout of FUTEX_WAIT is a time to wait, all others are points in time. */
function timeLimit(system: System, [, operation, , timeout]: Args): bigint | undefined {
  const given = readDuration(system, size(timeout), 1n);
  if (given === undefined) return undefined;
  const command = int(operation) & COMMAND;
  // FUTEX_LOCK_PI knows the real time only.
  const isRealTime = command === 6 || (int(operation) & CLOCK_REALTIME) !== 0;
  const now = isRealTime ? realTime(system) : monotonicTime(system);
  return deadlineAfter(system, command === 0 ? given : given - now);
}

function wait(system: System, args: Args, bits: number, lockWord?: number): number {
  const word = size(args[0]);
  const deadline = timeLimit(system, args);
  if (system.user.i32(word) !== int(args[2])) return fail('EAGAIN');
  return enqueue(system, { address: word, bits, takesLock: false, lockWord }, deadline);
}

function enqueue(
  system: System,
  kind: Pick<FutexWaiter, 'address' | 'bits' | 'takesLock' | 'lockWord'>,
  deadline: bigint | undefined,
): number {
  const { state } = system;
  const waiter: FutexWaiter = { thread: runningThread(system).id, state, isWoken: false, ...kind };
  state.shared.futexWaiters = [...state.shared.futexWaiters, waiter];
  const goOn = (): number => {
    if (waiter.isWoken) return 0;
    if (isOver(system, deadline)) {
      removeWaiter(system, waiter);
      return fail('ETIMEDOUT');
    }
    throw notYet;
  };
  const untilWoken: Wait = {
    kind: 'wait',
    call: 'futex',
    reason: `no other thread wakes it (the word is at 0x${kind.address.toString(16)})`,
    isReady: () => waiter.isWoken,
    interrupted: () => removeWaiter(system, waiter),
    goOn,
  };
  // As futex_wait has it (ERESTART_RESTARTBLOCK); who waits for a lock goes on.
  const notYet = new NotYet(
    deadline === undefined ? untilWoken : { ...untilWoken, deadline, endsBySignal: !kind.takesLock },
  );
  return goOn();
}

/** FUTEX_REQUEUE and FUTEX_CMP_REQUEUE. */
function moveWaiters(system: System, [from, operation, count, most, to, expected]: Args): number {
  if (int(count) < 0 || int(most) < 0 || size(to) % 4 !== 0) fail('EINVAL');
  const isCompared = (int(operation) & COMMAND) === 4;
  if (system.user.i32(size(from)) !== int(expected) && isCompared) return fail('EAGAIN');
  system.user.read(size(to), 4);
  const woken = wake(system, size(from), int(count));
  return woken + requeue(system, size(from), size(to), int(most));
}

/** FUTEX_WAKE_OP: changes the second word, wakes waiters of the first, and of the second if what it was compares so. */
function wakeBoth(system: System, [first, , count, secondCount, second, encoded]: Args): number {
  const code = uint(encoded);
  const word = size(second);
  if (word % 4 !== 0) fail('EINVAL');
  const operand = signed12(code >>> 12);
  const shifted = code >>> 31 !== 0 ? 1 << (operand & 31) : operand;
  system.user.read(size(first), 4);
  system.user.requireWritable(word, 4);
  const old = system.user.i32(word);
  system.user.putI32(word, changed((code >>> 28) & 7, old, shifted));
  const woken = wake(system, size(first), atLeastOne(count));
  if (!compares((code >>> 24) & 15, old, signed12(code))) return woken;
  return woken + wake(system, word, atLeastOne(secondCount));
}

const signed12 = (bits: number): number => (bits << 20) >> 20;

function changed(operation: number, old: number, operand: number): number {
  switch (operation) {
    case 0:
      return operand;
    case 1:
      return (old + operand) | 0;
    case 2:
      return old | operand;
    case 3:
      return old & ~operand;
    case 4:
      return old ^ operand;
    default:
      return fail('ENOSYS');
  }
}

function compares(comparison: number, old: number, operand: number): boolean {
  switch (comparison) {
    case 0:
      return old === operand;
    case 1:
      return old !== operand;
    case 2:
      return old < operand;
    case 3:
      return old <= operand;
    case 4:
      return old > operand;
    case 5:
      return old >= operand;
    default:
      return fail('ENOSYS');
  }
}

// --- locks with an owner (FUTEX_LOCK_PI): all threads have the same priority, so that the owner inherits none

const WAITERS = 0x8000_0000;
const OWNER = 0x3fff_ffff;

function lock(system: System, args: Args): number {
  const word = size(args[0]);
  const deadline = timeLimit(system, args);
  if (take(system, word)) return 0;
  system.user.putI32(word, system.user.i32(word) | WAITERS);
  return enqueue(system, { address: word, bits: ALL_BITS, takesLock: true, lockWord: undefined }, deadline);
}

function tryLock(system: System, word: number): number {
  return take(system, word) ? 0 : fail('EAGAIN');
}

function isThread({ state: { shared } }: System, id: number): boolean {
  return [...shared.processes.values()].some(({ state }) => state?.threads.has(id));
}

/** Takes the lock unless it has an owner. */
function take(system: System, word: number): boolean {
  const { user } = system;
  user.requireWritable(word, 4);
  const { id } = runningThread(system);
  const value = user.i32(word);
  const owner = value & OWNER;
  if (owner === id) fail('EDEADLK');
  if (owner !== 0) {
    if (isThread(system, owner)) return false;
    user.putI32(word, value | WAITERS);
    fail('ESRCH');
  }
  user.putI32(word, (value & ~OWNER) | id);
  return true;
}

/** Hands the lock over to the thread that has waited longest. */
function unlock(system: System, word: number): number {
  const { user, state } = system;
  user.requireWritable(word, 4);
  if ((user.i32(word) & OWNER) !== runningThread(system).id) fail('EPERM');
  const [next, ...others] = state.shared.futexWaiters.filter(
    (waiter) => waiter.takesLock && waitsFor(system, waiter, word),
  );
  if (next === undefined) {
    user.putI32(word, 0);
    return 0;
  }
  user.putI32(word, next.thread | (others.length > 0 ? WAITERS : 0));
  removeWaiter(system, next);
  next.isWoken = true;
  return 0;
}

/**
 * FUTEX_CMP_REQUEUE_PI: who waits in FUTEX_WAIT_REQUEUE_PI for one word gets a lock with an owner instead of being woken: the
 * first one if it is free, the others wait for it.
 */
function moveToLock(system: System, [from, , count, most, to, expected]: Args): number {
  const { user, state } = system;
  const { shared } = state;
  const [word, lockWord] = [size(from), size(to)];
  if (int(count) !== 1 || int(most) < 0 || lockWord % 4 !== 0 || word === lockWord) fail('EINVAL');
  if (user.i32(word) !== int(expected)) return fail('EAGAIN');
  user.requireWritable(lockWord, 4);
  const waiters = shared.futexWaiters.filter((waiter) => waitsFor(system, waiter, word));
  if (waiters.some((waiter) => waiter.lockWord !== lockWord)) fail('EINVAL');
  const moved = waiters.slice(0, 1 + int(most));
  for (const waiter of moved) {
    removeWaiter(system, waiter);
    if ((user.i32(lockWord) & OWNER) === 0) {
      user.putI32(lockWord, waiter.thread);
      waiter.isWoken = true;
      continue;
    }
    user.putI32(lockWord, user.i32(lockWord) | WAITERS);
    Object.assign(waiter, { state, address: lockWord, takesLock: true });
    shared.futexWaiters = [...shared.futexWaiters, waiter];
  }
  return moved.length;
}

export const FUTEX_CALLS: readonly SyscallRow[] = [row(202, 'futex', 6, futex)];
