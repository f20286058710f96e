import { type Args, int, long, size, uint } from '../arguments.ts';
import { realTime } from '../clock.ts';
import { fail } from '../errno.ts';
import { truncate } from '../fs/content.ts';
import { GROUP_ID, USER_ID } from '../fs/initial.ts';
import type { FileNode, OpenNode } from '../fs/node.ts';
import { isObject, isStream } from '../fs/node.ts';
import { requireSize, requireWritable } from '../fs/seals.ts';
import { writableEnd } from '../limits.ts';
import { descriptor, isReadable, isWritable, openFile } from '../open-file.ts';
import { dropBeyond, refreshShared, writeBackShared, writeFile } from '../regions.ts';
import { row, type SyscallRow, type System } from '../system.ts';
import { IN, tell } from '../watches.ts';
import { nodeAt } from './stat.ts';

/** Calls that change what is known about a file: mode, owner, times, length; and those that only promise durability. */

const FDCWD = -100n;
const AT_SYMLINK_NOFOLLOW = 0x100;
const AT_EMPTY_PATH = 0x1000;

function changeMode(system: System, node: OpenNode, mode: number): number {
  if (node.kind === 'link') return fail('EOPNOTSUPP');
  // Devices and what /proc tells are root's.
  if (node.kind === 'device' || node.kind === 'text' || node.kind === 'magic') return fail('EPERM');
  node.mode = mode & 0o7777;
  if (node.kind === 'file') node.ownMode = true;
  node.changed = realTime(system);
  tell(node, IN.ATTRIB);
  return 0;
}

/** Everything belongs to the guest's user, and stays so. */
const NOBODY = -1;
function changeOwner(system: System, node: OpenNode, user: bigint, group: bigint): number {
  const keeps = (wanted: bigint, id: number) => int(wanted) === NOBODY || int(wanted) === id;
  if (!keeps(user, USER_ID) || !keeps(group, GROUP_ID)) fail('EPERM');
  node.changed = realTime(system);
  tell(node, IN.ATTRIB);
  return 0;
}

const UTIME_NOW = 0x3fff_ffffn;
const UTIME_OMIT = 0x3fff_fffen;

/** Points of time; undefined: stays. */
interface Times {
  readonly accessed: bigint | undefined;
  readonly modified: bigint | undefined;
}

/** Reading never changes the time of access, so that it changes nothing; it is what it was set to. */
function setTimes(system: System, node: OpenNode, { accessed, modified }: Times): number {
  if (accessed === undefined && modified === undefined) return 0;
  if (accessed !== undefined) node.accessed = inRange(accessed);
  if (modified !== undefined) node.modified = inRange(modified);
  node.changed = realTime(system);
  const both = accessed !== undefined && modified !== undefined;
  tell(node, both ? IN.ATTRIB : modified !== undefined ? IN.MODIFY : IN.ACCESS);
  return 0;
}

const nowBoth = (system: System): Times => ({ accessed: realTime(system), modified: realTime(system) });

function utimensat(system: System, [directory, path, times, flags]: Args): number {
  if ((int(flags) & ~(AT_SYMLINK_NOFOLLOW | AT_EMPTY_PATH)) !== 0) fail('EINVAL');
  const wanted =
    size(times) === 0
      ? nowBoth(system)
      : { accessed: timespec(system, size(times)), modified: timespec(system, size(times) + 16) };
  if (wanted.accessed === undefined && wanted.modified === undefined) return 0;
  // utimensat(2): a null path means the descriptor itself; futimens is made of that.
  const node =
    size(path) === 0
      ? descriptor(system, int(directory)).file.node
      : nodeAt(system, directory, path, int(flags));
  return setTimes(system, node, wanted);
}

function timespec(system: System, address: number): bigint | undefined {
  const seconds = system.user.i64(address);
  const nanoseconds = system.user.i64(address + 8);
  if (nanoseconds === UTIME_OMIT) return undefined;
  if (nanoseconds === UTIME_NOW) return realTime(system);
  if (nanoseconds < 0n || nanoseconds > 999_999_999n) fail('EINVAL');
  return seconds * 1_000_000_000n + nanoseconds;
}

/** struct timeval[2] of utimes and futimesat. */
function utimes(system: System, directory: bigint, path: bigint, times: bigint): number {
  const node = nodeAt(system, directory, path, 0);
  if (size(times) === 0) return setTimes(system, node, nowBoth(system));
  const timeval = (address: number): bigint => {
    const microseconds = system.user.i64(address + 8);
    if (microseconds < 0n || microseconds > 999_999n) fail('EINVAL');
    return system.user.i64(address) * 1_000_000_000n + microseconds * 1000n;
  };
  return setTimes(system, node, { accessed: timeval(size(times)), modified: timeval(size(times) + 16) });
}

function utime(system: System, [path, times]: Args): number {
  const node = nodeAt(system, FDCWD, path, 0);
  if (size(times) === 0) return setTimes(system, node, nowBoth(system));
  const [accessed, modified] = [0, 8].map((at) => system.user.i64(size(times) + at) * 1_000_000_000n);
  return setTimes(system, node, { accessed, modified });
}

/** ext4 clamps to the years its inodes can hold, 1901 to 2446. */
function inRange(nanoseconds: bigint): bigint {
  const least = -(2n ** 31n) * 1_000_000_000n;
  const most = 15_032_385_535n * 1_000_000_000n;
  return nanoseconds < least ? least : nanoseconds > most ? most : nanoseconds;
}

function truncateNode(system: System, node: OpenNode, length: number): number {
  if (length < 0) fail('EINVAL');
  if (node.kind === 'directory') return fail('EISDIR');
  if (node.kind !== 'file') return fail('EINVAL');
  requireSize(node, length);
  if (length > node.size) writableEnd(system, length, length);
  writeBackShared(system, node);
  if (length < node.size) dropBeyond(system, node, length);
  truncate(system, node, length);
  tell(node, IN.MODIFY);
  refreshShared(system, node);
  return 0;
}

function truncatePath(system: System, [path, length]: Args): number {
  const node = nodeAt(system, FDCWD, path, 0);
  if (node.kind === 'file' && (node.mode & 0o200) === 0) fail('EACCES');
  return truncateNode(system, node, long(length));
}

function truncateFile(system: System, [number, length]: Args): number {
  const file = openFile(system, int(number));
  if (!isWritable(file)) fail('EINVAL');
  return truncateNode(system, file.node, long(length));
}

const FALLOC_KEEP_SIZE = 1;
const FALLOC_PUNCH_HOLE = 2;
const FALLOC_ZERO_RANGE = 16;
const LARGEST_OFFSET = 2 ** 63 - 1;

/** Makes bytes zero, as holes read. */
function clear(system: System, node: FileNode, start: number, end: number): number {
  if (start >= end) return 0;
  requireWritable(node, end);
  writeBackShared(system, node);
  writeFile(system, node, start, new Uint8Array(end - start));
  refreshShared(system, node);
  tell(node, IN.MODIFY);
  return 0;
}

function allocate(system: System, [number, mode, offset, length]: Args): number {
  const file = openFile(system, int(number));
  if (!isWritable(file)) fail('EBADF');
  if (long(offset) < 0 || long(length) <= 0) fail('EINVAL');
  if (file.node.kind !== 'file') return fail(file.node.kind === 'pipe' ? 'ESPIPE' : 'ENODEV');
  const end = long(offset) + long(length);
  if (end > LARGEST_OFFSET) fail('EFBIG');
  switch (int(mode)) {
    case 0:
      break;
    case FALLOC_KEEP_SIZE:
      return 0;
    case FALLOC_PUNCH_HOLE | FALLOC_KEEP_SIZE:
    case FALLOC_ZERO_RANGE | FALLOC_KEEP_SIZE:
      return clear(system, file.node, long(offset), Math.min(end, file.node.size));
    case FALLOC_ZERO_RANGE:
      clear(system, file.node, long(offset), Math.min(end, file.node.size));
      break;
    default:
      return fail('EOPNOTSUPP');
  }
  return end > file.node.size ? truncateNode(system, file.node, end) : 0;
}

/** fsync and its kin: memory is as durable as it gets. */
function synchronise(system: System, [number]: Args): number {
  const { node } = openFile(system, int(number));
  return isStream(node) || isObject(node) ? fail('EINVAL') : 0;
}

/** SYNC_FILE_RANGE_*. */
const KNOWN_RANGE_FLAGS = 7;

function synchroniseRange(system: System, args: Args): number {
  const [, offset, length, flags] = args;
  if (long(offset) < 0 || long(length) < 0 || (uint(flags) & ~KNOWN_RANGE_FLAGS) !== 0) fail('EINVAL');
  return synchronise(system, args);
}

/** POSIX_FADV_NOREUSE */
const LAST_ADVICE = 5;

function advise(system: System, [number, , length, advice]: Args): number {
  const { node } = openFile(system, int(number));
  if (isStream(node) || isObject(node)) fail('ESPIPE');
  return long(length) < 0 || uint(advice) > LAST_ADVICE ? fail('EINVAL') : 0;
}

function readAhead(system: System, [number]: Args): number {
  const file = openFile(system, int(number));
  if (!isReadable(file)) fail('EBADF');
  return file.node.kind === 'file' ? 0 : fail('EINVAL');
}

function changeModeAt(system: System, [directory, path, mode]: Args, flags: number): number {
  return changeMode(system, nodeAt(system, directory, path, flags), int(mode));
}

function setMask(system: System, [mask]: Args): number {
  const old = system.state.paths.umask;
  system.state.paths.umask = int(mask) & 0o777;
  return old;
}

export const ATTRIBUTE_CALLS: readonly SyscallRow[] = [
  row(90, 'chmod', 2, (s, [path, mode]) => changeModeAt(s, [FDCWD, path, mode], 0)),
  row(91, 'fchmod', 2, (s, [fd, mode]) => changeMode(s, openFile(s, int(fd)).node, int(mode))),
  row(268, 'fchmodat', 3, (s, args) => changeModeAt(s, args, 0)),
  row(452, 'fchmodat2', 4, (s, args) => changeModeAt(s, args, int(args[3]))),
  row(92, 'chown', 3, (s, [path, user, group]) => changeOwner(s, nodeAt(s, FDCWD, path, 0), user, group)),
  row(93, 'fchown', 3, (s, [fd, user, group]) => changeOwner(s, openFile(s, int(fd)).node, user, group)),
  row(94, 'lchown', 3, (s, [path, user, group]) =>
    changeOwner(s, nodeAt(s, FDCWD, path, AT_SYMLINK_NOFOLLOW), user, group),
  ),
  row(260, 'fchownat', 5, (s, [directory, path, user, group, flags]) =>
    changeOwner(s, nodeAt(s, directory, path, int(flags)), user, group),
  ),
  row(95, 'umask', 1, setMask),
  row(132, 'utime', 2, utime),
  row(235, 'utimes', 2, (s, [path, times]) => utimes(s, FDCWD, path, times)),
  row(261, 'futimesat', 3, (s, [directory, path, times]) => utimes(s, directory, path, times)),
  row(280, 'utimensat', 4, utimensat),
  row(76, 'truncate', 2, truncatePath),
  row(77, 'ftruncate', 2, truncateFile),
  row(285, 'fallocate', 4, allocate),
  row(74, 'fsync', 1, synchronise),
  row(75, 'fdatasync', 1, synchronise),
  row(277, 'sync_file_range', 4, synchroniseRange),
  row(306, 'syncfs', 1, synchronise),
  row(162, 'sync', 0, () => 0),
  row(221, 'fadvise64', 4, advise),
  row(187, 'readahead', 3, readAhead),
];
