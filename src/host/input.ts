import { fstatSync, readFileSync, readSync } from 'node:fs';
import { Failure } from '../base/failure.ts';
import type { KeptInput } from '../pipeline/ports.ts';
import { codeOf } from './disk.ts';
import type { MappedFiles } from './mapped-files.ts';

/**
 * A file descriptor of ours as the guest's standard input: read when the guest asks, and kept, because a run is
 * repeated; large files are `mapped` instead, if given. Descriptor 0 for our own input, one of openSync for a file.
 */
export function inputFrom(descriptor: number, mapped?: MappedFiles): KeptInput {
  return fromFile(descriptor, mapped) ?? fromStream(descriptor);
}

export function emptyInput(): KeptInput {
  const nothing = new Uint8Array(0);
  return { read: () => nothing, kept: () => nothing, ahead: () => nothing, hasChanged: () => false };
}

/** Undefined for what is no file, or a small one. */
function fromFile(descriptor: number, mapped: MappedFiles | undefined): KeptInput | undefined {
  if (mapped === undefined || !fstatSync(descriptor).isFile()) return undefined;
  const position = positionOf(descriptor);
  const content = mapped.read(Buffer.from(`/proc/self/fd/${descriptor}`), descriptor);
  if (position === undefined || content === undefined) return undefined;
  const rest = content.subarray(position);
  let length = 0;
  return {
    read(offset, max) {
      const bytes = rest.subarray(offset, offset + max);
      length = Math.max(length, offset + bytes.length);
      mapped.noteTaken(bytes);
      return bytes;
    },
    kept: () => rest.subarray(0, length),
    ahead: () => (rest.length <= MOST_AHEAD ? rest : rest.subarray(0, 0)),
    hasChanged: () => mapped.hasChanged(content),
  };
}

/** Where whoever opened it has left off (proc_pid_fdinfo(5)); undefined where there is no /proc. */
function positionOf(descriptor: number): number | undefined {
  try {
    const text = readFileSync(`/proc/self/fdinfo/${descriptor}`, 'latin1');
    return Number(/^pos:\s+(\d+)$/m.exec(text)![1]);
  } catch {
    return undefined;
  }
}

function fromStream(descriptor: number): KeptInput {
  let kept = Buffer.alloc(0);
  let length = 0;
  let ended = false;
  return {
    read(offset, max) {
      const wanted = offset + max;
      while (!ended && length < wanted) {
        if (kept.length - length < CHUNK) kept = enlarged(kept, length);
        const count = readBlocking(descriptor, kept, length);
        length += count;
        ended = count === 0;
      }
      return kept.subarray(Math.min(offset, length), Math.min(wanted, length));
    },
    kept: () => kept.subarray(0, length),
    ahead: () => (length === 0 ? restOf(descriptor) : kept.subarray(0, 0)),
    hasChanged: () => false,
  };
}

/** Bytes that are told to another process before anybody has asked for them. */
const MOST_AHEAD = 2 ** 26;

/** What is behind the place of a file where whoever reads it is, which stays there; nothing of what is no file. */
function restOf(descriptor: number): Uint8Array {
  const nothing = new Uint8Array(0);
  const position = fstatSync(descriptor).isFile() ? positionOf(descriptor) : undefined;
  if (position === undefined) return nothing;
  const size = fstatSync(descriptor).size - position;
  if (size <= 0 || size > MOST_AHEAD) return nothing;
  const bytes = new Uint8Array(size);
  return bytes.subarray(0, readSync(descriptor, bytes, 0, size, position));
}

const CHUNK = 65_536;

function enlarged(kept: Buffer, length: number): Buffer<ArrayBuffer> {
  const larger = Buffer.alloc(Math.max(2 * kept.length, length + CHUNK));
  kept.copy(larger, 0, 0, length);
  return larger;
}

/** A pipe that somebody made non-blocking answers EAGAIN until there is more: wait for it as a blocking read would. */
function readBlocking(descriptor: number, into: Buffer, at: number): number {
  for (;;) {
    try {
      return readSync(descriptor, into, at, CHUNK, null);
    } catch (problem) {
      // A terminal's end of input is an error on some systems.
      if (codeOf(problem) === 'EOF') return 0;
      if (codeOf(problem) === 'EISDIR')
        throw new Failure('environment', 'stdin-unreadable', 'standard input is a directory');
      if (codeOf(problem) !== 'EAGAIN') throw problem;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, WAIT);
    }
  }
}

/** Milliseconds between tries. */
const WAIT = 5;
