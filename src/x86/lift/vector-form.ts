import type { Mnemonic } from 'iced-x86';
import type { AccessSize, Node } from '../../ir/node.ts';
import { mnemonicCalled } from '../iced-names.ts';
import { MXCSR } from '../state.ts';
import type { Lift } from './context.ts';
import { readMmxVector, writeMmx } from './mmx-registers.ts';
import type { Rows } from './row.ts';
import { alignedAddress, lane, selector, VECTOR_LANES, withLane, zeroVector } from './sse-operands.ts';

/**
 * One semantics for all encodings of a vector instruction.
 *
 *            addps xmm1, xmm2            xmm1 = f(xmm1, xmm2); memory must be aligned; the high half stays
 *     VEX.128 vaddps xmm1, xmm2, xmm3    xmm1 = f(xmm2, xmm3); memory as it comes; the high half becomes 0
 *     VEX.256 vaddps ymm1, ymm2, ymm3    the same f on low and high halves
 *
 * A table lists stems (`Addps`) with shapes; a shape says which operands a function on 128-bit values gets and where its
 * result goes, in terms of the encoding. `legacyRows` and `vexRows` derive the rows of both mnemonics from it.
 */
export interface Encoding {
  readonly isVex: boolean;
  /** Operand number of the first source, which legacy instructions share with the destination, and of the second. */
  readonly first: number;
  readonly second: number;
  /** Of forms on MMX registers; see mmx.ts. */
  readonly mmx?: {
    /** What every operand is read as, in place of itself. */
    readonly operand?: Node;
    /** The half of the result that is written. */
    readonly half: 0 | 1;
  };
}

const LEGACY: Encoding = { isVex: false, first: 0, second: 1 };
const VEX: Encoding = { isVex: true, first: 1, second: 2 };

export type Shape = (c: Lift, e: Encoding) => void;

export type VectorTable = readonly (readonly [stem: string, shape: Shape])[];

export function mnemonicOf(name: string): Mnemonic {
  const mnemonic = mnemonicCalled(name);
  if (mnemonic === undefined) throw new Error(`there is no mnemonic ${name}`);
  return mnemonic;
}

/** Rows of the encodings without VEX prefix. */
export function legacyRows(table: VectorTable): Rows {
  return table.map(([stem, shape]) => [mnemonicOf(stem), (c) => shape(c, LEGACY)]);
}

/** Rows of the VEX encodings, whose mnemonics have a `v` in front. */
export function vexRows(table: VectorTable): Rows {
  return table.map(([stem, shape]) => [mnemonicOf(`V${stem.toLowerCase()}`), (c) => shape(c, VEX)]);
}

// --- operands

/** A vector operand: 128 bits, or the low and the high half of 256. */
export type Vector = readonly [Node] | readonly [Node, Node];

export const eachHalf = ([low, high]: Vector, compute: (half: Node, index: 0 | 1) => Node): Vector =>
  high === undefined ? [compute(low, 0)] : [compute(low, 0), compute(high, 1)];

/** A register or memory operand in all its width. */
export function readVector(c: Lift, e: Encoding, operand: number): Vector {
  if (e.mmx !== undefined) return [packed(c, e, operand)];
  if (c.isMemory(operand)) return c.isWide(operand) ? c.b.loadPair(c.address()) : [packed(c, e, operand)];
  const low = c.b.get(c.xmm(operand));
  return c.isWide(operand) ? [low, c.b.get(c.ymmHigh(operand))] : [low];
}

/** Writes a register; what VEX instructions do not give becomes zero, others leave it. */
export function writeVector(c: Lift, e: Encoding, operand: number, [low, high]: Vector): void {
  if (e.mmx !== undefined) return writeMmx(c, operand, lane(c, 'i64x2', low, e.mmx.half));
  c.b.set(c.xmm(operand), low);
  if (e.isVex) c.b.set(c.ymmHigh(operand), high ?? zeroVector(c));
}

/** 128 bits: a register, or 16 bytes of memory, which must be aligned without VEX (SDM volume 1, 14.9). */
export function packed(c: Lift, e: Encoding, operand: number): Node {
  if (e.mmx !== undefined) return e.mmx.operand ?? readMmxVector(c, operand);
  if (!c.isMemory(operand)) return c.b.get(c.xmm(operand));
  return c.b.load(e.isVex ? c.address() : alignedAddress(c), 16, 'v128');
}

/** A register, or `size` bytes of memory with zeros above them. */
export function lowPart(c: Lift, operand: number, size: AccessSize): Node {
  return c.isMemory(operand) ? c.loadAs(size, 'v128') : c.b.get(c.xmm(operand));
}

// --- shapes

/** On 128 bits: the high half of 256 has index 1, which matters to instructions with selector bits of its own. */
type Unary = (c: Lift, x: Node, half: 0 | 1) => Node;
type Binary = (c: Lift, x: Node, y: Node, half: 0 | 1) => Node;
type Selected<T extends unknown[]> = (c: Lift, ...args: [...T, select: number, half: 0 | 1]) => Node;

/** A shape whose result, or whose raising of exceptions, MXCSR's control bits govern (rule 3). */
export function governed(shape: Shape): Shape {
  return (c, e) => {
    c.b.dependOn(MXCSR);
    shape(c, e);
  };
}

/** destination = f(first, second) */
export function binary(compute: Binary): Shape {
  return (c, e) => combine(c, e, compute);
}

/** destination = f(first, second, immediate) */
export function binarySelected(compute: Selected<[Node, Node]>): Shape {
  return (c, e) => {
    const select = selector(c, e.second + 1);
    combine(c, e, (_, x, y, half) => compute(c, x, y, select, half));
  };
}

function combine(c: Lift, e: Encoding, compute: Binary): void {
  const x = readVector(c, e, e.first);
  const y = readVector(c, e, e.second);
  writeVector(
    c,
    e,
    0,
    eachHalf(x, (half, i) => compute(c, half, y[i] as Node, i)),
  );
}

/** The idioms of rule 4 on one register: the value is known and nothing is read. */
export function idiom(same: (c: Lift) => Node, shape: Shape): Shape {
  return (c, e) => {
    if (!c.sameRegister(e.first, e.second)) return shape(c, e);
    const value = same(c);
    writeVector(c, e, 0, c.isWide(0) ? [value, value] : [value]);
  };
}

/** destination = f(source) */
export function unary(compute: Unary): Shape {
  return (c, e) =>
    writeVector(
      c,
      e,
      0,
      eachHalf(readVector(c, e, 1), (half, i) => compute(c, half, i)),
    );
}

/** destination = f(source, immediate) */
export function unarySelected(compute: Selected<[Node]>): Shape {
  return (c, e) => {
    const x = readVector(c, e, 1);
    const select = selector(c, 2);
    writeVector(
      c,
      e,
      0,
      eachHalf(x, (half, i) => compute(c, half, select, i)),
    );
  };
}

type Scalar = keyof typeof VECTOR_LANES;

/** A scalar operand as a float. */
export function scalarOperand(c: Lift, operand: number, type: Scalar): Node {
  if (c.isMemory(operand)) return type === 'f32' ? c.loadAs(4, 'f32') : c.loadAs(8, 'f64');
  return lane(c, VECTOR_LANES[type], c.b.get(c.xmm(operand)), 0);
}

/** Writes the lowest lane; the others are those of the first source, which is therefore read (rule 4). */
export function writeLow(c: Lift, e: Encoding, type: Scalar, value: Node): void {
  writeVector(c, e, 0, [withLane(c, VECTOR_LANES[type], c.b.get(c.xmm(e.first)), 0, value)]);
}

/** destination's lowest lane = f(first's, second's); the rest is first's. */
export function scalarBinary(type: Scalar, compute: (c: Lift, x: Node, y: Node) => Node): Shape {
  return (c, e) => {
    const x = scalarOperand(c, e.first, type);
    writeLow(c, e, type, compute(c, x, scalarOperand(c, e.second, type)));
  };
}

/** destination's lowest lane = f(second's); the rest is first's. `from` is the operand's type where it is another. */
export function scalarUnary(type: Scalar, compute: (c: Lift, x: Node) => Node, from = type): Shape {
  return (c, e) => writeLow(c, e, type, compute(c, scalarOperand(c, e.second, from)));
}

const SCALAR_BYTES = { f32: 4, f64: 8 } as const;

/** As `scalarBinary`, of a function on vectors of which the lowest lane counts. */
export function lowest(type: Scalar, compute: Binary): Shape {
  return (c, e) => {
    const x = c.b.get(c.xmm(e.first));
    const value = compute(c, x, lowPart(c, e.second, SCALAR_BYTES[type]), 0);
    writeLow(c, e, type, lane(c, VECTOR_LANES[type], value, 0));
  };
}
