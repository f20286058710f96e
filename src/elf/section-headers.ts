import { type ElfFile, hex, malformed, requireInside, u64 } from './file.ts';
import * as elf from './format.ts';
import type { Header } from './identify.ts';
import type { Section } from './image.ts';
import { StringTable } from './string-table.ts';

/** A section with the fields that only symbol readers need. */
export interface LinkedSection extends Section {
  readonly link: number;
  readonly entrySize: number;
  /** Where its header is in the file, for messages. */
  readonly at: number;
}

/**
 * The section header table in file order, index 0 (the null section) included; empty when there is none.
 * Contents may lie outside the file: readers of contents check with `sectionBytes`.
 */
export function readSections(file: ElfFile, header: Header): readonly LinkedSection[] {
  const start = header.sectionHeaderOffset;
  if (start === 0) return [];
  requireInside(file, start, elf.SECTION_HEADER_SIZE, 'the section header table');
  // gABI, "Sections": counts and indices that do not fit in 16 bits are in section 0.
  const count = header.sectionHeaderCount === 0 ? u64(file.view, start + 32) : header.sectionHeaderCount;
  requireInside(file, start, count * elf.SECTION_HEADER_SIZE, 'the section header table');
  const namesIndex =
    header.sectionNamesIndex === elf.SHN_XINDEX
      ? file.view.getUint32(start + 40, true)
      : header.sectionNamesIndex;
  const names = sectionNames(file, start, count, namesIndex);
  const sections: LinkedSection[] = [];
  for (let index = 0; index < count; index++) {
    const at = start + index * elf.SECTION_HEADER_SIZE;
    const name = names?.at(file.view.getUint32(at, true)) ?? '';
    sections.push({ name, ...sectionAt(file, at) });
  }
  return sections;
}

function sectionAt(file: ElfFile, at: number): Omit<LinkedSection, 'name'> {
  return {
    type: file.view.getUint32(at + 4, true),
    flags: u64(file.view, at + 8),
    address: u64(file.view, at + 16),
    offset: u64(file.view, at + 24),
    size: u64(file.view, at + 32),
    link: file.view.getUint32(at + 40, true),
    entrySize: u64(file.view, at + 56),
    at,
  };
}

function sectionNames(file: ElfFile, start: number, count: number, index: number): StringTable | undefined {
  if (index === elf.SHN_UNDEF) return undefined;
  if (index >= count) throw malformed(file, 62, `its section names are in section ${index} of ${count}`);
  const section = sectionAt(file, start + index * elf.SECTION_HEADER_SIZE);
  return new StringTable(
    file,
    section.offset,
    requiredSize(file, section, 'the table of section names'),
    'section name',
  );
}

/** The section's size, after checking that its contents are in the file. */
export function requiredSize(file: ElfFile, section: Omit<LinkedSection, 'name'>, what: string): number {
  if (section.type === elf.SHT_NOBITS)
    throw malformed(file, section.at, `${what} has no contents in the file`);
  requireInside(file, section.offset, section.size, what);
  return section.size;
}

/** Contents in the file, or undefined when the section has none there or lies outside the file. */
export function sectionBytes(bytes: Uint8Array, section: Section): Uint8Array | undefined {
  if (section.type === elf.SHT_NOBITS || section.offset + section.size > bytes.length) return undefined;
  return bytes.subarray(section.offset, section.offset + section.size);
}

export function describeSection(section: Section): string {
  return section.name === '' ? `the section at ${hex(section.offset)}` : `section ${section.name}`;
}
