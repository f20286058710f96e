import { closeSync, lstatSync, openSync, readdirSync, readFileSync, readlinkSync, type Stats } from 'node:fs';
import { Failure } from '../base/failure.ts';
import type { Answer, Disk, DiskEntry, DiskError } from '../linux/ports.ts';
import type { FileHashes } from './kept/file-hashes.ts';
import type { MappedFiles } from './mapped-files.ts';

/**
 * The host's files for the guest: read, never written. Paths are byte strings (linux/ports.ts); Node takes a Buffer
 * as a path and passes its bytes on unchanged. Throws Failure `file-too-large` for a file that Node cannot hold.
 * `hashes` hears which files are read. Large ones are `mapped` instead, if given.
 */
export function hostDisk(hashes?: Pick<FileHashes, 'readNoting'>, mapped?: MappedFiles): Disk {
  return {
    stat: (path) => answer(() => entryOf(lstatSync(bytesOf(path)))),
    read: (path) => answer(() => readWhole(path, hashes, mapped)),
    list: (path) =>
      answer(() => readdirSync(bytesOf(path), { encoding: 'buffer' }).map((name) => name.toString('latin1'))),
    readLink: (path) => answer(() => readlinkSync(bytesOf(path), { encoding: 'buffer' }).toString('latin1')),
    copy: (bytes, room) => mapped?.copy(bytes, room),
    noteTaken: (bytes) => mapped?.noteTaken(bytes),
    hasChanged: (bytes) => mapped?.hasChanged(bytes) === true,
  };
}

/** The host path that a byte string means. */
export function bytesOf(path: string): Buffer {
  return Buffer.from(path, 'latin1');
}

function entryOf(stats: Stats): DiskEntry {
  return {
    kind: kindOf(stats),
    size: stats.size,
    executable: (stats.mode & 0o111) !== 0,
    modified: stats.mtimeMs / 1000,
  };
}

function kindOf(stats: Stats): DiskEntry['kind'] {
  if (stats.isFile()) return 'file';
  if (stats.isDirectory()) return 'directory';
  return stats.isSymbolicLink() ? 'link' : 'other';
}

function readWhole(
  path: string,
  hashes: Pick<FileHashes, 'readNoting'> | undefined,
  mapped: MappedFiles | undefined,
): Uint8Array {
  try {
    const name = bytesOf(path);
    const descriptor = openSync(name, 'r');
    const read = () => mapped?.read(name, descriptor) ?? readFileSync(descriptor);
    try {
      return hashes?.readNoting(path, descriptor, read) ?? read();
    } finally {
      closeSync(descriptor);
    }
  } catch (problem) {
    if (codeOf(problem) !== 'ERR_FS_FILE_TOO_LARGE') throw problem;
    const name = bytesOf(path).toString();
    throw new Failure(
      'environment',
      'file-too-large',
      `The program opens ${name}, which is larger than 2 GiB.`,
      {
        path: name,
      },
    );
  }
}

function answer<T>(ask: () => T): Answer<T> {
  try {
    return { value: ask() };
  } catch (problem) {
    const code = codeOf(problem);
    if (code === undefined || problem instanceof Failure) throw problem;
    return { error: ERRORS[code] ?? 'EIO' };
  }
}

/** What the guest is told; all else is EIO to it. */
const ERRORS: Readonly<Record<string, DiskError>> = {
  ENOENT: 'ENOENT',
  EACCES: 'EACCES',
  EPERM: 'EACCES',
  ENOTDIR: 'ENOTDIR',
  ELOOP: 'ELOOP',
  ENAMETOOLONG: 'ENAMETOOLONG',
};

export function codeOf(problem: unknown): string | undefined {
  const code = problem instanceof Error ? (problem as NodeJS.ErrnoException).code : undefined;
  return typeof code === 'string' ? code : undefined;
}
