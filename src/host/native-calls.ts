import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Koffi, a foreign function interface: its native part alone, for which its package has no name. Beside the bundle it has the other one. */
const PACKAGE = '@koromix/koffi-linux-x64/linux_x64/koffi.node';
const BUNDLED = 'koffi.node';

/** What we need of it. Addresses are bigints. */
interface Koffi {
  load(library: string): { func(prototype: string): ForeignFunction };
  view(address: bigint, length: number): ArrayBuffer;
}

type Move = (to: Uint8Array, from: Uint8Array, length: number) => number | bigint;

interface ForeignFunction {
  (...args: never): unknown;
  /** With what is called at the end as the last argument. */
  async(...args: unknown[]): void;
}

/** What Node has no way to ask the system for: the C library's functions (<sys/mman.h>). */
export interface NativeCalls {
  /** -1 where it fails, as all of them. */
  madvise(start: Uint8Array, length: number, advice: number): number;
  /** The same by another thread, while this one goes on. By address: what is waited for would hold on to memory that is to be let go. */
  madviseAside(start: number | bigint, length: number, advice: number, ended: () => void): void;
  addressOf(bytes: Uint8Array): number | bigint;
  /** Where the system likes; and in place of what is there. */
  mmap(start: null, length: number, protection: number, flags: number, file: number, offset: number): bigint;
  mmapAt(
    start: Uint8Array,
    length: number,
    protection: number,
    flags: number,
    file: number,
    offset: number,
  ): number | bigint;
  munmap(start: bigint, length: number): number;
  /** Memory that is not Node's, as long as it is mapped. */
  view(start: bigint, length: number): ArrayBuffer;
}

let calls: NativeCalls | null | undefined;

/** Undefined where they cannot be had: another system, or another C library. To load them takes 2 to 4 ms. */
export function nativeCalls(): NativeCalls | undefined {
  if (calls === undefined) {
    try {
      calls = load();
    } catch {
      calls = null;
    }
  }
  return calls ?? undefined;
}

export function areLoaded(): boolean {
  return calls !== undefined && calls !== null;
}

function load(): NativeCalls {
  const require = createRequire(import.meta.url);
  const isBundled = import.meta.url.endsWith('.cjs');
  const koffi = require(isBundled ? join(fileURLToPath(import.meta.url), '..', BUNDLED) : PACKAGE) as Koffi;
  const libc = koffi.load('libc.so.6');
  const madviseAt = libc.func('int madvise(int64_t start, size_t length, int advice)');
  // Gives where it is told to move nothing to.
  const move = libc.func('int64_t memmove(uint8_t *to, uint8_t *from, size_t length)') as unknown as Move;
  const rest = 'size_t length, int protection, int flags, int file, int64_t offset';
  return {
    madvise: libc.func('int madvise(uint8_t *start, size_t length, int advice)'),
    madviseAside: madviseAt.async,
    addressOf: (bytes) => move(bytes, bytes, 0),
    mmap: libc.func(`void *mmap(void *start, ${rest})`) as NativeCalls['mmap'],
    mmapAt: libc.func(`int64_t mmap(uint8_t *start, ${rest})`) as NativeCalls['mmapAt'],
    munmap: libc.func('int munmap(void *start, size_t length)') as NativeCalls['munmap'],
    view: koffi.view,
  } as NativeCalls;
}
