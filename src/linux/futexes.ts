import { overlapping } from './regions.ts';
import type { FutexPlace, FutexWaiter, KernelState, Region } from './state.ts';
import type { System } from './system.ts';

export const ALL_BITS = -1;

/**
 * What a word is to those who wait for it: one of its file, where that is mapped shared, so that processes that have it at
 * other addresses meet; else one of its process (futex(2), "shared" and "private"; that a word is called private says nothing
 * new).
 */
export function placeOf(system: System, address: number): FutexPlace {
  const [region] = overlapping(system, address, address + 1);
  if (region?.shared !== true || region.file === undefined)
    return { owner: system.state.process, offset: address };
  return { owner: region.file, offset: region.offset + address - region.start };
}

/** Those who wait for a word, the longest first. */
export function waitersOf({ state }: System, { owner, offset }: FutexPlace): readonly FutexWaiter[] {
  return state.shared.futexWaiters.filter(({ place }) => place.owner === owner && place.offset === offset);
}

/** Wakes the threads that have waited longest, and says how many. */
export function wake(system: System, address: number, most: number, bits = ALL_BITS): number {
  const woken = waitersOf(system, placeOf(system, address))
    .filter((waiter) => (waiter.bits & bits) !== 0)
    .slice(0, Math.max(0, most));
  for (const waiter of woken) {
    waiter.isWoken = true;
    removeWaiter(system, waiter);
  }
  return woken.length;
}

/** Lets threads that wait for one word wait for another one, and says how many. */
export function requeue(system: System, from: number, to: number, most: number): number {
  const moved = waitersOf(system, placeOf(system, from)).slice(0, Math.max(0, most));
  if (from === to) return moved.length;
  const { shared } = system.state;
  // They wait behind those who wait there already.
  shared.futexWaiters = [...shared.futexWaiters.filter((waiter) => !moved.includes(waiter)), ...moved];
  const place = placeOf(system, to);
  for (const waiter of moved) waiter.place = place;
  return moved.length;
}

export function removeWaiter({ state: { shared } }: System, waiter: FutexWaiter): void {
  shared.futexWaiters = shared.futexWaiters.filter((other) => other !== waiter);
}

/** The process has ended, or becomes another program: none of its threads waits. */
export function removeWaitersIn({ shared, process }: KernelState): void {
  shared.futexWaiters = shared.futexWaiters.filter((waiter) => waiter.process !== process.id);
}

/** Memory belongs to a file from now on. */
export function moveWaiters({ state: { shared, process } }: System, { start, end, file }: Region): void {
  if (file === undefined) return;
  for (const waiter of shared.futexWaiters) {
    const { owner, offset } = waiter.place;
    if (owner === process && offset >= start && offset < end)
      waiter.place = { owner: file, offset: offset - start };
  }
}
