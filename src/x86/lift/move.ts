import { Mnemonic, Register, RegisterExt } from 'iced-x86';
import type { Node } from '../../ir/node.ts';
import { RAX, RBX } from '../state.ts';
import { conditionOf } from './condition.ts';
import { type Lift, type Size, sized, typeOf } from './context.ts';
import type { Row, Rows } from './row.ts';
import { asSelector, readSelector, writeSelector } from './segment.ts';

function move(c: Lift): void {
  const { instruction: i } = c;
  if (i.isPrivileged) c.fault('general-protection');
  else if (c.isSegment(0)) writeSelector(c, i.opRegister(0), asSelector(c, c.read(1)));
  else if (c.isSegment(1)) {
    const selector = readSelector(c, i.opRegister(1));
    c.write(0, c.size() === 8 ? c.b.op('i64.extend_i32_u', selector) : selector);
  } else c.write(0, c.read(1));
}

/** A smaller operand widened to the destination's size. */
function extend(signed: boolean): Row {
  return (c) => {
    const to = c.size(0);
    const from = c.size(1);
    const value = c.read(1);
    c.write(0, resize(c, value, from, to, signed));
  };
}

function resize(c: Lift, value: Node, from: Size, to: Size, signed: boolean): Node {
  if (to === 8) return signed ? c.signExtend64(value, from) : c.zeroExtend64(value, from);
  return signed ? c.signExtend(value, from) : c.zeroExtend(value, from);
}

/** Reads the registers of the address only: neither memory nor a segment's base. */
function loadAddress(c: Lift): void {
  const offset = c.offset();
  c.write(0, c.size() === 8 ? offset : c.b.op('i32.wrap_i64', offset));
}

function exchange(c: Lift): void {
  const x = c.read(0);
  const y = c.read(1);
  // Memory first or last makes no difference: the address is computed once.
  c.write(0, y);
  c.write(1, x);
}

/** cmovcc reads its destination even where it replaces it (rule 4); the 32-bit form clears the upper half always. */
function conditionalMove(c: Lift): void {
  const size = c.size();
  const condition = conditionOf(c);
  const value = c.read(1);
  const old = c.read(0);
  c.write(0, c.b.op(`select.${typeOf(size)}`, value, old, condition));
}

function conditionalSet(c: Lift): void {
  c.write(0, conditionOf(c));
}

/** cbw, cwde, cdqe: the lower half of the accumulator widened into all of it. */
function widenAccumulator(from: Register, to: Register): Row {
  return (c) => {
    const value = c.readRegister(from);
    const size = RegisterExt.size(from) as Size;
    c.writeRegister(to, resize(c, value, size, RegisterExt.size(to) as Size, true));
  };
}

/** cwd, cdq, cqo: the accumulator's sign fills rdx. */
function spreadSign(from: Register, to: Register): Row {
  return (c) => {
    const size = RegisterExt.size(from) as Size;
    const value = c.signExtend(c.readRegister(from), size);
    c.writeRegister(to, c.b.op(sized('shr_s', size), value, c.constant(size === 8 ? 63 : 31, size)));
  };
}

/** al = [rbx + al] */
function translate(c: Lift): void {
  const { b } = c;
  const al = b.op('i64.and', b.get(RAX), b.i64(0xff));
  const sum = b.op('i64.add', b.get(RBX), al);
  const narrow = c.instruction.memoryBase === Register.EBX;
  const offset = narrow ? b.op('i64.and', sum, b.i64(0xffff_ffffn)) : sum;
  c.writeRegister(Register.AL, b.load(c.inSegment(offset), 1, 'i32'));
}

const CONDITIONAL_MOVES = [
  Mnemonic.Cmovo,
  Mnemonic.Cmovno,
  Mnemonic.Cmovb,
  Mnemonic.Cmovae,
  Mnemonic.Cmove,
  Mnemonic.Cmovne,
  Mnemonic.Cmovbe,
  Mnemonic.Cmova,
  Mnemonic.Cmovs,
  Mnemonic.Cmovns,
  Mnemonic.Cmovp,
  Mnemonic.Cmovnp,
  Mnemonic.Cmovl,
  Mnemonic.Cmovge,
  Mnemonic.Cmovle,
  Mnemonic.Cmovg,
];

const CONDITIONAL_SETS = [
  Mnemonic.Seto,
  Mnemonic.Setno,
  Mnemonic.Setb,
  Mnemonic.Setae,
  Mnemonic.Sete,
  Mnemonic.Setne,
  Mnemonic.Setbe,
  Mnemonic.Seta,
  Mnemonic.Sets,
  Mnemonic.Setns,
  Mnemonic.Setp,
  Mnemonic.Setnp,
  Mnemonic.Setl,
  Mnemonic.Setge,
  Mnemonic.Setle,
  Mnemonic.Setg,
];

const all = (mnemonics: readonly Mnemonic[], row: Row): Rows => mnemonics.map((mnemonic) => [mnemonic, row]);

export const MOVE_ROWS: Rows = [
  [Mnemonic.Mov, move],
  [Mnemonic.Movnti, (c) => c.write(0, c.read(1))],
  [Mnemonic.Movzx, extend(false)],
  [Mnemonic.Movsx, extend(true)],
  [Mnemonic.Movsxd, extend(true)],
  [Mnemonic.Lea, loadAddress],
  [Mnemonic.Xchg, exchange],
  [Mnemonic.Xlatb, translate],
  [Mnemonic.Cbw, widenAccumulator(Register.AL, Register.AX)],
  [Mnemonic.Cwde, widenAccumulator(Register.AX, Register.EAX)],
  [Mnemonic.Cdqe, widenAccumulator(Register.EAX, Register.RAX)],
  [Mnemonic.Cwd, spreadSign(Register.AX, Register.DX)],
  [Mnemonic.Cdq, spreadSign(Register.EAX, Register.EDX)],
  [Mnemonic.Cqo, spreadSign(Register.RAX, Register.RDX)],
  ...all(CONDITIONAL_MOVES, conditionalMove),
  ...all(CONDITIONAL_SETS, conditionalSet),
];
