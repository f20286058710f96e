import { Failure } from '../base/failure.ts';
import type { Image } from '../elf/image.ts';
import { PIE_BASE, STACK_SIZE, STACK_TOP } from '../guest/layout.ts';
import { EXECUTE, READ, WRITE } from '../guest/memory.ts';
import { fromText, toText } from './bytes.ts';
import { noteOpened } from './calls/open.ts';
import { type Errno, LinuxError } from './errno.ts';
import { contentOf } from './fs/content.ts';
import type { FileNode } from './fs/node.ts';
import { isExecutable } from './fs/node.ts';
import { pathOfPlace, walk } from './fs/walk.ts';
import { addModule } from './modules.ts';
import { addRegion, findFree } from './regions.ts';
import { mapImage, span } from './segments.ts';
import { initialStack } from './stack.ts';
import type { Module, System } from './system.ts';

export interface Command {
  /** As the user wrote it: argv[0], AT_EXECFN. Looked up on PATH when it has no slash. */
  readonly program: string;
  readonly args: readonly string[];
  /** What the configuration names. PATH and LC_ALL=C are added where they are not in it. */
  readonly env: Readonly<Record<string, string>>;
  /** AT_HWCAP: CPUID.1:EDX of the ISA level that CPUID shows. */
  readonly hwcap: number;
  /** AT_HWCAP2: 0 while CPUID shows no FSGSBASE. */
  readonly hwcap2: number;
}

export interface LoadedProgram {
  /** The first instruction: the dynamic linker's entry where there is one. */
  readonly entry: number;
  /** The program's own entry point (AT_ENTRY). */
  readonly programEntry: number;
  readonly stackPointer: number;
  /** The program first, then its dynamic linker; libraries join Kernel.modules when the linker maps them. */
  readonly modules: readonly Module[];
}

/** PATH of a guest whose configuration does not name one. */
export const DEFAULT_PATH = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';

/**
 * Loads a program into a fresh kernel and its empty memory, as execve would. Throws Failure `program-not-found`,
 * `program-not-executable`, `elf-interpreter-missing`, those of segments.ts and those of the ELF parser.
 */
export function loadProgram(system: System, command: Command): LoadedProgram {
  const environment = environmentOf(command.env);
  const { file, path } = locate(system, command.program, environment.PATH);
  const image = parse(system, file, path, command.program);
  const base = image.type === 'executable' ? 0 : PIE_BASE;
  addModule(system, { path: command.program, file: path, image, base });
  mapImage(system, image, { file, label: path, openedAs: fromText(command.program) }, base);
  const { end } = span(image);
  system.state.breakStart = base + end;
  system.state.break = base + end;
  const interpreter = image.interpreter === undefined ? undefined : loadInterpreter(system, image);
  const args = [command.program, ...command.args].map(fromText);
  const variables = Object.entries(environment).map(([name, value]) => fromText(`${name}=${value}`));
  const { pointer } = setUpStack(system, image, base, interpreter?.base ?? 0, args, variables, command);
  system.state.program = {
    path,
    name: path.slice(path.lastIndexOf('/') + 1).slice(0, 15),
    argumentBytes: args.map((text) => `${text}\0`).join(''),
    environmentBytes: variables.map((text) => `${text}\0`).join(''),
  };
  const programEntry = base + image.entry;
  return {
    entry: interpreter?.entry ?? programEntry,
    programEntry,
    stackPointer: pointer,
    modules: [...system.modules],
  };
}

/** In byte order of the names, so that the order of a configuration changes nothing. */
function environmentOf(env: Readonly<Record<string, string>>): Record<string, string> & { PATH: string } {
  const all = { LC_ALL: 'C', PATH: DEFAULT_PATH, ...env };
  return Object.fromEntries(Object.entries(all).sort(([a], [b]) => (a < b ? -1 : 1))) as typeof all;
}

interface Located {
  readonly file: FileNode;
  /** The guest's path of it, free of links. */
  readonly path: string;
}

function locate(system: System, program: string, searchPath: string): Located {
  const candidates = program.includes('/')
    ? [program]
    : searchPath.split(':').map((directory) => (directory === '' ? program : `${directory}/${program}`));
  let refused: { readonly candidate: string; readonly reason: string } | undefined;
  for (const candidate of candidates) {
    const found = program === '' ? 'ENOENT' : tryFind(system, fromText(candidate));
    if (typeof found === 'object') return found;
    const reason = REASONS[found];
    if (reason !== undefined) refused ??= { candidate, reason };
  }
  if (refused !== undefined) throw notExecutable(refused.candidate, refused.reason);
  const where = program.includes('/') ? '' : ` on PATH (${searchPath})`;
  throw new Failure('guest', 'program-not-found', `There is no program ${program}${where}.`, { program });
}

function notExecutable(path: string, reason: string): Failure {
  return new Failure('guest', 'program-not-executable', `${path} cannot be run: ${reason}.`, { path });
}

/** Of errors that say the file is there. */
const REASONS: Partial<Record<Errno, string>> = {
  EISDIR: 'it is a directory',
  EACCES: 'it is not executable, or not readable',
  ENXIO: 'it is not a regular file',
  ELOOP: 'its symbolic links lead in a circle',
};

function tryFind(system: System, path: string): Located | Errno {
  try {
    const place = walk(system, system.state.cwd, path);
    if (place.node === undefined) return 'ENOENT';
    if (place.node.kind === 'directory') return 'EISDIR';
    if (place.node.kind !== 'file') return 'ENXIO';
    if (!isExecutable(place.node)) return 'EACCES';
    const canonical = pathOfPlace(system, place);
    noteOpened(system, place.node, canonical);
    return { file: place.node, path: canonical };
  } catch (problem) {
    if (problem instanceof LinuxError) return problem.errno;
    throw problem;
  }
}

function parse(system: System, file: FileNode, path: string, name: string): Image {
  return system.parseImage(name === '' ? toText(path) : name, contentOf(system, file));
}

function loadInterpreter(system: System, program: Image): { readonly base: number; readonly entry: number } {
  const name = program.interpreter!;
  const found = tryFind(system, fromText(name));
  if (typeof found !== 'object') {
    throw new Failure(
      'guest',
      'elf-interpreter-missing',
      `${program.path} needs the dynamic linker ${name}, which is not there or not executable.`,
      { path: program.path, interpreter: name },
    );
  }
  const image = parse(system, found.file, found.path, name);
  const { start, end } = span(image);
  // At its own addresses only when it must be there; else where mmap would put it, so that passes and hosts agree.
  const base = image.type === 'executable' ? 0 : freeBase(system, image, start, end);
  addModule(system, { path: name, file: found.path, image, base });
  mapImage(system, image, { file: found.file, label: found.path, openedAs: fromText(name) }, base);
  return { base, entry: base + image.entry };
}

function freeBase(system: System, image: Image, start: number, end: number): number {
  const at = findFree(system, end - start);
  if (at !== undefined) return at - start;
  throw new Failure('guest', 'elf-address-conflict', `There is no room left to load ${image.path}.`, {
    path: image.path,
  });
}

function setUpStack(
  system: System,
  image: Image,
  base: number,
  interpreterBase: number,
  args: readonly string[],
  environment: readonly string[],
  { hwcap, hwcap2 }: Command,
) {
  const { programHeaders } = image;
  const stack = initialStack(STACK_TOP, args, environment, {
    programHeaders: base + (programHeaders.address ?? addressOfOffset(image, programHeaders.offset)),
    programHeaderSize: programHeaders.entrySize,
    programHeaderCount: programHeaders.count,
    interpreterBase,
    entry: base + image.entry,
    hwcap,
    hwcap2,
  });
  if (stack.bytes.length > LONGEST_ARGUMENTS) {
    throw new Failure(
      'guest',
      'arguments-too-long',
      'Arguments and environment take more than a quarter of the stack.',
      {
        bytes: stack.bytes.length,
      },
    );
  }
  // Linux on x86-64 makes the stack executable only when PT_GNU_STACK asks for it.
  const executable = ((image.stackFlags ?? 0) & 1) !== 0 ? EXECUTE : 0;
  const start = STACK_TOP - STACK_SIZE;
  const protection = READ | WRITE | executable;
  addRegion(system, { start, end: STACK_TOP, protection, shared: false, label: '[stack]', offset: 0 });
  system.memory.write(stack.pointer, stack.bytes);
  return stack;
}

/** execve(2): E2BIG beyond a quarter of the stack limit. */
const LONGEST_ARGUMENTS = STACK_SIZE / 4;

/** Where the program headers are in memory when no PT_PHDR says so: in the segment that holds their offset. */
function addressOfOffset(image: Image, offset: number): number {
  const holder = image.segments.find(
    (segment) => segment.offset <= offset && offset < segment.offset + segment.fileSize,
  );
  return holder === undefined ? 0 : holder.address + offset - holder.offset;
}
