import { type Args, int, long, size, uint } from '../arguments.ts';
import { fail } from '../errno.ts';
import type { OpenFile } from '../fs/node.ts';
import { isObject, isStream } from '../fs/node.ts';
import { isReadable, isWritable, O, openFile } from '../open-file.ts';
import { row, type SyscallRow, type System } from '../system.ts';
import { IN, tell } from '../watches.ts';
import { available, MOST_BYTES, put, take } from './transfer.ts';

export interface Buffer {
  readonly address: number;
  readonly length: number;
}

const MOST_BUFFERS = 1024;
const SSIZE_MAX = 2 ** 63;

/** Where a call reads or writes: at the file's own offset, which moves, or at a given one. */
type At = { readonly kind: 'own' } | { readonly kind: 'given'; readonly offset: number };
export const OWN: At = { kind: 'own' };

function given(system: System, descriptor: bigint, offset: bigint): At {
  const { node } = openFile(system, int(descriptor));
  if (long(offset) < 0) fail('EINVAL');
  if (isStream(node) || isObject(node)) fail('ESPIPE');
  return { kind: 'given', offset: long(offset) };
}

/** preadv2 and pwritev2 take -1 for the file's own offset, and flags that ask for nothing we would do otherwise. */
function givenOrOwn(system: System, [descriptor, , , low, , flags]: Args): At {
  if (int(flags) & ~KNOWN_RWF) fail('EOPNOTSUPP');
  return long(low) === -1 ? OWN : given(system, descriptor, low);
}

/** RWF_HIPRI, RWF_DSYNC, RWF_SYNC, RWF_NOWAIT, RWF_APPEND. */
const KNOWN_RWF = 0x1f;
const RWF_NOWAIT = 8;
const RWF_APPEND = 16;

/** A flag of this one call stands for one that a file is opened with. */
function withFlags(system: System, [descriptor, , , , , flags]: Args, run: () => number): number {
  const file = openFile(system, int(descriptor));
  const before = file.flags;
  if ((int(flags) & RWF_NOWAIT) !== 0) file.flags |= O.NON_BLOCKING;
  if ((int(flags) & RWF_APPEND) !== 0) file.flags |= O.APPEND;
  try {
    return run();
  } finally {
    file.flags = before;
  }
}

export function read(system: System, descriptor: bigint, buffers: readonly Buffer[], at: At): number {
  const file = openFile(system, int(descriptor));
  if (!isReadable(file)) fail('EBADF');
  const offset = at.kind === 'own' ? file.offset : at.offset;
  const count = available(system, file, lengthOf(buffers), offset);
  requireRoom(system, buffers, count);
  scatter(system, buffers, take(system, file, count, offset));
  if (at.kind === 'own') file.offset += count;
  if (count > 0) tell(file.node, IN.ACCESS);
  return count;
}

export const lengthOf = (buffers: readonly Buffer[]): number =>
  buffers.reduce((sum, { length }) => sum + length, 0);

/** The first `count` bytes of the buffers can be written to. */
export function requireRoom(system: System, buffers: readonly Buffer[], count: number): void {
  let left = count;
  for (const { address, length } of buffers) {
    system.user.requireWritable(address, Math.min(left, length));
    left -= Math.min(left, length);
  }
}

export function scatter(system: System, buffers: readonly Buffer[], bytes: Uint8Array): void {
  let at = 0;
  for (const { address, length } of buffers) {
    system.user.write(address, bytes.subarray(at, at + length));
    at += Math.min(length, bytes.length - at);
  }
}

export function write(system: System, descriptor: bigint, buffers: readonly Buffer[], at: At): number {
  const file = openFile(system, int(descriptor));
  if (!isWritable(file)) fail('EBADF');
  if (isStream(file.node) || isObject(file.node)) {
    const count = put(system, file, gathered(system, buffers), 0);
    if (count > 0) tell(file.node, IN.MODIFY);
    return count;
  }
  let total = 0;
  for (const { address, length } of buffers) {
    const wanted = Math.min(length, MOST_BYTES);
    const bytes = system.user.read(address, wanted);
    const offset = writeOffset(file, at, total);
    const count = put(system, file, bytes, offset);
    if (at.kind === 'own') file.offset = offset + count;
    total += count;
    if (count < length) break;
  }
  if (total > 0) tell(file.node, IN.MODIFY);
  return total;
}

/** What goes through a pipe in one piece, and as one when the call waits in between. */
export function gathered(system: System, buffers: readonly Buffer[]): Uint8Array {
  const [only, ...others] = buffers.map(({ address, length }) =>
    system.user.read(address, Math.min(length, MOST_BYTES)),
  );
  if (others.length === 0) return only ?? new Uint8Array(0);
  const all = new Uint8Array([only, ...others].reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const bytes of [only, ...others]) {
    all.set(bytes, at);
    at += bytes.length;
  }
  return all;
}

/** O_APPEND writes at the end, pwrite's too: pwrite(2), BUGS. */
function writeOffset(file: OpenFile, at: At, done: number): number {
  if ((file.flags & O.APPEND) !== 0 && file.node.kind === 'file') return file.node.size;
  return at.kind === 'own' ? file.offset : at.offset + done;
}

export function one(address: bigint, length: bigint): readonly Buffer[] {
  return [{ address: size(address), length: size(length) }];
}

/** struct iovec { void *base; size_t length; }. */
export function vector(system: System, address: bigint, count: bigint): readonly Buffer[] {
  const entries = int(count);
  if (entries < 0 || entries > MOST_BUFFERS) fail('EINVAL');
  const buffers: Buffer[] = [];
  let total = 0;
  for (let entry = 0; entry < entries; entry++) {
    const at = size(address) + 16 * entry;
    const length = Number(system.user.u64(at + 8));
    total += length;
    if (total >= SSIZE_MAX) fail('EINVAL');
    buffers.push({ address: Number(system.user.u64(at)), length });
  }
  return buffers;
}

const POSITIONLESS: readonly string[] = ['null', 'zero', 'full', 'random'];
/** SEEK_HOLE */
const LAST_WHENCE = 4;

function seek(system: System, [descriptor, offset, whence]: Args): number {
  const file = openFile(system, int(descriptor));
  if (isStream(file.node)) fail('ESPIPE');
  if (isObject(file.node)) return 0;
  // null_lseek and noop_llseek
  if (file.node.kind === 'device' && POSITIONLESS.includes(file.node.device))
    return uint(whence) > LAST_WHENCE ? fail('EINVAL') : 0;
  const target = seekTarget(file, long(offset), int(whence));
  if (target < 0) fail('EINVAL');
  if (file.node.kind === 'directory') delete file.listing;
  file.offset = target;
  return target;
}

function seekTarget(file: OpenFile, offset: number, whence: number): number {
  const end = file.node.kind === 'file' ? file.node.size : 0;
  switch (whence) {
    case 0:
      return offset;
    case 1:
      return file.offset + offset;
    case 2:
      return end + offset;
    // SEEK_DATA and SEEK_HOLE: files have no holes but the one at their end.
    case 3:
      return offset >= 0 && offset < end ? offset : fail('ENXIO');
    case 4:
      return offset >= 0 && offset < end ? end : fail('ENXIO');
    default:
      return fail('EINVAL');
  }
}

export const READ_WRITE_CALLS: readonly SyscallRow[] = [
  row(0, 'read', 3, (s, [fd, buffer, count]) => read(s, fd, one(buffer, count), OWN)),
  row(1, 'write', 3, (s, [fd, buffer, count]) => write(s, fd, one(buffer, count), OWN)),
  row(8, 'lseek', 3, seek),
  row(17, 'pread64', 4, (s, [fd, buffer, count, at]) => read(s, fd, one(buffer, count), given(s, fd, at))),
  row(18, 'pwrite64', 4, (s, [fd, buffer, count, at]) => write(s, fd, one(buffer, count), given(s, fd, at))),
  row(19, 'readv', 3, (s, [fd, iov, count]) => read(s, fd, vector(s, iov, count), OWN)),
  row(20, 'writev', 3, (s, [fd, iov, count]) => write(s, fd, vector(s, iov, count), OWN)),
  row(295, 'preadv', 5, (s, [fd, iov, count, at]) => read(s, fd, vector(s, iov, count), given(s, fd, at))),
  row(296, 'pwritev', 5, (s, [fd, iov, count, at]) => write(s, fd, vector(s, iov, count), given(s, fd, at))),
  row(327, 'preadv2', 6, (s, args) =>
    withFlags(s, args, () => read(s, args[0], vector(s, args[1], args[2]), givenOrOwn(s, args))),
  ),
  row(328, 'pwritev2', 6, (s, args) =>
    withFlags(s, args, () => write(s, args[0], vector(s, args[1], args[2]), givenOrOwn(s, args))),
  ),
];
