import { type Instruction, Register, RegisterExt } from 'iced-x86';
import type { Machine } from './service.ts';
import { FS_BASE, GPR, GS_BASE, locationOf } from './state.ts';

/**
 * A memory operand as one number, for services that compute its address when they run. From the lowest bit: displacement
 * (32 bits), base register (5, 16 is none), index register (5, 16 is none), log2 of the scale (2), segment (2: none, FS,
 * GS), 32-bit address (1): 47 bits, exact in a JavaScript number. A place in code at high addresses, or in the upper half of 32 bits, takes 47 bits by itself: -1 less
 * segment (2) and address.
 */
const NONE = 16;

export function encodeOperand(instruction: Instruction): number {
  const { memoryBase, memoryIndex, memorySegment } = instruction;
  const ipRelative = instruction.isIpRelMemoryOperand;
  const displacement = ipRelative ? instruction.ipRelMemoryAddress : instruction.memoryDisplacement;
  const narrow =
    !ipRelative && RegisterExt.size(memoryBase === Register.None ? memoryIndex : memoryBase) === 4 ? 1n : 0n;
  const segment = memorySegment === Register.FS ? 1n : memorySegment === Register.GS ? 2n : 0n;
  const isPlace = ipRelative || (memoryBase === Register.None && memoryIndex === Register.None);
  if (isPlace && displacement >= 1n << 31n && displacement < 1n << 47n)
    return Number(-1n - ((displacement << 2n) | segment));
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
  const sources: number[] = [];
  const read = (variable: number): bigint => {
    sources.push(locationOf(variable));
    return machine.readI64(variable);
  };
  const addSegment = (offset: bigint, segment: number): Operand => {
    const base = segment === 0 ? 0n : read(segment === 1 ? FS_BASE : GS_BASE);
    return { address: BigInt.asUintN(64, offset + base), sources };
  };
  if (code < 0) return addSegment(BigInt(Math.floor((-1 - code) / 4)), (-1 - code) % 4);
  const upper = Math.floor(code / 2 ** 32);
  let offset = BigInt(code | 0);
  const base = upper & 31;
  const index = (upper >> 5) & 31;
  if (base !== NONE) offset += read(GPR[base]);
  if (index !== NONE) offset += read(GPR[index]) << BigInt((upper >> 10) & 3);
  if (((upper >> 14) & 1) === 1) offset = BigInt.asUintN(32, offset);
  return addSegment(offset, (upper >> 12) & 3);
}
