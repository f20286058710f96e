import { Mnemonic, Register } from 'iced-x86';
import type { Node } from '../../ir/node.ts';
import { CF, OF } from '../state.ts';
import { type Lift, type Size, sized } from './context.ts';
import { setResultFlags } from './flags.ts';
import type { Row, Rows } from './row.ts';

/**
 * BMI1 and BMI2 (SDM volume 2, instructions ANDN to SHRX). Those that set flags define ZF, mostly SF, and never AF and PF,
 * which are of the same location: it is a destination and no source.
 */
function setFlags(c: Lift, result: Node, carry: Node): void {
  c.b.set(CF, carry);
  c.b.set(OF, c.b.i32(0));
  setResultFlags(c, result, c.size(), c.b.i32(0));
}

const width = (size: Size): number => size * 8;

/** The bits below a number, all of them where it is the operand's width or more. */
function bitsBelow(c: Lift, number: Node, size: Size): Node {
  const { b } = c;
  const one = c.constant(1, size);
  const some = b.op(sized('sub', size), b.op(sized('shl', size), one, number), one);
  return b.op(`select.${number.type}`, c.constant(-1, size), some, exceeds(c, number, size));
}

/** Whether a number below 256 is the operand's width or more. */
const exceeds = (c: Lift, number: Node, size: Size): Node =>
  c.b.op(sized('gt_u', size), number, c.constant(width(size) - 1, size));

/** One byte of a value. */
function byteOf(c: Lift, value: Node, index: number, size: Size): Node {
  const { b } = c;
  const moved = index === 0 ? value : b.op(sized('shr_u', size), value, c.constant(8 * index, size));
  return b.op(sized('and', size), moved, c.constant(0xff, size));
}

function andNot(c: Lift): void {
  const size = c.size();
  const { b } = c;
  const inverted = b.op(sized('xor', size), c.read(1), c.constant(-1, size));
  const result = b.op(sized('and', size), inverted, c.read(2));
  setFlags(c, result, b.i32(0));
  c.write(0, result);
}

function extractField(c: Lift): void {
  const { b } = c;
  const size = c.size();
  const x = c.read(1);
  const control = c.read(2);
  const start = byteOf(c, control, 0, size);
  const moved = b.op(sized('shr_u', size), x, start);
  const present = b.op(`select.${x.type}`, c.constant(0, size), moved, exceeds(c, start, size));
  const result = b.op(sized('and', size), present, bitsBelow(c, byteOf(c, control, 1, size), size));
  setFlags(c, result, b.i32(0));
  c.write(0, result);
}

/** blsi, blsmsk and blsr, which join their operand with what it is plus or minus 1; CF tells whether it was 0. */
function lowestBit(name: 'and' | 'xor', other: 'negative' | 'less', carryOnZero: boolean): Row {
  return (c) => {
    const { b } = c;
    const size = c.size();
    const x = c.read(1);
    const zero = c.constant(0, size);
    const y =
      other === 'negative'
        ? b.op(sized('sub', size), zero, x)
        : b.op(sized('sub', size), x, c.constant(1, size));
    const result = b.op(sized(name, size), x, y);
    setFlags(c, result, b.op(sized(carryOnZero ? 'eq' : 'ne', size), x, zero));
    c.write(0, result);
  };
}

function zeroHigh(c: Lift): void {
  const { b } = c;
  const size = c.size();
  const x = c.read(1);
  const number = byteOf(c, c.read(2), 0, size);
  const result = b.op(sized('and', size), x, bitsBelow(c, number, size));
  setFlags(c, result, exceeds(c, number, size));
  c.write(0, result);
}

/** Where both destinations are one register, it gets the high half. */
function multiply(c: Lift): void {
  const { b } = c;
  const size = c.size();
  const x = c.readRegister(size === 8 ? Register.RDX : Register.EDX);
  const y = c.read(2);
  if (size === 8) {
    c.write(1, b.op('i64.mul', x, y));
    c.write(0, b.op('x86.mulhi_u', x, y));
    return;
  }
  const product = b.op('i64.mul', c.zeroExtend64(x, size), c.zeroExtend64(y, size));
  c.write(1, b.op('i32.wrap_i64', product));
  c.write(0, b.op('i32.wrap_i64', b.op('i64.shr_u', product, b.i64(32))));
}

/** pdep and pext, on 64 bits: a mask of 32 selects nothing above them. */
function scatter(op: 'x86.pdep' | 'x86.pext'): Row {
  return (c) => {
    const size = c.size();
    const x = c.zeroExtend64(c.read(1), size);
    const result = c.b.op(op, x, c.zeroExtend64(c.read(2), size));
    c.write(0, size === 8 ? result : c.b.op('i32.wrap_i64', result));
  };
}

function rotate(c: Lift): void {
  const size = c.size();
  const count = Number(c.immediate(2) & BigInt(width(size) - 1));
  c.write(0, c.b.op(sized('rotr', size), c.read(1), c.constant(count, size)));
}

/** Shifts that touch no flag; the count is taken modulo the width, as WebAssembly takes it. */
function shift(name: 'shl' | 'shr_s' | 'shr_u'): Row {
  return (c) => c.write(0, c.b.op(sized(name, c.size()), c.read(1), c.read(2)));
}

export const BMI_ROWS: Rows = [
  [Mnemonic.Andn, andNot],
  [Mnemonic.Bextr, extractField],
  [Mnemonic.Blsi, lowestBit('and', 'negative', false)],
  [Mnemonic.Blsmsk, lowestBit('xor', 'less', true)],
  [Mnemonic.Blsr, lowestBit('and', 'less', true)],
  [Mnemonic.Bzhi, zeroHigh],
  [Mnemonic.Mulx, multiply],
  [Mnemonic.Pdep, scatter('x86.pdep')],
  [Mnemonic.Pext, scatter('x86.pext')],
  [Mnemonic.Rorx, rotate],
  [Mnemonic.Sarx, shift('shr_s')],
  [Mnemonic.Shlx, shift('shl')],
  [Mnemonic.Shrx, shift('shr_u')],
];
