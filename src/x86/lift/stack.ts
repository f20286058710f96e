import { Code, Mnemonic, Register, RegisterExt } from 'iced-x86';
import type { Node } from '../../ir/node.ts';
import { RBP, RSP } from '../state.ts';
import { type Lift, typeOf } from './context.ts';
import type { Rows } from './row.ts';

/** Stack operands are 8 bytes, or 2 with an operand-size prefix. */
type StackSize = 2 | 8;

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
  if (c.isRegister(0) && !RegisterExt.isGPR(c.instruction.opRegister(0))) c.unsupported();
  else if (c.isRegister(0) || c.isMemory(0)) push(c, c.read(0), size);
  else push(c, c.constant(c.immediate(0), size), size);
}

/** The operand's address is computed with the stack pointer already raised (SDM volume 2, POP). */
function popOperand(c: Lift): void {
  if (c.isRegister(0) && !RegisterExt.isGPR(c.instruction.opRegister(0))) c.unsupported();
  else c.write(0, pop(c, stackSize(c)));
}

function leave(c: Lift): void {
  const { b } = c;
  const size = c.instruction.code === Code.Leavew ? 2 : 8;
  const frame = b.get(RBP);
  const value = b.load(frame, size, typeOf(size));
  c.setGeneral(RSP, b.op('i64.add', frame, b.i64(size)));
  c.writeRegister(size === 8 ? Register.RBP : Register.BP, value);
}

/** Nested frames (a level other than 0) are a relic that no compiler for this machine makes. */
function enter(c: Lift): void {
  const { b } = c;
  if (c.instruction.immediate8_2nd !== 0 || c.instruction.code === Code.Enterw_imm16_imm8) {
    c.unsupported();
    return;
  }
  push(c, b.get(RBP), 8);
  const frame = b.peek(RSP);
  b.set(RBP, frame);
  b.set(RSP, b.op('i64.sub', frame, b.i64(c.instruction.immediate16)));
}

export const STACK_ROWS: Rows = [
  [Mnemonic.Push, pushOperand],
  [Mnemonic.Pop, popOperand],
  [Mnemonic.Leave, leave],
  [Mnemonic.Enter, enter],
];
