import { type Args, int, size } from '../arguments.ts';
import { toText } from '../bytes.ts';
import { realTime } from '../clock.ts';
import { fail } from '../errno.ts';
import { contentOf, truncate } from '../fs/content.ts';
import type { Called, DirectoryNode, FileNode, FsNode, MagicNode, OpenFile, PipeNode } from '../fs/node.ts';
import { inodeOf, LIST, requireMode, setEntry } from '../fs/tree.ts';
import { type Bounds, calledAt, FREE, type Place, walk } from '../fs/walk.ts';
import { addDescriptor, descriptor, isReadable, isWritable, O } from '../open-file.ts';
import { hasEnd, isHeld } from '../open-files.ts';
import { forget } from '../pipes.ts';
import { row, type SyscallRow, type System } from '../system.ts';
import { openControlling, openMaster, openSlave } from '../terminals/open.ts';
import { waitFor } from '../wait.ts';
import { IN, tell, tellEntry } from '../watches.ts';

const AT_FDCWD = -100;

/** The directory that a relative path starts from. */
export function startDirectory(system: System, descriptorNumber: bigint, path: string): DirectoryNode {
  if (path === '') fail('ENOENT');
  if (path.startsWith('/') || int(descriptorNumber) === AT_FDCWD) return system.state.paths.cwd;
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
  bounds = FREE,
): number {
  const flags = (flagBits & O.PATH) === 0 ? flagBits | O.LARGE_FILE : flagBits & PATH_FLAGS;
  requireSense(flags);
  const path = system.user.path(size(pathAddress));
  const follow = (flags & O.NO_FOLLOW) === 0 && !isExclusive(flags);
  const begins = bounds.scope === 'all' ? path : path.replace(/^\/*/, './');
  const place = walk(system, startDirectory(system, directory, begins), path, follow, bounds);
  if ((flags & O.TMPFILE) !== 0) return openUnlinked(system, place, flags, mode);
  const node = place.node ?? create(system, place, flags, mode);
  if (place.node !== undefined && isExclusive(flags)) fail('EEXIST');
  if (node.kind === 'magic' && follow) return reopen(system, node, flags);
  const names = { ...calledAt(system, { ...place, node }), openedAs: path };
  if (node.kind === 'pipe' && (flags & O.PATH) === 0) return openPipe(system, node, names, flags);
  const file = openNode(system, node, names, flags, place.node === undefined);
  const number = addDescriptor(system, file, (flags & O.CLOSE_ON_EXEC) !== 0);
  if ((flags & O.PATH) === 0) tell(node, IN.OPEN);
  const isCut = (flags & O.TRUNCATE) !== 0 && place.node?.kind === 'file' && isWritable(file);
  if (isCut) tell(node, IN.MODIFY);
  return number;
}

/** Flags that count beside O_PATH: open(2). */
const PATH_FLAGS = O.PATH | O.DIRECTORY | O.NO_FOLLOW | O.CLOSE_ON_EXEC;
/** What open and creat keep only at opening. */
const CREATION_FLAGS = O.CREATE | O.EXCLUSIVE | O.TRUNCATE | O.CLOSE_ON_EXEC | O.NO_TERMINAL;

/** A directory is not made so; a file without a name is in a directory, for writing. */
function requireSense(flags: number): void {
  const has = (bit: number): boolean => (flags & bit) !== 0;
  if (has(O.DIRECTORY) && has(O.CREATE)) fail('EINVAL');
  if (has(O.TMPFILE) && !(has(O.DIRECTORY) && has(O.ACCESS))) fail('EINVAL');
}

function isExclusive(flags: number): boolean {
  return (flags & O.CREATE) !== 0 && (flags & O.EXCLUSIVE) !== 0;
}

function create(system: System, place: Place, flags: number, mode: number): FileNode {
  if ((flags & O.CREATE) === 0) fail('ENOENT');
  if (place.mustBeDirectory) fail('EISDIR');
  const node = newFile(system, mode);
  setEntry(place.directory, place.name, node, node.modified);
  tellEntry(place.directory, place.name, node, IN.CREATE);
  return node;
}

/** O_TMPFILE: a file without a name, in a directory. */
function openUnlinked(system: System, place: Place, flags: number, mode: number): number {
  if (place.node === undefined) return fail('ENOENT');
  if (place.node.kind !== 'directory') return fail('ENOTDIR');
  if (place.node.special !== undefined && place.node.special !== 'private') fail('EOPNOTSUPP');
  const node: FileNode = { ...newFile(system, mode), links: 0 };
  const path = `${calledAt(system, place).path}/#${inodeOf(system, node)} (deleted)`;
  const file = { node, path, openedAs: path, flags: flags & ~CREATION_FLAGS, offset: 0 };
  return addDescriptor(system, file, (flags & O.CLOSE_ON_EXEC) !== 0);
}

function newFile(system: System, mode: number): FileNode {
  return {
    kind: 'file',
    inode: 0,
    mode: mode & 0o7777 & ~system.state.paths.umask,
    modified: realTime(system),
    size: 0,
    links: 1,
    ownMode: true,
  };
}

type Names = Called & Pick<OpenFile, 'openedAs'>;

function openNode(system: System, node: FsNode, names: Names, flags: number, isMade = false): OpenFile {
  const file = { node, ...names, flags: flags & ~CREATION_FLAGS, offset: 0 };
  const writes = (flags & O.ACCESS) !== 0;
  if ((flags & O.DIRECTORY) !== 0 && node.kind !== 'directory') fail('ENOTDIR');
  if ((flags & O.PATH) !== 0) return file;
  switch (node.kind) {
    case 'link':
      return fail('ELOOP');
    case 'directory':
      if (writes || (flags & O.CREATE) !== 0) return fail('EISDIR');
      requireMode(node, LIST);
      return file;
    case 'text':
      return writes && (node.mode & 0o200) === 0 ? fail('EACCES') : file;
    case 'device':
      if (node.device === 'ptmx') return openMaster(system, names, flags);
      if (node.device === 'tty') return openControlling(system, flags);
      return node.device === 'other' ? fail('ENXIO') : file;
    case 'terminal':
      return node.side === 'master'
        ? openMaster(system, names, flags)
        : openSlave(system, node, names, flags);
    case 'magic':
      return fail('ELOOP');
    case 'pipe':
      return file;
    case 'socket':
      return fail('ENXIO');
    case 'file':
      if (!isMade) requirePermission(node, flags);
      if ((flags & O.ACCESS) !== O.WRITE_ONLY) noteOpened(system, node, names.path);
      if ((flags & O.TRUNCATE) === 0) return file;
      if ((node.mode & 0o200) === 0 && !writes) fail('EACCES');
      truncate(system, node, 0);
      return file;
  }
}

/**
 * fifo(7): opening for reading waits for somebody who opens it for writing, and the other way round. Whoever waits counts as
 * an end already, and goes on even if the other one has closed it by then.
 */
function openPipe(system: System, node: PipeNode, names: Names, flags: number): number {
  const access = flags & O.ACCESS;
  if ((flags & O.DIRECTORY) !== 0) fail('ENOTDIR');
  requirePermission(node, flags);
  const { opened } = node;
  const isOther = access === O.WRITE_ONLY ? isReadable : isWritable;
  const waits = node.isNamed === true && access !== O.READ_WRITE && !hasEnd(system, node, isOther);
  const isNonBlocking = (flags & O.NON_BLOCKING) !== 0;
  if (waits && isNonBlocking && access === O.WRITE_ONLY) fail('ENXIO');
  const file: OpenFile = {
    node,
    ...names,
    flags: flags & ~CREATION_FLAGS,
    offset: 0,
    ...(waits && isNonBlocking && { writersBefore: opened.writers }),
  };
  // What nobody took has gone with the last who had it open.
  if (!isHeld(system, node)) forget(node);
  if (isReadable(file)) opened.readers++;
  if (isWritable(file)) opened.writers++;
  const closeOnExec = (flags & O.CLOSE_ON_EXEC) !== 0;
  if (!waits || isNonBlocking) return addDescriptor(system, file, closeOnExec);
  const { state } = system;
  const others = access === O.WRITE_ONLY ? 'readers' : 'writers';
  const before = opened[others];
  state.opening = [...state.opening, file];
  const stop = () => {
    state.opening = state.opening.filter((each) => each !== file);
  };
  const isReady = () => opened[others] > before;
  const side = access === O.WRITE_ONLY ? 'reading' : 'writing';
  const goOn = (): number => {
    if (!isReady())
      return waitFor({
        call: 'open',
        reason: `nobody opens the pipe ${toText(names.path)} for ${side}`,
        isReady,
        interrupted: stop,
        goOn,
      });
    stop();
    return addDescriptor(system, file, closeOnExec);
  };
  return goOn();
}

/** The guest owns every file and is not root. A file that the call has made is opened whatever its mode. */
function requirePermission(node: FileNode | PipeNode, flags: number): void {
  const access = flags & O.ACCESS;
  const wanted = (access === O.WRITE_ONLY ? 0 : 0o400) | (access === 0 ? 0 : 0o200);
  if ((node.mode & wanted) !== wanted) fail('EACCES');
}

/** Notes the input for the fingerprint; a file that the host does not let us read fails here, as it would there. */
export function noteOpened(system: System, node: FileNode, path: string): void {
  contentOf(system, node);
  const isHosts = node.origin !== undefined && node.supplied === undefined;
  if (isHosts && !system.state.shared.opened.has(path)) system.state.shared.opened.set(path, node.origin);
}

/** /dev/stdin and the like: the descriptor's own file, as far as it may do what is asked. */
function reopen(system: System, link: MagicNode, flags: number): number {
  if (typeof link.leadsTo === 'string') fail('ENOENT');
  const state = system.state.shared.processes.get(link.process)?.state;
  const { file } = state?.descriptors.get(link.leadsTo.descriptor) ?? fail('ENOENT');
  const { path, entry, openedAs } = file;
  if (file.node.kind === 'pipe') return openPipe(system, file.node, { path, entry, openedAs }, flags);
  if (file.node.kind === 'socket') fail('ENXIO');
  const has = file.flags & O.ACCESS;
  const wants = flags & O.ACCESS;
  // Pipes, which the standard streams are, can be opened for both: what is asked of the other end never comes.
  const isPipe = file.node.kind === 'stream' && wants === O.READ_WRITE;
  if (has !== O.READ_WRITE && has !== wants && !isPipe) fail('EACCES');
  return addDescriptor(system, { ...file }, (flags & O.CLOSE_ON_EXEC) !== 0);
}

/** struct open_how: flags, mode, how paths are gone. */
const HOW_SIZE = 24;
const LARGEST_HOW = 4096;
const RESOLVE = { NO_MAGICLINKS: 2, NO_SYMLINKS: 4, BENEATH: 8, IN_ROOT: 16 } as const;
/** With RESOLVE_NO_XDEV and RESOLVE_CACHED: there is one file system, which is always in memory. */
const KNOWN_RESOLVE = 63n;
/** All O_*, with O_SYNC, O_DSYNC, O_ASYNC, O_NOATIME. */
const KNOWN_OPEN = 0o37777703n;

function openHow(system: System, [directory, path, how, length]: Args): number {
  const { user } = system;
  if (size(length) < HOW_SIZE) fail('EINVAL');
  if (size(length) > LARGEST_HOW) fail('E2BIG');
  const rest = user.read(size(how) + HOW_SIZE, size(length) - HOW_SIZE);
  if (rest.some((byte) => byte !== 0)) fail('E2BIG');
  const [flags, mode, resolve] = [0, 8, 16].map((at) => user.u64(size(how) + at));
  if ((flags & ~KNOWN_OPEN) !== 0n || (resolve & ~KNOWN_RESOLVE) !== 0n || (mode & ~0o7777n) !== 0n)
    fail('EINVAL');
  if ((Number(flags) & O.PATH) !== 0 && (Number(flags) & ~PATH_FLAGS) !== 0) fail('EINVAL');
  const creates = (Number(flags) & (O.CREATE | O.TMPFILE)) !== 0;
  if (mode !== 0n && !creates) fail('EINVAL');
  return open(system, directory, path, Number(flags), Number(mode), boundsOf(Number(resolve)));
}

function boundsOf(resolve: number): Bounds {
  const has = (bit: number): boolean => (resolve & bit) !== 0;
  if (has(RESOLVE.BENEATH) && has(RESOLVE.IN_ROOT)) fail('EINVAL');
  return {
    scope: has(RESOLVE.BENEATH) ? 'beneath' : has(RESOLVE.IN_ROOT) ? 'root' : 'all',
    links: !has(RESOLVE.NO_SYMLINKS),
    magicLinks: !has(RESOLVE.NO_MAGICLINKS),
  };
}

const CREAT_FLAGS = O.CREATE | O.WRITE_ONLY | O.TRUNCATE;

export const OPEN_CALLS: readonly SyscallRow[] = [
  row(2, 'open', 3, (s, [path, flags, mode]: Args) => open(s, BigInt(AT_FDCWD), path, int(flags), int(mode))),
  row(85, 'creat', 2, (s, [path, mode]) => open(s, BigInt(AT_FDCWD), path, CREAT_FLAGS, int(mode))),
  row(257, 'openat', 4, (s, [directory, path, flags, mode]) =>
    open(s, directory, path, int(flags), int(mode)),
  ),
  row(437, 'openat2', 4, openHow),
];
