import { Mnemonic } from 'iced-x86';
import type { Node } from '../../ir/node.ts';
import { CF, OF, RCX, SR, ZR } from '../state.ts';
import { type Lift, type Size, sized, typeOf } from './context.ts';
import { setResultFlags, signBit } from './flags.ts';
import type { Row, Rows } from './row.ts';

/**
 * Shifts and rotates (SDM volume 2, SAL/SAR/SHL/SHR and RCL/RCR/ROL/ROR). The count is taken modulo 32, modulo 64 for
 * 8-byte operands, as WebAssembly's shifts take it. A count of 0 leaves all flags: an immediate 0 touches none, CL may
 * be 0 so that the flags are sources too. OF is defined for a count of 1 only: other immediates do not touch it.
 */
interface Count {
  /** Taken modulo 32 or 64; of the operand's type. */
  readonly node: Node;
  /** As it stands in CL's register: WebAssembly's shifts do not need it reduced. */
  readonly raw: Node;
  /** Undefined when the count is CL. */
  readonly immediate: number | undefined;
}

/** What a shift by a count other than 0 makes of its operand. */
interface Shifted {
  readonly result: Node;
  readonly cf: Node;
  readonly of: Node;
  /** A count of 0 gives the operand back, without being told so. */
  readonly identity?: boolean;
}

type Operation = (c: Lift, x: Node, count: Node, size: Size) => Shifted;

/** The count operand: operand 1, absent in the forms that shift by 1, or operand 2 of shld and shrd. */
export function countOf(c: Lift, operand: number, size: Size): Count {
  const mask = size === 8 ? 63 : 31;
  if (c.isRegister(operand)) {
    const rcx = c.b.get(RCX);
    const raw = size === 8 ? rcx : c.b.op('i32.wrap_i64', rcx);
    return { node: c.b.op(sized('and', size), raw, c.constant(mask, size)), raw, immediate: undefined };
  }
  const immediate = Number(c.immediate(operand) & BigInt(mask));
  const node = c.constant(immediate, size);
  return { node, raw: node, immediate };
}

/** Writes result and flags; `resultFlags` are those of shifts, rotates leave SF, ZF, AF and PF alone. */
export function finishShift(
  c: Lift,
  x: Node,
  size: Size,
  count: Count,
  shifted: Shifted,
  resultFlags: boolean,
): void {
  const { b } = c;
  if (count.immediate === 0) {
    c.write(0, x);
    return;
  }
  if (count.immediate !== undefined) {
    b.set(CF, shifted.cf);
    if (count.immediate === 1) b.set(OF, shifted.of);
    else b.poke(OF, b.i32(0));
    if (resultFlags) setResultFlags(c, shifted.result, size, b.i32(0));
    c.write(0, shifted.result);
    return;
  }
  const kept = b.op(`${typeOf(size)}.eqz`, count.node);
  const oldCarry = b.get(CF);
  const oldOverflow = b.get(OF);
  b.set(CF, b.op('select.i32', oldCarry, shifted.cf, kept));
  b.set(OF, b.op('select.i32', oldOverflow, shifted.of, kept));
  if (resultFlags) {
    b.dependOn(ZR);
    const [zr, sr] = [b.peek(ZR), b.peek(SR)];
    const wide = c.signExtend64(shifted.result, size);
    b.set(ZR, b.op('select.i64', zr, wide, kept));
    b.set(SR, zr === sr ? b.peek(ZR) : b.op('select.i64', sr, wide, kept));
    // AF after a shift is undefined, after a count of 0 it is kept: the old value serves both.
  }
  c.write(0, shifted.identity ? shifted.result : b.op(`select.${typeOf(size)}`, x, shifted.result, kept));
}

function bit(c: Lift, value: Node, size: Size): Node {
  const low = size === 8 ? c.b.op('i32.wrap_i64', value) : value;
  return c.b.op('i32.and', low, c.b.i32(1));
}

/** Bit number `at` (of the operand's type) of a value. */
export function bitAt(c: Lift, value: Node, at: Node, size: Size): Node {
  return bit(c, c.b.op(sized('shr_u', size), value, at), size);
}

const left: Operation = (c, x, count, size) => {
  const { b } = c;
  const narrow = size <= 2;
  const result = b.op(sized('shl', size), narrow ? c.zeroExtend(x, size) : x, count);
  const cf = narrow
    ? bitAt(c, result, b.i32(size * 8), size)
    : bitAt(c, x, b.op(sized('sub', size), c.constant(size * 8, size), count), size);
  return { result, cf, of: b.op('i32.xor', signBit(c, result, size), cf) };
};

const right: Operation = (c, x, count, size) => {
  const wide = c.zeroExtend(x, size);
  const result = c.b.op(sized('shr_u', size), wide, count);
  const cf = bitAt(c, wide, c.b.op(sized('sub', size), count, c.constant(1, size)), size);
  return { result, cf, of: signBit(c, x, size) };
};

const arithmeticRight: Operation = (c, x, count, size) => {
  const wide = c.signExtend(x, size);
  const result = c.b.op(sized('shr_s', size), wide, count);
  const before = c.b.op(sized('sub', size), count, c.constant(1, size));
  return { result, cf: bit(c, c.b.op(sized('shr_s', size), wide, before), size), of: c.b.i32(0) };
};

/** A byte or word is rotated in 32 bits filled with copies of it. */
function replicated(c: Lift, x: Node, size: Size): Node {
  if (size >= 4) return x;
  return c.b.op('i32.mul', c.zeroExtend(x, size), c.b.i32(size === 1 ? 0x0101_0101 : 0x0001_0001));
}

const rotateLeft: Operation = (c, x, count, size) => {
  const result = c.b.op(sized('rotl', size), replicated(c, x, size), count);
  const cf = bit(c, result, size);
  return { result, cf, of: c.b.op('i32.xor', signBit(c, result, size), cf) };
};

const rotateRight: Operation = (c, x, count, size) => {
  const result = c.b.op(sized('rotr', size), replicated(c, x, size), count);
  const cf = signBit(c, result, size);
  return { result, cf, of: c.b.op('i32.xor', cf, secondBit(c, result, size)) };
};

/** The bit below the highest. */
function secondBit(c: Lift, value: Node, size: Size): Node {
  return bitAt(c, value, c.constant(size * 8 - 2, size), size);
}

function shift(operation: Operation, resultFlags: boolean): Row {
  return (c) => {
    const size = c.size();
    const count = countOf(c, 1, size);
    const x = c.read(0);
    finishShift(c, x, size, count, { ...operation(c, x, count.raw, size), identity: true }, resultFlags);
  };
}

/**
 * Rotates through the carry: the carry is a bit above the operand. Operands below 8 bytes are rotated in 64 bits, 8-byte
 * operands in pieces; a count of 0 is dealt with by finishShift.
 */
function throughCarry(direction: 'left' | 'right'): Row {
  return (c) => {
    const { b } = c;
    const size = c.size();
    const count = carryCount(countOf(c, 1, size), size);
    const x = c.read(0);
    if (count.immediate === 0) {
      c.write(0, x);
      return;
    }
    const carry = b.get(CF);
    const rotate = size === 8 ? throughCarry64 : throughCarry32;
    const rotated = rotate(c, x, carry, count.node, size, direction);
    const of = b.op(
      'i32.xor',
      signBit(c, rotated.result, size),
      direction === 'left' ? rotated.cf : secondBit(c, rotated.result, size),
    );
    finishShift(c, x, size, count, { ...rotated, of }, false);
  };
}

/** Bytes and words rotate modulo 9 and 17: an immediate that is a multiple of it does nothing. */
function carryCount(count: Count, size: Size): Count {
  if (count.immediate === undefined || size >= 4) return count;
  return { ...count, immediate: count.immediate % (size * 8 + 1) };
}

type Rotated = Pick<Shifted, 'result' | 'cf'>;

function throughCarry32(
  c: Lift,
  x: Node,
  carry: Node,
  count: Node,
  size: Size,
  direction: 'left' | 'right',
): Rotated {
  const { b } = c;
  const width = size * 8 + 1;
  const reduced = b.op('i64.extend_i32_u', size === 4 ? count : b.op('i32.rem_u', count, b.i32(width)));
  const rest = b.op('i64.sub', b.i64(width), reduced);
  const [shl, shr] = direction === 'left' ? [reduced, rest] : [rest, reduced];
  const all = b.op(
    'i64.or',
    c.zeroExtend64(x, size),
    b.op('i64.shl', b.op('i64.extend_i32_u', carry), b.i64(size * 8)),
  );
  const rotated = b.op('i64.or', b.op('i64.shl', all, shl), b.op('i64.shr_u', all, shr));
  return {
    result: b.op('i32.wrap_i64', rotated),
    cf: bitAt(c, rotated, b.i64(size * 8), 8),
  };
}

function throughCarry64(
  c: Lift,
  x: Node,
  carry: Node,
  count: Node,
  _size: Size,
  direction: 'left' | 'right',
): Rotated {
  const { b } = c;
  const [towards, away] = direction === 'left' ? ['i64.shl', 'i64.shr_u'] : ['i64.shr_u', 'i64.shl'];
  const rest = b.op('i64.sub', b.i64(64), count);
  const before = b.op('i64.sub', count, b.i64(1));
  const wideCarry = b.op('i64.extend_i32_u', carry);
  const carried = b.op('i64.shl', wideCarry, direction === 'left' ? before : rest);
  // The bits that come in on the other side, shifted by 65 - count: in two steps, because that can be 64.
  const wrapped = b.op(away, b.op(away, x, b.i64(1)), rest);
  return {
    result: b.op('i64.or', b.op('i64.or', b.op(towards, x, count), carried), wrapped),
    cf: bitAt(c, x, direction === 'left' ? rest : before, 8),
  };
}

/** shld and shrd: operand 1 supplies the bits. Of 2-byte operands, counts above 16 have undefined results. */
function double(direction: 'left' | 'right'): Row {
  return (c) => {
    const { b } = c;
    const size = c.size();
    const count = countOf(c, 2, size);
    const x = c.read(0);
    const y = c.read(1);
    const width = c.constant(size * 8, size);
    const rest = b.op(sized('sub', size), width, count.node);
    const [towards, away] = direction === 'left' ? ['shl', 'shr_u'] : ['shr_u', 'shl'];
    const value = c.zeroExtend(x, size);
    const supply = c.zeroExtend(y, size);
    const result = b.op(
      sized('or', size),
      b.op(sized(towards, size), value, count.node),
      b.op(sized(away, size), supply, rest),
    );
    const out = direction === 'left' ? rest : b.op(sized('sub', size), count.node, c.constant(1, size));
    const cf = bitAt(c, value, out, size);
    const of = b.op('i32.xor', signBit(c, result, size), signBit(c, x, size));
    finishShift(c, x, size, count, { result, cf, of }, true);
  };
}

export const SHIFT_ROWS: Rows = [
  [Mnemonic.Shl, shift(left, true)],
  [Mnemonic.Sal, shift(left, true)],
  [Mnemonic.Shr, shift(right, true)],
  [Mnemonic.Sar, shift(arithmeticRight, true)],
  [Mnemonic.Rol, shift(rotateLeft, false)],
  [Mnemonic.Ror, shift(rotateRight, false)],
  [Mnemonic.Rcl, throughCarry('left')],
  [Mnemonic.Rcr, throughCarry('right')],
  [Mnemonic.Shld, double('left')],
  [Mnemonic.Shrd, double('right')],
];
