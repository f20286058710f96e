import type { Machine, Range, Service } from '../service.ts';
import { RBP, RSP, VARIABLES } from '../state.ts';

const LOCATIONS = [RBP, RSP].flatMap((variable) => VARIABLES[variable].location ?? []);

/**
 * enter with a level from 1 to 31: copies the frame pointers of the enclosing procedures (SDM volume 2, ENTER), and
 * faults where nothing could be stored at the stack pointer that it leaves. No compiler
 * for this machine makes it, so it is not lifted. Argument: level, bytes of the frame << 5, 1 << 21 for 2-byte operands.
 */
export const nestedEnter: Service = (machine, argument) => {
  const level = argument & 31;
  const bits = argument >> 21 === 1 ? 16 : 64;
  const size = bits / 8;
  const loads: Range[] = [];
  const stores: Range[] = [];
  let rsp = machine.readI64(RSP);
  let rbp = machine.readI64(RBP);
  const push = (bytes: Uint8Array) => {
    rsp -= BigInt(size);
    machine.memory.writable(rsp, size).set(bytes);
    stores.push(rangeAt(rsp, size));
  };
  const pushNumber = (value: bigint) => {
    const bytes = new Uint8Array(8);
    new DataView(bytes.buffer).setBigInt64(0, value, true);
    push(bytes.subarray(0, size));
  };
  pushNumber(rbp);
  const frame = rsp;
  for (let i = 1; i < level; i++) {
    rbp -= BigInt(size);
    const outer = machine.memory.read(rbp, size).slice();
    loads.push(rangeAt(rbp, size));
    push(outer);
  }
  pushNumber(frame);
  const last = rsp - BigInt((argument >> 5) & 0xffff);
  machine.memory.writable(last, size);
  setStack(machine, frame, last, bits);
  return { sources: LOCATIONS, destinations: LOCATIONS, loads, stores };
};

/** A 2-byte frame pointer leaves the rest of the register. */
function setStack(machine: Machine, frame: bigint, stack: bigint, bits: number): void {
  const old = machine.readI64(RBP);
  machine.writeI64(RBP, BigInt.asIntN(64, old ^ BigInt.asUintN(bits, frame ^ old)));
  machine.writeI64(RSP, BigInt.asIntN(64, stack));
}

const rangeAt = (address: bigint, length: number): Range => ({
  address: Number(BigInt.asUintN(64, address)),
  length,
});
