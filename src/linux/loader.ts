import { Failure } from '../base/failure.ts';
import type { Image } from '../elf/image.ts';
import { PIE_BASE } from '../guest/layout.ts';
import { planAddresses, USUAL_ADDRESSES } from './address-plan.ts';
import { fromText, toText } from './bytes.ts';
import { noteOpened } from './calls/open.ts';
import { type Errno, fail, LinuxError } from './errno.ts';
import { contentOf } from './fs/content.ts';
import type { Called, DirectoryNode, FileNode } from './fs/node.ts';
import { isExecutable } from './fs/node.ts';
import { calledAt, walk } from './fs/walk.ts';
import { limitOf, STACK } from './limits.ts';
import { longestArguments, mapStack } from './main-stack.ts';
import { addModule } from './modules.ts';
import { findFree } from './regions.ts';
import { scriptOf } from './script.ts';
import { mapImage, span } from './segments.ts';
import { initialStack } from './stack.ts';
import type { LoadedProgram, System } from './system.ts';

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

/** PATH of a guest whose configuration does not name one. */
export const DEFAULT_PATH = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';

/**
 * Loads a program into a fresh kernel and its empty memory, as execve would. Throws Failure `program-not-found`,
 * `program-not-executable`, `elf-interpreter-missing`, those of segments.ts and those of the ELF parser.
 */
export function loadProgram(system: System, command: Command): LoadedProgram {
  const environment = environmentOf(command.env);
  const args = [command.program, ...command.args].map(fromText);
  const located = locate(system, command.program, environment.PATH);
  const program = readFirst(system, located, command.program, args);
  const variables = Object.entries(environment).map(([name, value]) => fromText(`${name}=${value}`));
  system.state.shared.capabilities = { hwcap: command.hwcap, hwcap2: command.hwcap2 };
  return startProgram(system, program, variables);
}

function readFirst(system: System, located: Found, name: string, args: readonly string[]): Program {
  try {
    return readProgram(system, located, fromText(name), args);
  } catch (problem) {
    if (!(problem instanceof LinuxError)) throw problem;
    throw notExecutable(name, 'it is a script, and what its first line names cannot be executed');
  }
}

/** What execve is about to start. All texts are byte strings. */
export interface Program extends Located {
  readonly image: Image;
  readonly interpreter: (Located & { readonly image: Image; readonly name: string }) | undefined;
  /** The path that was asked for, which for a script is not that of the program. */
  readonly asked: string;
  /** The program's own name, as the command or the script's first line has it. */
  readonly name: string;
  readonly args: readonly string[];
}

/** execve(2): a script's interpreter may be a script, and so on, but not for ever. */
const MOST_SCRIPTS = 4;

/**
 * Reads the program, or what a script asks for in its first line, and its dynamic linker; nothing happens to the process.
 * Throws LinuxError where a script's interpreter cannot be executed, Failure as `loadProgram`.
 */
export function readProgram(
  system: System,
  located: Located & Partial<Found>,
  asked: string,
  argumentTexts: readonly string[],
): Program {
  let { file, path, entry } = located;
  let name = asked;
  let args = argumentTexts;
  for (let scripts = 0; ; scripts++) {
    const script = scriptOf(contentOf(system, file));
    if (script === undefined) break;
    if (scripts === MOST_SCRIPTS) fail('ELOOP');
    const own = scripts === 0 ? (located.found ?? name) : name;
    args = [script.interpreter, ...script.argument, own, ...args.slice(1)];
    name = script.interpreter;
    ({ file, path, entry } = executableAt(system, system.state.paths.cwd, name));
  }
  const image = parse(system, file, path, toText(name));
  return { file, path, entry, image, interpreter: findInterpreter(system, image), asked, name, args };
}

/** Gives the process, whose memory is empty, to the program. `variables` are of the form `name=value`. */
export function startProgram(system: System, program: Program, variables: readonly string[]): LoadedProgram {
  const { image, file, path, entry, interpreter, name, args } = program;
  const base = image.type === 'executable' ? 0 : PIE_BASE;
  addModule(system, { path: toText(name), file: path, image, base });
  const { start, end } = span(image);
  const { soft } = limitOf(system.state, STACK);
  // What fits nowhere is mapImage's to refuse.
  system.state.addresses = planAddresses(base + start, base + end, soft) ?? USUAL_ADDRESSES;
  mapImage(system, image, { file, label: path, entry, openedAs: name }, base);
  system.state.breakStart = base + end;
  system.state.break = base + end;
  const linker = interpreter && mapInterpreter(system, interpreter);
  const { pointer, auxiliary } = setUpStack(system, program, base, linker?.base ?? 0, variables);
  system.state.program = {
    file,
    path,
    entry,
    name: program.asked.slice(program.asked.lastIndexOf('/') + 1).slice(0, 15),
    argumentBytes: args.map((text) => `${text}\0`).join(''),
    environmentBytes: variables.map((text) => `${text}\0`).join(''),
    auxiliary,
    stackStart: pointer,
    memoryPressure: system.state.program.memoryPressure,
  };
  const programEntry = base + image.entry;
  return {
    entry: linker?.entry ?? programEntry,
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

export interface Located extends Called {
  readonly file: FileNode;
}

/** Found on PATH: where, which is what execvp(3) asks for, and so what the interpreter of a script is given. */
interface Found extends Located {
  readonly found: string;
}

function locate(system: System, program: string, searchPath: string): Found {
  const candidates = program.includes('/')
    ? [program]
    : searchPath.split(':').map((directory) => (directory === '' ? program : `${directory}/${program}`));
  let refused: { readonly candidate: string; readonly reason: string } | undefined;
  for (const candidate of candidates) {
    const path = fromText(candidate);
    const located = program === '' ? 'ENOENT' : tryFind(system, path);
    if (typeof located === 'object') return { ...located, found: path };
    const reason = REASONS[located];
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
    return executableAt(system, system.state.paths.cwd, path);
  } catch (problem) {
    if (problem instanceof LinuxError) return problem.errno;
    throw problem;
  }
}

/** The file that execve would execute. Throws LinuxError. */
export function executableAt(system: System, start: DirectoryNode, path: string, follow = true): Located {
  const place = walk(system, start, path, follow);
  if (place.node === undefined) fail('ENOENT');
  if (place.node.kind === 'link') fail('ELOOP');
  if (place.node.kind === 'directory') fail('EISDIR');
  if (place.node.kind !== 'file') fail('ENXIO');
  return executable(system, place.node, calledAt(system, place));
}

export function executable(system: System, file: FileNode, { path, entry }: Called): Located {
  if (!isExecutable(file)) fail('EACCES');
  noteOpened(system, file, path);
  return { file, path, entry };
}

function parse(system: System, file: FileNode, path: string, name: string): Image {
  return system.parseImage(name === '' ? toText(path) : name, contentOf(system, file));
}

function findInterpreter(system: System, program: Image): Program['interpreter'] {
  if (program.interpreter === undefined) return undefined;
  const name = fromText(program.interpreter);
  const found = tryFind(system, name);
  if (typeof found === 'object')
    return { ...found, image: parse(system, found.file, found.path, program.interpreter), name };
  throw new Failure(
    'guest',
    'elf-interpreter-missing',
    `${program.path} needs the dynamic linker ${program.interpreter}, which is not there or not executable.`,
    { path: program.path, interpreter: program.interpreter },
  );
}

function mapInterpreter(
  system: System,
  { image, file, path, entry, name }: NonNullable<Program['interpreter']>,
): { readonly base: number; readonly entry: number } {
  const { start, end } = span(image);
  // At its own addresses only when it must be there; else where mmap would put it, so that passes and hosts agree.
  const base = image.type === 'executable' ? 0 : freeBase(system, image, start, end);
  addModule(system, { path: toText(name), file: path, image, base });
  mapImage(system, image, { file, label: path, entry, openedAs: name }, base);
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
  { image, args, asked }: Program,
  base: number,
  interpreterBase: number,
  environment: readonly string[],
) {
  const { hwcap, hwcap2 } = system.state.shared.capabilities;
  const { programHeaders } = image;
  const stack = initialStack(system.state.addresses.stackTop, args, environment, asked, {
    programHeaders: base + (programHeaders.address ?? addressOfOffset(image, programHeaders.offset)),
    programHeaderSize: programHeaders.entrySize,
    programHeaderCount: programHeaders.count,
    interpreterBase,
    entry: base + image.entry,
    hwcap,
    hwcap2,
  });
  if (stack.bytes.length > longestArguments(system.state)) {
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
  mapStack(system, stack.bytes, ((image.stackFlags ?? 0) & 1) !== 0);
  return stack;
}

/** Where the program headers are in memory when no PT_PHDR says so: in the segment that holds their offset. */
function addressOfOffset(image: Image, offset: number): number {
  const holder = image.segments.find(
    (segment) => segment.offset <= offset && offset < segment.offset + segment.fileSize,
  );
  return holder === undefined ? 0 : holder.address + offset - holder.offset;
}
