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

/** How an operand's address is computed: from variables, where they are there. */
interface Parts {
  readonly displacement: bigint;
  readonly base: number | undefined;
  readonly index: number | undefined;
  readonly scale: bigint;
  readonly isNarrow: boolean;
  readonly segment: number | undefined;
  readonly sources: readonly number[];
}

/** By code. An instruction that runs often is one of few. */
const known = new Map<number, Parts>();

/** The operand's address in the machine's present state. */
export function decodeOperand(machine: Machine, code: number): Operand {
  const { displacement, base, index, scale, isNarrow, segment, sources } = partsOf(code);
  let offset = displacement;
  if (base !== undefined) offset += machine.readI64(base);
  if (index !== undefined) offset += machine.readI64(index) << scale;
  if (isNarrow) offset = BigInt.asUintN(32, offset);
  if (segment !== undefined) offset += machine.readI64(segment);
  return { address: BigInt.asUintN(64, offset), sources };
}

function partsOf(code: number): Parts {
  const found = known.get(code);
  if (found !== undefined) return found;
  const parts = decodeParts(code);
  known.set(code, parts);
  return parts;
}

function decodeParts(code: number): Parts {
  const isPlace = code < 0;
  const upper = isPlace ? NONE | (NONE << 5) | (((-1 - code) % 4) << 12) : Math.floor(code / 2 ** 32);
  const registerAt = (shift: number): number | undefined => GPR[(upper >> shift) & 31];
  const segment = [undefined, FS_BASE, GS_BASE][(upper >> 12) & 3];
  const [base, index] = [registerAt(0), registerAt(5)];
  return {
    displacement: isPlace ? BigInt(Math.floor((-1 - code) / 4)) : BigInt(code | 0),
    base,
    index,
    scale: BigInt((upper >> 10) & 3),
    isNarrow: ((upper >> 14) & 1) === 1,
    segment,
    sources: [base, index, segment].filter((variable) => variable !== undefined).map(locationOf),
  };
}
