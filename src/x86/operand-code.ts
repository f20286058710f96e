import { type Instruction, Register, RegisterExt } from 'iced-x86';
import type { Machine } from './service.ts';
import { FS_BASE, GPR, GS_BASE, locationOf } from './state.ts';

/**
 * A memory operand as one number, for services that compute its address when they run. From the lowest bit: displacement
 * (32 bits), base register (5, 16 is none), index register (5, 16 is none), log2 of the scale (2), segment (2: none, FS,
 * GS), 32-bit address (1): 47 bits, exact in a JavaScript number.
 */
const NONE = 16;

export function encodeOperand(instruction: Instruction): number {
  const { memoryBase, memoryIndex, memorySegment } = instruction;
  const ipRelative = instruction.isIpRelMemoryOperand;
  const displacement = ipRelative ? instruction.ipRelMemoryAddress : instruction.memoryDisplacement;
  const narrow =
    !ipRelative && RegisterExt.size(memoryBase === Register.None ? memoryIndex : memoryBase) === 4 ? 1n : 0n;
  const segment = memorySegment === Register.FS ? 1n : memorySegment === Register.GS ? 2n : 0n;
  const scale = BigInt(Math.log2(instruction.memoryIndexScale));
  const base = BigInt(ipRelative ? NONE : registerNumber(memoryBase));
  const index = BigInt(registerNumber(memoryIndex));
  const upper = base | (index << 5n) | (scale << 10n) | (segment << 12n) | (narrow << 14n);
  return Number(BigInt.asUintN(32, displacement) | (upper << 32n));
}

function registerNumber(register: Register): number {
  return register === Register.None ? NONE : RegisterExt.number(register);
}

export interface Operand {
  readonly address: bigint;
  /** Locations of the registers in the address. */
  readonly sources: readonly number[];
}

/** The operand's address in the machine's present state. */
export function decodeOperand(machine: Machine, code: number): Operand {
  const upper = Math.floor(code / 2 ** 32);
  const sources: number[] = [];
  const read = (variable: number): bigint => {
    sources.push(locationOf(variable));
    return machine.readI64(variable);
  };
  let offset = BigInt(code | 0);
  const base = upper & 31;
  const index = (upper >> 5) & 31;
  if (base !== NONE) offset += read(GPR[base]);
  if (index !== NONE) offset += read(GPR[index]) << BigInt((upper >> 10) & 3);
  if (((upper >> 14) & 1) === 1) offset = BigInt.asUintN(32, offset);
  const segment = (upper >> 12) & 3;
  if (segment !== 0) offset += read(segment === 1 ? FS_BASE : GS_BASE);
  return { address: BigInt.asUintN(64, offset), sources };
}
