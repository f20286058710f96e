import { elfFile } from './file.ts';
import type { Image } from './image.ts';
import { buildIdInSections, buildIdInSegments } from './notes.ts';
import { readProgramHeaders } from './program-headers.ts';

/** Bytes of the file, end exclusive. */
export interface ByteRange {
  readonly start: number;
  readonly end: number;
}

/**
 * The bytes that make two builds the same program: everything that is loaded, ascending and disjoint, except what
 * differs between builds of equal code without being executed or loaded as data by anyone:
 * - the descriptor of the build id note, a hash over debug information too;
 * - the ELF header's reference to the section header table (e_shoff, e_shentsize, e_shnum, e_shstrndx), which lies in
 *   the first segment of most files and moves when a longer source path makes debug information longer.
 */
export function loadedRanges(image: Image): readonly ByteRange[] {
  return subtract(fileRanges(image), holes(image));
}

function fileRanges(image: Image): readonly ByteRange[] {
  const ranges = image.segments.map(({ offset, fileSize }) => ({ start: offset, end: offset + fileSize }));
  ranges.sort((a, b) => a.start - b.start || a.end - b.end);
  const merged: { start: number; end: number }[] = [];
  for (const range of ranges) {
    const last = merged.at(-1);
    if (last !== undefined && range.start <= last.end) last.end = Math.max(last.end, range.end);
    else if (range.end > range.start) merged.push(range);
  }
  return merged;
}

function holes(image: Image): readonly ByteRange[] {
  const file = elfFile(image.path, image.bytes);
  const headers = readProgramHeaders(file, image.programHeaders);
  const buildId = buildIdInSegments(file, headers) ?? buildIdInSections(file, image.sections);
  const ranges = [
    { start: 0x28, end: 0x30 },
    { start: 0x3a, end: 0x40 },
  ];
  if (buildId !== undefined) ranges.push({ start: buildId.offset, end: buildId.offset + buildId.size });
  return ranges.sort((a, b) => a.start - b.start);
}

/** Both lists ascend; the holes may overlap each other. */
function subtract(ranges: readonly ByteRange[], without: readonly ByteRange[]): readonly ByteRange[] {
  return ranges.flatMap((range) => {
    const kept: ByteRange[] = [];
    let start = range.start;
    for (const hole of without) {
      if (hole.end <= start || hole.start >= range.end) continue;
      if (hole.start > start) kept.push({ start, end: hole.start });
      start = hole.end;
    }
    if (start < range.end) kept.push({ start, end: range.end });
    return kept;
  });
}
