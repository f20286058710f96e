import { toBytes } from '../bytes.ts';
import { awaitParcel, sendParcels } from '../connections.ts';
import { fail } from '../errno.ts';
import { contentOf } from '../fs/content.ts';
import type { OpenFile, PipeNode, TextNode } from '../fs/node.ts';
import { requireWritable } from '../fs/seals.ts';
import { setSelfText, textOf } from '../fs/self-texts.ts';
import { writableEnd } from '../limits.ts';
import { availableRecords, putRecord, takeRecords } from '../objects.ts';
import { isReadable, isWritable, O } from '../open-file.ts';
import { hasEnd } from '../open-files.ts';
import { append, lookInto, PIPE_BUF, roomIn, takeFrom } from '../pipes.ts';
import { randomBytes } from '../random.ts';
import { refreshShared, writeBackShared, writeFile } from '../regions.ts';
import { fromProcess } from '../signals/information.ts';
import { send } from '../signals/pending.ts';
import { SIGPIPE } from '../signals/sets.ts';
import type { System } from '../system.ts';
import { availableInTerminal, putInTerminal, takeFromTerminal } from '../terminals/transfer.ts';
import { giveWay, waitFor } from '../wait.ts';

/** Linux transfers at most this many bytes a call (MAX_RW_COUNT). */
export const MOST_BYTES = 0x7fff_f000;

/** How many bytes a read of `count` will get, before it takes them: the guest's buffer is checked for so many. */
export function available(system: System, file: OpenFile, count: number, offset: number): number {
  const wanted = Math.min(count, MOST_BYTES);
  const { node } = file;
  switch (node.kind) {
    case 'file':
      return Math.max(0, Math.min(wanted, sizeNow(system, file) - offset));
    case 'text':
      if (offset === 0 || file.text === undefined) file.text = toBytes(textOf(system, node));
      return Math.max(0, Math.min(wanted, file.text.length - offset));
    case 'pipe':
      return availableInPipe(system, file, node, wanted);
    case 'terminal':
      return availableInTerminal(system, file, node, wanted);
    case 'socket':
      return wanted > 0 && awaitParcel(system, file, node) ? lookInto(node.inbox!, wanted).bytes.length : 0;
    case 'counter':
    case 'timer':
    case 'signals':
    case 'interests':
    case 'watches':
    case 'process':
    case 'messages':
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
    case 'file': {
      const bytes = contentOf(system, node).subarray(offset, offset + length);
      system.disk.noteTaken(bytes);
      return bytes;
    }
    case 'text':
      return file.text!.subarray(offset, offset + length);
    case 'pipe':
      return takeFrom(node, length).bytes;
    case 'terminal':
      return takeFromTerminal(system, node, length);
    case 'socket':
      return node.inbox === undefined ? new Uint8Array(0) : takeFrom(node.inbox, length).bytes;
    case 'counter':
    case 'timer':
    case 'signals':
    case 'interests':
    case 'watches':
    case 'process':
    case 'messages':
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
    case 'file': {
      if (bytes.length === 0) return 0;
      const end = writableEnd(system, offset, offset + bytes.length);
      requireWritable(node, end);
      writeBackShared(system, node);
      writeFile(system, node, offset, bytes.subarray(0, end - offset));
      refreshShared(system, node);
      return end - offset;
    }
    case 'pipe':
      return putInPipe(system, file, node, bytes);
    case 'terminal':
      return putInTerminal(system, file, node, bytes);
    case 'socket':
      return sendParcels(system, file, node, bytes);
    case 'counter':
    case 'timer':
    case 'signals':
    case 'interests':
    case 'watches':
    case 'process':
    case 'messages':
      return putRecord(file, node, bytes);
    case 'stream':
      if (node.stream === 'stdin') fail('EBADF');
      if (bytes.length > 0) system.output[node.stream](bytes.slice());
      return bytes.length;
    case 'device':
      return node.device === 'full' ? fail('ENOSPC') : bytes.length;
    case 'text':
      return putInText(system, node, bytes);
    case 'directory':
    case 'link':
    case 'magic':
      return fail('EBADF');
  }
}

function putInText(system: System, { text }: TextNode, bytes: Uint8Array): number {
  if (typeof text === 'string' || text.about === 'uptime' || text.about === 'descriptor')
    return fail('EBADF');
  const state = system.state.shared.processes.get(text.process)?.state ?? fail('ESRCH');
  setSelfText(state, text.about, text.thread, bytes);
  return bytes.length;
}

/** Bytes that a read of a pipe would get: waits while there are none and there may be some. */
function availableInPipe(system: System, file: OpenFile, pipe: PipeNode, wanted: number): number {
  if (wanted > 0) awaitBytes(system, file, pipe);
  return lookInto(pipe, wanted).bytes.length;
}

/** Waits until something is in the pipe or nothing can come any more. */
export function awaitBytes(system: System, file: OpenFile, pipe: PipeNode): void {
  if (pipe.length > 0 || !hasEnd(system, pipe, isWritable)) return;
  if ((file.flags & O.NON_BLOCKING) !== 0) {
    giveWay(system);
    fail('EAGAIN');
  }
  waitFor({
    call: 'read',
    reason: 'nobody writes to the pipe',
    isReady: () => pipe.length > 0 || !hasEnd(system, pipe, isWritable),
  });
}

/** Waits until something can go into the pipe. */
export function awaitRoom(system: System, file: OpenFile, pipe: PipeNode): void {
  if (roomIn(pipe) > 0 || !hasEnd(system, pipe, isReadable)) return;
  if ((file.flags & O.NON_BLOCKING) !== 0) {
    giveWay(system);
    fail('EAGAIN');
  }
  waitFor({
    call: 'splice',
    reason: 'nobody reads from the pipe',
    isReady: () => roomIn(pipe) > 0 || !hasEnd(system, pipe, isReadable),
  });
}

/** Its size with what shared mappings stored. */
function sizeNow(system: System, file: OpenFile): number {
  if (file.node.kind !== 'file') return 0;
  writeBackShared(system, file.node);
  return contentOf(system, file.node).length;
}

function putInPipe(system: System, file: OpenFile, pipe: PipeNode, bytes: Uint8Array): number {
  const done = system.waited?.done ?? 0;
  if (!hasEnd(system, pipe, isReadable)) {
    send(system.state, fromProcess(system.state.process, SIGPIPE));
    return done > 0 ? done : fail('EPIPE');
  }
  // O_DIRECT: packets.
  const isMessage = (file.flags & O.DIRECT) !== 0;
  let at = done;
  // Few bytes go together or not at all: pipe(7).
  const least = bytes.length <= PIPE_BUF ? bytes.length - done : 1;
  while (at < bytes.length && roomIn(pipe) >= least) {
    const end = Math.min(at + roomIn(pipe), isMessage ? at + PIPE_BUF : bytes.length);
    const piece = bytes.slice(at, end);
    append(pipe, { bytes: piece, isMessage, overhead: 0, rights: [], sender: undefined });
    at += piece.length;
  }
  if (at === bytes.length) return at;
  if ((file.flags & O.NON_BLOCKING) !== 0) return at > done ? at : fail('EAGAIN');
  return waitFor({
    call: 'write',
    reason: 'nobody reads from the pipe',
    done: at,
    isReady: () => roomIn(pipe) >= least || !hasEnd(system, pipe, isReadable),
  });
}
