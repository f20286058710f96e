import { type ElfFile, malformed, u64 } from './file.ts';
import * as elf from './format.ts';
import type { NamedFunction, Section } from './image.ts';
import { describeSection, type LinkedSection, requiredSize } from './section-headers.ts';
import { StringTable } from './string-table.ts';

export interface SymbolTable {
  readonly offset: number;
  readonly count: number;
  readonly names: StringTable;
}

interface Candidate extends Omit<NamedFunction, 'file'> {
  readonly file: string | undefined;
  readonly isLocal: boolean;
  /** False for a label of hand-written assembly that was never declared a function. */
  readonly isTyped: boolean;
}

/** .symtab and .dynsym, in file order; gABI, "Sections": at most one of each. */
export function symbolTables(file: ElfFile, sections: readonly LinkedSection[]): readonly SymbolTable[] {
  const tables = new Map<number, SymbolTable>();
  for (const section of sections) {
    if (section.type !== elf.SHT_SYMTAB && section.type !== elf.SHT_DYNSYM) continue;
    if (section.entrySize !== elf.SYMBOL_SIZE) {
      throw malformed(
        file,
        section.at,
        `the symbols of ${describeSection(section)} are ${section.entrySize} bytes each`,
      );
    }
    if (tables.has(section.type))
      throw malformed(file, section.at, `${describeSection(section)} is a second symbol table`);
    const strings = sections[section.link];
    if (strings === undefined)
      throw malformed(file, section.at, `${describeSection(section)} names no string table`);
    const size = requiredSize(file, section, describeSection(section));
    const stringsSize = requiredSize(file, strings, describeSection(strings));
    tables.set(section.type, {
      offset: section.offset,
      count: Math.floor(size / elf.SYMBOL_SIZE),
      names: new StringTable(file, strings.offset, stringsSize, 'symbol name'),
    });
  }
  return [...tables.values()];
}

/**
 * The functions of all tables: one per name and address, sorted by address, then by preference (see `prefer`).
 * STT_FUNC and STT_GNU_IFUNC count, and so do untyped global labels in code that no function covers: assemblers
 * such as nasm leave kernels untyped unless told otherwise, and `_start` of musl is one.
 */
export function readFunctions(
  file: ElfFile,
  tables: readonly SymbolTable[],
  sections: readonly Section[],
): readonly NamedFunction[] {
  const byAddress = new Map<number, Candidate[]>();
  for (const table of tables) readTable(file, table, sections, byAddress);
  const addresses = new Float64Array(byAddress.size);
  let count = 0;
  byAddress.forEach((_, address) => {
    addresses[count++] = address;
  });
  const functions: NamedFunction[] = [];
  let coveredUpTo = 0;
  for (const address of addresses.sort()) {
    let isNamed = false;
    for (const { name, size, file: source, isIfunc, isTyped } of namesOf(byAddress.get(address)!)) {
      if (!isTyped && (address < coveredUpTo || isNamed)) continue;
      isNamed = true;
      coveredUpTo = Math.max(coveredUpTo, address + size);
      functions.push(
        source === undefined
          ? { name, address, size, isIfunc }
          : { name, address, size, file: source, isIfunc },
      );
    }
  }
  return functions;
}

/** Each name once, in order of preference. */
function namesOf(candidates: Candidate[]): readonly Candidate[] {
  // Nearly always.
  if (candidates.length === 1) return candidates;
  const names = new Set<string>();
  return candidates.sort(prefer).filter(({ name }) => names.size < names.add(name).size);
}

function readTable(
  file: ElfFile,
  table: SymbolTable,
  sections: readonly Section[],
  byAddress: Map<number, Candidate[]>,
): void {
  const { view } = file;
  let sourceFile = '';
  for (let index = 1; index < table.count; index++) {
    const at = table.offset + index * elf.SYMBOL_SIZE;
    const info = view.getUint8(at + 4);
    const type = info & 0xf;
    const isLocal = info >> 4 === elf.STB_LOCAL;
    if (type === elf.STT_FILE) {
      sourceFile = table.names.at(view.getUint32(at, true));
      continue;
    }
    const section = view.getUint16(at + 6, true);
    const address = u64(view, at + 8);
    const isTyped = type === elf.STT_FUNC || type === elf.STT_GNU_IFUNC;
    if (isTyped) {
      // An absolute symbol does not move with the file; a rounded address is no address.
      if (section === elf.SHN_UNDEF || section === elf.SHN_ABS || !Number.isSafeInteger(address)) continue;
    } else {
      if (type !== elf.STT_NOTYPE || isLocal || !isCode(sections[section], address)) continue;
    }
    const name = withoutVersion(table.names.at(view.getUint32(at, true)));
    if (name === '') continue;
    const size = u64(view, at + 16);
    const candidate: Candidate = {
      name,
      address,
      size: Number.isSafeInteger(address + size) ? size : 0,
      file: isLocal && sourceFile !== '' ? sourceFile : undefined,
      isIfunc: type === elf.STT_GNU_IFUNC,
      isLocal,
      isTyped,
    };
    const others = byAddress.get(address);
    if (others === undefined) byAddress.set(address, [candidate]);
    else others.push(candidate);
  }
}

function isCode(section: Section | undefined, address: number): boolean {
  if (section === undefined || (section.flags & elf.SHF_EXECINSTR) === 0) return false;
  return address >= section.address && address < section.address + section.size;
}

/** "memcpy@@GLIBC_2.14" and "memcpy@GLIBC_2.2.5" are both memcpy. */
function withoutVersion(name: string): string {
  const at = name.indexOf('@', 1);
  return at < 0 ? name : name.slice(0, at);
}

/**
 * Of several names for one address the first is shown: global before local, then the one with fewer leading
 * underscores (malloc before __libc_malloc), then the shorter, then by code units so that the order is fixed.
 */
function prefer(a: Candidate, b: Candidate): number {
  return (
    Number(b.isTyped) - Number(a.isTyped) ||
    Number(a.isLocal) - Number(b.isLocal) ||
    underscores(a.name) - underscores(b.name) ||
    a.name.length - b.name.length ||
    compare(a.name, b.name) ||
    b.size - a.size
  );
}

function underscores(name: string): number {
  return name.length - name.replace(/^_+/, '').length;
}

function compare(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
