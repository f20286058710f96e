import { Cursor, DwarfError } from './cursor.ts';

export interface UnitExtent {
  readonly is64: boolean;
  /** First byte after the length. */
  readonly start: number;
  readonly end: number;
  /** The unit claims more bytes than its section has; `end` is the section's. */
  readonly isCut: boolean;
}

/** The initial length of a unit, which also says whether offsets in it have 4 or 8 bytes (DWARF 5, section 7.2.2). */
export function readUnitLength(section: Uint8Array, offset: number): UnitExtent {
  const cursor = new Cursor(section, offset);
  let length = cursor.u32();
  const is64 = length === 0xffffffff;
  if (is64) length = cursor.u64();
  else if (length >= 0xfffffff0) throw new DwarfError(`it has the reserved length 0x${length.toString(16)}`);
  const start = cursor.position;
  const end = Math.min(start + length, section.length);
  return { is64, start, end, isCut: start + length > section.length };
}
