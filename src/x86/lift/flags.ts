import type { Node } from '../../ir/node.ts';
import { AR, CF, OF, SR, ZR } from '../state.ts';
import { type Lift, type Size, sized, typeOf } from './context.ts';

/**
 * Setting the arithmetic flags from operands and result (SDM volume 1, section 3.4.3.1, and appendix A).
 * AF is the carry into bit 4, which is bit 4 of x ^ y ^ result for additions and subtractions of any kind.
 */

/** SF, ZF and PF of a result, and AF. They are one location. */
export function setResultFlags(c: Lift, result: Node, size: Size, ar: Node): void {
  const wide = c.signExtend64(result, size);
  c.b.set(ZR, wide);
  c.b.set(SR, wide);
  c.b.set(AR, ar);
}

/** Flags of and, or, xor, test: carry and overflow cleared; AF is undefined (and cleared by the processors we know). */
export function setLogicFlags(c: Lift, result: Node, size: Size): void {
  c.b.set(CF, c.b.i32(0));
  c.b.set(OF, c.b.i32(0));
  setResultFlags(c, result, size, c.b.i32(0));
  noteComparison(c, result, c.constant(0, size), size);
}

/** From now on conditions compare the values, as long as the flags stay. */
function noteComparison(c: Lift, x: Node, y: Node, size: Size): void {
  c.comparison = { x, y, size, cf: c.b.peek(CF), of: c.b.peek(OF), zr: c.b.peek(ZR) };
}

/** Flags of x + y (+ carryIn) = result. */
export function setAddFlags(c: Lift, x: Node, y: Node, result: Node, size: Size, carryIn?: Node): void {
  c.b.set(CF, carryOfAdd(c, x, y, result, size, carryIn));
  c.b.set(OF, overflowOfAdd(c, x, y, result, size));
  setResultFlags(c, result, size, adjust(c, x, y, result, size));
}

/** Flags of x - y (- borrowIn) = result. */
export function setSubtractFlags(c: Lift, x: Node, y: Node, result: Node, size: Size, borrowIn?: Node): void {
  c.b.set(CF, borrowOfSubtract(c, x, y, size, borrowIn));
  c.b.set(OF, overflowOfSubtract(c, x, y, result, size));
  setResultFlags(c, result, size, adjust(c, x, y, result, size));
  if (borrowIn === undefined) noteComparison(c, x, y, size);
}

export function carryOfAdd(
  c: Lift,
  x: Node,
  y: Node,
  result: Node,
  size: Size,
  carryIn: Node | undefined,
): Node {
  const { b } = c;
  if (size <= 2) {
    const sum = b.op('i32.add', c.zeroExtend(x, size), c.zeroExtend(y, size));
    return b.op('i32.shr_u', carryIn === undefined ? sum : b.op('i32.add', sum, carryIn), b.i32(size * 8));
  }
  const wrapped = b.op(sized('lt_u', size), result, x);
  return carryIn === undefined
    ? wrapped
    : b.op('i32.or', wrapped, b.op('i32.and', b.op(sized('eq', size), result, x), carryIn));
}

function borrowOfSubtract(c: Lift, x: Node, y: Node, size: Size, borrowIn: Node | undefined): Node {
  const { b } = c;
  const left = c.zeroExtend(x, size);
  const right = c.zeroExtend(y, size);
  const below = b.op(sized('lt_u', size), left, right);
  return borrowIn === undefined
    ? below
    : b.op('i32.or', below, b.op('i32.and', b.op(sized('eq', size), left, right), borrowIn));
}

/** Overflow: the operands have one sign and the result the other. */
export function overflowOfAdd(c: Lift, x: Node, y: Node, result: Node, size: Size): Node {
  const xor = sized('xor', size);
  return signBit(c, c.b.op(sized('and', size), c.b.op(xor, x, result), c.b.op(xor, y, result)), size);
}

/** Overflow: the operands differ in sign and the result has not the sign of the first. */
export function overflowOfSubtract(c: Lift, x: Node, y: Node, result: Node, size: Size): Node {
  const xor = sized('xor', size);
  return signBit(c, c.b.op(sized('and', size), c.b.op(xor, x, y), c.b.op(xor, x, result)), size);
}

/** The highest bit of a value of a size: 0 or 1. */
export function signBit(c: Lift, value: Node, size: Size): Node {
  const { b } = c;
  if (size === 8) return b.op('i32.wrap_i64', b.op('i64.shr_u', value, b.i64(63)));
  const shifted = b.op('i32.shr_u', value, b.i32(size * 8 - 1));
  return size === 4 ? shifted : b.op('i32.and', shifted, b.i32(1));
}

export function adjust(c: Lift, x: Node, y: Node, result: Node, size: Size): Node {
  const xor = `${typeOf(size)}.xor`;
  const bits = c.b.op(xor, c.b.op(xor, x, y), result);
  return size === 8 ? c.b.op('i32.wrap_i64', bits) : bits;
}
