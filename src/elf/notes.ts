import type { ElfFile } from './file.ts';
import * as elf from './format.ts';
import type { Section } from './image.ts';
import type { ProgramHeader } from './program-headers.ts';

/** The descriptor of NT_GNU_BUILD_ID in the file. */
export interface BuildIdNote {
  readonly offset: number;
  readonly size: number;
}

interface NoteArea {
  readonly offset: number;
  readonly size: number;
  readonly alignment: number;
}

/** Build id notes of program headers, for files whose sections are gone too. */
export function buildIdInSegments(file: ElfFile, headers: readonly ProgramHeader[]): BuildIdNote | undefined {
  for (const { type, offset, fileSize, alignment } of headers) {
    if (type !== elf.PT_NOTE) continue;
    const note = findBuildId(file, { offset, size: fileSize, alignment });
    if (note !== undefined) return note;
  }
  return undefined;
}

/** Build id notes of sections, for linker scripts that make no PT_NOTE. Their alignment is 4 for this note. */
export function buildIdInSections(file: ElfFile, sections: readonly Section[]): BuildIdNote | undefined {
  for (const { type, offset, size } of sections) {
    if (type !== elf.SHT_NOTE) continue;
    const note = findBuildId(file, { offset, size, alignment: 4 });
    if (note !== undefined) return note;
  }
  return undefined;
}

/** Linkers write fewer than ten into one area; a crafted file could make every area of a thousand span all of itself. */
const MAX_NOTES = 1000;

/** Notes that are cut off or outside the file end the search: a build id is optional. */
function findBuildId(file: ElfFile, area: NoteArea): BuildIdNote | undefined {
  const end = Math.min(area.offset + area.size, file.bytes.length);
  // Alignment 8 is for .note.gnu.property (x86-64 ABI, "Program Property"); all else is padded to 4.
  const alignment = area.alignment === 8 ? 8 : 4;
  const padded = (size: number) => Math.ceil(size / alignment) * alignment;
  let at = area.offset;
  for (let count = 0; count < MAX_NOTES && at + 12 <= end; count++) {
    const nameSize = file.view.getUint32(at, true);
    const size = file.view.getUint32(at + 4, true);
    const type = file.view.getUint32(at + 8, true);
    // The 12 bytes of the note's own header count towards the alignment of what follows.
    const offset = at + padded(12 + nameSize);
    if (offset + size > end) return undefined;
    if (type === elf.NT_GNU_BUILD_ID && nameSize === 4 && isGnu(file.bytes, at + 12)) return { offset, size };
    at = offset + padded(size);
  }
  return undefined;
}

function isGnu(bytes: Uint8Array, at: number): boolean {
  return bytes[at] === 0x47 && bytes[at + 1] === 0x4e && bytes[at + 2] === 0x55 && bytes[at + 3] === 0;
}

export function toHex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
