import { realTime } from '../clock.ts';
import type { Errno } from '../errno.ts';
import type { System } from '../system.ts';
import { IPC_NOWAIT } from './space.ts';
import type { IpcSpace, Operation, SemaphoreSet, SemaphoreWaiter } from './state.ts';

/** Sets of semaphores: operations that all happen or none, and who waits for them (ipc/sem.c). */

const SEM_UNDO = 0x1000;
export const MOST_VALUE = 32_767;

/** Lets all operations happen, or none: then it tells which one has to wait, or what is wrong. */
export function operate(
  system: System,
  set: SemaphoreSet,
  process: number,
  operations: readonly Operation[],
): 'done' | Errno | Operation {
  const values = set.semaphores.map(({ value }) => value);
  const undo = [...(set.undo.get(process) ?? values.map(() => 0))];
  for (const operation of operations) {
    const { semaphore, change, flags } = operation;
    const value = values[semaphore] + change;
    if (value < 0 || (change === 0 && value !== 0)) return (flags & IPC_NOWAIT) !== 0 ? 'EAGAIN' : operation;
    if (value > MOST_VALUE) return 'ERANGE';
    values[semaphore] = value;
    if ((flags & SEM_UNDO) === 0) continue;
    undo[semaphore] -= change;
    if (undo[semaphore] < -MOST_VALUE - 1 || undo[semaphore] > MOST_VALUE) return 'ERANGE';
  }
  set.semaphores.forEach((semaphore, i) => {
    semaphore.value = values[i];
  });
  for (const { semaphore } of operations) set.semaphores[semaphore].process = process;
  if (operations.some(({ flags }) => (flags & SEM_UNDO) !== 0)) set.undo.set(process, undo);
  set.operated = realTime(system);
  return 'done';
}

const changes = ({ operations }: SemaphoreWaiter): boolean => operations.some(({ change }) => change !== 0);

/**
 * What has become possible happens at once, on behalf of those who wait: first those who wait for zeros, then in the order of
 * waiting, from the beginning after each that changed something.
 */
export function wakeWaiters(system: System, set: SemaphoreSet): void {
  for (;;) {
    const inOrder = [...set.waiters.filter((each) => !changes(each)), ...set.waiters.filter(changes)];
    const next = inOrder.find((waiter) => {
      const outcome = operate(system, set, waiter.process, waiter.operations);
      if (typeof outcome === 'object') waiter.blocking = outcome;
      else waiter.outcome = outcome;
      return waiter.outcome !== undefined;
    });
    if (next === undefined) return;
    removeSemaphoreWaiter(set, next);
  }
}

export function removeSemaphoreWaiter(set: SemaphoreSet, waiter: SemaphoreWaiter): void {
  set.waiters = set.waiters.filter((each) => each !== waiter);
}

/** Nobody undoes what was done before: SETVAL, SETALL. */
export function forgetUndo({ undo }: SemaphoreSet, semaphore: number): void {
  for (const adjustments of undo.values()) adjustments[semaphore] = 0;
}

/** What the process did with SEM_UNDO is undone: it ends, or gives its list up. */
export function undoOperations(system: System, { objects }: IpcSpace<SemaphoreSet>, process: number): void {
  for (const set of objects.values()) {
    const adjustments = set.undo.get(process);
    if (adjustments === undefined) continue;
    set.undo.delete(process);
    set.semaphores.forEach((semaphore, i) => {
      if (adjustments[i] === 0) return;
      semaphore.value = Math.min(MOST_VALUE, Math.max(0, semaphore.value + adjustments[i]));
      semaphore.process = process;
    });
    set.operated = realTime(system);
    wakeWaiters(system, set);
  }
}

export function leaveSemaphoreQueues({ objects }: IpcSpace<SemaphoreSet>, process: number): void {
  for (const set of objects.values())
    set.waiters = set.waiters.filter((waiter) => waiter.process !== process);
}
