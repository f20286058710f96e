import type { FutexWaiter } from './state.ts';
import type { System } from './system.ts';

export const ALL_BITS = -1;

/** Wakes the threads that have waited longest, and says how many. */
export function wake({ state }: System, address: number, most: number, bits = ALL_BITS): number {
  let woken = 0;
  state.futexWaiters = state.futexWaiters.filter((waiter) => {
    if (woken >= most || waiter.address !== address || (waiter.bits & bits) === 0) return true;
    waiter.isWoken = true;
    woken++;
    return false;
  });
  return woken;
}

/** Lets threads that wait for one word wait for another one, and says how many. */
export function requeue({ state }: System, from: number, to: number, most: number): number {
  const moved = state.futexWaiters.filter(({ address }) => address === from).slice(0, Math.max(0, most));
  if (from === to) return moved.length;
  // They wait behind those who wait there already.
  state.futexWaiters = [...state.futexWaiters.filter((waiter) => !moved.includes(waiter)), ...moved];
  for (const waiter of moved) waiter.address = to;
  return moved.length;
}

export function removeWaiter({ state }: System, waiter: FutexWaiter): void {
  state.futexWaiters = state.futexWaiters.filter((other) => other !== waiter);
}
