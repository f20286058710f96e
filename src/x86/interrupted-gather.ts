import { type Instruction, MemorySizeExt, Register, RegisterExt } from 'iced-x86';
import { Unwinding } from '../base/unwinding.ts';
import type { Machine } from './service.ts';
import { FS_BASE, GPR, GS_BASE, XMM, YMM_HIGH } from './state.ts';

/**
 * What a gather has done when one of its loads faults: lanes below that one are loaded, and their masks cleared (SDM volume 2,
 * VPGATHERDD), so that it goes on behind them when it is executed again. Nothing where the instruction is no gather.
 */
export function keepGathered(machine: Machine, instruction: Instruction): void {
  if (!instruction.isVsib) return;
  const bytes = MemorySizeExt.size(instruction.memorySize);
  const indexBytes = instruction.isVsib32 ? 4 : 8;
  const index = instruction.memoryIndex;
  const [destination, mask] = [0, 2].map((operand) => instruction.opRegister(operand));
  const count = Math.min(RegisterExt.size(destination) / bytes, RegisterExt.size(index) / indexBytes);
  for (let i = 0; i < count; i++) {
    const selects = lane(machine, mask, bytes, i);
    if (selects[bytes - 1] >= 0x80) {
      const loaded = readable(
        machine,
        laneAddress(machine, instruction, lane(machine, index, indexBytes, i)),
        bytes,
      );
      if (loaded === undefined) return;
      lane(machine, destination, bytes, i).set(loaded);
    }
    selects.fill(0);
  }
}

/** A lane of a vector register, to be read and written. */
function lane(machine: Machine, register: Register, bytes: number, i: number): Uint8Array {
  const at = bytes * i;
  const half = machine.v128((at < 16 ? XMM : YMM_HIGH)[RegisterExt.number(register)]);
  return half.subarray(at % 16, (at % 16) + bytes);
}

function laneAddress(machine: Machine, instruction: Instruction, index: Uint8Array): bigint {
  const view = new DataView(index.buffer, index.byteOffset, index.length);
  const value = index.length === 4 ? BigInt(view.getInt32(0, true)) : view.getBigInt64(0, true);
  const { memoryBase: base, memorySegment: segment } = instruction;
  let address = value * BigInt(instruction.memoryIndexScale) + BigInt(instruction.memoryDisplacement);
  if (base !== Register.None) address += machine.readI64(GPR[RegisterExt.number(base)]);
  if (RegisterExt.size(base) === 4) address = BigInt.asUintN(32, address);
  if (segment === Register.FS) address += machine.readI64(FS_BASE);
  if (segment === Register.GS) address += machine.readI64(GS_BASE);
  return BigInt.asUintN(64, address);
}

function readable(machine: Machine, address: bigint, bytes: number): Uint8Array | undefined {
  try {
    return machine.memory.read(address, bytes);
  } catch (problem) {
    if (!(problem instanceof Unwinding)) throw problem;
    return undefined;
  }
}
