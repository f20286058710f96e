import { type Args, int, size } from '../arguments.ts';
import { fail } from '../errno.ts';
import { isStream } from '../fs/node.ts';
import { isReadable, isWritable, O, openFile } from '../open-file.ts';
import type { OpenFile } from '../state.ts';
import { row, type SyscallRow, type System } from '../system.ts';
import { available, put, take } from './transfer.ts';

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
  return written;
}

function sendFile(system: System, [output, input, offset, count]: Args): number {
  const from = side(system, input, offset);
  const to = side(system, output, 0n);
  if (from.file.node.kind !== 'file') fail('EINVAL');
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

export const COPY_CALLS: readonly SyscallRow[] = [
  row(40, 'sendfile', 4, sendFile),
  row(326, 'copy_file_range', 6, copyFileRange),
];
