import { PAGE_SIZE } from './layout.ts';
import { type GuestMemory, READ } from './memory.ts';

/** A NUL-terminated string, or undefined when it is not readable or longer than `limit`. */
export function cString(memory: GuestMemory, address: number, limit = PAGE_SIZE): Uint8Array | undefined {
  let length = 0;
  for (let at = address; length < limit; ) {
    if (!memory.allows(at, 1, READ)) return undefined;
    const offset = memory.offsetOf(at, 1);
    const rest = Math.min(PAGE_SIZE - (at % PAGE_SIZE), limit - length);
    const end = memory.bytes.subarray(offset, offset + rest).indexOf(0);
    if (end >= 0) return memory.read(address, length + end);
    length += rest;
    at += rest;
  }
  return undefined;
}
