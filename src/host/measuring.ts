import { createHash } from 'node:crypto';
import { closeSync, openSync } from 'node:fs';
import { Failure } from '../base/failure.ts';
import type { MeasurePorts } from '../pipeline/ports.ts';
import { commit } from './commit.ts';
import { hostDisk } from './disk.ts';
import { imageTools } from './image-tools.ts';
import { emptyInput, inputFrom } from './input.ts';
import { preparedHandlers } from './prepared.ts';
import { followBranchHints, garbageCollector, keepHeapSmall } from './v8.ts';

/** This machine, as measuring sees it. */
export function hostMeasuring(version: string): MeasurePorts {
  followBranchHints();
  return {
    disk: hostDisk(),
    openInput(stdin) {
      switch (stdin.kind) {
        case 'empty':
          return { input: emptyInput(), close: () => {} };
        case 'inherit':
          return { input: inputFrom(0), close: () => {} };
        case 'file': {
          const descriptor = openInput(stdin.path);
          return { input: inputFrom(descriptor), close: () => closeSync(descriptor) };
        }
      }
    },
    commit,
    imageTools,
    hasher: {
      sha256(bytes, ranges) {
        const hash = createHash('sha256');
        for (const { start, end } of ranges) hash.update(bytes.subarray(start, end));
        return hash.digest('hex');
      },
    },
    prepared: preparedHandlers,
    version,
    clock: () => performance.now(),
    betweenSlices: keepHeapSmall(),
    collectGarbage: garbageCollector(),
  };
}

function openInput(path: string): number {
  try {
    return openSync(path, 'r');
  } catch (problem) {
    throw new Failure(
      'environment',
      'stdin-unreadable',
      `the file for standard input cannot be read: ${(problem as Error).message}`,
      { path },
    );
  }
}
