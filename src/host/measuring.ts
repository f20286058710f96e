import { closeSync, openSync } from 'node:fs';
import { Failure } from '../base/failure.ts';
import type { MeasurePorts } from '../pipeline/ports.ts';
import { commit } from './commit.ts';
import { standBack } from './compiling-threads.ts';
import { hostDisk } from './disk.ts';
import { adviseHugePages, populate } from './huge-pages.ts';
import { imageTools } from './image-tools.ts';
import { emptyInput, inputFrom } from './input.ts';
import { FileHashes, hashesDirectory } from './kept/file-hashes.ts';
import { MappedFiles } from './mapped-files.ts';
import { preparedHandlers } from './prepared.ts';
import { followBranchHints, garbageCollector, keepHeapSmall, optimiseLate } from './v8.ts';

/** This machine, as measuring sees it. Hashes of large files may be kept for later processes. */
export function hostMeasuring(version: string, keepsHashes = false): MeasurePorts {
  followBranchHints();
  // Of processes that measure side by side each has one other thread (worker-process.ts).
  if (process.send === undefined) standBack();
  const [lookAtHeap, lookAtAge] = [keepHeapSmall(), optimiseLate()];
  const hashes = new FileHashes(keepsHashes ? hashesDirectory() : undefined);
  const mapped = new MappedFiles();
  return {
    disk: hostDisk(hashes, mapped),
    openInput(stdin) {
      switch (stdin.kind) {
        case 'empty':
          return { input: emptyInput(), close: () => {} };
        case 'inherit':
          return { input: inputFrom(0, mapped), close: () => {} };
        case 'file': {
          const descriptor = openInput(stdin.path);
          return { input: inputFrom(descriptor, mapped), close: () => closeSync(descriptor) };
        }
      }
    },
    commit,
    imageTools,
    hasher: hashes,
    prepared: preparedHandlers,
    version,
    clock: () => performance.now(),
    betweenSlices() {
      lookAtHeap();
      lookAtAge();
    },
    collectGarbage: garbageCollector(),
    hostPages: { advise: adviseHugePages, populate, show: mapped.show, clear: mapped.clear },
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
