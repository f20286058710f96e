import { type Args, int } from '../arguments.ts';
import { fail } from '../errno.ts';
import type { Lock, LockOwner, OpenFile } from '../fs/node.ts';
import { conflict, isDeadlock, lockTable, release, withLock } from '../locks.ts';
import { isReadable, isWritable, openFile } from '../open-file.ts';
import { row, type SyscallRow, type System } from '../system.ts';
import { giveWay, waitFor } from '../wait.ts';

/** fcntl.h: locks of a process, and of an open file (OFD). */
const F_GETLK = 5;
const F_SETLK = 6;
const F_SETLKW = 7;
const F_OFD_GETLK = 36;
const F_OFD_SETLK = 37;
const F_OFD_SETLKW = 38;
const F_RDLCK = 0;
const F_WRLCK = 1;
const F_UNLCK = 2;

const LOCK_COMMANDS: readonly number[] = [F_GETLK, F_SETLK, F_SETLKW, F_OFD_GETLK, F_OFD_SETLK, F_OFD_SETLKW];

export const isLockCommand = (command: number): boolean => LOCK_COMMANDS.includes(command);

/** struct flock: type, whence, start, length, process. */
interface Asked {
  readonly type: number;
  readonly start: number;
  /** Exclusive; Infinity for the end of all files. */
  readonly end: number;
  readonly process: number;
}

function asked(system: System, file: OpenFile, address: number): Asked {
  const bytes = system.user.read(address, 32);
  const view = new DataView(bytes.buffer, bytes.byteOffset, 32);
  const type = view.getInt16(0, true);
  const from = startOf(file, view.getInt16(2, true)) + Number(view.getBigInt64(8, true));
  const length = Number(view.getBigInt64(16, true));
  if (![F_RDLCK, F_WRLCK, F_UNLCK].includes(type)) fail('EINVAL');
  const start = length < 0 ? from + length : from;
  if (start < 0) fail('EINVAL');
  const end = length === 0 ? Infinity : length < 0 ? from : from + length;
  return { type, start, end, process: view.getInt32(24, true) };
}

function startOf(file: OpenFile, whence: number): number {
  switch (whence) {
    case 0:
      return 0;
    case 1:
      return file.offset;
    case 2:
      return file.node.kind === 'file' ? file.node.size : 0;
    default:
      return fail('EINVAL');
  }
}

export function lockRange(system: System, file: OpenFile, command: number, address: number): number {
  const wanted = asked(system, file, address);
  const isOfFile = command >= F_OFD_GETLK;
  if (isOfFile && wanted.process !== 0) fail('EINVAL');
  const { process, descriptors } = system.state;
  const owner: LockOwner = isOfFile ? { kind: 'file', file } : { kind: 'process', descriptors };
  const { start, end } = wanted;
  const lock: Lock = { owner, process: process.id, start, end, isExclusive: wanted.type === F_WRLCK };
  const table = lockTable(file.node);
  switch (command) {
    case F_GETLK:
    case F_OFD_GETLK:
      if (wanted.type === F_UNLCK && !isOfFile) fail('EINVAL');
      putLock(system, address, conflict(system, table.ranges, lock));
      return 0;
    case F_SETLK:
    case F_OFD_SETLK:
      return setRange(system, file, wanted.type, lock, false);
    default:
      return setRange(system, file, wanted.type, lock, true);
  }
}

/** Tells of a lock; of none, that there is none. */
function putLock(system: System, address: number, lock: Lock | undefined): void {
  if (lock === undefined) {
    system.user.write(address, Uint8Array.of(F_UNLCK, 0));
    return;
  }
  const view = new DataView(new ArrayBuffer(28));
  view.setInt16(0, lock.isExclusive ? F_WRLCK : F_RDLCK, true);
  view.setBigInt64(8, BigInt(lock.start), true);
  view.setBigInt64(16, lock.end === Infinity ? 0n : BigInt(lock.end - lock.start), true);
  view.setInt32(24, lock.owner.kind === 'file' ? -1 : lock.process, true);
  system.user.write(address, new Uint8Array(view.buffer));
}

function setRange(system: System, file: OpenFile, type: number, lock: Lock, waits: boolean): number {
  const table = lockTable(file.node);
  if (type === F_UNLCK) {
    table.ranges = release(table.ranges, lock.owner, lock.start, lock.end);
    return 0;
  }
  if (type === F_RDLCK ? !isReadable(file) : !isWritable(file)) fail('EBADF');
  const { state } = system;
  const stop = () => {
    state.awaitedLocks = state.awaitedLocks.filter((each) => each.lock !== lock);
  };
  const isReady = () => conflict(system, table.ranges, lock) === undefined;
  const goOn = (): number => {
    stop();
    const holder = conflict(system, table.ranges, lock)?.owner;
    if (holder === undefined) {
      table.ranges = withLock(table.ranges, lock);
      return 0;
    }
    if (!waits) return busy(system);
    if (lock.owner.kind === 'process' && isDeadlock(system, lock.owner, holder)) fail('EDEADLK');
    state.awaitedLocks = [...state.awaitedLocks, { holder: file.node, lock }];
    return waitFor({ call: 'fcntl', reason: 'nobody gives the lock up', isReady, interrupted: stop, goOn });
  };
  return goOn();
}

/** Whoever asks again and again lets others run. */
function busy(system: System): never {
  giveWay(system);
  return fail('EAGAIN');
}

const LOCK_SH = 1;
const LOCK_EX = 2;
const LOCK_NB = 4;
const LOCK_UN = 8;

/** What is held is given up before another kind is waited for: flock(2). */
function flock(system: System, [number, operationBits]: Args): number {
  const file = openFile(system, int(number));
  const operation = int(operationBits) & ~LOCK_NB;
  if (![LOCK_SH, LOCK_EX, LOCK_UN].includes(operation)) fail('EINVAL');
  const table = lockTable(file.node);
  const owner: LockOwner = { kind: 'file', file };
  const isExclusive = operation === LOCK_EX;
  const before = table.whole.find((lock) => lock.owner.kind === 'file' && lock.owner.file === file);
  if (before?.isExclusive === isExclusive && operation !== LOCK_UN) return 0;
  table.whole = release(table.whole, owner, 0, Infinity);
  if (operation === LOCK_UN) return 0;
  const lock: Lock = { owner, process: system.state.process.id, start: 0, end: Infinity, isExclusive };
  const isReady = () => conflict(system, table.whole, lock) === undefined;
  const goOn = (): number => {
    if (!isReady()) {
      if ((int(operationBits) & LOCK_NB) !== 0) return busy(system);
      return waitFor({ call: 'flock', reason: 'nobody gives the lock up', isReady, goOn });
    }
    table.whole = withLock(table.whole, lock);
    return 0;
  };
  return goOn();
}

export const LOCK_CALLS: readonly SyscallRow[] = [row(73, 'flock', 2, flock)];
