import type { InUse, OpenFile, OpenNode, PipeNode } from './fs/node.ts';
import { isReadable, isWritable } from './open-file.ts';
import type { System } from './system.ts';

/**
 * Every open file there is: those that descriptors of any process lead to, that are being opened, that nobody has accepted,
 * and that are on their way in a message. An open file ends when nothing leads to it any more: nobody counts, whoever wants to know looks here.
 */
function* openFiles(system: System): Iterable<OpenFile> {
  const carriers = new Set<PipeNode>();
  for (const { state } of system.state.shared.processes.values()) {
    if (state === undefined) continue;
    for (const { file } of state.descriptors.values()) yield* reached(file, carriers);
    yield* state.opening;
  }
  // Grows as it goes.
  for (const { parcels } of carriers)
    for (const { rights } of parcels) for (const file of rights) yield* reached(file, carriers);
}

/** An open file, and those that nobody has accepted of it; notes what others are on their way in. */
function* reached(file: OpenFile, carriers: Set<PipeNode>): Iterable<OpenFile> {
  yield file;
  const { node } = file;
  if (node.kind !== 'socket') return;
  if (node.inbox !== undefined && node.inbox.parcels.length > 0) carriers.add(node.inbox);
  for (const unaccepted of node.waiting?.queue ?? []) yield* reached(unaccepted, carriers);
}

/** What is open is kept as long as it is the same: servers ask for each of a thousand connections, again and again. */
function inUse(system: System): InUse {
  const { shared } = system.state;
  if (shared.inUse !== undefined) return shared.inUse;
  const files = new Set<OpenFile>();
  const nodes = new Set<OpenNode>();
  const readable = new Set<PipeNode>();
  const writable = new Set<PipeNode>();
  const asking = new Set<PipeNode>();
  let travels = false;
  for (const file of openFiles(system)) {
    const { node } = file;
    files.add(file);
    nodes.add(node);
    if (node.kind === 'pipe') {
      if (isReadable(file)) readable.add(node);
      if (isWritable(file)) writable.add(node);
    } else if (node.kind === 'socket') {
      const { inbox, outbox, isMute, asksSender } = node;
      if (inbox !== undefined) readable.add(inbox);
      if (inbox !== undefined && asksSender) asking.add(inbox);
      if (outbox !== undefined && !isMute) writable.add(outbox);
      travels ||= inbox?.parcels.some(({ rights }) => rights.length > 0) ?? false;
    }
  }
  const found = { files, nodes, readable, writable, asking };
  // What is on its way may be lost by any call that reads.
  if (shared.isSettled && !travels) shared.inUse = found;
  return found;
}

/** Calls that open and close nothing, and change the direction of nothing; others may. */
const SETTLED_CALLS: ReadonlySet<string> = new Set([
  'access',
  'brk',
  'clock_getres',
  'clock_gettime',
  'clock_nanosleep',
  'epoll_ctl',
  'epoll_pwait',
  'epoll_pwait2',
  'epoll_wait',
  'faccessat',
  'faccessat2',
  'fdatasync',
  'fstat',
  'fsync',
  'futex',
  'getcwd',
  'getegid',
  'geteuid',
  'getgid',
  'getpid',
  'getppid',
  'getrandom',
  'getrusage',
  'gettid',
  'gettimeofday',
  'getuid',
  'lseek',
  'lstat',
  'madvise',
  'mprotect',
  'nanosleep',
  'newfstatat',
  'poll',
  'ppoll',
  'pread64',
  'preadv',
  'preadv2',
  'pselect6',
  'pwrite64',
  'pwritev',
  'pwritev2',
  'read',
  'readlink',
  'readlinkat',
  'readv',
  'recvfrom',
  'rt_sigaction',
  'rt_sigprocmask',
  'sched_getaffinity',
  'sched_yield',
  'select',
  'sendto',
  'stat',
  'statx',
  'time',
  'times',
  'uname',
  'write',
  'writev',
]);

/** What happens in a call, or where something opens or closes, without one. */
export function whileOpening<T>(system: System, call: string | undefined, happens: () => T): T {
  if (call !== undefined && SETTLED_CALLS.has(call)) return happens();
  const { shared } = system.state;
  const before = shared.isSettled;
  shared.inUse = undefined;
  shared.isSettled = false;
  try {
    return happens();
  } finally {
    shared.isSettled = before;
  }
}

/** Whether the pipe can be read from, or written to, through anything that is open. */
export function hasEnd(system: System, pipe: PipeNode, can: typeof isReadable | typeof isWritable): boolean {
  const { readable, writable } = inUse(system);
  return (can === isReadable ? readable : writable).has(pipe);
}

/** Whether a socket that takes what is sent there asks who sends. */
export function isAsked(system: System, outbox: PipeNode): boolean {
  return inUse(system).asking.has(outbox);
}

export function isOpen(system: System, file: OpenFile): boolean {
  return inUse(system).files.has(file);
}

/** Whether anything that is open leads to the node. */
export function isHeld(system: System, node: OpenNode): boolean {
  return inUse(system).nodes.has(node);
}
