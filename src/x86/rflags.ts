import type { Machine } from './service.ts';
import { AR, CF, DF, KEPT_FLAGS, OF, SR, ZR } from './state.ts';

/** RFLAGS (SDM volume 1, figure 3-8). Bit 1 always reads 1; IF is set in every user program. */
export const RFLAGS_FIXED = 0x202;
export const BIT_CF = 0;
export const BIT_PF = 2;
export const BIT_AF = 4;
export const BIT_ZF = 6;
export const BIT_SF = 7;
export const BIT_DF = 10;
export const BIT_OF = 11;

/** NT, AC and ID: nothing depends on them here, but programs set them to find out which processor they have (the JVM). */
export const RFLAGS_KEPT = 0x24_4000;
/** Of these, the one that says that a task is nested, which it can never be. */
export const RFLAGS_NT = 0x4000;

type Registers = Pick<Machine, 'readI32' | 'readI64'>;

/** The flags register of a stored state, as a signal frame or a test wants it. */
export function readRflags(machine: Registers): bigint {
  const sr = machine.readI64(SR);
  return BigInt(
    RFLAGS_FIXED |
      machine.readI32(KEPT_FLAGS) |
      (machine.readI32(CF) << BIT_CF) |
      (evenParity(Number(sr & 0xffn)) << BIT_PF) |
      (((machine.readI32(AR) >> 4) & 1) << BIT_AF) |
      ((machine.readI64(ZR) === 0n ? 1 : 0) << BIT_ZF) |
      ((sr < 0n ? 1 : 0) << BIT_SF) |
      (machine.readI32(DF) << BIT_DF) |
      (machine.readI32(OF) << BIT_OF),
  );
}

export function writeRflags(machine: Pick<Machine, 'writeI32' | 'writeI64'>, rflags: bigint): void {
  const bit = (at: number): number => Number((rflags >> BigInt(at)) & 1n);
  machine.writeI32(KEPT_FLAGS, Number(rflags & BigInt(RFLAGS_KEPT)));
  machine.writeI32(CF, bit(BIT_CF));
  machine.writeI32(OF, bit(BIT_OF));
  machine.writeI32(DF, bit(BIT_DF));
  machine.writeI32(AR, bit(BIT_AF) << 4);
  machine.writeI64(ZR, bit(BIT_ZF) === 1 ? 0n : 1n);
  machine.writeI64(SR, (bit(BIT_SF) === 1 ? -(2n ** 63n) : 0n) | (bit(BIT_PF) === 1 ? 0n : 1n));
}

/** 1 when the number of one bits in a byte is even (PF). */
function evenParity(byte: number): 0 | 1 {
  let folded = byte ^ (byte >> 4);
  folded ^= folded >> 2;
  folded ^= folded >> 1;
  return (folded & 1) === 0 ? 1 : 0;
}
