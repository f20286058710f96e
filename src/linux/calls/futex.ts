import { type Args, int, size, uint } from '../arguments.ts';
import { unsupportedCall } from '../blocked.ts';
import { monotonicTime, realTime } from '../clock.ts';
import { fail } from '../errno.ts';
import { ALL_BITS, placeOf, removeWaiter, requeue, waitersOf, wake } from '../futexes.ts';
import type { Wait } from '../not-yet.ts';
import type { FutexWaiter } from '../state.ts';
import { row, type SyscallRow, type System } from '../system.ts';
import { runningThread } from '../threads.ts';
import { deadlineAfter, isOver, waitFor } from '../wait.ts';
import { readDuration } from './durations.ts';

const COMMAND = 0x7f;
const CLOCK_REALTIME = 0x100;

/** futex(2). */
function futex(system: System, args: Args): number {
  const [address, operation, value, , , third] = args;
  const word = size(address);
  if (word % 4 !== 0) fail('EINVAL');
  const command = int(operation) & COMMAND;
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
    default:
      throw unsupportedCall('futex', 202, ` with operation ${command}`);
  }
}

/** As in the kernel, who asks for nobody wakes one. */
const atLeastOne = (count: bigint): number => Math.max(1, int(count));

/** The timeout of FUTEX_WAIT is a time to wait, all others are points in time. */
function timeLimit(system: System, [, operation, , timeout]: Args): bigint | undefined {
  if (system.waited !== undefined) return system.waited.deadline;
  const given = readDuration(system, size(timeout), 1n);
  if (given === undefined) return undefined;
  const command = int(operation) & COMMAND;
  // FUTEX_LOCK_PI knows the real time only.
  const isRealTime = command === 6 || (int(operation) & CLOCK_REALTIME) !== 0;
  const now = isRealTime ? realTime(system) : monotonicTime(system);
  return deadlineAfter(system, command === 0 ? given : given - now);
}

function wait(system: System, args: Args, bits: number): number {
  const word = size(args[0]);
  const known = waiterOf(system);
  if (known === undefined) {
    const deadline = timeLimit(system, args);
    if (system.user.i32(word) !== int(args[2])) return fail('EAGAIN');
    return enqueue(system, word, { bits, takesLock: false }, deadline);
  }
  return goOnWaiting(system, known);
}

/** The calls at hand that have waited already have an entry in the queue, or had one until they were woken. */
const entries = new WeakMap<object, FutexWaiter>();

function waiterOf(system: System): FutexWaiter | undefined {
  return system.waited && entries.get(system.waited.isReady);
}

function enqueue(
  system: System,
  word: number,
  how: Pick<FutexWaiter, 'bits' | 'takesLock'>,
  deadline: bigint | undefined,
): never {
  const { shared, process } = system.state;
  const thread = runningThread(system).id;
  const place = placeOf(system, word);
  const waiter: FutexWaiter = { process: process.id, thread, place, ...how, isWoken: false };
  shared.futexWaiters = [...shared.futexWaiters, waiter];
  const isReady = () => waiter.isWoken;
  entries.set(isReady, waiter);
  const reason = `no other thread wakes it (the word is at 0x${word.toString(16)})`;
  return goOn(system, waiter, { reason, deadline, isReady });
}

function goOn(
  system: System,
  waiter: FutexWaiter,
  {
    reason,
    deadline,
    isReady,
  }: Pick<Wait, 'reason' | 'isReady'> & { deadline: Wait['deadline'] | undefined },
): never {
  return waitFor({
    call: 'futex',
    reason,
    ...(deadline !== undefined && { deadline }),
    isReady,
    interrupted: () => removeWaiter(system, waiter),
  });
}

function goOnWaiting(system: System, waiter: FutexWaiter): number {
  if (waiter.isWoken) return 0;
  const { reason, deadline, isReady } = system.waited!;
  if (!isOver(system, deadline)) return goOn(system, waiter, { reason, deadline, isReady });
  removeWaiter(system, waiter);
  return fail('ETIMEDOUT');
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
  const known = waiterOf(system);
  if (known !== undefined) return goOnWaiting(system, known);
  const word = size(args[0]);
  const deadline = timeLimit(system, args);
  if (take(system, word)) return 0;
  system.user.putI32(word, system.user.i32(word) | WAITERS);
  return enqueue(system, word, { bits: ALL_BITS, takesLock: true }, deadline);
}

function tryLock(system: System, word: number): number {
  return take(system, word) ? 0 : fail('EAGAIN');
}

/** Takes the lock unless it has an owner. */
function take(system: System, word: number): boolean {
  const { user } = system;
  user.requireWritable(word, 4);
  const { id } = runningThread(system);
  const value = user.i32(word);
  const owner = value & OWNER;
  if (owner === id) fail('EDEADLK');
  if (owner !== 0) return false;
  user.putI32(word, (value & ~OWNER) | id);
  return true;
}

/** Hands the lock over to the thread that has waited longest. */
function unlock(system: System, word: number): number {
  const { user } = system;
  user.requireWritable(word, 4);
  if ((user.i32(word) & OWNER) !== runningThread(system).id) fail('EPERM');
  const waiters = waitersOf(system, placeOf(system, word));
  const [next, ...others] = waiters.filter(({ takesLock }) => takesLock);
  if (next === undefined) {
    user.putI32(word, 0);
    return 0;
  }
  user.putI32(word, next.thread | (others.length > 0 ? WAITERS : 0));
  removeWaiter(system, next);
  next.isWoken = true;
  return 0;
}

export const FUTEX_CALLS: readonly SyscallRow[] = [row(202, 'futex', 6, futex)];
