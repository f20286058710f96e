import { type ElfFile, hex, malformed, requireInside, u64 } from './file.ts';
import * as elf from './format.ts';
import type { Header } from './identify.ts';
import type { Image, Segment } from './image.ts';

export interface ProgramHeader {
  readonly type: number;
  readonly flags: number;
  readonly offset: number;
  readonly address: number;
  readonly fileSize: number;
  readonly memorySize: number;
  readonly alignment: number;
  /** Where this header itself is in the file, for messages. */
  readonly at: number;
}

/** Linux rejects a table above 64 KiB (fs/binfmt_elf.c, load_elf_phdrs). */
const MAX_TABLE_BYTES = 65536;
/** End of the user half of the address space (x86-64 ABI, section 3.3.2). */
const USER_SPACE_END = 2 ** 47;
const PAGE = 4096;

export function readProgramHeaders(
  file: ElfFile,
  table: Pick<Image['programHeaders'], 'offset' | 'count'>,
): readonly ProgramHeader[] {
  const { offset: start, count } = table;
  if (count === 0) throw malformed(file, 56, 'it has no program headers, so nothing of it can be loaded');
  const size = count * elf.PROGRAM_HEADER_SIZE;
  if (count === elf.PN_XNUM || size > MAX_TABLE_BYTES) {
    throw malformed(file, 56, `it has ${count} program headers, more than Linux accepts`);
  }
  requireInside(file, start, size, 'the program header table');
  const headers: ProgramHeader[] = [];
  for (let at = start; at < start + size; at += elf.PROGRAM_HEADER_SIZE) {
    headers.push({
      type: file.view.getUint32(at, true),
      flags: file.view.getUint32(at + 4, true),
      offset: u64(file.view, at + 8),
      address: u64(file.view, at + 16),
      fileSize: u64(file.view, at + 32),
      memorySize: u64(file.view, at + 40),
      alignment: u64(file.view, at + 48),
      at,
    });
  }
  return headers;
}

/** The PT_LOAD segments, in ascending order as the gABI demands (chapter 5, "Program Header"). */
export function loadSegments(file: ElfFile, headers: readonly ProgramHeader[]): readonly Segment[] {
  const segments: Segment[] = [];
  let end = 0;
  for (const header of headers) {
    if (header.type !== elf.PT_LOAD) continue;
    checkSegment(file, header);
    if (header.address < end) {
      throw malformed(
        file,
        header.at,
        `its segment at address ${hex(header.address)} starts before the previous one ends`,
      );
    }
    end = header.address + header.memorySize;
    segments.push({
      offset: header.offset,
      address: header.address,
      fileSize: header.fileSize,
      memorySize: header.memorySize,
      readable: (header.flags & elf.PF_R) !== 0,
      writable: (header.flags & elf.PF_W) !== 0,
      executable: (header.flags & elf.PF_X) !== 0,
    });
  }
  if (segments.length === 0) throw malformed(file, 56, 'it has no loadable segment');
  return segments;
}

function checkSegment(file: ElfFile, header: ProgramHeader): void {
  const { address, offset, fileSize, memorySize, at } = header;
  if (address + memorySize > USER_SPACE_END) {
    throw malformed(
      file,
      at,
      `a segment of ${hex(memorySize)} bytes at address ${hex(address)} leaves the user address space`,
    );
  }
  requireInside(file, offset, fileSize, `the segment for address ${hex(address)}`);
  if (fileSize > memorySize) {
    throw malformed(
      file,
      at,
      `a segment has ${hex(fileSize)} bytes in the file but only ${hex(memorySize)} in memory`,
    );
  }
  if (fileSize > 0 && address % PAGE !== offset % PAGE) {
    throw malformed(
      file,
      at,
      `a segment's address ${hex(address)} and file offset ${hex(offset)} differ within their pages`,
    );
  }
}

/** Where the program header table is in memory: in the segment that holds it, as Linux finds AT_PHDR. */
export function programHeaderTable(header: Header, segments: readonly Segment[]): Image['programHeaders'] {
  const { offset, count } = header.programHeaders;
  const shape = { offset, entrySize: elf.PROGRAM_HEADER_SIZE, count };
  const address = addressOfOffset(segments, offset, count * elf.PROGRAM_HEADER_SIZE);
  return address === undefined ? shape : { ...shape, address };
}

function addressOfOffset(segments: readonly Segment[], offset: number, size: number): number | undefined {
  const segment = segments.find((s) => offset >= s.offset && offset + size <= s.offset + s.fileSize);
  return segment && segment.address + (offset - segment.offset);
}

/** File offset of loaded bytes, or undefined when not all of them come from the file. */
export function offsetOfAddress(
  segments: readonly Segment[],
  address: number,
  size: number,
): number | undefined {
  const segment = segments.find((s) => address >= s.address && address + size <= s.address + s.fileSize);
  return segment && segment.offset + (address - segment.address);
}

/** The path in PT_INTERP, absent for static programs. */
export function readInterpreter(file: ElfFile, headers: readonly ProgramHeader[]): string | undefined {
  const header = headers.find((h) => h.type === elf.PT_INTERP);
  if (header === undefined) return undefined;
  requireInside(file, header.offset, header.fileSize, 'the path of the dynamic linker');
  const bytes = file.bytes.subarray(header.offset, header.offset + header.fileSize);
  const length = bytes.indexOf(0);
  // Linux asks for 2 to PATH_MAX bytes with a final NUL.
  if (bytes.length > 4096 || length < 1) {
    throw malformed(
      file,
      header.offset,
      'the path of the dynamic linker is empty, too long or not terminated',
    );
  }
  return new TextDecoder().decode(bytes.subarray(0, length));
}
