import { type Args, int, size } from '../arguments.ts';
import { realTime } from '../clock.ts';
import { fail } from '../errno.ts';
import { forgetUndo, MOST_VALUE, operate, removeSemaphoreWaiter, wakeWaiters } from '../ipc/semaphores.ts';
import {
  getObject,
  IPC_INFO,
  IPC_RMID,
  IPC_SET,
  IPC_STAT,
  lastPlace,
  objectAtPlace,
  objectOf,
  putInts,
  READING,
  record,
  requireRights,
  seconds,
  setRights,
  WRITING,
} from '../ipc/space.ts';
import type { Operation, SemaphoreSet, SemaphoreWaiter } from '../ipc/state.ts';
import { row, type SyscallRow, type System } from '../system.ts';
import { deadlineAfter, isOver, waitFor } from '../wait.ts';
import { readDuration } from './durations.ts';

/** semget(2), semop(2), semctl(2). */

/** semmsl, semopm, semmns, semmni: what Linux allows by default. */
const MOST_SEMAPHORES = 32_000;
const MOST_OPERATIONS = 500;
const MOST_IN_ALL = 1_024_000_000;
const MOST_SETS = 32_000;

function get(system: System, [key, count, flags]: Args): number {
  const wanted = int(count);
  if (wanted < 0 || wanted > MOST_SEMAPHORES) fail('EINVAL');
  return getObject(
    system,
    system.state.shared.ipc.semaphores,
    [key, flags],
    (found) => {
      if (found === undefined ? wanted === 0 : wanted > found.semaphores.length) fail('EINVAL');
    },
    (common): SemaphoreSet => {
      const semaphores = Array.from({ length: wanted }, () => ({ value: 0, process: 0 }));
      return { ...common, semaphores, operated: 0n, undo: new Map(), waiters: [] };
    },
  );
}

/** sizeof(struct sembuf) */
const OPERATION_SIZE = 6;

function operations(system: System, address: number, count: number): Operation[] {
  const bytes = system.user.read(address, OPERATION_SIZE * count);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  return Array.from({ length: count }, (_, i) => ({
    semaphore: view.getUint16(OPERATION_SIZE * i, true),
    change: view.getInt16(OPERATION_SIZE * i + 2, true),
    flags: view.getInt16(OPERATION_SIZE * i + 4, true),
  }));
}

function semop(system: System, [id, address, countBits, timeout = 0n]: Args): number {
  const count = size(countBits) % 2 ** 32;
  if (count < 1 || int(id) < 0) fail('EINVAL');
  if (count > MOST_OPERATIONS) fail('E2BIG');
  const wanted = operations(system, size(address), count);
  const deadline = deadlineAfter(system, readDuration(system, size(timeout), 1n));
  const set = objectOf(system.state.shared.ipc.semaphores, int(id));
  if (wanted.some(({ semaphore }) => semaphore >= set.semaphores.length)) fail('EFBIG');
  requireRights(set, wanted.some(({ change }) => change !== 0) ? WRITING : READING);
  const process = system.state.process.id;
  const outcome = operate(system, set, process, wanted);
  if (typeof outcome === 'string') return ended(system, set, outcome);
  const waiter: SemaphoreWaiter = { process, operations: wanted, blocking: outcome, outcome: undefined };
  set.waiters = [...set.waiters, waiter];
  const goOn = (): number => {
    if (waiter.outcome !== undefined) return waiter.outcome === 'done' ? 0 : fail(waiter.outcome);
    if (isOver(system, deadline)) {
      removeSemaphoreWaiter(set, waiter);
      return fail('EAGAIN');
    }
    return waitFor({
      call: 'semop',
      reason: 'no other process changes the semaphore',
      ...(deadline !== undefined && { deadline }),
      endsBySignal: true,
      isReady: () => waiter.outcome !== undefined,
      interrupted: () => removeSemaphoreWaiter(set, waiter),
      goOn,
    });
  };
  return goOn();
}

function ended(system: System, set: SemaphoreSet, outcome: Exclude<SemaphoreWaiter['outcome'], undefined>) {
  if (outcome !== 'done') return fail(outcome);
  wakeWaiters(system, set);
  return 0;
}

const GETPID = 11;
const GETVAL = 12;
const GETALL = 13;
const GETNCNT = 14;
const GETZCNT = 15;
const SETVAL = 16;
const SETALL = 17;
const SEM_STAT = 18;
const SEM_INFO = 19;
const SEM_STAT_ANY = 20;

function control(system: System, [id, number, commandBits, argument]: Args): number {
  const space = system.state.shared.ipc.semaphores;
  const command = int(commandBits);
  if (int(id) < 0) fail('EINVAL');
  switch (command) {
    case IPC_INFO:
    case SEM_INFO:
      return tellLimits(system, command, argument);
    case SEM_STAT:
    case SEM_STAT_ANY: {
      const set = objectAtPlace(space, int(id));
      if (command === SEM_STAT) requireRights(set, READING);
      putSet(system, set, argument);
      return set.id;
    }
  }
  const set = objectOf(space, int(id));
  switch (command) {
    case IPC_RMID:
      space.objects.delete(set.id);
      for (const waiter of set.waiters) waiter.outcome = 'EIDRM';
      set.waiters = [];
      return 0;
    case IPC_SET:
      setRights(system, set, argument);
      return 0;
    case IPC_STAT:
      requireRights(set, READING);
      putSet(system, set, argument);
      return 0;
    case GETALL:
      requireRights(set, READING);
      system.user.write(
        size(argument),
        new Uint8Array(Uint16Array.from(set.semaphores, ({ value }) => value).buffer),
      );
      return 0;
    case SETALL:
      requireRights(set, WRITING);
      return setValues(system, set, valuesAt(system, size(argument), set.semaphores.length), 0);
    case GETPID:
    case GETVAL:
    case GETNCNT:
    case GETZCNT:
      requireRights(set, READING);
      return factOf(set, int(number), command);
    case SETVAL: {
      requireNumber(set, int(number));
      if (int(argument) < 0 || int(argument) > MOST_VALUE) fail('ERANGE');
      requireRights(set, WRITING);
      return setValues(system, set, [int(argument)], int(number));
    }
    default:
      return fail('EINVAL');
  }
}

function requireNumber({ semaphores }: SemaphoreSet, number: number): void {
  if (number < 0 || number >= semaphores.length) fail('EINVAL');
}

function factOf(set: SemaphoreSet, number: number, command: number): number {
  requireNumber(set, number);
  const { value, process } = set.semaphores[number];
  const waiting = set.waiters.filter(({ blocking }) => blocking.semaphore === number);
  switch (command) {
    case GETPID:
      return process;
    case GETVAL:
      return value;
    case GETNCNT:
      return waiting.filter(({ blocking }) => blocking.change < 0).length;
    default:
      return waiting.filter(({ blocking }) => blocking.change === 0).length;
  }
}

function valuesAt(system: System, address: number, count: number): number[] {
  const bytes = system.user.read(address, 2 * count);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  return Array.from({ length: count }, (_, i) => view.getUint16(2 * i, true));
}

function setValues(system: System, set: SemaphoreSet, values: readonly number[], first: number): number {
  if (values.some((value) => value > MOST_VALUE)) fail('ERANGE');
  values.forEach((value, i) => {
    Object.assign(set.semaphores[first + i], { value, process: system.state.process.id });
    forgetUndo(set, first + i);
  });
  set.changed = realTime(system);
  wakeWaiters(system, set);
  return 0;
}

/** struct semid64_ds. */
function putSet(system: System, set: SemaphoreSet, address: bigint): void {
  const view = record(104, set);
  view.setBigInt64(48, seconds(set.operated), true);
  view.setBigInt64(64, seconds(set.changed), true);
  view.setBigUint64(80, BigInt(set.semaphores.length), true);
  system.user.write(size(address), new Uint8Array(view.buffer));
}

/** struct seminfo; SEM_INFO tells how many there are where IPC_INFO has limits that nothing keeps to. */
function tellLimits(system: System, command: number, address: bigint): number {
  const space = system.state.shared.ipc.semaphores;
  const count = [...space.objects.values()].reduce((sum, { semaphores }) => sum + semaphores.length, 0);
  const isInfo = command === IPC_INFO;
  putInts(system, address, [
    MOST_IN_ALL,
    MOST_SETS,
    MOST_IN_ALL,
    MOST_IN_ALL,
    MOST_SEMAPHORES,
    MOST_OPERATIONS,
    MOST_OPERATIONS,
    isInfo ? 20 : space.objects.size,
    MOST_VALUE,
    isInfo ? MOST_VALUE : count,
  ]);
  return lastPlace(space);
}

export const SEMAPHORE_CALLS: readonly SyscallRow[] = [
  row(64, 'semget', 3, get),
  row(65, 'semop', 3, (s, [id, address, count]) => semop(s, [id, address, count])),
  row(66, 'semctl', 4, control),
  row(220, 'semtimedop', 4, semop),
];
