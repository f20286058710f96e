import { PAGE_SIZE } from '../../guest/layout.ts';
import { realTime } from '../clock.ts';
import { fail } from '../errno.ts';
import type { System } from '../system.ts';
import type { FileNode } from './node.ts';
import { noteModified } from './times.ts';
import { orFail } from './tree.ts';

/** No file of the guest grows beyond this: what it writes is in our memory. */
export const LARGEST_FILE = 2 ** 30;

/** A view of the file's bytes; valid until the next write. */
export function contentOf(system: System, file: FileNode): Uint8Array {
  if (file.data !== undefined) return file.data.subarray(0, file.size);
  if (file.supplied !== undefined) return file.supplied;
  return file.origin === undefined ? new Uint8Array(0) : orFail(system.disk.read(file.origin));
}

/** Writes at the offset; a gap before it reads as zero. */
export function writeContent(system: System, file: FileNode, offset: number, bytes: Uint8Array): void {
  const data = writable(system, file, offset + bytes.length);
  data.set(bytes, offset);
  noteWrite(file, offset, offset + bytes.length);
  file.size = Math.max(file.size, offset + bytes.length);
  noteModified(file, realTime(system));
}

export function truncate(system: System, file: FileNode, size: number): void {
  if (size > LARGEST_FILE) fail('EFBIG');
  if (size < file.size && file.data === undefined)
    file.data = copyOf(contentOf(system, file).subarray(0, size), size);
  const data = writable(system, file, size);
  // What lay beyond the new end must not come back when the file grows again.
  data.fill(0, Math.min(size, file.size), file.size);
  noteWrite(file, size, file.size);
  file.size = size;
  noteModified(file, realTime(system));
}

function noteWrite({ writes }: FileNode, start: number, end: number): void {
  if (writes === undefined) return;
  writes.count++;
  for (let page = Math.floor(start / PAGE_SIZE); page * PAGE_SIZE < end; page++)
    writes.pages.set(page, writes.count);
}

/** The file's own copy of its bytes, with room for `size`; beyond file.size it is zero. */
function writable(system: System, file: FileNode, size: number): Uint8Array<ArrayBuffer> {
  if (file.data !== undefined && file.data.length >= size) return file.data;
  const old = contentOf(system, file);
  if (size > Math.max(old.length, LARGEST_FILE)) fail('EFBIG');
  const data =
    file.data === undefined
      ? hostsCopy(system, old, Math.max(size, old.length))
      : copyOf(old, roomFor(file.data.length, size));
  file.data = data;
  file.size = old.length;
  return data;
}

/** Of a file that the host has. */
function hostsCopy(system: System, old: Uint8Array, least: number): Uint8Array<ArrayBuffer> {
  const copy = system.disk.copy(old, Math.max(least, roomFor(old.length, least)));
  if (copy === undefined && least > LARGEST_FILE) fail('EFBIG');
  return copy ?? copyOf(old, least);
}

function copyOf(bytes: Uint8Array, room: number): Uint8Array<ArrayBuffer> {
  const data = new Uint8Array(room);
  data.set(bytes);
  return data;
}

/** Doubles, so that appending byte by byte stays linear. */
function roomFor(capacity: number, size: number): number {
  return Math.min(Math.max(2 * capacity, size), LARGEST_FILE);
}
