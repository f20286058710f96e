import { readFileSync, realpathSync, statSync } from 'node:fs';
import { resolve, sep } from 'node:path';
import type { ReadSource } from '../pipeline/ports.ts';

/** Sources are written by people; what is larger is data in the form of one. */
const LARGEST = 8 * 2 ** 20;

/** Never reads outside of the directory, whatever debug information or links say. */
export const readSource: ReadSource = (directory, file) => {
  try {
    const inside = realpathSync(directory);
    const path = realpathSync(resolve(directory, file));
    if (!path.startsWith(inside.endsWith(sep) ? inside : inside + sep)) return undefined;
    const status = statSync(path);
    // Files of the kernel say that they are empty, and reading some of them waits.
    if (status.size === 0) return status.isFile() ? '' : undefined;
    return status.isFile() && status.size <= LARGEST ? readFileSync(path, 'utf8') : undefined;
  } catch {
    // Where it is not there, or not to be read, the loop has no source.
    return undefined;
  }
};
