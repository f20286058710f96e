import type { Region } from './region.ts';
import { overlapping } from './regions.ts';
import type { FutexWaiter, KernelState } from './state.ts';
import type { System } from './system.ts';

export const ALL_BITS = -1;

/** A mapping of a file in which a process sees what others store. */
function sharedAt(state: KernelState, address: number): Region | undefined {
  const [region] = overlapping({ state }, address, address + 4);
  return region?.shared === true && region.file !== undefined ? region : undefined;
}

/** Whether a thread waits for the word that has this address in the system's process: its own, or one that both have mapped. */
export function waitsFor(system: System, { state, address }: FutexWaiter, word: number): boolean {
  if (state === system.state) return address === word;
  const [theirs, ours] = [sharedAt(state, address), sharedAt(system.state, word)];
  if (theirs === undefined || ours?.file !== theirs.file) return false;
  return theirs.offset + address - theirs.start === ours!.offset + word - ours!.start;
}

/** Wakes the threads that have waited longest, and says how many. */
export function wake(system: System, address: number, most: number, bits = ALL_BITS): number {
  const { shared } = system.state;
  let woken = 0;
  shared.futexWaiters = shared.futexWaiters.filter((waiter) => {
    if (woken >= most || (waiter.bits & bits) === 0 || !waitsFor(system, waiter, address)) return true;
    waiter.isWoken = true;
    woken++;
    return false;
  });
  return woken;
}

/** Lets threads that wait for one word wait for another one, and says how many. */
export function requeue(system: System, from: number, to: number, most: number): number {
  const { shared } = system.state;
  const moved = shared.futexWaiters
    .filter((waiter) => waitsFor(system, waiter, from))
    .slice(0, Math.max(0, most));
  if (from === to) return moved.length;
  // They wait behind those who wait there already.
  shared.futexWaiters = [...shared.futexWaiters.filter((waiter) => !moved.includes(waiter)), ...moved];
  for (const waiter of moved) Object.assign(waiter, { state: system.state, address: to });
  return moved.length;
}

export function removeWaiter({ state: { shared } }: System, waiter: FutexWaiter): void {
  shared.futexWaiters = shared.futexWaiters.filter((other) => other !== waiter);
}

/** The process has ended, or is another program. */
export function removeWaiters(state: KernelState): void {
  const { shared } = state;
  shared.futexWaiters = shared.futexWaiters.filter((waiter) => waiter.state !== state);
}
