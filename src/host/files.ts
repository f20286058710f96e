import { lstatSync, mkdirSync, readFileSync, realpathSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { Failure } from '../base/failure.ts';
import type { TextFiles } from '../pipeline/ports.ts';

/** The real file system. */
export const files: TextFiles = {
  async read(path) {
    try {
      return readFileSync(path, 'utf8');
    } catch (error) {
      const code = codeOf(error);
      if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
      throw new Failure('environment', 'file-unreadable', `cannot read ${path}: ${reason(code)}`, {
        file: path,
        reason: code,
      });
    }
  },
  async writeAll(all) {
    writeAllSync(all);
  },
  resolve,
};

/**
 * Synchronous from the first temporary file to the last rename, with SIGINT and SIGTERM held back, so that an
 * interruption comes before or after and never leaves half of them.
 */
function writeAllSync(all: readonly { readonly path: string; readonly text: string }[]): void {
  if (all.length === 0) return;
  const held: NodeJS.Signals[] = [];
  const hold = (signal: NodeJS.Signals): void => {
    held.push(signal);
  };
  process.on('SIGINT', hold).on('SIGTERM', hold);
  const temporary: { readonly from: string; readonly to: string }[] = [];
  try {
    for (const { path, text } of all) {
      const to = attempt(path, () => {
        mkdirSync(dirname(path), { recursive: true });
        return throughLink(path);
      });
      if (attempt(path, () => isSpecial(to))) {
        // Such as /dev/stdout: a rename would replace the device by a file.
        attempt(path, () => writeFileSync(to, text));
        continue;
      }
      const from = `${to}.${process.pid}.tmp`;
      temporary.push({ from, to });
      attempt(path, () => writeFileSync(from, text));
    }
    for (const { from, to } of temporary) attempt(to, () => renameSync(from, to));
  } finally {
    for (const { from } of temporary) rmSync(from, { force: true });
    // Signal listeners run from the event loop: leave them until what arrived meanwhile has been heard.
    setImmediate(() => {
      process.off('SIGINT', hold).off('SIGTERM', hold);
      if (held[0] !== undefined) process.kill(process.pid, held[0]);
    });
  }
}

/** A link keeps being one: what it points to is replaced. */
function throughLink(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}

function isSpecial(path: string): boolean {
  const status = lstatSync(path, { throwIfNoEntry: false });
  return status !== undefined && !status.isFile() && !status.isDirectory();
}

function attempt<T>(path: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    const code = codeOf(error);
    throw new Failure('environment', 'file-unwritable', `cannot write ${path}: ${reason(code)}`, {
      file: path,
      reason: code,
    });
  }
}

function codeOf(error: unknown): string {
  if (error instanceof Error && 'code' in error && typeof error.code === 'string') return error.code;
  throw error;
}

function reason(code: string): string {
  return REASONS[code] ?? code;
}

const REASONS: Readonly<Record<string, string>> = {
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  EISDIR: 'it is a directory',
  ENOSPC: 'no space left on the device',
  EROFS: 'the file system is read-only',
  ENOTDIR: 'a part of the path is not a directory',
  ENOENT: 'no such file or directory',
  ENAMETOOLONG: 'a part of the path is too long',
  EEXIST: 'a part of the path is not a directory',
};
