import { createHash } from 'node:crypto';
import { fstatSync } from 'node:fs';
import { join } from 'node:path';
import type { Hasher } from '../../emulator/ports.ts';
import { digestBy, keep, keptDirectory, readKept } from './directory.ts';

type Ranges = Parameters<Hasher['sha256']>[1];

/** Smaller files take a few milliseconds. */
const LEAST_BYTES = 2 ** 22;

/** A change in this time may leave a file's times as they were: those of Linux advance every 4 ms, of others every 2 s. */
const SETTLED_AFTER = 10_000_000_000n;

const digest = digestBy(createHash);

/** Where this user's processes keep them; undefined for sources, as for all that is kept. */
export const hashesDirectory = (): string | undefined =>
  import.meta.url.endsWith('.cjs') ? keptDirectory() : undefined;

/**
 * SHA-256 of large libraries, which a program has again in its next run: kept by what tells a file and each change of it (device, inode,
 * size, times of its contents and of the file), as ccache's inode cache does. A program with LLVM's library of 110 MB began 0.27 of 1.8 s
 * sooner. Only of files that packages have installed, below /usr: what is built is always hashed.
 */
export class FileHashes {
  private readonly directory: string | undefined;
  private readonly of: string;
  private readonly now: () => bigint;
  /** By what was read of a file. */
  private readonly identities = new WeakMap<Uint8Array, string>();

  /** None are kept without a directory. `of`: of files below which other one. The clock counts nanoseconds from 1970 on. */
  constructor(directory: string | undefined, of = '/usr/', now = () => BigInt(Date.now()) * 1_000_000n) {
    this.directory = directory;
    this.of = of;
    this.now = now;
  }

  /** Gives what `read` reads of an open file, and notes which file it is. */
  readNoting(path: string, descriptor: number, read: () => Uint8Array): Uint8Array {
    if (this.directory === undefined || !path.startsWith(this.of)) return read();
    const before = this.identityOf(descriptor);
    const bytes = read();
    if (before !== undefined && before === this.identityOf(descriptor)) this.identities.set(bytes, before);
    return bytes;
  }

  private identityOf(descriptor: number): string | undefined {
    const { dev, ino, size, mtimeNs, ctimeNs } = fstatSync(descriptor, { bigint: true });
    if (size < LEAST_BYTES || ctimeNs > this.now() - SETTLED_AFTER) return undefined;
    return [dev, ino, size, mtimeNs, ctimeNs].join(' ');
  }

  sha256(bytes: Uint8Array, ranges: Ranges): string {
    const identity = this.identities.get(bytes);
    if (identity === undefined || this.directory === undefined) return hashOf(bytes, ranges);
    const parts = ranges.map(({ start, end }) => `${start}-${end}`).join(' ');
    const name = digest(Buffer.from(`${identity} of ${parts}`)).toString('hex');
    const place = join(this.directory, `hash-${name}`);
    const kept = readKept(place, digest);
    if (kept !== undefined) return new TextDecoder().decode(kept);
    const hash = hashOf(bytes, ranges);
    keep(place, [new TextEncoder().encode(hash)], digest);
    return hash;
  }
}

function hashOf(bytes: Uint8Array, ranges: Ranges): string {
  const hash = createHash('sha256');
  for (const { start, end } of ranges) hash.update(bytes.subarray(start, end));
  return hash.digest('hex');
}
