import type { Image } from '../image.ts';

/** What switches to a goroutine: first in a function of its own since Go 1.17, before in the one that Go code calls (src/runtime/asm_amd64.s). */
const SWITCHES = ['gogo', 'runtime.gogo'];
/** It notes which one it is about to go on with among its first instructions. */
const FIRST_BYTES = 64;

/**
 * Where a thread of a Go program notes which goroutine it runs (`g` of get_tls in src/runtime/asm_amd64.s): its distance from FS's base.
 * -8, but where C's thread-local variables are as well. The code that writes it says so: a program's symbols may have been removed.
 * Undefined where that is not to be seen.
 */
export function runningGoroutine(image: Image): number | undefined {
  const code = image.functions.find(({ name }) => name !== undefined && SWITCHES.includes(name));
  if (code === undefined) return undefined;
  const segment = image.segments.find(
    ({ address, fileSize }) => code.address >= address && code.address < address + fileSize,
  );
  if (segment === undefined) return undefined;
  const from = code.address - segment.address + segment.offset;
  const bytes = image.bytes.subarray(from, Math.min(from + FIRST_BYTES, segment.offset + segment.fileSize));
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const startsAt = (at: number, wanted: readonly number[]): boolean =>
    at + wanted.length + 4 <= bytes.length && wanted.every((byte, i) => bytes[at + i] === byte);
  for (let at = 0; at < bytes.length; at++) {
    if (startsAt(at, STORE)) return view.getInt32(at + STORE.length, true);
    if (startsAt(at, LOAD_DISTANCE) && startsAt(at + LOAD_DISTANCE.length + 4, STORE_THERE))
      return view.getInt32(at + LOAD_DISTANCE.length, true);
  }
  return undefined;
}

/** `mov fs:[disp32], rdx`; `mov rcx, imm32` and `mov fs:[rcx], rdx` in a program that runs at any address. */
const STORE = [0x64, 0x48, 0x89, 0x14, 0x25];
const LOAD_DISTANCE = [0x48, 0xc7, 0xc1];
const STORE_THERE = [0x64, 0x48, 0x89, 0x11];
