import { closeSync, constants, fstatSync, openSync, readFileSync } from 'node:fs';
import type { ReadDebugFile } from '../elf/ports.ts';

/** Node's readFileSync takes no more. */
const LARGEST = 2 ** 31 - 1;

/** A program names the files of its debug information itself: what is no regular file (a device, a pipe) is not read. */
export const readDebugFile: ReadDebugFile = (path) => {
  if (path.includes('\0')) return undefined;
  try {
    const file = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
    try {
      const status = fstatSync(file);
      return status.isFile() && status.size <= LARGEST ? readFileSync(file) : undefined;
    } finally {
      closeSync(file);
    }
  } catch {
    return undefined;
  }
};
