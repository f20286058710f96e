import { Failure } from '../base/failure.ts';
import { crc32 } from './crc32.ts';
import { elfFile } from './file.ts';
import { readFunctions, symbolTables } from './function-symbols.ts';
import { identifyRelocatable } from './identify.ts';
import type { DebugFile, FunctionSymbol, Image, Section } from './image.ts';
import { buildIdInSections, toHex } from './notes.ts';
import type { ReadDebugFile } from './ports.ts';
import { readSections, sectionBytes } from './section-headers.ts';

/** Where distributions put debug information. */
const GLOBAL = '/usr/lib/debug';
/** Libraries of the system: on which machine their debug information is installed must change no profile. */
const SYSTEM = /^\/(?:usr\/)?lib(?:32|64|x32)?\//;

/**
 * The image with what files beside it know of it: the one that .gnu_debuglink or the build id lead to, where the program has no
 * debug information itself, and the one that .gnu_debugaltlink of either names, where dwz put what several programs share.
 * Looked for as gdb does it ("Separate Debug Files"). `path` is absolute. What is found but does not fit is a problem, no error.
 */
export function withDebugFiles(image: Image, path: string, read: ReadDebugFile): Image {
  if (SYSTEM.test(path)) return image;
  const problems: string[] = [];
  const own = isComplete(image) ? undefined : separateFile(image, path, read, problems);
  const holder = own ?? { ...image, path };
  // Distributions leave the section in programs that they took the debug information from.
  const shared = isComplete(holder) ? sharedFile(holder, read, problems) : undefined;
  return {
    ...image,
    ...(own !== undefined && own.functions.length > 0 && { functions: mergedFunctions(image, own) }),
    debug: { path, ...(own && { own }), ...(shared && { shared }), problems },
  };
}

/** A path as seen from a directory. */
export function absolute(directory: string, path: string): string {
  return path.startsWith('/') ? path : `${directory}/${path}`;
}

function isComplete({ sections }: Pick<Image, 'sections'>): boolean {
  return sections.some(({ name }) => name === '.debug_info' || name === '.zdebug_info');
}

function separateFile(
  image: Image,
  path: string,
  read: ReadDebugFile,
  problems: string[],
): DebugFile | undefined {
  if (image.buildId !== undefined) {
    const found = byBuildId(image.buildId, read, problems);
    if (found !== undefined) return found;
  }
  const link = debugLink(image);
  if (link === undefined) return undefined;
  const directory = path.slice(0, path.lastIndexOf('/'));
  for (const folder of [directory, `${directory}/.debug`, `${GLOBAL}${directory}`]) {
    const candidate = `${folder}/${link.name}`;
    const bytes = candidate === path ? undefined : read(candidate);
    if (bytes === undefined) continue;
    if (crc32(bytes) === link.crc) return parsed(candidate, bytes, problems);
    problems.push(`${candidate} has the debug information of another build`);
  }
  return undefined;
}

function byBuildId(buildId: string, read: ReadDebugFile, problems: string[]): DebugFile | undefined {
  if (buildId.length < 4) return undefined;
  const path = `${GLOBAL}/.build-id/${buildId.slice(0, 2)}/${buildId.slice(2)}.debug`;
  const bytes = read(path);
  const file = bytes && parsed(path, bytes, problems);
  if (file === undefined || file.buildId === buildId) return file;
  problems.push(`${path} has the debug information of another build`);
  return undefined;
}

/** Name and CRC of .gnu_debuglink: a name without folders, zeros up to a multiple of 4, the CRC. */
function debugLink(image: Image): { readonly name: string; readonly crc: number } | undefined {
  const bytes = contentsOf(image, '.gnu_debuglink');
  const end = bytes?.indexOf(0) ?? -1;
  const at = (end + 4) & ~3;
  if (bytes === undefined || end <= 0 || at + 4 > bytes.length) return undefined;
  const name = utf8.decode(bytes.subarray(0, end));
  if (name.includes('/')) return undefined;
  return { name, crc: new DataView(bytes.buffer, bytes.byteOffset + at, 4).getUint32(0, true) };
}

/** .gnu_debugaltlink: a path from where its own file is, and the build id of what is there. */
function sharedFile(
  holder: Pick<Image, 'path' | 'bytes' | 'sections'>,
  read: ReadDebugFile,
  problems: string[],
): DebugFile | undefined {
  const bytes = contentsOf(holder, '.gnu_debugaltlink');
  const end = bytes?.indexOf(0) ?? -1;
  if (bytes === undefined || end <= 0) return undefined;
  const name = utf8.decode(bytes.subarray(0, end));
  const buildId = toHex(bytes.subarray(end + 1));
  const path = absolute(holder.path.slice(0, holder.path.lastIndexOf('/')), name);
  const there = read(path);
  const file = there && parsed(path, there, problems);
  if (file?.buildId === buildId) return file;
  const found = byBuildId(buildId, read, problems);
  if (found === undefined)
    problems.push(
      `${path}, which the debug information refers to, is ${file ? 'of another build' : 'not there'}`,
    );
  return found;
}

const utf8 = new TextDecoder();

function contentsOf(
  { bytes, sections }: Pick<Image, 'bytes' | 'sections'>,
  name: string,
): Uint8Array | undefined {
  const section = sections.find((each) => each.name === name);
  return section && sectionBytes(bytes, section);
}

function parsed(path: string, bytes: Uint8Array, problems: string[]): DebugFile | undefined {
  try {
    return parseDebugFile(path, bytes);
  } catch (problem) {
    if (!(problem instanceof Failure)) throw problem;
    problems.push(problem.message.replace(/\.$/, ''));
    return undefined;
  }
}

/** Symbols of the separate file, and of the program's own tables what they lack. */
function mergedFunctions(image: Image, { functions }: DebugFile): Image['functions'] {
  const keyOf = ({ name, address }: FunctionSymbol) => `${address} ${name}`;
  const known = new Set(functions.map(keyOf));
  const others = image.functions.filter((each) => each.name !== undefined && !known.has(keyOf(each)));
  return [...functions, ...others].sort((a, b) => a.address - b.address);
}

/** A file of sections: its program headers, if any, describe the program that it was taken from. Throws Failure as `parseImage`. */
export function parseDebugFile(path: string, bytes: Uint8Array): DebugFile {
  const file = elfFile(path, bytes);
  const linked = readSections(file, identifyRelocatable(file));
  const sections = linked.map(
    ({ name, type, flags, address, offset, size }): Section => ({ name, type, flags, address, offset, size }),
  );
  // What was taken over without contents, as .dynsym, has become SHT_NOBITS.
  const tables = symbolTables(file, linked);
  const buildId = buildIdInSections(file, sections);
  return {
    path,
    bytes,
    sections,
    functions: readFunctions(file, tables, sections),
    ...(buildId && { buildId: toHex(bytes.subarray(buildId.offset, buildId.offset + buildId.size)) }),
  };
}
