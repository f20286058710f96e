import { type Args, int, size } from '../arguments.ts';
import { toBytes } from '../bytes.ts';
import { realTime } from '../clock.ts';
import { fail } from '../errno.ts';
import { contentOf, truncate } from '../fs/content.ts';
import type { DirectoryNode, FileNode, FsNode, MagicNode, TextNode } from '../fs/node.ts';
import { selfText, uptimeText } from '../fs/self-texts.ts';
import { setEntry } from '../fs/tree.ts';
import { type Place, pathOfPlace, walk } from '../fs/walk.ts';
import { addDescriptor, descriptor, O } from '../open-file.ts';
import type { OpenFile } from '../state.ts';
import { row, type SyscallRow, type System } from '../system.ts';

const AT_FDCWD = -100;

/** The directory that a relative path starts from. */
export function startDirectory(system: System, descriptorNumber: bigint, path: string): DirectoryNode {
  if (path === '') fail('ENOENT');
  if (path.startsWith('/') || int(descriptorNumber) === AT_FDCWD) return system.state.cwd;
  const { node } = descriptor(system, int(descriptorNumber)).file;
  return node.kind === 'directory' ? node : fail('ENOTDIR');
}

/** Opens the file and returns its descriptor. */
function open(
  system: System,
  directory: bigint,
  pathAddress: bigint,
  flagBits: number,
  mode: number,
): number {
  const path = system.user.path(size(pathAddress));
  const flags = (flagBits & O.PATH) === 0 ? flagBits : flagBits & PATH_FLAGS;
  if ((flags & O.TMPFILE) !== 0) fail('EOPNOTSUPP');
  const follow = (flags & O.NO_FOLLOW) === 0 && !isExclusive(flags);
  const place = walk(system, startDirectory(system, directory, path), path, follow);
  const node = place.node ?? create(system, place, flags, mode);
  if (place.node !== undefined && isExclusive(flags)) fail('EEXIST');
  if (node.kind === 'magic' && follow) return reopen(system, node, flags);
  const file = openNode(system, node, { path: pathOfPlace(system, place), openedAs: path }, flags);
  return addDescriptor(system, file, (flags & O.CLOSE_ON_EXEC) !== 0);
}

/** Flags that count beside O_PATH: open(2). */
const PATH_FLAGS = O.PATH | O.DIRECTORY | O.NO_FOLLOW | O.CLOSE_ON_EXEC;
/** What open and creat keep only at opening. */
const CREATION_FLAGS =
  O.CREATE | O.EXCLUSIVE | O.TRUNCATE | O.NO_FOLLOW | O.DIRECTORY | O.CLOSE_ON_EXEC | O.NO_TERMINAL;

function isExclusive(flags: number): boolean {
  return (flags & O.CREATE) !== 0 && (flags & O.EXCLUSIVE) !== 0;
}

function create(system: System, place: Place, flags: number, mode: number): FileNode {
  if ((flags & O.CREATE) === 0) fail('ENOENT');
  if (place.mustBeDirectory) fail('EISDIR');
  const modified = realTime(system);
  const permissions = mode & 0o7777 & ~system.state.umask;
  const node: FileNode = {
    kind: 'file',
    inode: 0,
    mode: permissions,
    modified,
    size: 0,
    links: 1,
    ownMode: true,
  };
  setEntry(place.directory, place.name, node, modified);
  return node;
}

type Names = Pick<OpenFile, 'path' | 'openedAs'>;

function openNode(system: System, node: FsNode, names: Names, flags: number): OpenFile {
  const file = { node, ...names, flags: flags & ~CREATION_FLAGS, offset: 0 };
  const writes = (flags & O.ACCESS) !== 0;
  if ((flags & O.DIRECTORY) !== 0 && node.kind !== 'directory') fail('ENOTDIR');
  if ((flags & O.PATH) !== 0) return file;
  switch (node.kind) {
    case 'link':
      return fail('ELOOP');
    case 'directory':
      return writes || (flags & O.CREATE) !== 0 ? fail('EISDIR') : file;
    case 'text': {
      if (writes) fail('EACCES');
      return { ...file, text: toBytes(textOf(system, node)) };
    }
    case 'device':
      return node.device === 'tty' || node.device === 'other' ? fail('ENXIO') : file;
    case 'magic':
      return fail('ELOOP');
    case 'file':
      requirePermission(node, flags);
      if ((flags & O.ACCESS) !== O.WRITE_ONLY) noteOpened(system, node, names.path);
      if ((flags & O.TRUNCATE) !== 0 && writes) truncate(system, node, 0);
      return file;
  }
}

function textOf(system: System, { text }: TextNode): string {
  if (typeof text === 'string') return text;
  if (text.about === 'uptime') return uptimeText(system);
  const state = system.state.shared.processes.get(text.process)?.state ?? fail('ESRCH');
  return selfText(system, text.about, state);
}

/** The guest owns every file and is not root. A file it just made has been opened whatever its mode. */
function requirePermission(node: FileNode, flags: number): void {
  if ((flags & O.CREATE) !== 0 && node.size === 0 && node.origin === undefined) return;
  const access = flags & O.ACCESS;
  const wanted = (access === O.WRITE_ONLY ? 0 : 0o400) | (access === 0 ? 0 : 0o200);
  if ((node.mode & wanted) !== wanted) fail('EACCES');
}

/** Notes the input for the fingerprint; a file that the host does not let us read fails here, as it would there. */
export function noteOpened(system: System, node: FileNode, path: string): void {
  contentOf(system, node);
  if (node.origin !== undefined && !system.state.shared.opened.has(path))
    system.state.shared.opened.set(path, node.origin);
}

/** /dev/stdin and the like: the descriptor's own file, as far as it may do what is asked. */
function reopen(system: System, link: MagicNode, flags: number): number {
  if (typeof link.leadsTo === 'string') fail('ENOENT');
  const state = system.state.shared.processes.get(link.process)?.state;
  const { file } = state?.descriptors.get(link.leadsTo.descriptor) ?? fail('ENOENT');
  const has = file.flags & O.ACCESS;
  const wants = flags & O.ACCESS;
  if (has !== O.READ_WRITE && has !== wants) fail('EACCES');
  return addDescriptor(system, { ...file }, (flags & O.CLOSE_ON_EXEC) !== 0);
}

const CREAT_FLAGS = O.CREATE | O.WRITE_ONLY | O.TRUNCATE;

export const OPEN_CALLS: readonly SyscallRow[] = [
  row(2, 'open', 3, (s, [path, flags, mode]: Args) => open(s, BigInt(AT_FDCWD), path, int(flags), int(mode))),
  row(85, 'creat', 2, (s, [path, mode]) => open(s, BigInt(AT_FDCWD), path, CREAT_FLAGS, int(mode))),
  row(257, 'openat', 4, (s, [directory, path, flags, mode]) =>
    open(s, directory, path, int(flags), int(mode)),
  ),
  // Programs that know openat2 fall back to openat.
  row(437, 'openat2', 4, () => fail('ENOSYS')),
];
