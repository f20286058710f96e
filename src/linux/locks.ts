import type { Lock, LockOwner, LockTable, OpenFile } from './fs/node.ts';
import { isOpen } from './open-files.ts';
import type { KernelState } from './state.ts';
import type { System } from './system.ts';

/**
 * Locks on files (fs/locks.c). Those of fcntl belong to a process, by its table of descriptors, or to an open file; those of
 * flock to an open file. A lock whose owner is gone is none: nobody takes it away, it is left out when it is come across.
 */

/** Whose locks they are: LockTable's parts do not know of each other. */
export function lockTable(holder: { locks?: LockTable }): LockTable {
  holder.locks ??= { ranges: [], whole: [] };
  return holder.locks;
}

function isThere(system: System, owner: LockOwner): boolean {
  if (owner.kind === 'file') return isOpen(system, owner.file);
  return [...system.state.shared.processes.values()].some(
    ({ state }) => state?.descriptors === owner.descriptors,
  );
}

function isSame(a: LockOwner, b: LockOwner): boolean {
  if (a.kind === 'file') return b.kind === 'file' && a.file === b.file;
  return b.kind === 'process' && a.descriptors === b.descriptors;
}

/** The first lock that keeps this one from being set. */
export function conflict(system: System, locks: readonly Lock[], wanted: Lock): Lock | undefined {
  return locks.find(
    (lock) =>
      lock.start < wanted.end &&
      wanted.start < lock.end &&
      (lock.isExclusive || wanted.isExclusive) &&
      !isSame(lock.owner, wanted.owner) &&
      isThere(system, lock.owner),
  );
}

/** Takes away what the owner has in the range. */
export function release(locks: readonly Lock[], owner: LockOwner, start: number, end: number): Lock[] {
  return locks.flatMap((lock) => {
    if (!isSame(lock.owner, owner) || lock.end <= start || end <= lock.start) return [lock];
    return [
      ...(lock.start < start ? [{ ...lock, end: start }] : []),
      ...(end < lock.end ? [{ ...lock, start: end }] : []),
    ];
  });
}

/** A process that closes any descriptor of a file gives up its locks on it: fcntl(2). */
export function releaseOnClose({ descriptors }: KernelState, { node }: OpenFile): void {
  if (node.locks === undefined) return;
  node.locks.ranges = release(node.locks.ranges, { kind: 'process', descriptors }, 0, Infinity);
}

/** Sets a lock in place of what its owner has in the range; neighbours of one kind become one, in order of place. */
export function withLock(locks: readonly Lock[], wanted: Lock): Lock[] {
  const others = release(locks, wanted.owner, wanted.start, wanted.end);
  const touches = (lock: Lock): boolean =>
    isSame(lock.owner, wanted.owner) &&
    lock.isExclusive === wanted.isExclusive &&
    lock.start <= wanted.end &&
    wanted.start <= lock.end;
  const joined = others.filter(touches);
  const start = Math.min(wanted.start, ...joined.map((lock) => lock.start));
  const end = Math.max(wanted.end, ...joined.map((lock) => lock.end));
  return [...others.filter((lock) => !touches(lock)), { ...wanted, start, end }].sort(
    (a, b) => a.start - b.start,
  );
}

/** Whether the owner would wait for one who waits for it, through however many others: EDEADLK. */
export function isDeadlock(system: System, owner: LockOwner, holder: LockOwner): boolean {
  const waits = [...system.state.shared.processes.values()].flatMap(({ state }) => state?.awaitedLocks ?? []);
  const seen: LockOwner[] = [];
  for (let at: LockOwner | undefined = holder; at !== undefined; ) {
    if (isSame(at, owner)) return true;
    if (seen.some((each) => isSame(each, at!))) return false;
    seen.push(at);
    const waiting = waits.find(({ lock }) => isSame(lock.owner, at!));
    at = waiting && conflict(system, lockTable(waiting.holder).ranges, waiting.lock)?.owner;
  }
  return false;
}
