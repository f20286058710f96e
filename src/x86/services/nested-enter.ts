import type { Machine, Range, Service } from '../service.ts';
import { RBP, RSP, VARIABLES } from '../state.ts';

const LOCATIONS = [RBP, RSP].flatMap((variable) => VARIABLES[variable].location ?? []);

/**
 * enter with a level from 1 to 31: copies the frame pointers of the enclosing procedures (SDM volume 2, ENTER). No compiler
 * for this machine makes it, so it is not lifted. Argument: level, bytes of the frame << 5.
 */
export const nestedEnter: Service = (machine, argument) => {
  const level = argument & 31;
  const loads: Range[] = [];
  const stores: Range[] = [];
  let rsp = machine.readI64(RSP);
  let rbp = machine.readI64(RBP);
  const push = (value: bigint) => {
    rsp -= 8n;
    const at = cell(machine.memory.writable(rsp, 8));
    at.setBigInt64(0, value, true);
    stores.push(rangeAt(rsp));
  };
  push(rbp);
  const frame = rsp;
  for (let i = 1; i < level; i++) {
    rbp -= 8n;
    const outer = cell(machine.memory.read(rbp, 8)).getBigInt64(0, true);
    loads.push(rangeAt(rbp));
    push(outer);
  }
  push(frame);
  setStack(machine, frame, rsp - BigInt(argument >> 5));
  return { sources: LOCATIONS, destinations: LOCATIONS, loads, stores };
};

function setStack(machine: Machine, frame: bigint, stack: bigint): void {
  machine.writeI64(RBP, BigInt.asIntN(64, frame));
  machine.writeI64(RSP, BigInt.asIntN(64, stack));
}

const cell = (bytes: Uint8Array): DataView => new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
const rangeAt = (address: bigint): Range => ({ address: Number(BigInt.asUintN(64, address)), length: 8 });
