import { FAR_END } from '../../guest/far-memory.ts';
import { PAGE_SIZE } from '../../guest/layout.ts';
import { EXECUTE, READ, WRITE } from '../../guest/memory.ts';
import { type Args, int, size } from '../arguments.ts';
import { realTime } from '../clock.ts';
import { fail } from '../errno.ts';
import type { FileNode } from '../fs/node.ts';
import { attachments, dropAbandoned, SHM_DEST } from '../ipc/segments.ts';
import {
  getObject,
  IPC_INFO,
  IPC_RMID,
  IPC_SET,
  IPC_STAT,
  lastPlace,
  objectAtPlace,
  objectOf,
  putLongs,
  READING,
  record,
  requireRights,
  seconds,
  setRights,
  WRITING,
} from '../ipc/space.ts';
import type { Segment } from '../ipc/state.ts';
import { NEW_NODE } from '../objects.ts';
import type { Region } from '../region.ts';
import { regionsIn, regionsOf } from '../region-list.ts';
import {
  addRegion,
  findFree,
  isInGuestSpace,
  overlapping,
  pageUp,
  removeRegions,
  writeBackShared,
} from '../regions.ts';
import { row, type SyscallRow, type System } from '../system.ts';

/** shmget(2), shmat(2), shmdt(2), shmctl(2). */

/** shmmax and shmall, in pages; shmmni. */
const LARGEST = 2n ** 64n - 1n - (1n << 24n);
const MOST_SEGMENTS = 4096;
/** It is compared whenever another process gets its turn, and no guest has much more memory. */
const LARGEST_HERE = 0x4000_0000;
const SHM_HUGETLB = 0o4000;

function get(system: System, [key, sizeBits, flags]: Args): number {
  dropAbandoned(system);
  const wanted = size(sizeBits);
  const space = system.state.shared.ipc.segments;
  return getObject(
    system,
    space,
    [key, flags],
    (found) => {
      if (found !== undefined) {
        if (wanted > found.size) fail('EINVAL');
        return;
      }
      if (wanted < 1 || BigInt.asUintN(64, sizeBits) > LARGEST) fail('EINVAL');
      // For those whom vm.hugetlb_shm_group names.
      if ((int(flags) & SHM_HUGETLB) !== 0) fail('EPERM');
      if (wanted > LARGEST_HERE) fail('ENOMEM');
      if (space.objects.size >= MOST_SEGMENTS) fail('ENOSPC');
    },
    (common): Segment => {
      const length = pageUp(wanted);
      const file: FileNode = {
        ...NEW_NODE,
        kind: 'file',
        mode: common.mode,
        data: new Uint8Array(length),
        size: length,
        links: 0,
        ownMode: true,
      };
      const maker = system.state.process.id;
      return { ...common, file, size: wanted, maker, lastProcess: 0, attached: 0n, detached: 0n };
    },
  );
}

const SHM_RDONLY = 0o10000;
const SHM_RND = 0o20000;
const SHM_REMAP = 0o40000;
const SHM_EXEC = 0o100000;

function attach(system: System, [id, hint, flagBits]: Args): number {
  dropAbandoned(system);
  const flags = int(flagBits);
  const has = (flag: number) => (flags & flag) !== 0;
  const wanted = size(hint);
  if (int(id) < 0 || (wanted === 0 && has(SHM_REMAP))) fail('EINVAL');
  if (wanted % PAGE_SIZE !== 0 && !has(SHM_RND)) fail('EINVAL');
  const segment = objectOf(system.state.shared.ipc.segments, int(id));
  requireRights(segment, READING | (has(SHM_RDONLY) ? 0 : WRITING) | (has(SHM_EXEC) ? 1 : 0));
  const { file } = segment;
  const start =
    wanted === 0
      ? (findFree(system, file.size) ?? fail('ENOMEM'))
      : placeAt(system, wanted - (wanted % PAGE_SIZE), file.size, has(SHM_REMAP));
  const label = `/SYSV${(segment.key >>> 0).toString(16).padStart(8, '0')} (deleted)`;
  const protection = READ | (has(SHM_RDONLY) ? 0 : WRITE) | (has(SHM_EXEC) ? EXECUTE : 0);
  writeBackShared(system, file);
  const end = start + file.size;
  const isReadOnly = has(SHM_RDONLY);
  addRegion(system, {
    start,
    end,
    protection,
    shared: true,
    label,
    file,
    openedAs: label,
    isReadOnly,
    offset: 0,
  });
  segment.attached = realTime(system);
  segment.lastProcess = system.state.process.id;
  return start;
}

function placeAt(system: System, start: number, length: number, replaces: boolean): number {
  if (!isInGuestSpace(start, start + length)) fail(start === 0 ? 'EPERM' : 'ENOMEM');
  if (!replaces && overlapping(system, start, start + length).length > 0) fail('EINVAL');
  return start;
}

/** What is left at the address of a segment that was attached there, of which parts may have been unmapped. */
function detach(system: System, [address]: Args): number {
  const start = size(address);
  if (start % PAGE_SIZE !== 0) fail('EINVAL');
  const { regions, shared, process } = system.state;
  const isPart = (segment: Segment) => (region: Region) =>
    region.file === segment.file && region.start - start === region.offset;
  const found = regionsIn(regions, start, FAR_END)
    .filter((region) => region.start >= start)
    .flatMap((region) => {
      const segment = [...shared.ipc.segments.objects.values()].find((each) => isPart(each)(region));
      return segment === undefined ? [] : [segment];
    });
  const [segment] = found;
  if (segment === undefined) return fail('EINVAL');
  for (const region of regionsOf(regions, segment.file).filter(isPart(segment)))
    removeRegions(system, region.start, region.end);
  segment.detached = realTime(system);
  segment.lastProcess = process.id;
  dropAbandoned(system);
  return 0;
}

const SHM_LOCK = 11;
const SHM_UNLOCK = 12;
const SHM_STAT = 13;
const SHM_INFO = 14;
const SHM_STAT_ANY = 15;

function control(system: System, [id, commandBits, address]: Args): number {
  dropAbandoned(system);
  const space = system.state.shared.ipc.segments;
  const command = int(commandBits);
  if (int(id) < 0) fail('EINVAL');
  switch (command) {
    case IPC_INFO:
    case SHM_INFO:
      return tellLimits(system, command, address);
    case SHM_STAT:
    case SHM_STAT_ANY: {
      const segment = objectAtPlace(space, int(id));
      if (command === SHM_STAT) requireRights(segment, READING);
      putSegment(system, segment, address);
      return segment.id;
    }
  }
  const segment = objectOf(space, int(id));
  switch (command) {
    case IPC_RMID:
      segment.mode |= SHM_DEST;
      segment.key = 0;
      dropAbandoned(system);
      return 0;
    case IPC_SET:
      setRights(system, segment, address);
      return 0;
    case IPC_STAT:
      requireRights(segment, READING);
      putSegment(system, segment, address);
      return 0;
    // Everything is always in memory.
    case SHM_LOCK:
    case SHM_UNLOCK:
      return 0;
    default:
      return fail('EINVAL');
  }
}

/** struct shmid64_ds. */
function putSegment(system: System, segment: Segment, address: bigint): void {
  const view = record(112, segment);
  view.setBigUint64(48, BigInt(segment.size), true);
  view.setBigInt64(56, seconds(segment.attached), true);
  view.setBigInt64(64, seconds(segment.detached), true);
  view.setBigInt64(72, seconds(segment.changed), true);
  view.setInt32(80, segment.maker, true);
  view.setInt32(84, segment.lastProcess, true);
  view.setBigUint64(88, BigInt(attachments(system.state, segment)), true);
  system.user.write(size(address), new Uint8Array(view.buffer));
}

/** struct shminfo64, or struct shm_info. */
function tellLimits(system: System, command: number, address: bigint): number {
  const space = system.state.shared.ipc.segments;
  const most = BigInt(MOST_SEGMENTS);
  const pages = [...space.objects.values()].reduce((sum, { file }) => sum + file.size / PAGE_SIZE, 0);
  if (command === IPC_INFO) putLongs(system, address, [LARGEST, 1n, most, most, LARGEST, 0n, 0n, 0n, 0n]);
  else putLongs(system, address, [BigInt(space.objects.size), BigInt(pages), BigInt(pages), 0n, 0n, 0n]);
  return lastPlace(space);
}

export const SEGMENT_CALLS: readonly SyscallRow[] = [
  row(29, 'shmget', 3, get),
  row(30, 'shmat', 3, attach),
  row(31, 'shmctl', 3, control),
  row(67, 'shmdt', 1, detach),
];
