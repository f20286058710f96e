import { readDynamic } from './dynamic.ts';
import { elfFile } from './file.ts';
import * as elf from './format.ts';
import { readFunctions, symbolTables } from './function-symbols.ts';
import { identify } from './identify.ts';
import type { Image, Section } from './image.ts';
import { buildIdInSections, buildIdInSegments, toHex } from './notes.ts';
import { loadSegments, programHeaderTable, readInterpreter, readProgramHeaders } from './program-headers.ts';
import { type LinkedSection, readSections, sectionBytes } from './section-headers.ts';
import { strippedFunctions } from './stripped.ts';

/**
 * Parses an x86-64 Linux program or shared object. Work and memory are at most proportional to the file.
 *
 * Throws Failure of kind 'guest' with one of the codes
 * - `elf-not-elf`, `elf-script`: the file is something else;
 * - `elf-32-bit`, `elf-other-machine`, `elf-other-system`, `elf-not-executable-type`: an ELF file, but not for us;
 * - `elf-truncated`: it refers to bytes beyond its end;
 * - `elf-malformed`: it contradicts itself or the System V ABI.
 */
export function parseImage(path: string, bytes: Uint8Array): Image {
  const file = elfFile(path, bytes);
  const header = identify(file);
  const headers = readProgramHeaders(file, header.programHeaders);
  const segments = loadSegments(file, headers);
  const interpreter = readInterpreter(file, headers);
  const sections = readSections(file, header);
  const dynamic = readDynamic(file, headers, segments);
  const fromSections = symbolTables(file, sections);
  const tables =
    fromSections.length === 0 && dynamic.symbols !== undefined ? [dynamic.symbols] : fromSections;
  const stack = headers.find((h) => h.type === elf.PT_GNU_STACK);
  const buildId = buildIdInSegments(file, headers) ?? buildIdInSections(file, sections);
  const image: Image = {
    path,
    bytes,
    type: header.type,
    entry: header.entry,
    segments,
    sections: sections.map(publicSection),
    ...(interpreter === undefined ? {} : { interpreter }),
    programHeaders: programHeaderTable(header, segments),
    ...(stack === undefined ? {} : { stackFlags: stack.flags }),
    functions: readFunctions(file, tables, sections),
    ...(buildId === undefined
      ? {}
      : { buildId: toHex(bytes.subarray(buildId.offset, buildId.offset + buildId.size)) }),
    compilers: readCompilers(bytes, sections),
    needed: dynamic.needed,
    ...(dynamic.soname === undefined ? {} : { soname: dynamic.soname }),
  };
  return sections.some(({ type }) => type === elf.SHT_SYMTAB)
    ? image
    : { ...image, functions: strippedFunctions(image, headers) };
}

function publicSection({ name, type, flags, address, offset, size }: LinkedSection): Section {
  return { name, type, flags, address, offset, size };
}

/** .comment is a run of NUL-terminated strings; the linker merges equal ones in most files, not in all. */
function readCompilers(bytes: Uint8Array, sections: readonly Section[]): readonly string[] {
  const section = sections.find((s) => s.name === '.comment');
  const contents = section && sectionBytes(bytes, section);
  if (contents === undefined) return [];
  const strings = new TextDecoder().decode(contents).split('\0');
  return [...new Set(strings.filter((text) => text !== ''))];
}
