import { Code, type Instruction, Mnemonic, Register } from 'iced-x86';
import type { Node } from '../../ir/node.ts';
import { RBP, RSP } from '../state.ts';
import { type Lift, typeOf } from './context.ts';
import type { Rows, ServiceCall, ServiceRows } from './row.ts';
import { asSelector, readSelector, writeSelector } from './segment.ts';

/** Stack operands are 8 bytes, or 2 with an operand-size prefix; far calls have 4 too. */
type StackSize = 2 | 4 | 8;

/** Stores a value below the stack pointer and lowers it (rule 5: both in the instruction's one cycle). */
export function push(c: Lift, value: Node, size: StackSize): void {
  const { b } = c;
  const rsp = b.op('i64.sub', b.get(RSP), b.i64(size));
  b.store(rsp, size, value);
  b.set(RSP, rsp);
}

/** Reads the value at the stack pointer and raises it by the value's size and `extra` bytes (`ret n`). */
export function pop(c: Lift, size: StackSize, extra = 0n): Node {
  const { b } = c;
  const old = b.get(RSP);
  const value = b.load(old, size, typeOf(size));
  c.setGeneral(RSP, b.op('i64.add', old, b.i64(BigInt(size) + extra)));
  return value;
}

function stackSize(c: Lift): StackSize {
  return Math.abs(c.instruction.stackPointerIncrement) === 2 ? 2 : 8;
}

function pushOperand(c: Lift): void {
  const size = stackSize(c);
  if (c.isSegment(0)) {
    const selector = readSelector(c, c.instruction.opRegister(0));
    push(c, size === 8 ? c.b.op('i64.extend_i32_u', selector) : selector, size);
  } else if (c.isRegister(0) || c.isMemory(0)) push(c, c.read(0), size);
  else push(c, c.literal(0, size), size);
}

/** The operand's address is computed with the stack pointer already raised (SDM volume 2, POP). */
function popOperand(c: Lift): void {
  const value = pop(c, stackSize(c));
  if (c.isSegment(0)) writeSelector(c, c.instruction.opRegister(0), asSelector(c, value));
  else c.write(0, value);
}

function leave(c: Lift): void {
  const { b } = c;
  const size = c.instruction.code === Code.Leavew ? 2 : 8;
  const frame = b.get(RBP);
  const value = b.load(frame, size, typeOf(size));
  c.setGeneral(RSP, b.op('i64.add', frame, b.i64(size)));
  c.writeRegister(FRAME_POINTER[size], value);
}

/**
 * Without nesting; with it, the instruction runs as a service (services/nested-enter.ts). Faults where nothing could be stored at the
 * stack pointer that it leaves (SDM volume 2, ENTER): in the page of what it has stored, something could be.
 */
function enter(c: Lift): void {
  const { b } = c;
  const size = isNarrowEnter(c.instruction) ? 2 : 8;
  push(c, c.readRegister(FRAME_POINTER[size]), size);
  const frame = b.peek(RSP);
  c.writeRegister(FRAME_POINTER[size], size === 8 ? frame : b.op('i32.wrap_i64', frame));
  const rsp = b.op('i64.sub', frame, b.i64(c.instruction.immediate16));
  const page = (address: Node) => b.op('i64.shr_u', address, b.i64(12));
  b.checkStore(b.op('i64.ne', page(rsp), page(frame)), rsp, size);
  b.set(RSP, rsp);
}

/** Only 5 bits of the level count (SDM volume 2, ENTER). */
function nested(instruction: Instruction): ServiceCall | undefined {
  const level = instruction.immediate8_2nd & 31;
  if (level === 0) return undefined;
  const narrow = isNarrowEnter(instruction) ? 1 : 0;
  return { service: 'nested-enter', argument: level | (instruction.immediate16 << 5) | (narrow << 21) };
}

function isNarrowEnter(instruction: Instruction): boolean {
  return instruction.code === Code.Enterw_imm16_imm8;
}

const FRAME_POINTER = { 2: Register.BP, 8: Register.RBP } as const;

export const STACK_SERVICES: ServiceRows = [[Mnemonic.Enter, nested]];

export const STACK_ROWS: Rows = [
  [Mnemonic.Push, pushOperand],
  [Mnemonic.Pop, popOperand],
  [Mnemonic.Leave, leave],
  [Mnemonic.Enter, enter],
];
