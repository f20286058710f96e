import { type Args, int, size } from '../arguments.ts';
import { fail } from '../errno.ts';
import type { OpenFile, PipeNode } from '../fs/node.ts';
import { isStream } from '../fs/node.ts';
import { isReadable, isWritable, O, openFile } from '../open-file.ts';
import { lookInto, roomIn } from '../pipes.ts';
import { row, type SyscallRow, type System } from '../system.ts';
import { IN, tell } from '../watches.ts';
import { gathered, lengthOf, OWN, read, vector } from './read-write.ts';
import { available, awaitBytes, awaitRoom, put, take } from './transfer.ts';

/** Where one side of a copy is: at the guest's variable when it gave one, else at the file's own offset. */
interface Side {
  readonly file: OpenFile;
  readonly pointer: number;
  readonly offset: number;
}

function side(system: System, descriptor: bigint, pointer: bigint): Side {
  const file = openFile(system, int(descriptor));
  const address = size(pointer);
  if (address === 0) return { file, pointer: 0, offset: file.offset };
  if (isStream(file.node)) fail('ESPIPE');
  const offset = Number(system.user.i64(address));
  system.user.requireWritable(address, 8);
  return offset < 0 ? fail('EINVAL') : { file, pointer: address, offset };
}

function advance(system: System, { file, pointer, offset }: Side, count: number): void {
  if (pointer === 0) file.offset += count;
  else system.user.putI64(pointer, BigInt(offset + count));
}

function copy(system: System, from: Side, to: Side, length: number): number {
  if (!isReadable(from.file) || !isWritable(to.file)) fail('EBADF');
  const count = available(system, from.file, length, from.offset);
  const written = put(system, to.file, take(system, from.file, count, from.offset).slice(), to.offset);
  advance(system, from, written);
  advance(system, to, written);
  if (written > 0) {
    tell(from.file.node, IN.ACCESS);
    tell(to.file.node, IN.MODIFY);
  }
  return written;
}

function sendFile(system: System, [output, input, offset, count]: Args): number {
  const from = side(system, input, offset);
  const to = side(system, output, 0n);
  if (from.file.node.kind !== 'file' && from.file.node.kind !== 'text') fail('EINVAL');
  if ((to.file.flags & O.APPEND) !== 0) fail('EINVAL');
  return copy(system, from, to, size(count));
}

function copyFileRange(system: System, [input, inputAt, output, outputAt, length, flags]: Args): number {
  if (int(flags) !== 0) fail('EINVAL');
  const from = side(system, input, inputAt);
  const to = side(system, output, outputAt);
  for (const { file } of [from, to]) {
    if (file.node.kind === 'directory') fail('EISDIR');
    if (file.node.kind !== 'file') fail('EINVAL');
  }
  if ((to.file.flags & O.APPEND) !== 0) fail('EBADF');
  const bytes = size(length);
  const overlaps = from.offset < to.offset + bytes && to.offset < from.offset + bytes;
  if (from.file.node === to.file.node && overlaps) fail('EINVAL');
  return copy(system, from, to, bytes);
}

const SPLICE_F_NONBLOCK = 2;
const SPLICE_KNOWN = 0xf;

/** Runs with files that do not keep the call waiting, where the flag says so. */
function unlessBlocking<T>(flags: number, files: readonly OpenFile[], run: () => T): T {
  if ((flags & ~SPLICE_KNOWN) !== 0) fail('EINVAL');
  if ((flags & SPLICE_F_NONBLOCK) === 0) return run();
  const before = files.map((file) => file.flags);
  for (const file of files) file.flags |= O.NON_BLOCKING;
  try {
    return run();
  } finally {
    files.forEach((file, i) => {
      file.flags = before[i];
    });
  }
}

/** Waits until there is something to read, tells whether there is, and then for room in the pipe that it is to go to. */
function awaitBoth(system: System, from: OpenFile, to: OpenFile): boolean {
  if (from.node.kind === 'pipe') {
    awaitBytes(system, from, from.node);
    if (from.node.length === 0) return false;
  }
  if (to.node.kind === 'pipe') awaitRoom(system, to, to.node);
  return true;
}

/** splice(2): one side at least is a pipe. */
function splice(system: System, [input, inputAt, output, outputAt, length, flags]: Args): number {
  const from = side(system, input, inputAt);
  const to = side(system, output, outputAt);
  if (!isReadable(from.file) || !isWritable(to.file)) fail('EBADF');
  if (from.file.node.kind !== 'pipe' && to.file.node.kind !== 'pipe') fail('EINVAL');
  if (from.file.node === to.file.node || (to.file.flags & O.APPEND) !== 0) fail('EINVAL');
  const pipes = [from.file, to.file].filter(({ node }) => node.kind === 'pipe');
  return unlessBlocking(int(flags), pipes, () => {
    if (size(length) === 0 || !awaitBoth(system, from.file, to.file)) return 0;
    const { node } = to.file;
    const most =
      node.kind === 'pipe' ? roomIn(node) : from.file.node.kind === 'pipe' ? from.file.node.length : 0;
    return copy(system, from, to, Math.min(size(length), most));
  });
}

function pipeOf(system: System, number: bigint): { readonly file: OpenFile; readonly node: PipeNode } {
  const file = openFile(system, int(number));
  return file.node.kind === 'pipe' ? { file, node: file.node } : fail('EINVAL');
}

/** tee(2): what is in one pipe goes into another one, and stays. */
function tee(system: System, [input, output, length, flags]: Args): number {
  const from = pipeOf(system, input);
  const to = pipeOf(system, output);
  if (!isReadable(from.file) || !isWritable(to.file)) fail('EBADF');
  if (from.node === to.node) fail('EINVAL');
  return unlessBlocking(int(flags), [from.file, to.file], () => {
    if (size(length) === 0 || !awaitBoth(system, from.file, to.file)) return 0;
    const { bytes } = lookInto(from.node, Math.min(size(length), roomIn(to.node)));
    return put(system, to.file, bytes, 0);
  });
}

/** vmsplice(2): memory into a pipe, or what is in it into memory. */
function spliceMemory(system: System, [number, address, count, flags]: Args): number {
  const file = openFile(system, int(number));
  const { node } = file;
  if (node.kind !== 'pipe') return fail('EBADF');
  const buffers = vector(system, address, count);
  return unlessBlocking(int(flags), [file], () => {
    if (lengthOf(buffers) === 0) return 0;
    if (!isWritable(file)) return read(system, number, buffers, OWN);
    awaitRoom(system, file, node);
    return put(system, file, gathered(system, buffers).subarray(0, roomIn(node)), 0);
  });
}

export const COPY_CALLS: readonly SyscallRow[] = [
  row(40, 'sendfile', 4, sendFile),
  row(275, 'splice', 6, splice),
  row(276, 'tee', 4, tee),
  row(278, 'vmsplice', 4, spliceMemory),
  row(326, 'copy_file_range', 6, copyFileRange),
];
