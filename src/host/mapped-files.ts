import { type BigIntStats, closeSync, constants, fstatSync, openSync, statSync } from 'node:fs';
import type { HostPages } from '../emulator/ports.ts';
import { HOST_PAGE, leastMapped, letGo, mapFile, mapFileAt, mapRoom, mapZerosAt } from './mapping.ts';

/** What a file was when it was mapped. */
interface Source {
  readonly path: Buffer;
  readonly status: BigIntStats;
  /** Whether bytes were taken since all was let go. */
  isTaken: boolean;
}

/**
 * The guest's large files, mapped instead of read: a database of 800 MB of which 16 pages are looked at took 1.75 GB and 14 s, and takes 0.1 GB and 0.6 s. Nothing is
 * ever written to them.
 */
export class MappedFiles {
  private readonly leastBytes: () => number;
  /** By what is shown of them. */
  private readonly sources = new WeakMap<ArrayBufferLike, Source>();
  /** What bytes were taken of since all was let go, and how many. Who measures many programs is not to keep their files for that. */
  private readonly taken = new Set<WeakRef<ArrayBufferLike>>();
  private takenBytes = 0;

  /** Files with fewer bytes are not mapped. */
  constructor(leastBytes = leastMapped) {
    this.leastBytes = leastBytes;
  }

  /** An open file's bytes; undefined where it cannot be mapped, or is smaller. Nobody is to write to them. */
  read(path: Buffer, descriptor: number): Uint8Array | undefined {
    const status = fstatSync(descriptor, { bigint: true });
    if (status.size < this.leastBytes()) return undefined;
    const bytes = mapFile(descriptor, Number(status.size));
    if (bytes !== undefined) this.sources.set(bytes.buffer, { path, status, isTaken: false });
    return bytes;
  }

  /** See Disk.noteTaken. */
  noteTaken(bytes: Uint8Array): void {
    const source = this.sources.get(bytes.buffer);
    if (source === undefined) return;
    if (!source.isTaken) this.taken.add(new WeakRef(bytes.buffer));
    source.isTaken = true;
    this.takenBytes += bytes.length;
    if (this.takenBytes < MOST_TAKEN) return;
    for (const reference of this.taken) {
      const buffer = reference.deref();
      if (buffer === undefined) continue;
      letGo(new Uint8Array(buffer));
      this.sources.get(buffer)!.isTaken = false;
    }
    this.taken.clear();
    this.takenBytes = 0;
  }

  /** See ShowingPages. */
  readonly show: HostPages['show'] = (memory, start, content) => {
    if (content.byteOffset % HOST_PAGE !== 0 || start % HOST_PAGE !== 0) return false;
    const place = new Uint8Array(memory, start, content.length);
    return this.isMapped(content, (descriptor) => mapFileAt(place, descriptor, content.byteOffset));
  };

  /** See Disk. */
  copy(bytes: Uint8Array, room: number): Uint8Array<ArrayBuffer> | undefined {
    const isWhole = bytes.length === bytes.buffer.byteLength;
    const copy = isWhole && this.sources.has(bytes.buffer) ? mapRoom(room) : undefined;
    if (copy === undefined) return undefined;
    const place = copy.subarray(0, bytes.length);
    return this.isMapped(bytes, (descriptor) => mapFileAt(place, descriptor, 0)) ? copy : undefined;
  }

  /** Whether the file of these bytes is what it was, and could be mapped. */
  private isMapped(bytes: Uint8Array, map: (descriptor: number) => boolean): boolean {
    const source = this.sources.get(bytes.buffer);
    if (source === undefined) return false;
    try {
      const descriptor = openSync(source.path, constants.O_RDONLY | constants.O_NONBLOCK);
      try {
        const status = fstatSync(descriptor, { bigint: true });
        return isSameFile(status, source.status) && isSameContent(status, source.status) && map(descriptor);
      } finally {
        closeSync(descriptor);
      }
    } catch {
      // It has another name by now, or none.
      return false;
    }
  }

  /** See ShowingPages. */
  readonly clear: HostPages['clear'] = (memory, start, end) => {
    const pages = new Uint8Array(memory, start, end - start);
    if (!mapZerosAt(pages)) pages.fill(0);
  };

  /** Whether somebody wrote to the file of these bytes. A name that leads to another file by now says nothing of the one that is mapped. */
  hasChanged(bytes: Uint8Array): boolean {
    const source = this.sources.get(bytes.buffer);
    if (source === undefined) return false;
    const status = statSync(source.path, { bigint: true, throwIfNoEntry: false });
    return status !== undefined && isSameFile(status, source.status) && !isSameContent(status, source.status);
  }
}

/** Bytes of files that stay resident after they were read. */
const MOST_TAKEN = 2 ** 25;

function isSameFile(a: BigIntStats, b: BigIntStats): boolean {
  return a.dev === b.dev && a.ino === b.ino;
}

function isSameContent(a: BigIntStats, b: BigIntStats): boolean {
  return a.size === b.size && a.mtimeNs === b.mtimeNs;
}
