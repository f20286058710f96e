import { Mnemonic } from 'iced-x86';
import type { Node } from '../../ir/node.ts';
import { CF, FPU_CONDITION, FPU_TAGS, SR, ZR } from '../state.ts';
import type { Lift } from './context.ts';
import type { Row, Rows } from './row.ts';
import { DOUBLE, extend, fromInteger, SINGLE } from './x87-convert.ts';
import {
  anyEmpty,
  conclude,
  constant,
  control,
  type Extended,
  indefinite,
  nodes,
  pop,
  push,
  raise,
  readSt,
  select,
  setC1,
  stackOperand,
  withUnderflow,
  writeSt,
} from './x87-stack.ts';

/** Loads, stores and constants of the x87. */

function load(c: Lift): void {
  if (c.isRegister(0)) loadRegister(c, stackOperand(c, 0));
  else if ((c.size(0) as number) === 10) push(c, readExtended(c), c.b.i32(0));
  else {
    control(c);
    const { value, flags } =
      c.size(0) === 4 ? extend(c, c.loadAs(4, 'i64'), SINGLE) : extend(c, c.loadAs(8, 'i64'), DOUBLE);
    push(c, value, flags);
  }
}

function loadRegister(c: Lift, i: number): void {
  const empty = anyEmpty(c, i);
  const value = select(c, indefinite(c), readSt(c, i), empty);
  push(c, value, c.b.i32(0), empty);
}

/** Ten bytes of memory as they are. */
function readExtended(c: Lift): Extended {
  const { b } = c;
  const address = c.address();
  return {
    significand: b.load(address, 8, 'i64'),
    head: b.load(b.op('i64.add', address, b.i64(8)), 2, 'i32'),
  };
}

function writeExtended(c: Lift, { significand, head }: Extended): void {
  const { b } = c;
  const address = c.address();
  b.store(address, 8, significand);
  b.store(b.op('i64.add', address, b.i64(8)), 2, head);
}

function store(popping: boolean): Row {
  return (c) => {
    if (c.isRegister(0)) storeRegister(c, stackOperand(c, 0));
    else if ((c.size(0) as number) === 10) storeExtended(c);
    else storeRounded(c, c.size(0) === 4 ? 4 : 8);
    if (popping) pop(c);
  };
}

function storeRegister(c: Lift, i: number): void {
  const empty = anyEmpty(c, 0);
  writeSt(c, i, select(c, indefinite(c), readSt(c, 0), empty));
  conclude(c, withUnderflow(c, c.b.i32(0), empty));
}

/** fstpnce, undocumented: fstp to a register, which only pops where st(0) is empty. */
function storeUnlessEmpty(c: Lift): void {
  const { b } = c;
  const i = stackOperand(c, 0);
  const empty = anyEmpty(c, 0);
  const tags = b.peek(FPU_TAGS);
  writeSt(c, i, select(c, readSt(c, i), readSt(c, 0), empty));
  b.poke(FPU_TAGS, b.op('select.i32', tags, b.peek(FPU_TAGS), empty));
  setC1(c, b.i32(0));
  pop(c);
}

function storeExtended(c: Lift): void {
  const empty = anyEmpty(c, 0);
  writeExtended(c, select(c, indefinite(c), readSt(c, 0), empty));
  conclude(c, withUnderflow(c, c.b.i32(0), empty));
}

function storeRounded(c: Lift, size: 4 | 8): void {
  const { b } = c;
  const empty = anyEmpty(c, 0);
  const type = size === 4 ? 'i32' : 'i64';
  const [bits, flags] = b.helper(
    `x87.store.f${size * 8}`,
    [...nodes(readSt(c, 0)), control(c)],
    [type, 'i32'],
  );
  const nan = size === 4 ? b.i32(0xffc0_0000) : b.i64(0xfff8_0000_0000_0000n);
  c.storeAs(size, b.op(`select.${type}`, nan, bits, empty));
  conclude(c, withUnderflow(c, flags, empty));
}

function loadInteger(c: Lift): void {
  push(c, fromInteger(c, integerOperand(c)), c.b.i32(0));
}

/** The signed integer in memory, as i64. */
export function integerOperand(c: Lift): Node {
  const { b } = c;
  const size = c.size(0);
  if (size === 8) return c.loadAs(8, 'i64');
  const value = c.loadAs(size, 'i32');
  return b.op('i64.extend_i32_s', size === 2 ? b.op('i32.extend16_s', value) : value);
}

/** `truncate`: fisttp (SSE3) cuts whatever the control word says, which still governs the exceptions. */
function storeInteger(popping: boolean, truncate = false): Row {
  return (c) => {
    const { b } = c;
    const size = c.size(0);
    const empty = anyEmpty(c, 0);
    const word = control(c);
    const mode = truncate ? b.i32(0xf7f) : word;
    const [integer, flags] = b.helper(
      `x87.store.i${size * 8}`,
      [...nodes(readSt(c, 0)), mode],
      ['i64', 'i32'],
    );
    const indefiniteInteger = b.i64(-(1n << BigInt(size * 8 - 1)));
    c.storeAs(size, b.op('select.i64', indefiniteInteger, integer, empty));
    conclude(c, withUnderflow(c, flags, empty));
    if (popping) pop(c);
  };
}

function loadDecimal(c: Lift): void {
  const { significand, head } = readExtended(c);
  const [m, e] = c.b.helper('x87.load.bcd', [significand, head], ['i64', 'i32']);
  push(c, { significand: m, head: e }, c.b.i32(0));
}

function storeDecimal(c: Lift): void {
  const empty = anyEmpty(c, 0);
  const args = [...nodes(readSt(c, 0)), control(c)];
  const [low, high, flags] = c.b.helper('x87.store.bcd', args, ['i64', 'i32', 'i32']);
  // The packed decimal indefinite (SDM volume 1, table 4-4).
  const none = constant(c, 0xc000_0000_0000_0000n, 0xffff);
  writeExtended(c, select(c, none, { significand: low, head: high }, empty));
  conclude(c, withUnderflow(c, flags, empty));
  pop(c);
}

const loadConstant =
  (significand: bigint, head: number): Row =>
  (c) =>
    push(c, constant(c, significand, head), c.b.i32(0));

/**
 * A constant that is not representable: what lies below it, and the rounding mode (bits 10-11 of the control word) in
 * which its neighbour above is loaded. All these numbers are positive.
 */
function loadRounded(below: bigint, head: number, nearest: 'below' | 'above'): Row {
  return (c) => {
    const { b } = c;
    const mode = b.op('i32.and', control(c), b.i32(0xc00));
    const up = b.op('i32.eq', mode, b.i32(0x800));
    const above = nearest === 'below' ? up : b.op('i32.or', up, b.op('i32.eqz', mode));
    const significand = b.op('i64.add', b.i64(below), b.op('i64.extend_i32_u', above));
    push(c, { significand, head: b.i32(head) }, b.i32(0));
  };
}

function exchange(c: Lift): void {
  const i = stackOperand(c, 1);
  const x = select(c, indefinite(c), readSt(c, 0), anyEmpty(c, 0));
  const y = select(c, indefinite(c), readSt(c, i), anyEmpty(c, i));
  const empty = anyEmpty(c, 0, i);
  writeSt(c, 0, y);
  writeSt(c, i, x);
  conclude(c, withUnderflow(c, c.b.i32(0), empty));
}

/** fchs and fabs change the sign only, of NaNs too. */
function changeSign(op: 'i32.xor' | 'i32.and', mask: number): Row {
  return (c) => {
    const empty = anyEmpty(c, 0);
    const { significand, head } = readSt(c, 0);
    writeSt(c, 0, select(c, indefinite(c), { significand, head: c.b.op(op, head, c.b.i32(mask)) }, empty));
    conclude(c, withUnderflow(c, c.b.i32(0), empty));
  };
}

/** fcmovcc moves st(i) to st(0) under a condition of CF, ZF and PF; like cmov it reads its destination (rule 4). */
function moveIf(flags: 'b' | 'e' | 'be' | 'u', holds: boolean): Row {
  return (c) => {
    const { b } = c;
    const carry = () => b.get(CF);
    const zero = () => b.op('i64.eqz', b.get(ZR));
    const test = {
      b: carry,
      e: zero,
      be: () => b.op('i32.or', carry(), zero()),
      u: () => b.op('x86.parity', b.op('i32.wrap_i64', b.get(SR))),
    }[flags]();
    const i = stackOperand(c, 1);
    const empty = anyEmpty(c, 0, i);
    const [x, y] = [readSt(c, 0), readSt(c, i)];
    const moved = holds ? select(c, y, x, test) : select(c, x, y, test);
    writeSt(c, 0, select(c, indefinite(c), moved, empty));
    raise(c, withUnderflow(c, b.i32(0), empty));
    // C1 is cleared by a stack fault and otherwise left alone, undefined with the others.
    const codes = b.peek(FPU_CONDITION);
    b.poke(FPU_CONDITION, b.op('select.i32', b.op('i32.and', codes, b.i32(0x4500)), codes, empty));
  };
}

export const X87_MOVE_ROWS: Rows = [
  [Mnemonic.Fld, load],
  [Mnemonic.Fst, store(false)],
  [Mnemonic.Fstp, store(true)],
  [Mnemonic.Fstpnce, storeUnlessEmpty],
  [Mnemonic.Fild, loadInteger],
  [Mnemonic.Fist, storeInteger(false)],
  [Mnemonic.Fistp, storeInteger(true)],
  [Mnemonic.Fisttp, storeInteger(true, true)],
  [Mnemonic.Fbld, loadDecimal],
  [Mnemonic.Fbstp, storeDecimal],
  [Mnemonic.Fld1, loadConstant(0x8000_0000_0000_0000n, 0x3fff)],
  [Mnemonic.Fldz, loadConstant(0n, 0)],
  [Mnemonic.Fldpi, loadRounded(0xc90f_daa2_2168_c234n, 0x4000, 'above')],
  [Mnemonic.Fldl2e, loadRounded(0xb8aa_3b29_5c17_f0bbn, 0x3fff, 'above')],
  [Mnemonic.Fldl2t, loadRounded(0xd49a_784b_cd1b_8afen, 0x4000, 'below')],
  [Mnemonic.Fldlg2, loadRounded(0x9a20_9a84_fbcf_f798n, 0x3ffd, 'above')],
  [Mnemonic.Fldln2, loadRounded(0xb172_17f7_d1cf_79abn, 0x3ffe, 'above')],
  [Mnemonic.Fxch, exchange],
  [Mnemonic.Fchs, changeSign('i32.xor', 0x8000)],
  [Mnemonic.Fabs, changeSign('i32.and', 0x7fff)],
  [Mnemonic.Fcmovb, moveIf('b', true)],
  [Mnemonic.Fcmove, moveIf('e', true)],
  [Mnemonic.Fcmovbe, moveIf('be', true)],
  [Mnemonic.Fcmovu, moveIf('u', true)],
  [Mnemonic.Fcmovnb, moveIf('b', false)],
  [Mnemonic.Fcmovne, moveIf('e', false)],
  [Mnemonic.Fcmovnbe, moveIf('be', false)],
  [Mnemonic.Fcmovnu, moveIf('u', false)],
];
