import type { Service } from '../service.ts';
import { FS_BASE, GS_BASE, RDI, VARIABLES, XMM } from '../state.ts';

/**
 * maskmovdqu: stores to [rdi] those bytes of a register for which the byte of the mask register is negative. Bytes that are
 * masked off are not accessed (rule 4). Argument: register, mask << 4, segment << 8 (0 none, 1 FS, 2 GS), 1 << 10 for edi.
 */
export const maskedStore: Service = (machine, argument) => {
  const register = XMM[argument & 15];
  const mask = XMM[(argument >> 4) & 15];
  const segment = (argument >> 8) & 3;
  const used = [register, mask, RDI, ...(segment === 0 ? [] : [segment === 1 ? FS_BASE : GS_BASE])];
  let address = BigInt.asUintN((argument & 0x400) === 0 ? 64 : 32, machine.readI64(RDI));
  if (segment !== 0) address = BigInt.asUintN(64, address + machine.readI64(used[3]));
  const bytes = machine.v128(register);
  const stores: { address: number; length: number }[] = [];
  machine.v128(mask).forEach((selects, i) => {
    if (selects < 0x80) return;
    machine.memory.writable(address + BigInt(i), 1)[0] = bytes[i];
    stores.push({ address: Number(address) + i, length: 1 });
  });
  const sources = used.flatMap((variable) => VARIABLES[variable].location ?? []);
  return { sources, destinations: [], loads: [], stores };
};
