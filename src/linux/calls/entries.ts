import { type Args, int, size } from '../arguments.ts';
import { toBytes } from '../bytes.ts';
import { realTime } from '../clock.ts';
import { fail } from '../errno.ts';
import { mountOf } from '../fs/file-systems.ts';
import type { DirectoryNode, FsNode, MagicNode } from '../fs/node.ts';
import { isStream } from '../fs/node.ts';
import {
  directoryNow,
  inodeOf,
  list,
  moveEntries,
  pathNow,
  removeEntry,
  requireChangeable,
  requireMode,
  setEntry,
  WRITE,
} from '../fs/tree.ts';
import { type Place, walk } from '../fs/walk.ts';
import { descriptor } from '../open-file.ts';
import { isHeld } from '../open-files.ts';
import { newPipe } from '../pipes.ts';
import { row, type SyscallRow, type System } from '../system.ts';
import { IN, tellEntry, tellGone, tellLinks, tellMove, tellMoved } from '../watches.ts';
import { startDirectory } from './open.ts';
import { nodeAt } from './stat.ts';

/** Calls that make, remove, rename and link directory entries. */

const FDCWD = -100n;
const AT_REMOVEDIR = 0x200;
const AT_SYMLINK_FOLLOW = 0x400;
const AT_SYMLINK_NOFOLLOW = 0x100;
const AT_EMPTY_PATH = 0x1000;
const RENAME_NOREPLACE = 1;
const RENAME_EXCHANGE = 2;

/** The entry itself: links are not followed. */
function place(system: System, directory: bigint, pathAddress: bigint): Place {
  const path = system.user.path(size(pathAddress));
  return walk(system, startDirectory(system, directory, path), path, 'never');
}

function makeDirectory(system: System, directory: bigint, path: bigint, mode: number): number {
  const at = place(system, directory, path);
  if (at.node !== undefined) fail('EEXIST');
  const modified = realTime(system);
  const node = {
    kind: 'directory',
    inode: 0,
    mode: mode & DIRECTORY_MODE & ~system.state.paths.umask,
    modified,
    parent: at.directory,
    name: at.name,
    entries: new Map<string, FsNode | null>(),
    complete: true,
  } satisfies DirectoryNode;
  setEntry(at.directory, at.name, node, modified);
  tellEntry(at.directory, at.name, node, IN.CREATE);
  return 0;
}

/** What mkdir heeds of a mode: S_ISVTX and the permissions. */
const DIRECTORY_MODE = 0o1777;
/** stat.h */
const S_IFMT = 0o170000;
const S_IFIFO = 0o010000;
const S_IFSOCK = 0o140000;
const S_IFREG = 0o100000;

/** Named pipes, files and sockets; devices are root's. */
function makeNode(system: System, directory: bigint, path: bigint, mode: number): number {
  const at = place(system, directory, path);
  if (at.node !== undefined) fail('EEXIST');
  if (at.mustBeDirectory) fail('ENOENT');
  const modified = realTime(system);
  const base = { inode: 0, mode: mode & 0o7777 & ~system.state.paths.umask, modified };
  const node = newNode(mode & S_IFMT, base);
  setEntry(at.directory, at.name, node, modified);
  tellEntry(at.directory, at.name, node, IN.CREATE);
  return 0;
}

function newNode(type: number, base: Pick<FsNode, 'inode' | 'mode' | 'modified'>): FsNode {
  switch (type) {
    case 0:
    case S_IFREG:
      return { ...base, kind: 'file', size: 0, links: 1, ownMode: true };
    case S_IFIFO:
      return { ...newPipe(), ...base, isNamed: true };
    case S_IFSOCK:
      return { ...base, kind: 'device', device: 'other' };
    default:
      return fail('EPERM');
  }
}

function removeDirectory(system: System, directory: bigint, path: bigint): number {
  const at = place(system, directory, path);
  const last = /([^/]*)\/*$/.exec(system.user.path(size(path)))![1];
  if (last === '.') fail('EINVAL');
  if (last === '..') fail('ENOTEMPTY');
  if (at.node === undefined) return fail('ENOENT');
  if (at.node.kind !== 'directory') return fail('ENOTDIR');
  requireMovable(system, at);
  if (list(system, at.node).length > 0) fail('ENOTEMPTY');
  removeEntry(at.directory, at.name, realTime(system));
  at.node.isRemoved = true;
  tellGone(at.node);
  tellEntry(at.directory, at.name, at.node, IN.DELETE);
  return 0;
}

function unlink(system: System, directory: bigint, path: bigint): number {
  const at = place(system, directory, path);
  if (at.node === undefined) return fail('ENOENT');
  if (at.node.kind === 'directory') return fail('EISDIR');
  if (at.mustBeDirectory) fail('ENOTDIR');
  removeEntry(at.directory, at.name, realTime(system));
  if (at.node.kind === 'file') at.node.links--;
  tellLinks(at.node);
  tellEntry(at.directory, at.name, at.node, IN.DELETE);
  endIfUnused(system, at.node);
  return 0;
}

/** A file without a name ends when nobody has it open. */
function endIfUnused(system: System, node: FsNode): void {
  if (system.state.shared.watchers === 0 || (node.kind === 'file' && node.links > 0)) return;
  if (!isHeld(system, node)) tellGone(node);
}

function unlinkAt(system: System, [directory, path, flags]: Args): number {
  if ((int(flags) & ~AT_REMOVEDIR) !== 0) fail('EINVAL');
  return int(flags) === 0 ? unlink(system, directory, path) : removeDirectory(system, directory, path);
}

function rename(system: System, from: Place, to: Place, flags: number): number {
  // RENAME_WHITEOUT is for file systems to have or not.
  const isExchange = (flags & RENAME_EXCHANGE) !== 0;
  if ((flags & ~(RENAME_NOREPLACE | RENAME_EXCHANGE)) !== 0) fail('EINVAL');
  if (isExchange && (flags & RENAME_NOREPLACE) !== 0) fail('EINVAL');
  if (mountOf(from.directory) !== mountOf(to.directory)) fail('EXDEV');
  const { node } = from;
  if (node === undefined) return fail('ENOENT');
  if (isExchange && to.node === undefined) fail('ENOENT');
  if (from.name === '' || to.name === '') return fail('EBUSY');
  if (to.node !== undefined && (flags & RENAME_NOREPLACE) !== 0) fail('EEXIST');
  if (node.kind !== 'directory' && (from.mustBeDirectory || to.mustBeDirectory)) fail('ENOTDIR');
  requireMovable(system, from);
  if (node.kind === 'directory' && isInside(to.directory, node)) fail('EINVAL');
  if (to.node === node) return 0;
  if (isExchange) return exchange(system, from, to, node, to.node!);
  if (to.node !== undefined) requireReplaceable(system, node, to.node, to);
  // Its entry `..` is another then.
  if (node.kind === 'directory' && to.directory !== from.directory) requireMode(node, WRITE);
  moveEntries([{ node, from, to }], realTime(system));
  if (to.node?.kind === 'file') to.node.links--;
  if (to.node?.kind === 'directory') to.node.isRemoved = true;
  tellMove(system, from, to, node);
  if (to.node !== undefined) tellLinks(to.node);
  tellMoved(node);
  if (to.node !== undefined) endIfUnused(system, to.node);
  return 0;
}

function exchange(system: System, from: Place, to: Place, node: FsNode, other: FsNode): number {
  requireMovable(system, to);
  if (other.kind === 'directory' && isInside(from.directory, other)) fail('EINVAL');
  const there = { node, from, to };
  moveEntries([there, { node: other, from: to, to: from }], realTime(system));
  tellMove(system, from, to, node);
  tellMove(system, to, from, other);
  return 0;
}

function requireReplaceable(system: System, node: FsNode, replaced: FsNode, to: Place): void {
  if (replaced.kind === 'directory') {
    if (node.kind !== 'directory') fail('EISDIR');
    requireMovable(system, to);
    if (list(system, replaced).length > 0) fail('ENOTEMPTY');
  } else if (node.kind === 'directory') fail('ENOTDIR');
}

/** The root, the working directory and /tmp, /dev, /proc are mount points; `.` and `..` are no entries. */
function requireMovable(system: System, { node, name, directory }: Place): void {
  if (node === system.state.shared.home || node === system.state.shared.root) fail('EBUSY');
  if (node?.kind === 'directory' && node.special !== undefined) fail('EBUSY');
  if (name === '') fail('EINVAL');
  requireChangeable(directory);
}

function isInside(directory: DirectoryNode, ancestor: DirectoryNode): boolean {
  for (let at = directory; ; at = at.parent) {
    if (at === ancestor) return true;
    if (at.parent === at) return false;
  }
}

function link(system: System, [oldDirectory, oldPath, newDirectory, newPath, flagBits]: Args): number {
  const flags = int(flagBits);
  if ((flags & ~(AT_SYMLINK_FOLLOW | AT_EMPTY_PATH)) !== 0) fail('EINVAL');
  const followFlag = (flags & AT_SYMLINK_FOLLOW) === 0 ? AT_SYMLINK_NOFOLLOW : 0;
  const node = nodeAt(system, oldDirectory, oldPath, followFlag | (flags & AT_EMPTY_PATH));
  const at = place(system, newDirectory, newPath);
  if (at.node !== undefined) fail('EEXIST');
  if (at.mustBeDirectory) fail('ENOENT');
  if (node.kind !== 'file' && node.kind !== 'link' && node.kind !== 'pipe') return fail('EPERM');
  // What has no name (O_TMPFILE) is where it is to get one.
  if (node.entry !== undefined && mountOf(node.entry.directory) !== mountOf(at.directory)) fail('EXDEV');
  setEntry(at.directory, at.name, node, realTime(system));
  if (node.kind === 'file') node.links++;
  tellLinks(node);
  tellEntry(at.directory, at.name, node, IN.CREATE);
  return 0;
}

function symbolicLink(system: System, target: bigint, directory: bigint, path: bigint): number {
  const text = system.user.path(size(target));
  const at = place(system, directory, path);
  if (text === '' || (at.node === undefined && at.mustBeDirectory)) fail('ENOENT');
  if (at.node !== undefined) fail('EEXIST');
  const modified = realTime(system);
  const node: FsNode = { kind: 'link', inode: 0, mode: 0o777, modified, target: text };
  setEntry(at.directory, at.name, node, modified);
  tellEntry(at.directory, at.name, node, IN.CREATE);
  return 0;
}

function readLink(system: System, directory: bigint, path: bigint, buffer: bigint, length: bigint): number {
  if (int(length) <= 0) fail('EINVAL');
  // What a descriptor is of, where it is of a link: readlink(2).
  const isEmpty = directory !== FDCWD && system.user.path(size(path)) === '';
  const { node } = isEmpty ? descriptor(system, int(directory)).file : place(system, directory, path);
  if (node === undefined) return fail('ENOENT');
  if (node.kind !== 'link' && node.kind !== 'magic') return fail(isEmpty ? 'ENOENT' : 'EINVAL');
  const target = node.kind === 'link' ? node.target : magicText(system, node);
  const bytes = toBytes(target).subarray(0, int(length));
  system.user.write(size(buffer), bytes);
  return bytes.length;
}

function magicText(system: System, { process, leadsTo }: MagicNode): string {
  const state = system.state.shared.processes.get(process)?.state ?? fail('ENOENT');
  if (leadsTo === 'cwd') return directoryNow(system, state.paths.cwd);
  if (leadsTo === 'exe') return pathNow(system, state.program);
  const { file } = state.descriptors.get(leadsTo.descriptor) ?? fail('ENOENT');
  if (file.node.kind === 'directory') return directoryNow(system, file.node);
  if (
    !isStream(file.node) ||
    (file.node.kind === 'pipe' && file.path !== 'pipe') ||
    file.node.kind === 'terminal'
  )
    return pathNow(system, file);
  const kind = file.node.kind === 'socket' ? 'socket' : 'pipe';
  return `${kind}:[${inodeOf(system, file.node)}]`;
}

export const ENTRY_CALLS: readonly SyscallRow[] = [
  row(83, 'mkdir', 2, (s, [path, mode]) => makeDirectory(s, FDCWD, path, int(mode))),
  row(258, 'mkdirat', 3, (s, [directory, path, mode]) => makeDirectory(s, directory, path, int(mode))),
  row(133, 'mknod', 3, (s, [path, mode]) => makeNode(s, FDCWD, path, int(mode))),
  row(259, 'mknodat', 4, (s, [directory, path, mode]) => makeNode(s, directory, path, int(mode))),
  row(84, 'rmdir', 1, (s, [path]) => removeDirectory(s, FDCWD, path)),
  row(87, 'unlink', 1, (s, [path]) => unlink(s, FDCWD, path)),
  row(263, 'unlinkat', 3, unlinkAt),
  row(82, 'rename', 2, (s, [from, to]) => rename(s, place(s, FDCWD, from), place(s, FDCWD, to), 0)),
  row(264, 'renameat', 4, (s, [a, from, b, to]) => rename(s, place(s, a, from), place(s, b, to), 0)),
  row(316, 'renameat2', 5, (s, [a, from, b, to, flags]) =>
    rename(s, place(s, a, from), place(s, b, to), int(flags)),
  ),
  row(86, 'link', 2, (s, [from, to]) => link(s, [FDCWD, from, FDCWD, to, 0n])),
  row(265, 'linkat', 5, link),
  row(88, 'symlink', 2, (s, [target, path]) => symbolicLink(s, target, FDCWD, path)),
  row(266, 'symlinkat', 3, (s, [target, directory, path]) => symbolicLink(s, target, directory, path)),
  row(89, 'readlink', 3, (s, [path, buffer, length]) => readLink(s, FDCWD, path, buffer, length)),
  row(267, 'readlinkat', 4, (s, [directory, path, buffer, length]) =>
    readLink(s, directory, path, buffer, length),
  ),
];
