import { areLoaded, nativeCalls } from './native-calls.ts';

/** Of <sys/mman.h>. */
const PROT_READ_WRITE = 3;
const MAP_PRIVATE = 0x02;
const MAP_FIXED = 0x10;
const MAP_ANONYMOUS = 0x20;
const MAP_NORESERVE = 0x4000;
const MADV_DONTNEED = 4;
const FAILED = -1n;

/** Bytes of a page of the host, which is x86-64: what is mapped begins with one. */
export const HOST_PAGE = 4096;

/**
 * Bytes of a file that is better mapped than read: fewer take less time than to load the functions, or where that is done than the system calls where a page
 * fault takes less than 1 µs.
 */
export const leastMapped = (): number => (areLoaded() ? 2 ** 17 : 2 ** 20);

/** Where buffers of mapped files are. */
const addresses = new WeakMap<ArrayBufferLike, bigint>();
const views = new FinalizationRegistry<{ readonly start: bigint; readonly length: number }>(
  ({ start, length }) => nativeCalls()?.munmap(start, length),
);

/**
 * An open file's first bytes as memory (mmap(2)): what nobody looks at is not read, and what is takes no memory of the process's own. Undefined where
 * that cannot be. What is stored there does not come to the file; who truncates the file ends the process (SIGBUS).
 */
export function mapFile(descriptor: number, length: number): Uint8Array<ArrayBuffer> | undefined {
  return mapped(length, MAP_PRIVATE, descriptor);
}

/** Zeros, which take no memory until they are stored to. */
export function mapRoom(length: number): Uint8Array<ArrayBuffer> | undefined {
  return mapped(length, MAP_PRIVATE | MAP_ANONYMOUS, -1);
}

function mapped(length: number, flags: number, descriptor: number): Uint8Array<ArrayBuffer> | undefined {
  const native = nativeCalls();
  const start = native?.mmap(null, length, PROT_READ_WRITE, flags | MAP_NORESERVE, descriptor, 0);
  if (native === undefined || start === undefined || BigInt.asIntN(64, start) === FAILED) return undefined;
  const buffer = native.view(start, length);
  addresses.set(buffer, start);
  views.register(buffer, { start, length });
  return new Uint8Array(buffer);
}

/**
 * A buffer with these bytes and no others: no copy of what `mapFile` gave, hence nothing for longer than that is referred to, or than the present
 * task takes.
 */
export function bufferOf(bytes: Uint8Array<ArrayBuffer>): ArrayBuffer {
  const start = addresses.get(bytes.buffer);
  const native = start === undefined ? undefined : nativeCalls();
  if (start === undefined || native === undefined) return bytes.slice().buffer;
  return native.view(start + BigInt(bytes.byteOffset), bytes.length);
}

/** Part of an open file is at a place in memory from now on; false where that cannot be. */
export function mapFileAt(place: Uint8Array, descriptor: number, offset: number): boolean {
  return isMapped(place, MAP_PRIVATE, descriptor, offset);
}

/** Zeros are at a place in memory from now on, which take no room until they are stored to; false where that cannot be. */
export function mapZerosAt(place: Uint8Array): boolean {
  return isMapped(place, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
}

/** What is resident of a mapped file, and was never stored to, takes no memory until it is looked at again. */
export function letGo(bytes: Uint8Array): void {
  nativeCalls()?.madvise(bytes, bytes.length, MADV_DONTNEED);
}

function isMapped(place: Uint8Array, flags: number, descriptor: number, offset: number): boolean {
  const all = flags | MAP_FIXED | MAP_NORESERVE;
  const result = nativeCalls()?.mmapAt(place, place.length, PROT_READ_WRITE, all, descriptor, offset);
  return result !== undefined && BigInt(result) !== FAILED;
}
