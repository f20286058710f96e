import { chmodSync, lstatSync, mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { Failure } from '../base/failure.ts';
import type { Change } from '../linux/ports.ts';
import { bytesOf, codeOf } from './disk.ts';

/**
 * Carries out on the host's disk what the guest did to its files below the working directory (writes: 'keep'). A file
 * is written beside its place and renamed over it, so that it is never half-written; a link too. Throws Failure
 * `write-back-failed` at the first change that does not succeed: those before it stay.
 */
export function commit(changes: readonly Change[]): void {
  changes.forEach((change, number) => {
    try {
      apply(change, number);
    } catch (problem) {
      const code = codeOf(problem);
      if (code === undefined) throw problem;
      const path = bytesOf(change.path).toString();
      throw new Failure(
        'environment',
        'write-back-failed',
        `What the program wrote to ${path} cannot be kept: ${(problem as Error).message}.`,
        { path, code },
      );
    }
  });
}

function apply(change: Change, number: number): void {
  const path = bytesOf(change.path);
  switch (change.kind) {
    case 'delete':
      // Only ever a directory that the guest emptied or replaced is removed with what is in it.
      rmSync(path, { recursive: true, force: true });
      return;
    case 'directory':
      mkdirSync(path);
      chmodSync(path, change.mode);
      return;
    case 'link':
      replace(change.path, number, (temporary) => symlinkSync(bytesOf(change.target), temporary));
      return;
    case 'file': {
      const mode = change.mode ?? lstatSync(path).mode & 0o7777;
      replace(change.path, number, (temporary) => {
        writeFileSync(temporary, change.bytes, { flag: 'wx' });
        chmodSync(temporary, mode);
      });
      return;
    }
  }
}

function replace(path: string, number: number, write: (temporary: Buffer) => void): void {
  const temporary = bytesOf(`${path.slice(0, path.lastIndexOf('/'))}/.ilp-gate-${process.pid}-${number}`);
  try {
    write(temporary);
    renameSync(temporary, bytesOf(path));
  } catch (problem) {
    rmSync(temporary, { force: true });
    throw problem;
  }
}
