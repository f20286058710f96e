import { Cursor, DwarfError } from './dwarf/cursor.ts';
import type { Image } from './image.ts';
import { sectionBytes } from './section-headers.ts';

/** The code that a frame description entry tells how to unwind: as a rule a function, or the cold part of one. */
export interface FrameRange {
  readonly start: number;
  readonly end: number;
}

/**
 * The ranges of .eh_frame (Linux Standard Base, core, 10.6), in ascending order: every function that a compiler made has one,
 * also where there are no symbols. Never throws on account of the file: what cannot be read is left out.
 */
export function frameRanges(image: Image): readonly FrameRange[] {
  const ranges: FrameRange[] = [];
  for (const section of image.sections) {
    if (section.name !== '.eh_frame') continue;
    const bytes = sectionBytes(image.bytes, section);
    if (bytes !== undefined) readSection(bytes, section.address, ranges);
  }
  return ranges.sort((a, b) => a.start - b.start);
}

function readSection(bytes: Uint8Array, address: number, ranges: FrameRange[]): void {
  const encodings = new Map<number, number | undefined>();
  let at = 0;
  while (at + 4 <= bytes.length) {
    const start = at;
    try {
      const cursor = new Cursor(bytes, at);
      let length = cursor.u32();
      // A zero ends a section's contribution; the linker puts several of them in a row.
      if (length === 0) {
        at += 4;
        continue;
      }
      if (length === 0xffffffff) length = cursor.u64();
      const body = cursor.position;
      if (length > bytes.length - body) return;
      at = body + length;
      const id = new Cursor(bytes, body, at);
      const pointer = id.u32();
      if (pointer === 0) encodings.set(start, pointerEncoding(id));
      else readEntry(id, encodings.get(body - pointer), address, ranges);
    } catch (error) {
      if (!(error instanceof DwarfError)) throw error;
      if (at === start) return;
    }
  }
}

/** How addresses are written, from the `R` of a common information entry's augmentation; undefined where it is not known. */
function pointerEncoding(cursor: Cursor): number | undefined {
  cursor.u8(); // version
  const augmentation = cursor.string();
  if (augmentation === '') return DW_EH_PE_ABSPTR;
  if (!augmentation.startsWith('z')) return undefined;
  cursor.uleb(); // code alignment
  cursor.sleb(); // data alignment
  cursor.uleb(); // return address register
  cursor.uleb(); // length of what follows
  for (const letter of augmentation.slice(1)) {
    if (letter === 'R') return cursor.u8();
    if (letter === 'L') cursor.u8();
    else if (letter === 'P') cursor.skip(SIZES[cursor.u8() & 0x0f] ?? 0);
    else if (letter !== 'S' && letter !== 'B') return undefined;
  }
  return DW_EH_PE_ABSPTR;
}

const DW_EH_PE_ABSPTR = 0;
const DW_EH_PE_PCREL = 0x10;
/** Bytes of the formats with a fixed size (DW_EH_PE_absptr, udata2 to udata8, sdata2 to sdata8). */
const SIZES: Readonly<Record<number, number>> = { 0: 8, 2: 2, 3: 4, 4: 8, 10: 2, 11: 4, 12: 8 };

function readEntry(
  cursor: Cursor,
  encoding: number | undefined,
  address: number,
  ranges: FrameRange[],
): void {
  const size = encoding === undefined ? undefined : SIZES[encoding & 0x0f];
  const relative = encoding === undefined ? -1 : encoding & 0x70;
  if (size === undefined || (relative !== 0 && relative !== DW_EH_PE_PCREL)) return;
  const here = address + cursor.position;
  const value = cursor.unsigned(size);
  const length = cursor.unsigned(size);
  // Relative ones are signed: what lies before is a large number.
  const start =
    relative === 0 ? value : here + (value >= 2 ** (8 * size - 1) ? value - 2 ** (8 * size) : value);
  if (start >= 0 && length > 0 && Number.isSafeInteger(start + length))
    ranges.push({ start, end: start + length });
}
