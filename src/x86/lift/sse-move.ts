import { Mnemonic } from 'iced-x86';
import type { Lift } from './context.ts';
import type { Row, Rows } from './row.ts';
import {
  alignedAddress,
  double,
  lane,
  packed,
  single,
  vectorOnly,
  withLane,
  zeroVector,
} from './sse-operands.ts';

/** Moves. A load into a register replaces all of it (rule 4: no source); between registers scalars merge. */

function aligned(c: Lift): void {
  if (c.isMemory(0)) c.b.store(alignedAddress(c), 16, c.readXmm(1));
  else c.writeXmm(0, packed(c, 1));
}

function unaligned(c: Lift): void {
  c.writeXmm(0, c.readXmm(1));
}

function moveDouble(c: Lift): void {
  if (c.isMemory(0)) c.storeAs(8, double(c, 1));
  else if (c.isMemory(1)) c.writeXmm(0, c.loadAs(8, 'v128'));
  else c.writeXmm(0, withLane(c, 'f64x2', c.readXmm(0), 0, double(c, 1)));
}

function moveSingle(c: Lift): void {
  if (c.isMemory(0)) c.storeAs(4, single(c, 1));
  else if (c.isMemory(1)) c.writeXmm(0, c.loadAs(4, 'v128'));
  else c.writeXmm(0, withLane(c, 'f32x4', c.readXmm(0), 0, single(c, 1)));
}

/** movlps, movlpd, movhps, movhpd: one half of a register from or to memory. */
function moveHalf(half: number): Row {
  return (c) => {
    if (c.isMemory(0)) c.storeAs(8, lane(c, 'f64x2', c.readXmm(1), half));
    else c.writeXmm(0, withLane(c, 'f64x2', c.readXmm(0), half, c.loadAs(8, 'f64')));
  };
}

/** movhlps and movlhps: a half of one register to the other half of another. */
function crossHalves(from: number, to: number): Row {
  return (c) => c.writeXmm(0, withLane(c, 'f64x2', c.readXmm(0), to, lane(c, 'f64x2', c.readXmm(1), from)));
}

const isVector = (c: Lift, operand: number): boolean =>
  c.isRegister(operand) && c.size(operand) === (16 as number);

/** movd and movq between vector and general registers or memory: the rest of the vector register becomes zero. */
function moveInteger(size: 4 | 8): Row {
  const shape = size === 4 ? 'i32x4' : 'i64x2';
  return (c) => {
    if (c.isMemory(1)) c.writeXmm(0, c.loadAs(size, 'v128'));
    else if (c.isMemory(0)) c.storeAs(size, lane(c, shape, c.readXmm(1), 0));
    else if (!isVector(c, 0)) c.write(0, lane(c, shape, c.readXmm(1), 0));
    else {
      const value = isVector(c, 1) ? lane(c, shape, c.readXmm(1), 0) : c.read(1);
      c.writeXmm(0, withLane(c, shape, zeroVector(c), 0, value));
    }
  };
}

const nonTemporalInteger: Row = (c) => c.write(0, c.read(1));

/** The sign bits of the lanes. */
function signs(shape: 'i8x16' | 'i32x4' | 'i64x2'): Row {
  return (c) => {
    const bits = c.b.op(`${shape}.bitmask`, c.readXmm(1));
    c.write(0, c.size(0) === 8 ? c.b.op('i64.extend_i32_u', bits) : bits);
  };
}

export const SSE_MOVE_ROWS: Rows = [
  [Mnemonic.Movaps, aligned],
  [Mnemonic.Movapd, aligned],
  [Mnemonic.Movdqa, aligned],
  [Mnemonic.Movntps, aligned],
  [Mnemonic.Movntpd, aligned],
  [Mnemonic.Movntdq, aligned],
  [Mnemonic.Movups, unaligned],
  [Mnemonic.Movupd, unaligned],
  [Mnemonic.Movdqu, unaligned],
  [Mnemonic.Movss, moveSingle],
  [Mnemonic.Movlps, moveHalf(0)],
  [Mnemonic.Movlpd, moveHalf(0)],
  [Mnemonic.Movhps, moveHalf(1)],
  [Mnemonic.Movhpd, moveHalf(1)],
  [Mnemonic.Movhlps, crossHalves(1, 0)],
  [Mnemonic.Movlhps, crossHalves(0, 1)],
  [Mnemonic.Movd, vectorOnly(moveInteger(4))],
  [Mnemonic.Movq, vectorOnly(moveInteger(8))],
  [Mnemonic.Movnti, nonTemporalInteger],
  [Mnemonic.Movmskps, signs('i32x4')],
  [Mnemonic.Movmskpd, signs('i64x2')],
  [Mnemonic.Pmovmskb, vectorOnly(signs('i8x16'))],
];

/** Shares its mnemonic with the string instruction `movsd`. */
export const moveScalarDouble: Row = moveDouble;
