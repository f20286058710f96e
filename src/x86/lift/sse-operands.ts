import { OpKind, Register } from 'iced-x86';
import type { AccessSize, Node } from '../../ir/node.ts';
import { MXCSR } from '../state.ts';
import type { Lift } from './context.ts';
import type { Row } from './row.ts';

/**
 * Operands of SSE instructions. A packed instruction's 16-byte memory operand must be aligned (SDM volume 1, 11.3.2):
 * otherwise it faults with #GP. Only movups, movupd and movdqu accept any address.
 */

export function alignedAddress(c: Lift): Node {
  const address = c.address();
  // What is added in multiples of 16 moves nothing: one check then serves a whole run of accesses.
  const [base, offset] = address.args;
  const shifted = address.op === 'i64.add' && offset.op === 'const' && (offset.imm as bigint) % 16n === 0n;
  const low = c.b.op('i32.and', c.b.op('i32.wrap_i64', shifted ? base : address), c.b.i32(15));
  c.b.guard(low, 'general-protection');
  return address;
}

/** All 128 bits of a register, or 16 aligned bytes. */
export function packed(c: Lift, operand: number): Node {
  return c.isMemory(operand) ? c.b.load(alignedAddress(c), 16, 'v128') : c.readXmm(operand);
}

/** A register, or `size` bytes of memory with zeros above them. */
export function lowPart(c: Lift, operand: number, size: AccessSize): Node {
  return c.isMemory(operand) ? c.loadAs(size, 'v128') : c.readXmm(operand);
}

/** A scalar operand as a float. */
export function single(c: Lift, operand: number): Node {
  return c.isMemory(operand) ? c.loadAs(4, 'f32') : lane(c, 'f32x4', c.readXmm(operand), 0);
}

export function double(c: Lift, operand: number): Node {
  return c.isMemory(operand) ? c.loadAs(8, 'f64') : lane(c, 'f64x2', c.readXmm(operand), 0);
}

export type Shape = 'i32x4' | 'i64x2' | 'f32x4' | 'f64x2';

export function lane(c: Lift, shape: Shape, vector: Node, index: number): Node {
  return c.b.opImm(`${shape}.extract_lane`, index, vector);
}

export function withLane(c: Lift, shape: Shape, vector: Node, index: number, value: Node): Node {
  return c.b.opImm(`${shape}.replace_lane`, index, vector, value);
}

export const zeroVector = (c: Lift): Node => c.b.v128(0n, 0n);
export const onesVector = (c: Lift): Node => c.b.v128(-1n, -1n);

/** Selects bytes: 0-15 of x, 16-31 of y. */
export function shuffle(c: Lift, lanes: readonly number[], x: Node, y: Node): Node {
  return c.b.opImm('i8x16.shuffle', lanes, x, y);
}

/** Byte lanes of a selection of wider lanes. */
export function widened(lanes: readonly number[], bytes: number): number[] {
  return lanes.flatMap((index) => Array.from({ length: bytes }, (_, i) => index * bytes + i));
}

/** A row whose result, or whose raising of exceptions, MXCSR's control bits govern (rule 3). */
export function governed(row: Row): Row {
  return (c) => {
    c.b.dependOn(MXCSR);
    row(c);
  };
}

/** A row that knows the vector registers: forms of the instruction on MMX registers are reported as unsupported. */
export function vectorOnly(row: Row): Row {
  return (c) => (namesMmx(c) ? c.unsupported() : row(c));
}

function namesMmx(c: Lift): boolean {
  const i = c.instruction;
  for (let operand = 0; operand < i.opCount; operand++) {
    if (i.opKind(operand) !== OpKind.Register) continue;
    const register = i.opRegister(operand);
    if (register >= Register.MM0 && register <= Register.MM7) return true;
  }
  return false;
}

/** The instruction's 8-bit immediate. */
export function selector(c: Lift, operand: number): number {
  return Number(c.immediate(operand) & 0xffn);
}
