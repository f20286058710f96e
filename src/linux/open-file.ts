import { fail } from './errno.ts';
import type { OpenFile } from './fs/node.ts';
import { limitOf, NUMBER_OF_FILES } from './limits.ts';
import type { Descriptor } from './state.ts';
import type { System } from './system.ts';

/** fcntl.h, x86-64. */
export const O = {
  ACCESS: 3,
  WRITE_ONLY: 1,
  READ_WRITE: 2,
  CREATE: 0o100,
  EXCLUSIVE: 0o200,
  NO_TERMINAL: 0o400,
  TRUNCATE: 0o1000,
  APPEND: 0o2000,
  NON_BLOCKING: 0o4000,
  /** Kept, but no signal (SIGIO) is ever sent. */
  ASYNC: 0o20000,
  DIRECT: 0o40000,
  /** What has a path, or could have, has it set by every opening: programs of 64 bits ask for it without saying so. */
  LARGE_FILE: 0o100000,
  DIRECTORY: 0o200000,
  NO_FOLLOW: 0o400000,
  CLOSE_ON_EXEC: 0o2000000,
  PATH: 0o10000000,
  TMPFILE: 0o20000000,
} as const;

export function descriptor(system: System, number: number): Descriptor {
  return system.state.descriptors.get(number) ?? fail('EBADF');
}

/** The open file, which is more than a path to it (O_PATH). */
export function openFile(system: System, number: number): OpenFile {
  const { file } = descriptor(system, number);
  return (file.flags & O.PATH) !== 0 ? fail('EBADF') : file;
}

/** No descriptor has this number or a larger one: RLIMIT_NOFILE. */
export function mostDescriptors({ state }: System): number {
  return Number(limitOf(state, NUMBER_OF_FILES).soft);
}

/** The lowest free descriptor from `from` on gets the file. */
export function addDescriptor(system: System, file: OpenFile, closeOnExec: boolean, from = 0): number {
  let number = from;
  while (system.state.descriptors.has(number)) number++;
  if (number >= mostDescriptors(system)) fail('EMFILE');
  system.state.descriptors.set(number, { file, closeOnExec });
  return number;
}

export function isReadable(file: OpenFile): boolean {
  return (file.flags & O.ACCESS) !== O.WRITE_ONLY;
}

export function isWritable(file: OpenFile): boolean {
  return (file.flags & O.ACCESS) !== 0;
}
