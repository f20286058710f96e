import { Mnemonic } from 'iced-x86';
import type { Node, VarId } from '../../ir/node.ts';
import { CF, OF, RAX, RBX, RCX, RDX, ZR } from '../state.ts';
import { ACCUMULATORS, type Lift, type Size, sized, typeOf } from './context.ts';
import {
  adjust,
  carryOfAdd,
  overflowOfAdd,
  overflowOfSubtract,
  setAddFlags,
  setLogicFlags,
  setResultFlags,
  setSubtractFlags,
} from './flags.ts';
import type { Row, Rows } from './row.ts';
import { alignedAddress } from './sse-operands.ts';

function add(c: Lift): void {
  const size = c.size();
  const x = c.read(0);
  const y = c.read(1);
  const result = c.b.op(sized('add', size), x, y);
  setAddFlags(c, x, y, result, size);
  c.write(0, result);
}

function addWithCarry(c: Lift): void {
  const size = c.size();
  const carry = c.b.get(CF);
  const x = c.read(0);
  const y = c.read(1);
  const result = c.b.op(sized('add', size), c.b.op(sized('add', size), x, y), widen(c, carry, size));
  setAddFlags(c, x, y, result, size, carry);
  c.write(0, result);
}

/** Operands of sub, sbb, cmp and xor: of a register with itself, equal constants that read nothing (rule 4). */
function operands(c: Lift, size: Size): readonly [Node, Node] {
  if (!c.sameRegister(0, 1)) return [c.read(0), c.read(1)];
  return [c.constant(0, size), c.constant(0, size)];
}

function subtract(c: Lift): Node {
  const size = c.size();
  const [x, y] = operands(c, size);
  const result = c.b.op(sized('sub', size), x, y);
  setSubtractFlags(c, x, y, result, size);
  return result;
}

function subtractWithBorrow(c: Lift): void {
  const size = c.size();
  const borrow = c.b.get(CF);
  const [x, y] = operands(c, size);
  const result = c.b.op(sized('sub', size), c.b.op(sized('sub', size), x, y), widen(c, borrow, size));
  setSubtractFlags(c, x, y, result, size, borrow);
  c.write(0, result);
}

/** A flag as a value of an operand's size. */
function widen(c: Lift, flag: Node, size: Size): Node {
  return size === 8 ? c.b.op('i64.extend_i32_u', flag) : flag;
}

function negate(c: Lift): void {
  const size = c.size();
  const zero = c.constant(0, size);
  const x = c.read(0);
  const result = c.b.op(sized('sub', size), zero, x);
  setSubtractFlags(c, zero, x, result, size);
  c.write(0, result);
}

/** inc and dec leave CF alone: it is neither source nor destination. */
function step(name: 'add' | 'sub', overflow: typeof overflowOfAdd): Row {
  return (c) => {
    const size = c.size();
    const x = c.read(0);
    const one = c.constant(1, size);
    const result = c.b.op(sized(name, size), x, one);
    c.b.set(OF, overflow(c, x, one, result, size));
    setResultFlags(c, result, size, adjust(c, x, one, result, size));
    c.write(0, result);
  };
}

function logic(name: 'and' | 'or' | 'xor', keep: boolean): Row {
  return (c) => {
    const size = c.size();
    const [x, y] = name === 'xor' ? operands(c, size) : [c.read(0), c.read(1)];
    const result = c.b.op(sized(name, size), x, y);
    setLogicFlags(c, result, size);
    if (keep) c.write(0, result);
  };
}

function not(c: Lift): void {
  const size = c.size();
  c.write(0, c.b.op(sized('xor', size), c.read(0), c.constant(-1, size)));
}

function exchangeAdd(c: Lift): void {
  const size = c.size();
  const x = c.read(0);
  const y = c.read(1);
  const result = c.b.op(sized('add', size), x, y);
  setAddFlags(c, x, y, result, size);
  c.write(1, x);
  c.write(0, result);
}

/** The accumulator is compared with the destination, and one of them is replaced. Both are sources (rule 4). */
function compareExchange(c: Lift): void {
  const { b } = c;
  const size = c.size();
  const accumulator = ACCUMULATORS[size];
  const expected = c.readRegister(accumulator);
  const old = c.read(0);
  const replacement = c.read(1);
  setSubtractFlags(c, expected, old, b.op(sized('sub', size), expected, old), size);
  const equal = b.op(sized('eq', size), c.zeroExtend(expected, size), c.zeroExtend(old, size));
  // What is not replaced is not written: not even the upper half of its register changes.
  c.writeUnless(equal, accumulator, old);
  if (c.isMemory(0)) c.write(0, b.op(`select.${typeOf(size)}`, replacement, old, equal));
  else c.writeUnless(b.op('i32.eqz', equal), c.instruction.opRegister(0), replacement);
}

/** ZF tells the outcome, the other flags stay: their group is kept in part, so it is a source. */
function compareExchange8(c: Lift): void {
  const { b } = c;
  const pair = (high: Node, low: Node): Node =>
    b.op('i64.or', b.op('i64.shl', high, b.i64(32)), b.op('i64.and', low, b.i64(0xffff_ffffn)));
  const [rax, rcx, rdx, rbx] = [RAX, RCX, RDX, RBX].map((register) => b.get(register));
  const old = b.load(c.address(), 8, 'i64');
  const different = b.op('i64.sub', old, pair(rdx, rax));
  const equal = b.op('i64.eqz', different);
  const when = (ifEqual: Node, otherwise: Node): Node => b.op('select.i64', ifEqual, otherwise, equal);
  b.dependOn(ZR);
  b.set(ZR, different);
  b.store(c.address(), 8, when(pair(rcx, rbx), old));
  b.set(RAX, when(rax, b.op('i64.and', old, b.i64(0xffff_ffffn))));
  b.set(RDX, when(rdx, b.op('i64.shr_u', old, b.i64(32))));
}

/** The same with 16 aligned bytes and the whole registers. */
function compareExchange16(c: Lift): void {
  const { b } = c;
  const [rax, rcx, rdx, rbx] = [RAX, RCX, RDX, RBX].map((register) => b.get(register));
  const address = alignedAddress(c);
  const old = b.load(address, 16, 'v128');
  const [low, high] = [0, 1].map((i) => b.opImm('i64x2.extract_lane', i, old));
  const different = b.op('i64.or', b.op('i64.xor', low, rax), b.op('i64.xor', high, rdx));
  const equal = b.op('i64.eqz', different);
  const when = (ifEqual: Node, otherwise: Node): Node => b.op('select.i64', ifEqual, otherwise, equal);
  b.dependOn(ZR);
  b.set(ZR, different);
  const lower = b.opImm('i64x2.replace_lane', 0, old, when(rbx, low));
  b.store(address, 16, b.opImm('i64x2.replace_lane', 1, lower, when(rcx, high)));
  b.set(RAX, when(rax, low));
  b.set(RDX, when(rdx, high));
}

/** adcx and adox: an addition with one flag as its carry, in and out; no other flag is touched. */
function addWithFlag(flag: VarId): Row {
  return (c) => {
    const size = c.size();
    const carry = c.b.get(flag);
    const x = c.read(0);
    const y = c.read(1);
    const result = c.b.op(sized('add', size), c.b.op(sized('add', size), x, y), widen(c, carry, size));
    c.b.set(flag, carryOfAdd(c, x, y, result, size, carry));
    c.write(0, result);
  };
}

export const ARITHMETIC_ROWS: Rows = [
  [Mnemonic.Add, add],
  [Mnemonic.Adc, addWithCarry],
  [Mnemonic.Sub, (c) => c.write(0, subtract(c))],
  [Mnemonic.Cmp, (c) => void subtract(c)],
  [Mnemonic.Sbb, subtractWithBorrow],
  [Mnemonic.Neg, negate],
  [Mnemonic.Inc, step('add', overflowOfAdd)],
  [Mnemonic.Dec, step('sub', overflowOfSubtract)],
  [Mnemonic.And, logic('and', true)],
  [Mnemonic.Or, logic('or', true)],
  [Mnemonic.Xor, logic('xor', true)],
  [Mnemonic.Test, logic('and', false)],
  [Mnemonic.Not, not],
  [Mnemonic.Xadd, exchangeAdd],
  [Mnemonic.Cmpxchg, compareExchange],
  [Mnemonic.Cmpxchg8b, compareExchange8],
  [Mnemonic.Cmpxchg16b, compareExchange16],
  [Mnemonic.Adcx, addWithFlag(CF)],
  [Mnemonic.Adox, addWithFlag(OF)],
];
