import { Cursor, DwarfError } from './dwarf/cursor.ts';
import { PT_GNU_EH_FRAME } from './format.ts';
import type { Image } from './image.ts';
import type { ProgramHeader } from './program-headers.ts';
import { sectionBytes } from './section-headers.ts';

/** The code that a frame description entry tells how to unwind: as a rule a function, or the cold part of one. */
export interface FrameRange {
  readonly start: number;
  readonly end: number;
  /**
   * The stack is as a call leaves it. Where a cold part begins, the function has changed it as a rule, which the entry says
   * before anything else.
   */
  readonly isEntry: boolean;
}

/**
 * The ranges of .eh_frame (Linux Standard Base, core, 10.6), in ascending order: every function that a compiler made has one,
 * also where there are no symbols. Never throws on account of the file: what cannot be read is left out.
 */
export function frameRanges(image: Image, headers: readonly ProgramHeader[] = []): readonly FrameRange[] {
  const ranges: FrameRange[] = [];
  for (const section of image.sections) {
    if (section.name !== '.eh_frame') continue;
    const bytes = sectionBytes(image.bytes, section);
    if (bytes !== undefined) readSection(bytes, section.address, ranges, false);
  }
  if (image.sections.length === 0) readFromHeader(image, headers, ranges);
  return ranges.sort((a, b) => a.start - b.start);
}

/** Without sections: .eh_frame_hdr, which the runtime finds by PT_GNU_EH_FRAME, says where .eh_frame begins. */
function readFromHeader(image: Image, headers: readonly ProgramHeader[], ranges: FrameRange[]): void {
  const header = headers.find(({ type }) => type === PT_GNU_EH_FRAME);
  if (header === undefined || header.offset + header.fileSize > image.bytes.length) return;
  try {
    const cursor = new Cursor(image.bytes, header.offset, header.offset + header.fileSize);
    // Version, then how the address, the count and the table behind it are written.
    if (cursor.u8() !== 1) return;
    const encoding = cursor.u8();
    cursor.skip(2);
    const start = readAddress(cursor, encoding, header.address - header.offset);
    const segment = image.segments.find(
      ({ address, fileSize }) => start !== undefined && start >= address && start < address + fileSize,
    );
    if (start === undefined || segment === undefined) return;
    const from = segment.offset + start - segment.address;
    const bytes = image.bytes.subarray(from, segment.offset + segment.fileSize);
    readSection(bytes, start, ranges, true);
  } catch (error) {
    if (!(error instanceof DwarfError)) throw error;
  }
}

/** `isOpen`: what comes behind the zero that ends it is something else. */
function readSection(bytes: Uint8Array, address: number, ranges: FrameRange[], isOpen: boolean): void {
  const encodings = new Map<number, EntryForm | undefined>();
  const cursor = new Cursor(bytes);
  const entry = new Cursor(bytes);
  let at = 0;
  while (at + 4 <= bytes.length) {
    const start = at;
    try {
      cursor.position = at;
      let length = cursor.u32();
      // A zero ends a section's contribution; the linker puts several of them in a row.
      if (length === 0) {
        if (isOpen) return;
        at += 4;
        continue;
      }
      if (length === 0xffffffff) length = cursor.u64();
      const body = cursor.position;
      if (length > bytes.length - body) return;
      at = body + length;
      entry.readWithin(body, at);
      const pointer = entry.u32();
      if (pointer === 0) encodings.set(start, entryForm(entry));
      else readEntry(entry, encodings.get(body - pointer), address, ranges);
    } catch (error) {
      if (!(error instanceof DwarfError)) throw error;
      if (at === start) return;
    }
  }
}

/** What a common information entry says of how the entries of its functions are written. */
interface EntryForm {
  readonly encoding: number;
  /** Whether they have augmentation data. */
  readonly hasData: boolean;
}

/** From the letters of the augmentation; undefined where they are not known. */
function entryForm(cursor: Cursor): EntryForm | undefined {
  cursor.u8(); // version
  const augmentation = cursor.string();
  if (augmentation === '') return { encoding: DW_EH_PE_ABSPTR, hasData: false };
  if (!augmentation.startsWith('z')) return undefined;
  cursor.uleb(); // code alignment
  cursor.sleb(); // data alignment
  cursor.uleb(); // return address register
  cursor.uleb(); // length of what follows
  for (const letter of augmentation.slice(1)) {
    if (letter === 'R') return { encoding: cursor.u8(), hasData: true };
    if (letter === 'L') cursor.u8();
    else if (letter === 'P') cursor.skip(SIZES[cursor.u8() & 0x0f] ?? 0);
    else if (letter !== 'S' && letter !== 'B') return undefined;
  }
  return { encoding: DW_EH_PE_ABSPTR, hasData: true };
}

const DW_EH_PE_ABSPTR = 0;
const DW_EH_PE_PCREL = 0x10;
/** Bytes of the formats with a fixed size (DW_EH_PE_absptr, udata2 to udata8, sdata2 to sdata8). */
const SIZES: Readonly<Record<number, number>> = { 0: 8, 2: 2, 3: 4, 4: 8, 10: 2, 11: 4, 12: 8 };

function readEntry(cursor: Cursor, form: EntryForm | undefined, address: number, ranges: FrameRange[]): void {
  const size = form && SIZES[form.encoding & 0x0f];
  if (form === undefined || size === undefined) return;
  const start = readAddress(cursor, form.encoding, address);
  if (start === undefined) return;
  const length = cursor.unsigned(size);
  if (start >= 0 && length > 0 && Number.isSafeInteger(start + length))
    ranges.push({ start, end: start + length, isEntry: beginsAsCalled(cursor, form) });
}

/** `address` is where position 0 of the cursor is. Undefined for an encoding that a linked file does not have. */
function readAddress(cursor: Cursor, encoding: number, address: number): number | undefined {
  const size = SIZES[encoding & 0x0f];
  const relative = encoding & 0xf0;
  if (size === undefined || (relative !== 0 && relative !== DW_EH_PE_PCREL)) return undefined;
  const here = address + cursor.position;
  const value = cursor.unsigned(size);
  if (relative === 0) return value;
  // Relative ones are signed: what lies before is a large number.
  return here + (value >= 2 ** (8 * size - 1) ? value - 2 ** (8 * size) : value);
}

/** Whether the first instruction of an entry (DWARF 5, 6.4.2) leaves the initial rules alone. */
function beginsAsCalled(cursor: Cursor, { hasData }: EntryForm): boolean {
  if (hasData) cursor.skip(cursor.uleb());
  if (cursor.position === cursor.end) return true;
  const first = cursor.u8();
  // Nop (padding), advances of the location, and "undefined", which marks the program's first frame.
  return first >> 6 === 1 || first <= 0x04 || first === DW_CFA_UNDEFINED;
}

const DW_CFA_UNDEFINED = 0x07;
