import { Failure } from '../../base/failure.ts';
import { cString } from '../../guest/c-string.ts';
import { READ } from '../../guest/memory.ts';
import { int, size } from '../arguments.ts';
import { fromBytes, fromText, toBytes } from '../bytes.ts';
import { fail, LinuxError } from '../errno.ts';
import { giveBack } from '../lend.ts';
import {
  executable,
  executableAt,
  type Located,
  type Program,
  readProgram,
  startProgram,
} from '../loader.ts';
import { longestArguments } from '../main-stack.ts';
import { descriptor } from '../open-file.ts';
import { becomeOther } from '../processes.ts';
import { writeBackShared } from '../regions.ts';
import { type Replaced, row, type SyscallRow, type System } from '../system.ts';
import { startDirectory } from './open.ts';

const FDCWD = -100n;
const AT_SYMLINK_NOFOLLOW = 0x100;
const AT_EMPTY_PATH = 0x1000;

/** MAX_ARG_STRLEN */
const LONGEST_ARGUMENT = 131_072;

/** A vector of pointers to strings, as byte strings; no pointer is an empty vector. */
function strings(system: System, vector: bigint): string[] {
  const found: string[] = [];
  if (size(vector) === 0) return found;
  for (let bytes = 0; ; ) {
    const address = system.user.u64(size(vector) + 8 * found.length);
    if (address === 0n) return found;
    const text = cString(system.memory, size(address), LONGEST_ARGUMENT);
    if (text === undefined)
      fail(system.memory.allows(size(address), LONGEST_ARGUMENT, READ) ? 'E2BIG' : 'EFAULT');
    found.push(fromBytes(text));
    // Its NUL, and its pointer on the new stack.
    bytes += text.length + 9;
    if (bytes > longestArguments(system.state)) fail('E2BIG');
  }
}

function find(system: System, directory: bigint, path: string, flags: number): Located {
  if ((flags & ~(AT_SYMLINK_NOFOLLOW | AT_EMPTY_PATH)) !== 0) fail('EINVAL');
  if (path === '' && (flags & AT_EMPTY_PATH) !== 0) {
    const { file } = descriptor(system, int(directory));
    return file.node.kind === 'file' ? executable(system, file.node, file) : fail('EACCES');
  }
  const start = startDirectory(system, directory, path);
  try {
    return executableAt(system, start, path, (flags & AT_SYMLINK_NOFOLLOW) === 0);
  } catch (problem) {
    // Neither a directory nor a device can be executed: execve(2).
    if (problem instanceof LinuxError && (problem.errno === 'EISDIR' || problem.errno === 'ENXIO'))
      fail('EACCES');
    throw problem;
  }
}

/** What is no program for us is none for the guest. */
function read(system: System, located: Located, asked: string, args: readonly string[]): Program {
  try {
    return readProgram(system, located, asked, args);
  } catch (problem) {
    if (!(problem instanceof Failure) || problem.kind !== 'guest') throw problem;
    return fail(problem.code === 'elf-interpreter-missing' ? 'ENOENT' : 'ENOEXEC');
  }
}

function execute(
  system: System,
  directory: bigint,
  pathAddress: bigint,
  argumentVector: bigint,
  environment: bigint,
  flags: number,
): Replaced {
  const path = system.user.path(size(pathAddress));
  const located = find(system, directory, path, flags);
  // Since Linux 5.18 a program has at least an empty argv[0].
  const [first = '', ...others] = strings(system, argumentVector);
  const variables = strings(system, environment);
  // fexecve: the kernel names the file by its descriptor.
  const asked = path === '' ? fromText(`/dev/fd/${int(directory)}`) : path;
  const program = read(system, located, asked, [first, ...others]);
  if (stackBytes([...program.args, ...variables]) > longestArguments(system.state)) fail('E2BIG');
  giveBack(system);
  writeBackShared(system);
  becomeOther(system);
  system.memory.unmapAll();
  system.modules.length = 0;
  const loaded = startProgram(system, program, variables);
  return { kind: 'replaced', loaded };
}

const stackBytes = (texts: readonly string[]): number =>
  texts.reduce((sum, text) => sum + toBytes(text).length + 9, 0);

export const EXEC_CALLS: readonly SyscallRow[] = [
  row(59, 'execve', 3, (s, [path, args, environment]) => execute(s, FDCWD, path, args, environment, 0)),
  row(322, 'execveat', 5, (s, [directory, path, args, environment, flags]) =>
    execute(s, directory, path, args, environment, int(flags)),
  ),
];
