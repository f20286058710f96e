import { type Args, int, size } from '../arguments.ts';
import { realTime } from '../clock.ts';
import { fail } from '../errno.ts';
import { GROUP_ID, USER_ID } from '../fs/initial.ts';
import type { System } from '../system.ts';
import type { IpcObject, IpcSpace } from './state.ts';

/** What System V's queues, semaphores and segments have in common: keys, numbers, rights (ipc/util.c). */

export const IPC_NOWAIT = 0o4000;
const IPC_PRIVATE = 0;
const IPC_CREAT = 0o1000;
const IPC_EXCL = 0o2000;
/** linux/ipc.h: commands that all three know. */
export const IPC_RMID = 0;
export const IPC_SET = 1;
export const IPC_STAT = 2;
export const IPC_INFO = 3;

export const READING = 0o4;
export const WRITING = 0o2;

/** A number is a place among those of its kind, and above that how often places began anew. */
const INDEX_BITS = 15;
const INDEX_MASK = (1 << INDEX_BITS) - 1;
/** Places begin anew here, or half beyond as many as there are. */
const LEAST_ROUND = 64;
const MOST_OBJECTS = 32_000;

function newNumber(space: IpcSpace<IpcObject>): number {
  const inUse = new Set([...space.objects.keys()].map((id) => id & INDEX_MASK));
  if (inUse.size >= MOST_OBJECTS) fail('ENOSPC');
  const length = Math.max(LEAST_ROUND, Math.ceil((inUse.size * 3) / 2));
  let index = space.lastIndex;
  do index = (index + 1) % length;
  while (inUse.has(index));
  if (index <= space.lastIndex) space.round = (space.round + 1) % 2 ** (31 - INDEX_BITS);
  space.lastIndex = index;
  return space.round * 2 ** INDEX_BITS + index;
}

/** msgget, semget, shmget: the object of a key, or a new one. `check` throws where it is not as it was asked for, or cannot be made. */
export function getObject<T extends IpcObject>(
  system: System,
  space: IpcSpace<T>,
  [keyBits, flagBits]: Args,
  check: (found: T | undefined) => void,
  make: (common: IpcObject) => T,
): number {
  const key = int(keyBits);
  const flags = int(flagBits);
  const found =
    key === IPC_PRIVATE ? undefined : [...space.objects.values()].find((each) => each.key === key);
  if (found !== undefined) {
    if ((flags & IPC_CREAT) !== 0 && (flags & IPC_EXCL) !== 0) fail('EEXIST');
    check(found);
    requireRights(found, flags);
    return found.id;
  }
  if (key !== IPC_PRIVATE && (flags & IPC_CREAT) === 0) fail('ENOENT');
  check(undefined);
  const common = { key, mode: flags & 0o777, user: USER_ID, group: GROUP_ID, changed: realTime(system) };
  const object = make({ id: newNumber(space), ...common });
  space.objects.set(object.id, object);
  return object.id;
}

export function objectOf<T extends IpcObject>(space: IpcSpace<T>, id: number): T {
  return space.objects.get(id) ?? fail('EINVAL');
}

/** The guest has made all objects: the owner's bits hold. `wanted` is as the low bits of a mode, whoever they are for. */
export function requireRights({ mode }: IpcObject, wanted: number): void {
  const asked = ((wanted >> 6) | (wanted >> 3) | wanted) & 7;
  if ((asked & ~(mode >> 6)) !== 0) fail('EACCES');
}

/** The object at a place, for commands that go through all there are (SHM_STAT and its like). */
export function objectAtPlace<T extends IpcObject>(space: IpcSpace<T>, index: number): T {
  return [...space.objects.values()].find(({ id }) => (id & INDEX_MASK) === index) ?? fail('EINVAL');
}

/** The last place that is taken, 0 for none. */
export function lastPlace(space: IpcSpace<IpcObject>): number {
  return Math.max(0, ...[...space.objects.keys()].map((id) => id & INDEX_MASK));
}

/** sizeof(struct ipc64_perm) */
export const PERMISSION_SIZE = 48;

/** A record of *_STAT: struct ipc64_perm, and the rest for the caller. */
export function record(size: number, { key, mode, user, group, id }: IpcObject): DataView {
  const view = new DataView(new ArrayBuffer(size));
  view.setInt32(0, key, true);
  view.setUint32(4, user, true);
  view.setUint32(8, group, true);
  view.setUint32(12, USER_ID, true);
  view.setUint32(16, GROUP_ID, true);
  view.setUint32(20, mode, true);
  view.setUint16(24, id >> INDEX_BITS, true);
  return view;
}

export const seconds = (nanoseconds: bigint): bigint => nanoseconds / 1_000_000_000n;

/** IPC_SET: owner, group and permission bits of a record. */
export function setRights(system: System, object: IpcObject, address: bigint): void {
  const bytes = system.user.read(size(address), PERMISSION_SIZE);
  const view = new DataView(bytes.buffer, bytes.byteOffset, PERMISSION_SIZE);
  object.user = view.getUint32(4, true);
  object.group = view.getUint32(8, true);
  object.mode = (object.mode & ~0o777) | (view.getUint32(20, true) & 0o777);
  object.changed = realTime(system);
}

/** Writes ints, as the *_INFO commands tell of limits. */
export function putInts(system: System, address: bigint, values: readonly number[]): void {
  system.user.write(size(address), new Uint8Array(Int32Array.from(values).buffer));
}

/** Writes unsigned longs. */
export function putLongs(system: System, address: bigint, values: readonly bigint[]): void {
  system.user.write(size(address), new Uint8Array(BigUint64Array.from(values).buffer));
}
