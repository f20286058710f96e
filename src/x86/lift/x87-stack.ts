import { Register } from 'iced-x86';
import type { Node } from '../../ir/node.ts';
import { FLOAT_FAULTS, INVALID, ROUNDED_UP, STACK_FAULT } from '../float/exceptions.ts';
import { FPU_CONDITION, FPU_CONTROL, FPU_EXPONENT, FPU_SIGNIFICAND, FPU_STATUS, FPU_TAGS } from '../state.ts';
import type { Lift } from './context.ts';

/**
 * The x87 register stack. Its top is known when a block is lifted, so that st(i) is a physical slot, a location of its
 * own (rule 3). Tags and sticky exception bits are no locations: they are read and written without being recorded.
 *
 * Results are those of masked exceptions; one that is not masked is told of by the next instruction that waits, as on
 * hardware, but leaves its result all the same. Reading an empty slot or pushing onto a full one is answered by the default NaN and
 * the flags of a stack fault; where the tags are known in the block, simplification leaves nothing of these checks.
 */
export interface Extended {
  readonly significand: Node;
  readonly head: Node;
}

const slot = (c: Lift, i: number): number => (c.top + i) & 7;

export function readSt(c: Lift, i: number): Extended {
  return { significand: c.b.get(FPU_SIGNIFICAND[slot(c, i)]), head: c.b.get(FPU_EXPONENT[slot(c, i)]) };
}

export function writeSt(c: Lift, i: number, value: Extended): void {
  const { b } = c;
  b.set(FPU_SIGNIFICAND[slot(c, i)], value.significand);
  b.set(FPU_EXPONENT[slot(c, i)], value.head);
  b.poke(FPU_TAGS, b.op('i32.or', b.peek(FPU_TAGS), b.i32(1 << slot(c, i))));
}

/** i32, not 0 when one of the registers is empty. */
export function anyEmpty(c: Lift, ...registers: number[]): Node {
  const { b } = c;
  const mask = registers.reduce((all, i) => all | (1 << slot(c, i)), 0);
  return b.op('i32.ne', b.op('i32.and', b.peek(FPU_TAGS), b.i32(mask)), b.i32(mask));
}

export function constant(c: Lift, significand: bigint, head: number): Extended {
  return { significand: c.b.i64(significand), head: c.b.i32(head) };
}

export const indefinite = (c: Lift): Extended => constant(c, 0xc000_0000_0000_0000n, 0xffff);

export function select(c: Lift, ifTrue: Extended, ifFalse: Extended, condition: Node): Extended {
  return {
    significand: c.b.op('select.i64', ifTrue.significand, ifFalse.significand, condition),
    head: c.b.op('select.i32', ifTrue.head, ifFalse.head, condition),
  };
}

/** Adds to the sticky exceptions what is in bits 0-6 of the flags. */
export function raise(c: Lift, flags: Node): void {
  const { b } = c;
  b.poke(FPU_STATUS, b.op('i32.or', b.peek(FPU_STATUS), b.op('i32.and', flags, b.i32(0x7f))));
  if (c.exceptions.signalsX87) summarise(c);
}

/** Error summary and busy, bits 7 and 15 of the status word: whether an exception has happened that is not masked. */
export function summarise(c: Lift): void {
  const { b } = c;
  const exceptions = b.op('i32.and', b.peek(FPU_STATUS), b.i32(0x7f));
  const summary = b.op('select.i32', b.i32(0x8080), b.i32(0), unmasked(c));
  b.poke(FPU_STATUS, b.op('i32.or', exceptions, summary));
}

/** The sticky exceptions that are not masked. */
function unmasked(c: Lift): Node {
  const { b } = c;
  const masks = b.op('i32.xor', b.peek(FPU_CONTROL), b.i32(-1));
  return b.op('i32.and', b.op('i32.and', b.peek(FPU_STATUS), masks), b.i32(0x3f));
}

/** Before an instruction that waits: an exception that is pending is a fault of this one. */
export function guardPending(c: Lift): void {
  const { b } = c;
  const pending = unmasked(c);
  for (const [exceptions, fault] of FLOAT_FAULTS) b.guard(b.op('i32.and', pending, b.i32(exceptions)), fault);
}

/** Sets C1 from bit 9 of the flags. C0, C2 and C3 are undefined: what is in them stays, unread and unwritten. */
export function setC1(c: Lift, flags: Node): void {
  const { b } = c;
  const rest = b.op('i32.and', b.peek(FPU_CONDITION), b.i32(0x4500));
  b.set(FPU_CONDITION, b.op('i32.or', rest, b.op('i32.and', flags, b.i32(ROUNDED_UP))));
}

/** The flags of an instruction one of whose registers may have been empty, which clears C1. */
export function withUnderflow(c: Lift, flags: Node, empty: Node): Node {
  return c.b.op('select.i32', c.b.i32(INVALID | STACK_FAULT), flags, empty);
}

export function conclude(c: Lift, flags: Node): void {
  raise(c, flags);
  setC1(c, flags);
}

/**
 * Pushes; onto a full register goes the default NaN, with C1 set. When the value came from a register that may have been
 * empty (its value is the default NaN then), that fault goes first.
 */
export function push(c: Lift, value: Extended, flags: Node, empty: Node = c.b.i32(0)): void {
  const { b } = c;
  c.top = (c.top + 7) & 7;
  const full = b.op('i32.and', b.peek(FPU_TAGS), b.i32(1 << slot(c, 0)));
  writeSt(c, 0, select(c, indefinite(c), value, full));
  const overflowed = b.op('select.i32', b.i32(INVALID | STACK_FAULT | ROUNDED_UP), flags, full);
  conclude(c, withUnderflow(c, overflowed, empty));
}

export function pop(c: Lift): void {
  release(c, 0);
  c.top = (c.top + 1) & 7;
}

export function release(c: Lift, i: number): void {
  const { b } = c;
  b.poke(FPU_TAGS, b.op('i32.and', b.peek(FPU_TAGS), b.i32(~(1 << slot(c, i)))));
}

/** i of the operand st(i). */
export function stackOperand(c: Lift, operand: number): number {
  return c.instruction.opRegister(operand) - Register.ST0;
}

/** The control word, a source of what it governs (rule 3): results, rounding, and whether exceptions are masked. */
export const control = (c: Lift): Node => c.b.get(FPU_CONTROL);

/** Calls a helper whose first results are an extended number and flags. */
export function compute(c: Lift, name: string, args: readonly Node[]): { value: Extended; flags: Node } {
  const [significand, head, flags] = c.b.helper(name, args, ['i64', 'i32', 'i32']);
  return { value: { significand, head }, flags };
}

export const nodes = (...values: Extended[]): Node[] =>
  values.flatMap(({ significand, head }) => [significand, head]);
