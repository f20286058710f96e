import type { Node } from '../../ir/node.ts';
import type { Lift } from './context.ts';
import { alignedAddress, lane, withLane, zeroVector } from './sse-operands.ts';
import {
  binary,
  type Encoding,
  readVector,
  type Shape,
  scalarOperand,
  type Vector,
  type VectorTable,
  writeLow,
  writeVector,
} from './vector-form.ts';

/** Moves. A load into a register replaces all of it (rule 4: no source); between registers scalars merge. */

function move(c: Lift, e: Encoding, isAligned: boolean): void {
  if (!c.isMemory(0) && !c.isMemory(1)) return writeVector(c, e, 0, readVector(c, e, 1));
  const address = isAligned ? alignedAddress(c) : c.address();
  if (c.isMemory(1)) return writeVector(c, e, 0, loaded(c, address));
  const [low, high] = readVector(c, e, 1);
  if (high === undefined) c.b.store(address, 16, low);
  else c.b.storePair(address, [low, high]);
}

const loaded = (c: Lift, address: Node): Vector =>
  c.isWide(1) ? c.b.loadPair(address) : [c.b.load(address, 16, 'v128')];

/** In all encodings. */
export const aligned: Shape = (c, e) => move(c, e, true);
const unaligned: Shape = (c, e) => move(c, e, false);

/** movss and movsd: between registers VEX encodings have three operands. */
function moveScalar(type: 'f32' | 'f64'): Shape {
  const size = type === 'f32' ? 4 : 8;
  return (c, e) => {
    if (c.isMemory(0)) c.storeAs(size, scalarOperand(c, 1, type));
    else if (c.isMemory(1)) writeVector(c, e, 0, [c.loadAs(size, 'v128')]);
    else writeLow(c, e, type, scalarOperand(c, e.second, type));
  };
}

/** movlps, movlpd, movhps, movhpd: one half of a register from or to memory. */
function moveHalf(half: number): Shape {
  return (c, e) => {
    if (c.isMemory(0)) return c.storeAs(8, lane(c, 'f64x2', c.readXmm(1), half));
    const x = c.readXmm(e.first);
    writeVector(c, e, 0, [withLane(c, 'f64x2', x, half, c.loadAs(8, 'f64'))]);
  };
}

/** movhlps and movlhps: a half of one register to the other half of another. */
const crossHalves = (from: number, to: number): Shape =>
  binary((c, x, y) => withLane(c, 'f64x2', x, to, lane(c, 'f64x2', y, from)));

const isVector = (c: Lift, operand: number): boolean =>
  c.isRegister(operand) && c.size(operand) === (16 as number);

/** movd and movq between vector and general registers or memory: the rest of the vector register becomes zero. */
function moveInteger(size: 4 | 8): Shape {
  const shape = size === 4 ? 'i32x4' : 'i64x2';
  return (c, e) => {
    if (c.isMemory(1)) writeVector(c, e, 0, [c.loadAs(size, 'v128')]);
    else if (c.isMemory(0)) c.storeAs(size, lane(c, shape, c.readXmm(1), 0));
    else if (!isVector(c, 0)) c.write(0, lane(c, shape, c.readXmm(1), 0));
    else {
      const value = isVector(c, 1) ? lane(c, shape, c.readXmm(1), 0) : c.read(1);
      writeVector(c, e, 0, [withLane(c, shape, zeroVector(c), 0, value)]);
    }
  };
}

/** The sign bits of the lanes. */
function signs(shape: 'i8x16' | 'i32x4' | 'i64x2'): Shape {
  const count = Number(shape.split('x')[1]);
  return (c, e) => {
    const [low, high] = readVector(c, e, 1).map((half) => c.b.op(`${shape}.bitmask`, half));
    const bits = high === undefined ? low : c.b.op('i32.or', low, c.b.op('i32.shl', high, c.b.i32(count)));
    c.write(0, c.size(0) === 8 ? c.b.op('i64.extend_i32_u', bits) : bits);
  };
}

export const SSE_MOVE: VectorTable = [
  ['Movaps', aligned],
  ['Movapd', aligned],
  ['Movdqa', aligned],
  ['Movntps', aligned],
  ['Movntpd', aligned],
  ['Movntdq', aligned],
  ['Movups', unaligned],
  ['Movupd', unaligned],
  ['Movdqu', unaligned],
  ['Lddqu', unaligned],
  ['Movss', moveScalar('f32')],
  ['Movsd', moveScalar('f64')],
  ['Movlps', moveHalf(0)],
  ['Movlpd', moveHalf(0)],
  ['Movhps', moveHalf(1)],
  ['Movhpd', moveHalf(1)],
  ['Movhlps', crossHalves(1, 0)],
  ['Movlhps', crossHalves(0, 1)],
  ['Movd', moveInteger(4)],
  ['Movq', moveInteger(8)],
  ['Movmskps', signs('i32x4')],
  ['Movmskpd', signs('i64x2')],
  ['Pmovmskb', signs('i8x16')],
];
