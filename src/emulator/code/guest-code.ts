import { PAGE_SIZE } from '../../guest/layout.ts';
import { EXECUTE, type GuestMemory, WRITE } from '../../guest/memory.ts';
import { CodeReader, type Instruction, LONGEST } from '../../x86/decode.ts';

/** Bytes of code read at once: most regions are shorter. */
const STRETCH = 1024;

/** Executable bytes from an address, to the end of the next page at most. */
export function fetchCode(guest: GuestMemory, address: number): Uint8Array {
  const next = address - (address % PAGE_SIZE) + PAGE_SIZE;
  if (!guest.allows(address, 1, EXECUTE)) return new Uint8Array(0);
  const end = guest.allows(next, 1, EXECUTE) ? Math.min(next + PAGE_SIZE, address + STRETCH) : next;
  return guest.read(address, end - address);
}

/** Whether stores of the guest can change code at an address. */
export function isVolatile(guest: GuestMemory, address: number): boolean {
  return (guest.permission(address) & WRITE) !== 0 || guest.far.isShared(address);
}

export function isIndirectCall(guest: GuestMemory, address: number): boolean {
  const { flow } = readOnce(guest, (reader) => reader.scan(address));
  return flow === 'indirect-call';
}

/** Looks at the instruction at an address. */
export const lookAt = <T>(guest: GuestMemory, address: number, look: (instruction: Instruction) => T): T =>
  readOnce(guest, (reader) => look(reader.decode(address)));

/** Whether the instruction at an address goes on behind what can be executed. */
export const runsOut = (guest: GuestMemory, address: number): boolean =>
  readOnce(guest, (reader) => {
    reader.decode(address);
    return reader.ranOut;
  });

function readOnce<T>(guest: GuestMemory, read: (reader: CodeReader) => T): T {
  // A decoder copies all bytes that it is given.
  const reader = new CodeReader((at) => fetchCode(guest, at).subarray(0, LONGEST));
  try {
    return read(reader);
  } finally {
    reader.free();
  }
}
