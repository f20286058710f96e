import { type Args, int, size, uint } from '../arguments.ts';
import { EPOCH } from '../clock.ts';
import { fail } from '../errno.ts';
import { type FileSystem, fileSystemOf } from '../fs/file-systems.ts';
import { GROUP_ID, USER_ID } from '../fs/initial.ts';
import type { OpenNode } from '../fs/node.ts';
import { inodeOf } from '../fs/tree.ts';
import { find } from '../fs/walk.ts';
import { descriptor } from '../open-file.ts';
import { writeBackShared } from '../regions.ts';
import { row, type SyscallRow, type System } from '../system.ts';
import { startDirectory } from './open.ts';

/** stat.h: the type bits of st_mode, by kind of node. */
const FIFO = 0o010000;
const CHARACTER_DEVICE = 0o020000;
const DIRECTORY = 0o040000;
const REGULAR = 0o100000;
const LINK = 0o120000;
const SOCKET = 0o140000;

const BLOCK_SIZE = 4096;
const DIRECTORY_SIZE = 4096;

/** Device numbers of mem(4) and of the terminal. */
const DEVICE_NUMBERS = {
  null: [1, 3],
  zero: [1, 5],
  full: [1, 7],
  random: [1, 9],
  tty: [5, 0],
  ptmx: [5, 2],
  other: [0, 0],
};

export function typeBits(node: OpenNode): number {
  switch (node.kind) {
    case 'file':
    case 'text':
    case 'messages':
      return REGULAR;
    case 'directory':
      return DIRECTORY;
    case 'link':
    case 'magic':
      return LINK;
    case 'device':
      return node.device === 'other' ? SOCKET : CHARACTER_DEVICE;
    case 'terminal':
      return CHARACTER_DEVICE;
    case 'pipe':
    case 'stream':
      return FIFO;
    case 'socket':
      return SOCKET;
    // Anonymous inodes have no type.
    case 'counter':
    case 'timer':
    case 'signals':
    case 'interests':
    case 'watches':
    case 'process':
      return 0;
  }
}

function sizeOf(node: OpenNode): number {
  if (node.kind === 'file') return node.size;
  if (node.kind === 'directory') return DIRECTORY_SIZE;
  return node.kind === 'link' ? node.target.length : 0;
}

/** Of a terminal: that of /dev/ptmx, or pts(4). */
function deviceNumber(node: OpenNode): readonly number[] {
  if (node.kind === 'device') return DEVICE_NUMBERS[node.device];
  if (node.kind !== 'terminal') return [0, 0];
  return node.side === 'master' ? DEVICE_NUMBERS.ptmx : [136, node.terminal.number];
}

interface Facts {
  readonly inode: number;
  readonly links: number;
  readonly mode: number;
  /** Of what it is on, and, where it is a device, its own. */
  readonly fileSystem: FileSystem;
  readonly device: readonly number[];
  readonly size: number;
  readonly blocks: number;
  readonly accessed: Moment;
  readonly modified: Moment;
  readonly changed: Moment;
}

interface Moment {
  readonly seconds: bigint;
  readonly nanoseconds: number;
}

function moment(nanoseconds: bigint): Moment {
  // Not below zero before 1970 either.
  const fraction = ((nanoseconds % 1_000_000_000n) + 1_000_000_000n) % 1_000_000_000n;
  return { seconds: (nanoseconds - fraction) / 1_000_000_000n, nanoseconds: Number(fraction) };
}

function facts(system: System, node: OpenNode): Facts {
  if (node.kind === 'file') writeBackShared(system, node);
  const length = sizeOf(node);
  return {
    inode: inodeOf(system, node),
    // One for directories too, as btrfs has it: tree walkers then do not infer subdirectories from it.
    links: node.kind === 'file' ? node.links : node.kind === 'directory' && node.isRemoved === true ? 0 : 1,
    mode: typeBits(node) | node.mode,
    fileSystem: fileSystemOf(node),
    device: deviceNumber(node),
    size: length,
    blocks: Math.ceil(length / BLOCK_SIZE) * (BLOCK_SIZE / 512),
    accessed: moment(node.accessed ?? node.modified),
    modified: moment(node.modified),
    changed: moment(node.changed ?? node.modified),
  };
}

/** Numbers below 256 (makedev(3)). */
const deviceWord = ([major, minor]: readonly number[]): bigint => BigInt(major * 256 + minor);

/** A structure on its way to the guest. It is made once: to make a buffer for each took a fifth of a program that does nothing else. */
const record = (length: number) => {
  const bytes = new Uint8Array(length);
  return { bytes, view: new DataView(bytes.buffer) };
};
const STAT = record(144);
const STATX = record(256);

/** struct stat of arch/x86/include/uapi/asm/stat.h. What nobody sets stays zero. */
function putStat(system: System, node: OpenNode, address: bigint): number {
  const {
    inode,
    links,
    mode,
    fileSystem,
    device,
    size: length,
    blocks,
    accessed,
    modified,
    changed,
  } = facts(system, node);
  const { view, bytes } = STAT;
  view.setBigUint64(0, deviceWord(fileSystem.device), true);
  view.setBigUint64(8, BigInt(inode), true);
  view.setBigUint64(16, BigInt(links), true);
  view.setUint32(24, mode, true);
  view.setUint32(28, USER_ID, true);
  view.setUint32(32, GROUP_ID, true);
  view.setBigUint64(40, deviceWord(device), true);
  view.setBigInt64(48, BigInt(length), true);
  view.setBigInt64(56, BigInt(BLOCK_SIZE), true);
  view.setBigInt64(64, BigInt(blocks), true);
  [accessed, modified, changed].forEach(({ seconds, nanoseconds }, i) => {
    view.setBigInt64(72 + 16 * i, seconds, true);
    view.setBigInt64(80 + 16 * i, BigInt(nanoseconds), true);
  });
  system.user.write(size(address), bytes);
  return 0;
}

/** STATX_BASIC_STATS and STATX_BTIME: what we fill in. */
const STATX_MASK = 0xfff;

/** struct statx of include/uapi/linux/stat.h. */
function putStatx(system: System, node: OpenNode, address: bigint): number {
  const {
    inode,
    links,
    mode,
    fileSystem,
    device,
    size: length,
    blocks,
    accessed,
    modified,
    changed,
  } = facts(system, node);
  const { view, bytes } = STATX;
  view.setUint32(0, STATX_MASK, true);
  view.setUint32(4, BLOCK_SIZE, true);
  view.setUint32(16, links, true);
  view.setUint32(20, USER_ID, true);
  view.setUint32(24, GROUP_ID, true);
  view.setUint16(28, mode, true);
  view.setBigUint64(32, BigInt(inode), true);
  view.setBigUint64(40, BigInt(length), true);
  view.setBigUint64(48, BigInt(blocks), true);
  for (const [at, { seconds, nanoseconds }] of [
    [64, accessed],
    [96, changed],
    [112, modified],
  ] as const) {
    view.setBigInt64(at, seconds, true);
    view.setUint32(at + 8, nanoseconds, true);
  }
  view.setBigInt64(80, EPOCH / 1_000_000_000n, true);
  view.setUint32(128, device[0], true);
  view.setUint32(132, device[1], true);
  view.setUint32(136, fileSystem.device[0], true);
  view.setUint32(140, fileSystem.device[1], true);
  system.user.write(size(address), bytes);
  return 0;
}

const AT_SYMLINK_NOFOLLOW = 0x100;
const AT_EMPTY_PATH = 0x1000;
/** AT_NO_AUTOMOUNT and the AT_STATX_* synchronisation bits: no difference here. */
const AT_STATX_EITHER = 0x6000;
const AT_HARMLESS = 0x800 | AT_STATX_EITHER;

/** The node that an *at call with these flags means; AT_EMPTY_PATH means the descriptor's own. */
export function nodeAt(system: System, directory: bigint, pathAddress: bigint, flags: number): OpenNode {
  if ((flags & ~(AT_SYMLINK_NOFOLLOW | AT_EMPTY_PATH | AT_HARMLESS)) !== 0) fail('EINVAL');
  const path = system.user.path(size(pathAddress));
  if (path !== '' || (flags & AT_EMPTY_PATH) === 0)
    return throughMagic(
      system,
      find(system, startDirectory(system, directory, path), path, (flags & AT_SYMLINK_NOFOLLOW) === 0),
      flags,
    );
  return int(directory) === -100 ? system.state.paths.cwd : descriptor(system, int(directory)).file.node;
}

/** A link of /proc/self/fd to a pipe has no path behind it: stat looks through it all the same. */
function throughMagic(system: System, node: OpenNode, flags: number): OpenNode {
  if (node.kind !== 'magic' || (flags & AT_SYMLINK_NOFOLLOW) !== 0 || typeof node.leadsTo === 'string')
    return node;
  const state = system.state.shared.processes.get(node.process)?.state;
  return state?.descriptors.get(node.leadsTo.descriptor)?.file.node ?? fail('ENOENT');
}

const FDCWD = -100n;

/** ST_VALID: the flags that there are are told. */
const STATFS_FLAGS = 0x20;

/** struct statfs of include/uapi/asm-generic/statfs.h; there may be as many files as blocks. */
function statfs(system: System, node: OpenNode, address: bigint): number {
  const view = new DataView(new ArrayBuffer(120));
  const { magic, blocks, free } = fileSystemOf(node);
  [magic, BLOCK_SIZE, blocks, free, free, blocks, free].forEach((word, at) => {
    view.setBigInt64(8 * at, BigInt(word), true);
  });
  view.setBigInt64(64, 255n, true);
  view.setBigInt64(72, BigInt(BLOCK_SIZE), true);
  view.setBigInt64(80, BigInt(STATFS_FLAGS), true);
  system.user.write(size(address), new Uint8Array(view.buffer));
  return 0;
}

const F_OK_TO_RWX = 7;
const AT_EACCESS = 0x200;

/** The guest owns all files; execution needs an x bit, writing what the mode says. */
function access(system: System, directory: bigint, path: bigint, mode: number, flags: number): number {
  if ((mode & ~F_OK_TO_RWX) !== 0) fail('EINVAL');
  const node = nodeAt(system, directory, path, flags & ~AT_EACCESS);
  return ((node.mode >> 6) & mode) === mode ? 0 : fail('EACCES');
}

export const STAT_CALLS: readonly SyscallRow[] = [
  row(4, 'stat', 2, (s, [path, address]) => putStat(s, nodeAt(s, FDCWD, path, 0), address)),
  row(5, 'fstat', 2, (s, [fd, address]) => putStat(s, descriptor(s, int(fd)).file.node, address)),
  row(6, 'lstat', 2, (s, [path, address]) =>
    putStat(s, nodeAt(s, FDCWD, path, AT_SYMLINK_NOFOLLOW), address),
  ),
  row(262, 'newfstatat', 4, (s, [directory, path, address, flags]) =>
    putStat(s, nodeAt(s, directory, path, int(flags)), address),
  ),
  row(332, 'statx', 5, (s, [directory, path, flags, mask, address]: Args) => {
    if (uint(mask) >= 2 ** 31 || (int(flags) & AT_STATX_EITHER) === AT_STATX_EITHER) fail('EINVAL');
    return putStatx(s, nodeAt(s, directory, path, int(flags)), address);
  }),
  row(137, 'statfs', 2, (s, [path, address]) => statfs(s, nodeAt(s, FDCWD, path, 0), address)),
  row(138, 'fstatfs', 2, (s, [fd, address]) => statfs(s, descriptor(s, int(fd)).file.node, address)),
  row(21, 'access', 2, (s, [path, mode]) => access(s, FDCWD, path, int(mode), 0)),
  row(269, 'faccessat', 3, (s, [directory, path, mode]) => access(s, directory, path, int(mode), 0)),
  row(439, 'faccessat2', 4, (s, [directory, path, mode, flags]) =>
    access(s, directory, path, int(mode), int(flags)),
  ),
];
