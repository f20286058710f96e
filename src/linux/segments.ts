import { Failure } from '../base/failure.ts';
import type { Image, Segment } from '../elf/image.ts';
import { EXECUTE, READ, WRITE } from '../guest/memory.ts';
import { STACK_SIZE } from './main-stack.ts';
import { pageOf } from './modules.ts';
import type { Region } from './region.ts';
import { addRegion, isInGuestSpace, overlapping, pageUp, readableToo } from './regions.ts';
import type { System } from './system.ts';

/** The file a region shows, and its names. */
type Source = Required<Pick<Region, 'file' | 'label' | 'entry' | 'openedAs'>>;

/** First page and end of the pages an image needs, as the file's own addresses. */
export function span(image: Image): { readonly start: number; readonly end: number } {
  const start = Math.min(...image.segments.map((segment) => pageOf(segment.address)));
  const end = Math.max(...image.segments.map((segment) => segment.address + segment.memorySize));
  return { start, end: pageUp(end) };
}

/**
 * Maps the image with `base` added to its addresses. Throws Failure `elf-no-segments`, `elf-address-out-of-range` or
 * `elf-address-conflict`.
 */
export function mapImage(system: System, image: Image, source: Source, base: number): void {
  if (image.segments.length === 0) {
    throw new Failure('guest', 'elf-no-segments', `${image.path} has nothing to load (no PT_LOAD segment).`, {
      path: image.path,
    });
  }
  const { start, end } = span(image);
  requireRoom(system, image, base + start, base + end);
  for (const segment of image.segments) mapSegment(system, source, segment, base);
}

function requireRoom(system: System, image: Image, start: number, end: number): void {
  const facts = { path: image.path, start: hex(start), end: hex(end) };
  const where = `${image.path} is to be loaded at ${hex(start)} to ${hex(end)}`;
  if (!isInGuestSpace(start, end)) {
    throw new Failure('guest', 'elf-address-out-of-range', `${where}, where no program can be.`, facts);
  }
  const { stackTop } = system.state.addresses;
  const meetsStack = start < stackTop && end > stackTop - STACK_SIZE;
  if (meetsStack || overlapping(system, start, end).length > 0) {
    const taken = meetsStack ? 'the stack' : 'another part of the program';
    throw new Failure('guest', 'elf-address-conflict', `${where}, where ${taken} is.`, facts);
  }
}

/** Whole pages of the file are mapped, as the kernel does it; beyond the file's part the segment is zero. */
function mapSegment(system: System, source: Source, segment: Segment, base: number): void {
  const inPage = segment.address - pageOf(segment.address);
  const start = base + pageOf(segment.address);
  const fileEnd = base + segment.address + segment.fileSize;
  const end = pageUp(base + segment.address + segment.memorySize);
  const protection = permissions(segment);
  const fromFile = pageUp(fileEnd);
  if (segment.fileSize > 0) {
    const offset = segment.offset - inPage;
    addRegion(system, { start, end: fromFile, protection, shared: false, ...source, offset });
    if (segment.memorySize > segment.fileSize)
      system.memory.write(fileEnd, new Uint8Array(fromFile - fileEnd));
  }
  const zeroStart = segment.fileSize > 0 ? fromFile : start;
  if (end > zeroStart)
    addRegion(system, { start: zeroStart, end, protection, shared: false, label: '', offset: 0 });
}

function permissions({ readable, writable, executable }: Segment): number {
  return readableToo((readable ? READ : 0) | (writable ? WRITE : 0) | (executable ? EXECUTE : 0));
}

function hex(address: number): string {
  return `0x${address.toString(16)}`;
}
