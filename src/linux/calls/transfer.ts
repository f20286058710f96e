import { fail } from '../errno.ts';
import { contentOf, writeContent } from '../fs/content.ts';
import type { OpenEnd, PipeNode } from '../fs/node.ts';
import { requireWritable } from '../fs/seals.ts';
import { availableRecords, putRecord, takeRecords } from '../objects.ts';
import { isReadable, isWritable, O } from '../open-file.ts';
import { randomBytes } from '../random.ts';
import { refreshShared, writeBackShared } from '../regions.ts';
import { fromProcess } from '../signals/information.ts';
import { send } from '../signals/pending.ts';
import { SIGPIPE } from '../signals/sets.ts';
import type { OpenFile } from '../state.ts';
import type { System } from '../system.ts';
import { giveWay, waitFor } from '../wait.ts';

/** Linux transfers at most this many bytes a call (MAX_RW_COUNT). */
export const MOST_BYTES = 0x7fff_f000;
export const PIPE_CAPACITY = 65_536;
const PIPE_BUF = 4096;

/** How many bytes a read of `count` will get, before it takes them: the guest's buffer is checked for so many. */
export function available(system: System, file: OpenFile, count: number, offset: number): number {
  const wanted = Math.min(count, MOST_BYTES);
  const { node } = file;
  switch (node.kind) {
    case 'file':
      return Math.max(0, Math.min(wanted, sizeNow(system, file) - offset));
    case 'text':
      return Math.max(0, Math.min(wanted, file.text!.length - offset));
    case 'pipe':
      return availableInPipe(system, file, node, wanted);
    case 'socket':
      return node.inbox === undefined ? 0 : availableInPipe(system, file, node.inbox, wanted);
    case 'counter':
    case 'timer':
    case 'signals':
    case 'interests':
    case 'watches':
      return availableRecords(system, file, node, wanted);
    case 'stream':
      return node.stream === 'stdin'
        ? system.input.read(system.state.shared.inputOffset, wanted).length
        : fail('EBADF');
    case 'device':
      return node.device === 'null' ? 0 : wanted;
    case 'directory':
      return fail('EISDIR');
    case 'link':
    case 'magic':
      return fail('EBADF');
  }
}

/** Takes `length` bytes, no more than are available. Offsets of descriptors are the caller's. */
export function take(system: System, file: OpenFile, length: number, offset: number): Uint8Array {
  const { node } = file;
  switch (node.kind) {
    case 'file':
      return contentOf(system, node).subarray(offset, offset + length);
    case 'text':
      return file.text!.subarray(offset, offset + length);
    case 'pipe':
      return takeFromPipe(node, length);
    case 'socket':
      return node.inbox === undefined ? new Uint8Array(0) : takeFromPipe(node.inbox, length);
    case 'counter':
    case 'timer':
    case 'signals':
    case 'interests':
    case 'watches':
      return takeRecords(system, node, length);
    case 'stream': {
      const bytes = system.input.read(system.state.shared.inputOffset, length);
      system.state.shared.inputOffset += bytes.length;
      return bytes;
    }
    case 'device':
      return node.device === 'random' ? randomBytes(system, length) : new Uint8Array(length);
    case 'directory':
    case 'link':
    case 'magic':
      return fail('EBADF');
  }
}

/** Writes the bytes, which may be a view of guest memory, and returns how many. */
export function put(system: System, file: OpenFile, bytes: Uint8Array, offset: number): number {
  if (!isWritable(file)) fail('EBADF');
  const { node } = file;
  switch (node.kind) {
    case 'file':
      if (bytes.length === 0) return 0;
      requireWritable(node, offset + bytes.length);
      writeBackShared(system, node);
      writeContent(system, node, offset, bytes);
      refreshShared(system, node);
      return bytes.length;
    case 'pipe':
      return putInPipe(system, file, node, bytes);
    case 'socket':
      return putInPipe(system, file, node.outbox, bytes);
    case 'counter':
    case 'timer':
    case 'signals':
    case 'interests':
    case 'watches':
      return putRecord(file, node, bytes);
    case 'stream':
      if (node.stream === 'stdin') fail('EBADF');
      if (bytes.length > 0) system.output[node.stream](bytes.slice());
      return bytes.length;
    case 'device':
      return node.device === 'full' ? fail('ENOSPC') : bytes.length;
    case 'directory':
    case 'text':
    case 'link':
    case 'magic':
      return fail('EBADF');
  }
}

/** Whether any descriptor of any process is an end of the pipe from which it can be read, or written to. */
export function hasEnd(system: System, pipe: PipeNode, can: typeof isReadable | typeof isWritable): boolean {
  const way = can === isReadable ? 'inbox' : 'outbox';
  const isEnd = (file: OpenEnd): boolean =>
    file.node === pipe ? can(file) : file.node.kind === 'socket' && file.node[way] === pipe;
  for (const { state } of system.state.shared.processes.values())
    if (state !== undefined) for (const { file } of state.descriptors.values()) if (isEnd(file)) return true;
  return false;
}

/** Bytes that a read of a pipe would get: waits while there are none and there may be some. */
function availableInPipe(system: System, file: OpenFile, pipe: PipeNode, wanted: number): number {
  if (wanted > 0 && pipe.data.length === 0 && hasEnd(system, pipe, isWritable))
    return waitForPipe(
      system,
      file,
      'read',
      'nobody writes to the pipe',
      () => pipe.data.length > 0 || !hasEnd(system, pipe, isWritable),
    );
  return Math.min(wanted, pipe.data.length);
}

function takeFromPipe(pipe: PipeNode, length: number): Uint8Array {
  if (pipe.data.length >= PIPE_CAPACITY) pipe.activity = (pipe.activity ?? 0) + 1;
  const taken = pipe.data.subarray(0, length);
  pipe.data = pipe.data.subarray(length);
  return taken;
}

/** Its size with what shared mappings stored. */
function sizeNow(system: System, file: OpenFile): number {
  if (file.node.kind !== 'file') return 0;
  writeBackShared(system, file.node);
  return contentOf(system, file.node).length;
}

function putInPipe(system: System, file: OpenFile, pipe: PipeNode | undefined, bytes: Uint8Array): number {
  const done = system.waited?.done ?? 0;
  if (pipe === undefined || !hasEnd(system, pipe, isReadable)) {
    send(system.state, fromProcess(system.state.process, SIGPIPE));
    return done > 0 ? done : fail('EPIPE');
  }
  const room = () => PIPE_CAPACITY - pipe.data.length;
  const rest = bytes.subarray(done);
  // Few bytes go together or not at all: pipe(7).
  const least = bytes.length <= PIPE_BUF ? rest.length : 1;
  const length = room() < least ? 0 : Math.min(rest.length, room());
  if (length > 0) append(pipe, rest.subarray(0, length));
  if (length === rest.length) return done + length;
  if ((file.flags & O.NON_BLOCKING) !== 0) return length > 0 ? length : fail('EAGAIN');
  return waitFor({
    call: 'write',
    reason: 'nobody reads from the pipe',
    done: done + length,
    isReady: () => room() >= least || !hasEnd(system, pipe, isReadable),
  });
}

function append(pipe: PipeNode, bytes: Uint8Array): void {
  const data = new Uint8Array(pipe.data.length + bytes.length);
  data.set(pipe.data);
  data.set(bytes, pipe.data.length);
  pipe.data = data;
  pipe.activity = (pipe.activity ?? 0) + 1;
}

function waitForPipe(
  system: System,
  file: OpenFile,
  call: string,
  reason: string,
  isReady: () => boolean,
): never {
  if ((file.flags & O.NON_BLOCKING) === 0) return waitFor({ call, reason, isReady });
  giveWay(system);
  return fail('EAGAIN');
}
