import { type ElfFile, elfFile, malformed, u64 } from './file.ts';
import * as elf from './format.ts';
import { readFunctions, symbolTables } from './function-symbols.ts';
import { identifyRelocatable } from './identify.ts';
import type { FunctionSymbol, Image, Section } from './image.ts';
import { type LinkedSection, readSections, sectionBytes } from './section-headers.ts';
import { StringTable } from './string-table.ts';

/**
 * A relocatable object file as if a linker had laid it out: an image whose sections have addresses of their own, one after
 * another, and whose bytes are a copy in which the relocations are carried out, of code and data as of debug information.
 * What other files define has an address, too, of which only the name is known.
 */
export interface RelocatableImage {
  readonly image: Image;
  /** Names of what is called but is not here, by the address that calls go to. */
  readonly externals: ReadonlyMap<number, string>;
}

/** The first section is here: an address of 0 would look like code that a linker dropped. */
const FIRST_ADDRESS = 0x1000;
/** Sections, and then what is elsewhere, each reach so far: together what the 32 bits of most relocations can bridge. */
const MOST_BYTES = 2 ** 30;
/** Arrays of other files must not seem to overlap, as far as there is room. */
const EXTERNAL_SIZE = 2 ** 20;

export function parseRelocatable(path: string, bytes: Uint8Array): RelocatableImage {
  const copy = bytes.slice();
  const file = elfFile(path, copy);
  const header = identifyRelocatable(file);
  const sections = placed(file, readSections(file, header));
  const end = sections.reduce((last, { address, size }) => Math.max(last, address + size), FIRST_ADDRESS);
  const table = sections.find(({ type }) => type === elf.SHT_SYMTAB);
  const symbols =
    table === undefined
      ? { addresses: new Float64Array(0), externals: new Map<number, string>() }
      : placeSymbols(file, table, sections, Math.ceil(end / 4096 + 1) * 4096);
  for (const section of sections)
    if (section.type === SHT_RELA) relocate(file, section, sections, symbols.addresses);
  const functions = readFunctions(file, symbolTables(file, sections), sections);
  const image: Image = {
    path,
    bytes: copy,
    type: 'shared',
    entry: 0,
    segments: [],
    sections: sections.map(({ name, type, flags, address, offset, size }) => ({
      name,
      type,
      flags,
      address,
      offset,
      size,
    })),
    programHeaders: { offset: 0, entrySize: elf.PROGRAM_HEADER_SIZE, count: 0 },
    functions: functions as readonly FunctionSymbol[],
    compilers: [],
    needed: [],
  };
  return { image, externals: symbols.externals };
}

const SHT_RELA = 4;
const SHF_ALLOC = 2;
const SHN_COMMON = 0xfff2;

function placed(file: ElfFile, sections: readonly LinkedSection[]): readonly PlacedSection[] {
  let next = FIRST_ADDRESS;
  return sections.map((section) => {
    const { flags, size, at } = section;
    const info = file.view.getUint32(at + 44, true);
    // Debug information stays at 0, where its own offsets count from.
    if ((flags & SHF_ALLOC) === 0) return { ...section, address: 0, info };
    const address = next;
    next = Math.ceil((next + Math.max(1, size)) / 64) * 64;
    if (!(next < MOST_BYTES)) throw malformed(file, at, `its sections have more than ${MOST_BYTES} bytes`);
    return { ...section, address, info };
  });
}

interface PlacedSection extends LinkedSection {
  readonly info: number;
}

function placeSymbols(
  file: ElfFile,
  table: LinkedSection,
  sections: readonly Section[],
  firstExternal: number,
): { readonly addresses: Float64Array; readonly externals: Map<number, string> } {
  const contents = sectionBytes(file.bytes, table);
  if (contents === undefined) throw malformed(file, table.at, 'its symbol table is not in the file');
  const count = Math.floor(contents.length / elf.SYMBOL_SIZE);
  const addresses = new Float64Array(count);
  const externals = new Map<number, string>();
  const strings = sections[table.link];
  const names =
    strings !== undefined && sectionBytes(file.bytes, strings) !== undefined
      ? new StringTable(file, strings.offset, strings.size, 'symbol name')
      : undefined;
  let next = firstExternal;
  const spacing = Math.min(EXTERNAL_SIZE, Math.max(16, Math.floor(MOST_BYTES / (count + 1) / 16) * 16));
  for (let index = 0; index < count; index++) {
    const at = table.offset + index * elf.SYMBOL_SIZE;
    const value = u64(file.view, at + 8);
    const section = file.view.getUint16(at + 6, true);
    if (section === elf.SHN_UNDEF || section === SHN_COMMON) {
      addresses[index] = next;
      const name = index === 0 ? '' : (names?.at(file.view.getUint32(at, true)) ?? '');
      if (name !== '') externals.set(next, name);
      // Of common blocks the size is known.
      const size = section === SHN_COMMON ? u64(file.view, at + 16) : 0;
      next += Math.max(spacing, size < MOST_BYTES / 16 ? Math.ceil(size / 16) * 16 : 0);
      continue;
    }
    const base = section === elf.SHN_ABS ? 0 : (sections[section]?.address ?? 0);
    addresses[index] = base + value;
    // A function's address counts from its section: from now on, from the image's start.
    if (base > 0) writeU64(file.view, at + 8, base + value);
  }
  return { addresses, externals };
}

function writeU64(view: DataView, at: number, value: number): void {
  view.setUint32(at, value % 2 ** 32, true);
  view.setUint32(at + 4, Math.floor(value / 2 ** 32), true);
}

/** Carries out the relocations of one section (System V ABI, AMD64 supplement, table 4.9). Kinds that say nothing of addresses stay. */
function relocate(
  file: ElfFile,
  table: PlacedSection,
  sections: readonly PlacedSection[],
  symbols: Float64Array,
): void {
  const target = sections[table.info];
  const entries = sectionBytes(file.bytes, table);
  if (target === undefined || entries === undefined || sectionBytes(file.bytes, target) === undefined) return;
  // What is compressed has its fields elsewhere: its lines stay unknown, which is better than wrong.
  if ((target.flags & elf.SHF_COMPRESSED) !== 0) return;
  const { view } = file;
  for (let at = table.offset; at + 24 <= table.offset + table.size; at += 24) {
    const offset = u64(view, at);
    const kind = view.getUint32(at + 8, true);
    const symbol = symbols[view.getUint32(at + 12, true)];
    const width = WIDTHS.get(kind);
    if (symbol === undefined || width === undefined || offset + width > target.size) continue;
    const addend = Number(view.getBigInt64(at + 16, true));
    const place = target.address + offset;
    const value = symbol + addend - (RELATIVE.has(kind) ? place : 0);
    const field = target.offset + offset;
    if (width === 8) view.setBigInt64(field, BigInt.asIntN(64, BigInt(value)), true);
    else view.setInt32(field, Number(BigInt.asIntN(32, BigInt(value))), true);
  }
}

const R_64 = 1;
const R_PC32 = 2;
const R_PLT32 = 4;
const R_32 = 10;
const R_32S = 11;
const R_PC64 = 24;
const WIDTHS: ReadonlyMap<number, number> = new Map([
  [R_64, 8],
  [R_PC32, 4],
  [R_PLT32, 4],
  [R_32, 4],
  [R_32S, 4],
  [R_PC64, 8],
]);
const RELATIVE: ReadonlySet<number> = new Set([R_PC32, R_PLT32, R_PC64]);
