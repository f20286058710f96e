import { type Args, int, size, uint } from '../arguments.ts';
import { toBytes } from '../bytes.ts';
import { fail } from '../errno.ts';
import type { DirectoryNode, ListedEntry } from '../fs/node.ts';
import { inodeOf, list, lookUp, pathOfDirectory, requireMode, SEARCH } from '../fs/tree.ts';
import { find } from '../fs/walk.ts';
import { descriptor, openFile } from '../open-file.ts';
import { row, type SyscallRow, type System } from '../system.ts';
import { IN, tell } from '../watches.ts';
import { typeBits } from './stat.ts';

function changeDirectory(system: System, [path]: Args): number {
  const node = find(system, system.state.paths.cwd, system.user.path(size(path)));
  if (node.kind !== 'directory') return fail('ENOTDIR');
  requireMode(node, SEARCH);
  system.state.paths.cwd = node;
  return 0;
}

function changeToDescriptor(system: System, [number]: Args): number {
  const { node } = descriptor(system, int(number)).file;
  if (node.kind !== 'directory') return fail('ENOTDIR');
  requireMode(node, SEARCH);
  system.state.paths.cwd = node;
  return 0;
}

function currentDirectory(system: System, [buffer, length]: Args): number {
  if (system.state.paths.cwd.isRemoved === true) fail('ENOENT');
  const path = toBytes(`${pathOfDirectory(system, system.state.paths.cwd)}\0`);
  if (path.length > size(length)) fail('ERANGE');
  system.user.write(size(buffer), path);
  return path.length;
}

type EntryRecord = (entry: ListedEntry, next: number) => Uint8Array;

function readEntries(system: System, [number, buffer, length]: Args, entryRecord: EntryRecord): number {
  const file = openFile(system, int(number));
  if (file.node.kind !== 'directory') return fail('ENOTDIR');
  if (file.node.isRemoved === true) fail('ENOENT');
  if (file.offset === 0 || file.listing === undefined) file.listing = listing(system, file.node);
  const room = uint(length);
  const records: Uint8Array[] = [];
  let used = 0;
  let next = file.offset;
  for (; next < file.listing.length; next++) {
    const record = entryRecord(file.listing[next], next + 1);
    if (used + record.length > room) break;
    records.push(record);
    used += record.length;
  }
  if (records.length === 0 && next < file.listing.length) fail('EINVAL');
  system.user.requireWritable(size(buffer), used);
  let at = size(buffer);
  for (const record of records) {
    system.user.write(at, record);
    at += record.length;
  }
  file.offset = next;
  tell(file.node, IN.ACCESS);
  return used;
}

/** struct linux_dirent64: inode, offset of the next, record length, type, name. */
function record64({ inode, name, type }: ListedEntry, next: number): Uint8Array {
  const record = entryRecord(inode, next, toBytes(name), TYPE + 1);
  record[TYPE] = type;
  return record;
}

/** struct linux_dirent: the type is the record's last byte. */
function recordOld({ inode, name, type }: ListedEntry, next: number): Uint8Array {
  const record = entryRecord(inode, next, toBytes(name), TYPE);
  record[record.length - 1] = type;
  return record;
}

/** Both have room for the name's NUL and the type. */
function entryRecord(inode: number, next: number, name: Uint8Array, nameAt: number): Uint8Array {
  const record = new Uint8Array(Math.ceil((TYPE + name.length + 2) / 8) * 8);
  const view = new DataView(record.buffer);
  view.setBigUint64(0, BigInt(inode), true);
  view.setBigInt64(8, BigInt(next), true);
  view.setUint16(16, record.length, true);
  record.set(name, nameAt);
  return record;
}

/** Where the type of linux_dirent64 is. */
const TYPE = 18;

function listing(system: System, directory: DirectoryNode): ListedEntry[] {
  const entries: ListedEntry[] = [
    { name: '.', inode: inodeOf(system, directory), type: DIRECTORY_TYPE },
    { name: '..', inode: inodeOf(system, directory.parent), type: DIRECTORY_TYPE },
  ];
  for (const name of list(system, directory)) {
    const node = lookUp(system, directory, name)!;
    // DT_* are the type bits of st_mode, shifted.
    entries.push({ name, inode: inodeOf(system, node), type: typeBits(node) >> 12 });
  }
  return entries;
}

const DIRECTORY_TYPE = 4;

export const DIRECTORY_CALLS: readonly SyscallRow[] = [
  row(79, 'getcwd', 2, currentDirectory),
  row(80, 'chdir', 1, changeDirectory),
  row(81, 'fchdir', 1, changeToDescriptor),
  row(78, 'getdents', 3, (system, args) => readEntries(system, args, recordOld)),
  row(217, 'getdents64', 3, (system, args) => readEntries(system, args, record64)),
];
