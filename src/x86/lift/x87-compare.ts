import { Mnemonic } from 'iced-x86';
import type { Node } from '../../ir/node.ts';
import { INVALID, STACK_FAULT } from '../float/exceptions.ts';
import { AR, CF, FPU_CONDITION, OF, SR, ZR } from '../state.ts';
import type { Lift } from './context.ts';
import type { Row, Rows } from './row.ts';
import { fromInteger } from './x87-convert.ts';
import { integerOperand } from './x87-move.ts';
import {
  anyEmpty,
  constant,
  control,
  type Extended,
  nodes,
  pop,
  raise,
  readSt,
  stackOperand,
} from './x87-stack.ts';

/** Comparisons. Condition codes C0, C2, C3 are less, unordered, equal, and all three when unordered or a register is empty. */
const UNORDERED = 0x4500;

interface Result {
  readonly condition: Node;
  readonly flags: Node;
}

function compared(c: Lift, name: string, args: readonly Node[], empty: Node): Result {
  const { b } = c;
  control(c);
  const [condition, flags] = b.helper(name, args, ['i32', 'i32']);
  return {
    condition: b.op('select.i32', b.i32(UNORDERED), condition, empty),
    flags: b.op('select.i32', b.i32(INVALID | STACK_FAULT), flags, empty),
  };
}

/** `ordered`: quiet NaNs are invalid. */
function withRegister(c: Lift, i: number, ordered: boolean): Result {
  const args = [...nodes(readSt(c, 0), readSt(c, i)), c.b.i32(ordered ? 1 : 0)];
  return compared(c, 'x87.compare', args, anyEmpty(c, 0, i));
}

function withValue(c: Lift, y: Extended): Result {
  return compared(c, 'x87.compare', [...nodes(readSt(c, 0), y), c.b.i32(1)], anyEmpty(c, 0));
}

function withMemory(c: Lift): Result {
  const [format, operand] =
    c.size(0) === 4 ? (['f32', c.loadAs(4, 'i32')] as const) : (['f64', c.loadAs(8, 'i64')] as const);
  return compared(c, `x87.compare.${format}`, [...nodes(readSt(c, 0)), operand], anyEmpty(c, 0));
}

/** To the condition codes; C1 is cleared. */
function toCodes(c: Lift, { condition, flags }: Result, pops: number): void {
  c.b.set(FPU_CONDITION, condition);
  raise(c, flags);
  for (let i = 0; i < pops; i++) pop(c);
}

/** To ZF, PF and CF, as comisd does; OF, SF, AF are cleared, and C1. Other than elsewhere C0, C2 and C3 are not undefined, but kept (SDM). */
function toFlags(c: Lift, { condition, flags }: Result, pops: number): void {
  const { b } = c;
  const bit = (place: number) => b.op('i32.and', b.op('i32.shr_u', condition, b.i32(place)), b.i32(1));
  b.set(CF, bit(8));
  b.set(OF, b.i32(0));
  b.set(ZR, b.op('i64.extend_i32_u', b.op('i32.eqz', bit(14))));
  b.set(SR, b.op('i64.extend_i32_u', b.op('i32.eqz', bit(10))));
  b.set(AR, b.i32(0));
  b.set(FPU_CONDITION, b.op('i32.and', b.get(FPU_CONDITION), b.i32(0x4500)));
  raise(c, flags);
  for (let i = 0; i < pops; i++) pop(c);
}

function compare(ordered: boolean, pops: number): Row {
  return (c) => {
    const registers = c.instruction.opCount > 1;
    toCodes(c, registers ? withRegister(c, stackOperand(c, 1), ordered) : withMemory(c), pops);
  };
}

const compareTwo =
  (ordered: boolean): Row =>
  (c) =>
    toCodes(c, withRegister(c, 1, ordered), 2);

const compareInteger =
  (pops: number): Row =>
  (c) =>
    toCodes(c, withValue(c, fromInteger(c, integerOperand(c))), pops);

const compareToFlags =
  (ordered: boolean, pops: number): Row =>
  (c) =>
    toFlags(c, withRegister(c, stackOperand(c, 1), ordered), pops);

const test: Row = (c) => toCodes(c, withValue(c, constant(c, 0n, 0)), 0);

/** fxam: the class of st(0), with its sign in C1; empty is one of the classes. */
const examine: Row = (c) => {
  const { b } = c;
  const { significand, head } = readSt(c, 0);
  const [found] = b.helper('x87.examine', [significand, head], ['i32']);
  const sign = b.op('i32.and', b.op('i32.shr_u', head, b.i32(6)), b.i32(0x200));
  b.set(FPU_CONDITION, b.op('select.i32', b.op('i32.or', sign, b.i32(0x4100)), found, anyEmpty(c, 0)));
};

export const X87_COMPARE_ROWS: Rows = [
  [Mnemonic.Fcom, compare(true, 0)],
  [Mnemonic.Fcomp, compare(true, 1)],
  [Mnemonic.Fcompp, compareTwo(true)],
  [Mnemonic.Fucom, compare(false, 0)],
  [Mnemonic.Fucomp, compare(false, 1)],
  [Mnemonic.Fucompp, compareTwo(false)],
  [Mnemonic.Ficom, compareInteger(0)],
  [Mnemonic.Ficomp, compareInteger(1)],
  [Mnemonic.Fcomi, compareToFlags(true, 0)],
  [Mnemonic.Fcomip, compareToFlags(true, 1)],
  [Mnemonic.Fucomi, compareToFlags(false, 0)],
  [Mnemonic.Fucomip, compareToFlags(false, 1)],
  [Mnemonic.Ftst, test],
  [Mnemonic.Fxam, examine],
];
