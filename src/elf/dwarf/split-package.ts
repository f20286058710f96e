import { Cursor } from './cursor.ts';
import { hex64 } from './forms.ts';
import type { DebugSections } from './sections.ts';

/** Columns of the index and the sections that they are about (DWARF 5, table 7.1; GNU's version 2 agrees in these). */
const PARTS: ReadonlyMap<number, keyof DebugSections> = new Map([
  [1, 'info'],
  [3, 'abbrev'],
  [4, 'line'],
  [6, 'strOffsets'],
  [8, 'rangeLists'],
]);
/** There are eight kinds. */
const MOST_COLUMNS = 16;

/**
 * What one unit has of the sections of a package, by .debug_cu_index (DWARF 5, section 7.3.5.3): a header, a hash table of
 * identities, beside it rows, then by row and column where the unit's part of a section begins, and how large it is. Throws
 * DwarfError.
 */
export function partsOfUnit(whole: DebugSections, index: Uint8Array, id: string): DebugSections | undefined {
  const header = new Cursor(index);
  // 4 bytes in version 2; in 5 two, and padding.
  const version = header.u32() & 0xffff;
  const [columns, units, slots] = [header.u32(), header.u32(), header.u32()];
  if ((version !== 2 && version !== 5) || columns > MOST_COLUMNS) return undefined;
  const row = rowOf(index, slots, id);
  if (row === undefined || row === 0 || row > units) return undefined;
  const kindsAt = 16 + 12 * slots;
  const offsetsAt = kindsAt + 4 * columns;
  const sizesAt = offsetsAt + 4 * columns * units;
  const word = (at: number): number => new Cursor(index, Math.min(at, index.length)).u32();
  const parts: Partial<Record<keyof DebugSections, Uint8Array>> = {};
  for (let column = 0; column < columns; column++) {
    const part = PARTS.get(word(kindsAt + 4 * column));
    if (part === undefined) continue;
    const cell = 4 * ((row - 1) * columns + column);
    const offset = word(offsetsAt + cell);
    parts[part] = whole[part].subarray(offset, offset + word(sizesAt + cell));
  }
  const { line, lineStr, str, strOffsets, info, abbrev, addr, ranges, rangeLists } = whole;
  return { line, lineStr, str, strOffsets, info, abbrev, addr, ranges, rangeLists, ...parts };
}

/** Looks for a free slot or the identity, all slots at most; which of them is first does not matter for what is found. */
function rowOf(index: Uint8Array, slots: number, id: string): number | undefined {
  const cursor = new Cursor(index, 16);
  for (let slot = 0; slot < slots; slot++) {
    const [low, high] = [cursor.u32(), cursor.u32()];
    if (hex64(low, high) !== id) continue;
    const row = new Cursor(index, Math.min(16 + 8 * slots + 4 * slot, index.length)).u32();
    // An empty slot has an identity of 0, too.
    if (row !== 0) return row;
  }
  return undefined;
}
