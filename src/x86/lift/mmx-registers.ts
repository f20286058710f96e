import { Register } from 'iced-x86';
import type { Node } from '../../ir/node.ts';
import { FPU_EXPONENT, FPU_SIGNIFICAND, FPU_TAGS } from '../state.ts';
import type { Lift } from './context.ts';
import { withLane, zeroVector } from './sse-operands.ts';

/**
 * MMX registers are the significands of the physical x87 slots, whatever the stack's top (rule 3). Every MMX instruction
 * sets the top to 0 and marks all slots as valid; a write sets sign and exponent to ones (SDM volume 3, 12.2). Top and tags
 * are no locations.
 */
export function enterMmx(c: Lift): void {
  c.top = 0;
  c.b.poke(FPU_TAGS, c.b.i32(0xff));
}

export function isMmx(c: Lift, operand: number): boolean {
  if (!c.isRegister(operand)) return false;
  const register = c.instruction.opRegister(operand);
  return register >= Register.MM0 && register <= Register.MM7;
}

const slotOf = (c: Lift, operand: number): number => c.instruction.opRegister(operand) - Register.MM0;

export function readMmx(c: Lift, operand: number): Node {
  return c.b.get(FPU_SIGNIFICAND[slotOf(c, operand)]);
}

export function writeMmx(c: Lift, operand: number, value: Node): void {
  const slot = slotOf(c, operand);
  c.b.set(FPU_SIGNIFICAND[slot], value);
  c.b.set(FPU_EXPONENT[slot], c.b.i32(0xffff));
}

/** A register or memory operand in the low half of a vector. */
export function readMmxVector(c: Lift, operand: number): Node {
  if (c.isMemory(operand)) return c.loadAs(c.memorySize() as 4 | 8, 'v128');
  return withLane(c, 'i64x2', zeroVector(c), 0, readMmx(c, operand));
}
