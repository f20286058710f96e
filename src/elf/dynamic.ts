import { type ElfFile, malformed, requireInside, u64 } from './file.ts';
import * as elf from './format.ts';
import type { Segment } from './image.ts';
import { offsetOfAddress, type ProgramHeader } from './program-headers.ts';
import { StringTable } from './string-table.ts';

export interface Dynamic {
  readonly needed: readonly string[];
  readonly soname?: string;
  /** The dynamic symbol table as the dynamic linker finds it, for files without section headers. */
  readonly symbols?: { readonly offset: number; readonly count: number; readonly names: StringTable };
}

const ENTRY_SIZE = 16;

/** What PT_DYNAMIC says; nothing for static programs. */
export function readDynamic(
  file: ElfFile,
  headers: readonly ProgramHeader[],
  segments: readonly Segment[],
): Dynamic {
  const header = headers.find((h) => h.type === elf.PT_DYNAMIC);
  if (header === undefined) return { needed: [] };
  requireInside(file, header.offset, header.fileSize, 'the dynamic section');
  const { values, neededOffsets } = readEntries(file, header);
  const names = dynamicStrings(file, header, segments, values);
  if (names === undefined) {
    if (neededOffsets.length > 0)
      throw malformed(file, header.offset, 'it needs libraries but has no table of their names');
    return { needed: [] };
  }
  const soname = values.get(elf.DT_SONAME);
  const symbols = dynamicSymbols(file, segments, values);
  return {
    needed: neededOffsets.map((offset) => names.at(offset)),
    ...(soname === undefined ? {} : { soname: names.at(soname) }),
    ...(symbols === undefined ? {} : { symbols: { ...symbols, names } }),
  };
}

function readEntries(file: ElfFile, header: ProgramHeader) {
  const values = new Map<number, number>();
  const neededOffsets: number[] = [];
  const end = header.offset + header.fileSize;
  for (let at = header.offset; at + ENTRY_SIZE <= end; at += ENTRY_SIZE) {
    const tag = u64(file.view, at);
    const value = u64(file.view, at + 8);
    if (tag === elf.DT_NULL) break;
    if (tag === elf.DT_NEEDED) neededOffsets.push(value);
    else values.set(tag, value);
  }
  return { values, neededOffsets };
}

function dynamicStrings(
  file: ElfFile,
  header: ProgramHeader,
  segments: readonly Segment[],
  values: ReadonlyMap<number, number>,
): StringTable | undefined {
  const address = values.get(elf.DT_STRTAB);
  const size = values.get(elf.DT_STRSZ);
  if (address === undefined || size === undefined) return undefined;
  const offset = offsetOfAddress(segments, address, size);
  if (offset === undefined)
    throw malformed(file, header.offset, 'the dynamic string table is not in a segment');
  return new StringTable(file, offset, size, 'dynamic name');
}

/** The table has no length of its own: the hash table that covers it has. */
function dynamicSymbols(file: ElfFile, segments: readonly Segment[], values: ReadonlyMap<number, number>) {
  const address = values.get(elf.DT_SYMTAB);
  const count = hashedSymbolCount(file, segments, values);
  if (address === undefined || count === undefined) return undefined;
  const offset = offsetOfAddress(segments, address, count * elf.SYMBOL_SIZE);
  return offset === undefined ? undefined : { offset, count };
}

function hashedSymbolCount(
  file: ElfFile,
  segments: readonly Segment[],
  values: ReadonlyMap<number, number>,
): number | undefined {
  const hash = values.get(elf.DT_HASH);
  // gABI, "Hash Table": nbucket, then nchain, which equals the number of symbols.
  if (hash !== undefined) return wordsFrom(file, segments, hash)(1);
  const gnuHash = values.get(elf.DT_GNU_HASH);
  return gnuHash === undefined ? undefined : gnuHashedSymbolCount(wordsFrom(file, segments, gnuHash));
}

/** Reads the nth 32-bit word of a table at an address; undefined beyond the file contents of its segment. */
function wordsFrom(
  file: ElfFile,
  segments: readonly Segment[],
  address: number,
): (index: number) => number | undefined {
  const segment = segments.find((s) => address >= s.address && address < s.address + s.fileSize);
  if (segment === undefined) return () => undefined;
  const start = segment.offset + (address - segment.address);
  const end = segment.offset + segment.fileSize;
  return (index) => {
    const at = start + index * 4;
    return at + 4 <= end ? file.view.getUint32(at, true) : undefined;
  };
}

/**
 * DT_GNU_HASH: nbuckets, symoffset, bloom size, bloom shift, bloom words (8 bytes), buckets, chains (4 bytes each).
 * Symbols are sorted by bucket, so the last one is the end of the chain that starts last; bit 0 marks that end.
 */
function gnuHashedSymbolCount(word: (index: number) => number | undefined): number | undefined {
  const [buckets, firstSymbol, bloomSize] = [word(0), word(1), word(2)];
  if (buckets === undefined || firstSymbol === undefined || bloomSize === undefined) return undefined;
  const bucketsAt = 4 + bloomSize * 2;
  const chainsAt = bucketsAt + buckets;
  let last = 0;
  for (let bucket = 0; bucket < buckets; bucket++) {
    const start = word(bucketsAt + bucket);
    if (start === undefined) return undefined;
    last = Math.max(last, start);
  }
  if (last < firstSymbol) return firstSymbol;
  for (;;) {
    const chain = word(chainsAt + last - firstSymbol);
    if (chain === undefined) return undefined;
    last++;
    if ((chain & 1) === 1) return last;
  }
}
