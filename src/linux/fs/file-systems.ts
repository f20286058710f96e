import type { DirectoryNode, Mounted, OpenNode } from './node.ts';

/** A file system as stat(2), statfs(2) and /proc/PID/mounts tell of it. */
export interface FileSystem {
  readonly type: string;
  readonly source: string;
  /** Where it is mounted, if it is. */
  readonly at?: string;
  /** Major and minor number. */
  readonly device: readonly [number, number];
  /** statfs(2): f_type, and blocks of 4 KiB, if it has some: all of them, and those that are free. */
  readonly magic: number;
  readonly blocks: number;
  readonly free: number;
}

const TMPFS = 0x0102_1994;
/** Half of the machine's memory (machine-texts.ts), in pages. */
const TMPFS_BLOCKS = 160_000;
const NONE = { blocks: 0, free: 0 };
const IN_MEMORY = { magic: TMPFS, blocks: TMPFS_BLOCKS, free: TMPFS_BLOCKS };

/** In the order in which they are mounted: one million blocks on the disk, half of them free. */
const MOUNTED: Readonly<Record<Mounted, FileSystem & { readonly at: string }>> = {
  root: {
    type: 'ext4',
    source: '/dev/root',
    at: '/',
    device: [8, 1],
    magic: 0xef53,
    blocks: 1_000_000,
    free: 500_000,
  },
  devices: { type: 'devtmpfs', source: 'udev', at: '/dev', device: [0, 5], ...IN_MEMORY },
  terminals: { type: 'devpts', source: 'devpts', at: '/dev/pts', device: [0, 23], magic: 0x1cd1, ...NONE },
  'shared memory': { type: 'tmpfs', source: 'tmpfs', at: '/dev/shm', device: [0, 24], ...IN_MEMORY },
  proc: { type: 'proc', source: 'proc', at: '/proc', device: [0, 21], magic: 0x9fa0, ...NONE },
  sys: { type: 'sysfs', source: 'sysfs', at: '/sys', device: [0, 22], magic: 0x6265_6572, ...NONE },
};

/** Those of what has no name in a directory (fs/pipe.c, net/socket.c, fs/anon_inodes.c, mm/shmem.c, ipc/mqueue.c). */
const PIPES: FileSystem = { type: 'pipefs', source: 'pipefs', device: [0, 13], magic: 0x5049_5045, ...NONE };
const SOCKETS: FileSystem = { type: 'sockfs', source: 'sockfs', device: [0, 8], magic: 0x534f_434b, ...NONE };
const OBJECTS: FileSystem = {
  type: 'anon_inodefs',
  source: 'anon_inodefs',
  device: [0, 14],
  magic: 0x0904_1934,
  ...NONE,
};
const QUEUES: FileSystem = { type: 'mqueue', source: 'mqueue', device: [0, 19], magic: 0x1980_0202, ...NONE };
const ANONYMOUS_MEMORY: FileSystem = { type: 'tmpfs', source: 'tmpfs', device: [0, 1], ...IN_MEMORY };

/** Which file system something is on. */
export function fileSystemOf(node: OpenNode): FileSystem {
  if (node.kind === 'directory') return mountOf(node);
  if (node.kind === 'terminal') return MOUNTED.terminals;
  if ('entry' in node && node.entry !== undefined) return mountOf(node.entry.directory);
  switch (node.kind) {
    case 'pipe':
    case 'stream':
      return PIPES;
    case 'socket':
      return SOCKETS;
    case 'file':
      return node.seals === undefined ? MOUNTED.root : ANONYMOUS_MEMORY;
    case 'messages':
      return QUEUES;
    // Those whose names are numbers (tree.ts).
    case 'magic':
    case 'text':
    case 'link':
      return MOUNTED.proc;
    case 'device':
      return MOUNTED.devices;
    default:
      return OBJECTS;
  }
}

/** The one that a directory is in. */
export function mountOf(directory: DirectoryNode): FileSystem {
  let at = directory;
  while (at.mounted === undefined && at.parent !== at) at = at.parent;
  return MOUNTED[at.mounted ?? 'root'];
}

const mounts = Object.values(MOUNTED);

/** /proc/filesystems */
export const FILE_SYSTEMS = [...new Set(mounts.map(({ type }) => type))]
  .map((type) => (type === 'ext4' ? '\text4\n' : `nodev\t${type}\n`))
  .join('');

/** /proc/PID/mounts */
export const MOUNTS = mounts.map(({ source, at, type }) => `${source} ${at} ${type} rw 0 0\n`).join('');

/** /proc/PID/mountinfo */
export const MOUNT_INFO = mounts
  .map(({ source, at, type, device }, i) => {
    // /dev/pts and /dev/shm are in /dev.
    const parent = at.startsWith('/dev/') ? 2 : 1;
    return `${i + 1} ${parent} ${device.join(':')} / ${at} rw - ${type} ${source} rw\n`;
  })
  .join('');
