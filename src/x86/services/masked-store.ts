import type { Machine, Service } from '../service.ts';
import { FPU_SIGNIFICAND, FPU_TAGS, FPU_TOP, FS_BASE, GS_BASE, RDI, VARIABLES, XMM } from '../state.ts';

/**
 * maskmovdqu and maskmovq: store to [rdi] those bytes of a register for which the byte of the mask register is negative.
 * Bytes that are masked off are not accessed (rule 4). Argument: register, mask << 4, segment << 8 (0 none, 1 FS, 2 GS),
 * 1 << 10 for edi, 1 << 11 for MMX registers.
 */
export const maskedStore: Service = (machine, argument) => {
  const isMmx = (argument & 0x800) !== 0;
  const file = isMmx ? FPU_SIGNIFICAND : XMM;
  const register = file[argument & 15];
  const mask = file[(argument >> 4) & 15];
  const segment = (argument >> 8) & 3;
  const used = [register, mask, RDI, ...(segment === 0 ? [] : [segment === 1 ? FS_BASE : GS_BASE])];
  let address = BigInt.asUintN((argument & 0x400) === 0 ? 64 : 32, machine.readI64(RDI));
  if (segment !== 0) address = BigInt.asUintN(64, address + machine.readI64(used[3]));
  const bytesOf = (variable: number) => (isMmx ? bytesOfMmx(machine, variable) : machine.v128(variable));
  const bytes = bytesOf(register);
  const selects = bytesOf(mask);
  const selected = [...selects.keys()].filter((i) => selects[i] >= 0x80);
  const place = (i: number) => machine.memory.writable(address + BigInt(i), 1);
  // Where one byte may not be written none is.
  for (const i of selected) place(i);
  for (const i of selected) place(i)[0] = bytes[i];
  const stores = selected.map((i) => ({ address: Number(address) + i, length: 1 }));
  if (isMmx) {
    machine.writeI32(FPU_TOP, 0);
    machine.writeI32(FPU_TAGS, 0xff);
  }
  const sources = used.flatMap((variable) => VARIABLES[variable].location ?? []);
  return { sources, destinations: [], loads: [], stores };
};

function bytesOfMmx(machine: Machine, variable: number): Uint8Array {
  const bytes = new Uint8Array(8);
  new DataView(bytes.buffer).setBigInt64(0, machine.readI64(variable), true);
  return bytes;
}
