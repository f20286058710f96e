import {
  closeSync,
  fstatSync,
  linkSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { leastMapped, mapFile } from '../mapping.ts';

/** SHA-256 of parts in turn. */
export type Digest = (...parts: readonly Uint8Array[]) => Buffer;
const DIGEST_BYTES = 32;

/** Node takes some time to make its cryptography, so that whoever has it already gives it. */
export function digestBy(createHash: typeof import('node:crypto').createHash): Digest {
  return (...parts) => {
    const hash = createHash('sha256');
    for (const part of parts) hash.update(part);
    return hash.digest();
  };
}

/** Bytes that all kept files take at most, and to which they are cut back then. */
const MOST_BYTES = 512 * 2 ** 20;
const FEWER_BYTES = 384 * 2 ** 20;

const WRITABLE_BY_OTHERS = 0o022;

/**
 * Where processes of this user keep for each other what V8 has compiled: in the temporary directory, which no guest sees. Undefined
 * where it would not be theirs alone, since code is read from there, and where the user wants no such thing.
 */
export function keptDirectory(): string | undefined {
  const user = process.getuid?.();
  const { NODE_DISABLE_COMPILE_CACHE, NODE_V8_COVERAGE } = process.env;
  if (user === undefined || NODE_DISABLE_COMPILE_CACHE || NODE_V8_COVERAGE) return undefined;
  const directory = join(tmpdir(), `ilp-gate-${user}`);
  return isOwn(directory, user) ? directory : undefined;
}

/** Whether it is a directory that only this user writes; made where there is none. */
function isOwn(directory: string, user: number): boolean {
  try {
    const found = () => lstatSync(directory, { throwIfNoEntry: false });
    if (found() === undefined) mkdirSync(directory, { mode: 0o700 });
    const status = found();
    return status?.isDirectory() === true && status.uid === user && (status.mode & WRITABLE_BY_OTHERS) === 0;
  } catch {
    return false;
  }
}

/** What was kept in a file; undefined where there is none, or it was damaged: V8 trusts what it is given, so a file begins with the digest of the rest. */
export function readKept(place: string, digest: Digest): Uint8Array<ArrayBuffer> | undefined {
  try {
    const file = readFile(place);
    const content = file.subarray(DIGEST_BYTES);
    if (!digest(content).equals(file.subarray(0, DIGEST_BYTES))) return undefined;
    const now = new Date();
    utimesSync(place, now, now);
    return content;
  } catch {
    return undefined;
  }
}

/** Large files are mapped: nothing is ever written to one, but another one takes its place. */
function readFile(place: string): Uint8Array<ArrayBuffer> {
  const descriptor = openSync(place, 'r');
  try {
    const { size } = fstatSync(descriptor);
    const mapped = size < leastMapped() ? undefined : mapFile(descriptor, size);
    if (mapped !== undefined) return mapped;
    // Not as a Buffer, whose slices are no copies.
    const { buffer, byteOffset, length } = readFileSync(descriptor);
    return new Uint8Array(buffer, byteOffset, length);
  } finally {
    closeSync(descriptor);
  }
}

/** All of it or nothing; where that fails, the next process does without. */
export function keep(place: string, parts: readonly Uint8Array[], digest: Digest): void {
  const temporary = `${place}.${process.pid}`;
  try {
    writeFileSync(temporary, Buffer.concat([digest(...parts), ...parts]), { mode: 0o600, flag: 'wx' });
    renameSync(temporary, place);
  } catch {
    rmSync(temporary, { force: true });
  }
}

/** What is kept in a file is also at another place, where nothing is written but by renaming. */
export function keepAlso(place: string, other: string): void {
  const temporary = `${other}.${process.pid}`;
  try {
    linkSync(place, temporary);
    renameSync(temporary, other);
    // Nothing is renamed where both are the same file already.
    rmSync(temporary, { force: true });
  } catch {
    rmSync(temporary, { force: true });
  }
}

/** Removes what was not used for longest, where all takes too much room. */
export function makeRoom(directory: string): void {
  try {
    const files = readdirSync(directory, { withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(({ name }) => {
        const place = join(directory, name);
        const { size, mtimeMs } = lstatSync(place);
        return { place, size, mtimeMs };
      })
      .sort((a, b) => b.mtimeMs - a.mtimeMs);
    let bytes = files.reduce((sum, { size }) => sum + size, 0);
    if (bytes <= MOST_BYTES) return;
    for (let last = files.pop(); last !== undefined && bytes > FEWER_BYTES; last = files.pop()) {
      rmSync(last.place, { force: true });
      bytes -= last.size;
    }
  } catch {
    // Another process removes them, too.
  }
}
