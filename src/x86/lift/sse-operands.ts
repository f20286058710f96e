import type { Node } from '../../ir/node.ts';
import type { Lift } from './context.ts';

/** Parts of vectors, and the address of a vector in memory. */

/** The address of a memory operand that must be aligned to its size: otherwise the instruction faults with #GP. */
export function alignedAddress(c: Lift): Node {
  const address = c.address();
  const size = c.memorySize();
  // What is added in multiples of the size moves nothing: one check then serves a whole run of accesses.
  const [base, offset] = address.args;
  const shifted =
    address.op === 'i64.add' && offset.op === 'const' && (offset.imm as bigint) % BigInt(size) === 0n;
  const low = c.b.op('i32.and', c.b.op('i32.wrap_i64', shifted ? base : address), c.b.i32(size - 1));
  c.b.guard(low, 'general-protection');
  return address;
}

type Lanes = 'i32x4' | 'i64x2' | 'f32x4' | 'f64x2';

/** A vector whose lanes are floats of the type. */
export const VECTOR_LANES = { f32: 'f32x4', f64: 'f64x2' } as const;

export function lane(c: Lift, shape: Lanes, vector: Node, index: number): Node {
  return c.b.opImm(`${shape}.extract_lane`, index, vector);
}

export function withLane(c: Lift, shape: Lanes, vector: Node, index: number, value: Node): Node {
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

/** The instruction's 8-bit immediate. */
export function selector(c: Lift, operand: number): number {
  return Number(c.immediate(operand) & 0xffn);
}
