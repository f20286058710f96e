import { Code, Mnemonic } from 'iced-x86';
import type { Node } from '../../ir/node.ts';
import { RFLAGS_NT } from '../rflags.ts';
import { CS_SELECTOR, SS_SELECTOR } from '../segments.ts';
import { KEPT_FLAGS, RSP } from '../state.ts';
import { type Lift, typeOf } from './context.ts';
import { setFlags } from './flag-rows.ts';
import type { Rows } from './row.ts';
import { asSelector, type FarSize, farPointer } from './segment.ts';
import { push } from './stack.ts';

/**
 * Far transfers between code of privilege level 3 (SDM volume 2, JMP, CALL, RET and IRET; volume 3, section 5.8.1): the
 * code segment stays the same, so that all but the offset is checks. Offsets of 2 and 4 bytes are zero-extended.
 */
export function farJump(c: Lift): void {
  const { offset, selector } = farPointer(c);
  checkCode(c, c.b.op('i32.or', selector, c.b.i32(3)));
  c.end({ kind: 'indirect-jump', target: offset });
}

export function farCall(c: Lift): void {
  const { offset, selector, size } = farPointer(c);
  checkCode(c, c.b.op('i32.or', selector, c.b.i32(3)));
  push(c, c.constant(CS_SELECTOR, size), size);
  const next = c.next();
  push(c, size === 8 ? next : c.b.op('i32.wrap_i64', next), size);
  c.end({ kind: 'call', target: offset, next: c.b.nextAddress });
}

/** Jumps and calls ignore the selector's requested privilege level; returns go to that level, which must be 3. */
function checkCode(c: Lift, selector: Node): void {
  const [faults] = c.b.helper('far_transfer', [selector], ['i32']);
  c.b.guard(faults, 'general-protection');
}

const SIZES: ReadonlyMap<Code, FarSize> = new Map([
  [Code.Retfw, 2],
  [Code.Retfw_imm16, 2],
  [Code.Retfd, 4],
  [Code.Retfd_imm16, 4],
  [Code.Retfq, 8],
  [Code.Retfq_imm16, 8],
  [Code.Iretw, 2],
  [Code.Iretd, 4],
  [Code.Iretq, 8],
]);

/** Reads so many values upwards from the stack pointer, zero-extended. */
function readStack(c: Lift, size: FarSize, count: number): Node[] {
  const { b } = c;
  const rsp = b.get(RSP);
  return Array.from({ length: count }, (_, i) => {
    const value = b.load(b.op('i64.add', rsp, b.i64(i * size)), size, typeOf(size));
    return c.zeroExtend64(value, size);
  });
}

function farReturn(c: Lift): void {
  const { b, instruction } = c;
  const size = SIZES.get(instruction.code) as FarSize;
  const extra = instruction.opCount === 0 ? 0 : Number(c.immediate(0) & 0xffffn);
  const [target, selector] = readStack(c, size, 2);
  checkCode(c, asSelector(c, selector));
  c.setGeneral(RSP, b.op('i64.add', b.get(RSP), b.i64(2 * size + extra)));
  c.end({ kind: 'return', target });
}

/** In 64-bit mode the stack is always switched (SDM volume 3, section 6.14.3), and there is no task to go back to. */
function interruptReturn(c: Lift): void {
  const { b, instruction } = c;
  const size = SIZES.get(instruction.code) as FarSize;
  const [target, code, flags, stack, stackSegment] = readStack(c, size, 5);
  b.guard(b.op('i32.ne', asSelector(c, stackSegment), b.i32(SS_SELECTOR)), 'general-protection');
  checkCode(c, asSelector(c, code));
  b.guard(b.op('i32.and', b.get(KEPT_FLAGS), b.i32(RFLAGS_NT)), 'general-protection');
  setFlags(c, b.op('i32.wrap_i64', flags), size);
  c.setGeneral(RSP, stack);
  c.end({ kind: 'return', target });
}

export const FAR_ROWS: Rows = [
  [Mnemonic.Retf, farReturn],
  [Mnemonic.Iret, interruptReturn],
  [Mnemonic.Iretd, interruptReturn],
  [Mnemonic.Iretq, interruptReturn],
];
