import { readFileSync } from 'node:fs';
import type { Digest } from './directory.ts';

const PLACE = Symbol.for('ilp-gate: digests of parts');
const global = globalThis as { [PLACE]?: Map<string, string> };

/** Of files of this program that the process has read, by path. Each part of the program has this file for itself (scripts/build.mjs), hence the process's. */
global[PLACE] ??= new Map();
const known = global[PLACE];

/** The digest of a part that is being loaded. */
export function notePart(path: string, digest: string): void {
  known.set(path, digest);
}

/** The digest of what a part was when it was loaded. Where Node has loaded it, it is read once more. */
export function digestOfPart(path: string, digest: Digest): string {
  const found = known.get(path) ?? digest(readFileSync(path)).toString('hex');
  known.set(path, found);
  return found;
}
