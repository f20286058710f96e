import { WRITE } from '../../guest/memory.ts';
import { type Args, int, size, uint } from '../arguments.ts';
import { realTime } from '../clock.ts';
import { fileClosed } from '../closing.ts';
import { DATAGRAM } from '../connections.ts';
import { fail } from '../errno.ts';
import { type FileNode, isStream, type OpenFile, type PipeNode, type SocketNode } from '../fs/node.ts';
import { ALL_SEALS, SEALS } from '../fs/seals.ts';
import { releaseOnClose } from '../locks.ts';
import { addDescriptor, descriptor, isWritable, mostDescriptors, O, openFile } from '../open-file.ts';
import { isHeld } from '../open-files.ts';
import { newPipe, PIPE_CAPACITY } from '../pipes.ts';
import { regionsOf } from '../region-list.ts';
import { writeBackShared } from '../regions.ts';
import { row, type SyscallRow, type System } from '../system.ts';
import { terminalControl } from '../terminals/requests.ts';
import { arm } from '../timers.ts';
import { sizeOfEvent } from '../watches.ts';
import { ownDescriptors } from './control.ts';
import { interfaceControl } from './interfaces.ts';
import { isLockCommand, lockRange } from './locks.ts';

function close(system: System, number: number): number {
  const { file } = descriptor(system, number);
  const { node } = file;
  releaseOnClose(system.state, file);
  if (node.kind === 'file') writeBackShared(system, node);
  system.state.descriptors.delete(number);
  fileClosed(system, file);
  if (node.kind === 'timer' && !isHeld(system, node)) arm(node.timer, undefined, 0n);
  return 0;
}

const CLOSE_RANGE_CLOEXEC = 4;
const CLOSE_RANGE_UNSHARE = 2;

function closeRange(system: System, [first, last, flags]: Args): number {
  if (uint(first) > uint(last) || (uint(flags) & ~(CLOSE_RANGE_CLOEXEC | CLOSE_RANGE_UNSHARE)) !== 0)
    fail('EINVAL');
  if ((uint(flags) & CLOSE_RANGE_UNSHARE) !== 0) ownDescriptors(system);
  for (const [number, open] of [...system.state.descriptors]) {
    if (number < uint(first) || number > uint(last)) continue;
    if ((uint(flags) & CLOSE_RANGE_CLOEXEC) !== 0) open.closeOnExec = true;
    else close(system, number);
  }
  return 0;
}

function duplicateTo(system: System, from: number, to: number, closeOnExec: boolean): number {
  const { file } = descriptor(system, from);
  if (to < 0 || to >= mostDescriptors(system)) fail('EBADF');
  if (system.state.descriptors.has(to)) close(system, to);
  system.state.descriptors.set(to, { file, closeOnExec });
  return to;
}

function dup2(system: System, [from, to]: Args): number {
  if (int(from) !== int(to)) return duplicateTo(system, int(from), int(to), false);
  descriptor(system, int(from));
  return int(to);
}

function dup3(system: System, [from, to, flags]: Args): number {
  if (int(from) === int(to) || (int(flags) & ~O.CLOSE_ON_EXEC) !== 0) fail('EINVAL');
  return duplicateTo(system, int(from), int(to), int(flags) !== 0);
}

function makePipe(system: System, address: number, flags: number): number {
  if ((flags & ~(O.CLOSE_ON_EXEC | O.NON_BLOCKING | O.DIRECT)) !== 0) fail('EINVAL');
  system.user.requireWritable(address, 8);
  const node = newPipe();
  const pipe = { node, path: 'pipe', openedAs: 'pipe' };
  const closeOnExec = (flags & O.CLOSE_ON_EXEC) !== 0;
  const kept = flags & (O.NON_BLOCKING | O.DIRECT);
  const reader = addDescriptor(system, { ...pipe, flags: kept, offset: 0 }, closeOnExec);
  try {
    const writer = addDescriptor(system, { ...pipe, flags: kept | O.WRITE_ONLY, offset: 0 }, closeOnExec);
    system.user.putI32(address, reader);
    system.user.putI32(address + 4, writer);
  } catch (problem) {
    system.state.descriptors.delete(reader);
    throw problem;
  }
  return 0;
}

/** What F_SETFL changes. */
const CHANGEABLE = O.APPEND | O.NON_BLOCKING | O.DIRECT | O.ASYNC | 0o1000000;

function control(system: System, [numberBits, command, argument]: Args): number {
  const number = int(numberBits);
  const open = descriptor(system, number);
  const { file } = open;
  switch (int(command)) {
    case 0:
    case 1030: {
      const from = int(argument);
      if (from < 0 || from >= mostDescriptors(system)) return fail('EINVAL');
      return addDescriptor(system, file, int(command) === 1030, from);
    }
    case 1:
      return open.closeOnExec ? 1 : 0;
    case 2:
      open.closeOnExec = (int(argument) & 1) !== 0;
      return 0;
    case 3:
      return file.flags;
    case 4:
      file.flags = (file.flags & ~CHANGEABLE) | (int(argument) & CHANGEABLE);
      return 0;
    // F_SETOWN, F_GETOWN: negative for a group of processes.
    case 8: {
      const owner = int(argument);
      return setOwner(system, file, owner < 0 ? OWNERS.group : OWNERS.process, Math.abs(owner));
    }
    case 9:
      return file.owner ?? 0;
    // F_SETOWN_EX, F_GETOWN_EX: struct f_owner_ex.
    case 15:
      return setOwner(system, file, system.user.i32(size(argument)), system.user.i32(size(argument) + 4));
    case 16: {
      const owner = file.owner ?? 0;
      system.user.putI32(size(argument) + 4, Math.abs(owner));
      system.user.putI32(size(argument), owner < 0 ? OWNERS.group : OWNERS.process);
      return 0;
    }
    // F_SETSIG, F_GETSIG.
    case 10:
    case 11:
      return 0;
    // F_SETPIPE_SZ, F_GETPIPE_SZ.
    case 1031:
      return file.node.kind === 'pipe' ? setCapacity(file.node, uint(argument)) : fail('EBADF');
    case 1032:
      if (file.node.kind === 'stream') return PIPE_CAPACITY;
      return file.node.kind === 'pipe' ? file.node.capacity : fail('EBADF');
    // F_ADD_SEALS, F_GET_SEALS.
    case 1033:
      return addSeals(system, file, int(argument));
    case 1034:
      return sealsOf(file);
    default:
      if (!isLockCommand(int(command))) fail('EINVAL');
      return lockRange(system, openFile(system, number), int(command), size(argument));
  }
}

/** F_OWNER_TID is kept as the process that has the thread: nobody is told which. */
const OWNERS = { thread: 0, process: 1, group: 2 } as const;

function setOwner(system: System, file: OpenFile, type: number, id: number): number {
  const { processes } = system.state.shared;
  if (type < OWNERS.thread || type > OWNERS.group) fail('EINVAL');
  const isThere =
    type === OWNERS.group
      ? [...processes.values()].some(({ group }) => group === id)
      : system.state.threads.has(id) || processes.has(id);
  if (id !== 0 && !isThere) fail('ESRCH');
  file.owner = type === OWNERS.group ? -id : id;
  return 0;
}

/** fs.pipe-max-size */
const LARGEST_PIPE = 0x10_0000;

/** F_SETPIPE_SZ: pages, a power of two of them. */
function setCapacity(pipe: PipeNode, wanted: number): number {
  if (wanted > LARGEST_PIPE) fail(wanted > 0x8000_0000 ? 'EINVAL' : 'EPERM');
  let capacity = 4096;
  while (capacity < wanted) capacity *= 2;
  if (capacity < pipe.weight) fail('EBUSY');
  pipe.capacity = capacity;
  return capacity;
}

function sealsOf({ node }: OpenFile): number {
  return node.kind === 'file' && node.seals !== undefined ? node.seals : fail('EINVAL');
}

function addSeals(system: System, file: OpenFile, wanted: number): number {
  const seals = sealsOf(file);
  if ((wanted & ~ALL_SEALS) !== 0) fail('EINVAL');
  if (!isWritable(file) || (seals & SEALS.seal) !== 0) fail('EPERM');
  const shown = regionsOf(system.state.regions, file.node as FileNode);
  const isMapped = shown.some(({ shared, protection }) => shared && (protection & WRITE) !== 0);
  if ((wanted & SEALS.write) !== 0 && isMapped) fail('EBUSY');
  (file.node as FileNode).seals = seals | wanted;
  return 0;
}

/** asm-generic/ioctls.h. */
const FIONREAD = 0x541b;
const FIONBIO = 0x5421;
const FIONCLEX = 0x5450;
const FIOASYNC = 0x5452;
const FIOCLEX = 0x5451;

/** What is no terminal fails where one is asked for. */
function deviceControl(system: System, [number, request, argument]: Args): number {
  const open = descriptor(system, int(number));
  const { file } = open;
  if (file.node.kind === 'terminal') {
    const answer = terminalControl(system, file, file.node, uint(request), argument);
    if (answer !== undefined) return answer;
  }
  switch (uint(request)) {
    case FIONREAD:
      system.user.putI32(size(argument), unread(system, int(number)));
      return 0;
    case FIONBIO:
      file.flags =
        (file.flags & ~O.NON_BLOCKING) | (system.user.i32(size(argument)) !== 0 ? O.NON_BLOCKING : 0);
      return 0;
    case FIOASYNC: {
      const isOn = system.user.i32(size(argument)) !== 0;
      if (!isStream(file.node)) return isOn === ((file.flags & O.ASYNC) !== 0) ? 0 : fail('ENOTTY');
      file.flags = (file.flags & ~O.ASYNC) | (isOn ? O.ASYNC : 0);
      return 0;
    }
    case FIOCLEX:
    case FIONCLEX:
      open.closeOnExec = uint(request) === FIOCLEX;
      return 0;
    default: {
      const { node } = file;
      if (node.kind !== 'socket') return fail('ENOTTY');
      return interfaceControl(system, node, uint(request), size(argument)) ?? fail('ENOTTY');
    }
  }
}

function unread(system: System, number: number): number {
  const { node, offset } = openFile(system, number);
  if (node.kind === 'pipe') return node.length;
  if (node.kind === 'socket') return unreadInSocket(node);
  if (node.kind === 'watches') return node.queue.reduce((sum, event) => sum + sizeOfEvent(event), 0);
  if (node.kind === 'file') return Math.max(0, Math.min(node.size - offset, 0x7fff_ffff));
  if (node.kind === 'stream' && node.stream === 'stdin')
    return system.input.read(system.state.shared.inputOffset, PIPE_CAPACITY).length;
  return fail('ENOTTY');
}

/** Of datagrams the first one, else all that is there. */
function unreadInSocket({ type, inbox }: SocketNode): number {
  if (inbox === undefined) return 0;
  return type === DATAGRAM ? (inbox.parcels[0]?.bytes.length ?? 0) : inbox.length;
}

const MFD_KNOWN = 0x1f;
const MFD_ALLOW_SEALING = 2;

/** memfd_create: a file without a name. */
function memoryFile(system: System, [name, flags]: Args): number {
  if ((uint(flags) & ~MFD_KNOWN) !== 0) fail('EINVAL');
  const path = `/memfd:${system.user.path(size(name))} (deleted)`;
  const modified = realTime(system);
  const seals = (uint(flags) & MFD_ALLOW_SEALING) !== 0 ? 0 : SEALS.seal;
  const node: FileNode = {
    kind: 'file',
    inode: 0,
    mode: 0o777,
    modified,
    size: 0,
    links: 0,
    ownMode: true,
    seals,
  };
  return addDescriptor(
    system,
    { node, path, openedAs: path, flags: O.READ_WRITE | O.LARGE_FILE, offset: 0 },
    (uint(flags) & 1) !== 0,
  );
}

export const DESCRIPTOR_CALLS: readonly SyscallRow[] = [
  row(3, 'close', 1, (s, [fd]) => close(s, int(fd))),
  row(436, 'close_range', 3, closeRange),
  row(16, 'ioctl', 3, deviceControl),
  row(22, 'pipe', 1, (s, [address]) => makePipe(s, size(address), 0)),
  row(293, 'pipe2', 2, (s, [address, flags]) => makePipe(s, size(address), int(flags))),
  row(32, 'dup', 1, (s, [fd]) => addDescriptor(s, descriptor(s, int(fd)).file, false)),
  row(33, 'dup2', 2, dup2),
  row(292, 'dup3', 3, dup3),
  row(72, 'fcntl', 3, control),
  row(319, 'memfd_create', 2, memoryFile),
];
