import { Register, RegisterExt } from 'iced-x86';
import type { Node } from '../../ir/node.ts';
import { GPR } from '../state.ts';
import type { Lift } from './context.ts';
import type { Rows } from './row.ts';
import { lane, withLane, zeroVector } from './sse-operands.ts';
import {
  type Encoding,
  eachHalf,
  readVector,
  type Shape,
  type Vector,
  vexRows,
  writeVector,
} from './vector-form.ts';

/**
 * Memory by lanes: masked moves and gathers. A lane is accessed where the mask's lane is negative, by itself; what is masked
 * off is not accessed (rule 4).
 */
type Bytes = 4 | 8;

const SHAPES = { 4: 'i32x4', 8: 'i64x2' } as const;
const TYPES = { 4: 'i32', 8: 'i64' } as const;

/** For each lane not 0 where it is accessed. */
function conditions(c: Lift, mask: Vector, bytes: Bytes): Node[] {
  const count = 16 / bytes;
  return mask.flatMap((half) => {
    const bits = c.b.op(`${SHAPES[bytes]}.bitmask`, half);
    return Array.from({ length: count }, (_, i) => c.b.op('i32.and', bits, c.b.i32(1 << i)));
  });
}

const laneOf = (c: Lift, vector: Vector, bytes: Bytes, i: number): Node =>
  lane(c, SHAPES[bytes], vector[Math.floor((bytes * i) / 16)] as Node, i % (16 / bytes));

/** Vectors of lanes from the lowest on; lanes that are none are 0. */
function vectorOf(c: Lift, lanes: readonly Node[], bytes: Bytes, halves: number): Vector {
  const count = 16 / bytes;
  const half = (from: number) =>
    lanes
      .slice(from, from + count)
      .reduce((all, value, i) => withLane(c, SHAPES[bytes], all, i, value), zeroVector(c));
  return halves === 1 ? [half(0)] : [half(0), half(count)];
}

function loadMasked(c: Lift, e: Encoding, bytes: Bytes): void {
  const address = c.address();
  const mask = readVector(c, e, 1);
  const lanes = conditions(c, mask, bytes).map((condition, i) =>
    c.b.loadWhen(condition, offset(c, address, bytes * i), bytes, TYPES[bytes]),
  );
  writeVector(c, e, 0, vectorOf(c, lanes, bytes, mask.length));
}

function storeMasked(c: Lift, e: Encoding, bytes: Bytes): void {
  const address = c.address();
  const mask = readVector(c, e, 1);
  const value = readVector(c, e, 2);
  conditions(c, mask, bytes).forEach((selected, i) => {
    c.b.storeWhen(selected, offset(c, address, bytes * i), bytes, laneOf(c, value, bytes, i));
  });
}

const offset = (c: Lift, address: Node, by: number): Node =>
  by === 0 ? address : c.b.op('i64.add', address, c.b.i64(by));

const masked =
  (bytes: Bytes): Shape =>
  (c, e) =>
    c.isMemory(0) ? storeMasked(c, e, bytes) : loadMasked(c, e, bytes);

/** The address of a lane: of the vector index, sign-extended. */
function laneAddress(c: Lift, index: Node): Node {
  const { b, instruction: i } = c;
  const scaled = b.op('i64.shl', index, b.i64(Math.log2(i.memoryIndexScale)));
  const base = i.memoryBase;
  const hasBase = base !== Register.None;
  const sum = hasBase ? b.op('i64.add', b.get(GPR[RegisterExt.number(base)]), scaled) : scaled;
  const address = b.op('i64.add', sum, b.i64(i.memoryDisplacement));
  const isNarrow = hasBase && RegisterExt.size(base) === 4;
  return c.inSegment(isNarrow ? b.op('i64.and', address, b.i64(0xffff_ffffn)) : address);
}

/** A gather also clears its mask; the processor refuses two operands in one register. */
function gather(indexBytes: Bytes, bytes: Bytes): Shape {
  return (c, e) => {
    const { b, instruction } = c;
    const index = instruction.memoryIndex;
    const number = (register: Register) => RegisterExt.number(register);
    const [destination, mask] = [0, 2].map((operand) => number(instruction.opRegister(operand)));
    if (destination === mask || number(index) === destination || number(index) === mask)
      return c.fault('invalid-opcode');
    const indexHalves = index >= Register.YMM0 ? 2 : 1;
    const width = c.isWide(0) ? 2 : 1;
    const count = Math.min((16 * width) / bytes, (16 * indexHalves) / indexBytes);
    const old = readVector(c, e, 0);
    const selected = conditions(c, readVector(c, e, 2), bytes).slice(0, count);
    const indices = c.vectorIndex(indexHalves);
    const lanes = selected.map((condition, i) => {
      const value = laneOf(c, indices, indexBytes, i);
      const address = laneAddress(c, indexBytes === 4 ? b.op('i64.extend_i32_s', value) : value);
      const loaded = b.loadWhen(condition, address, bytes, TYPES[bytes]);
      return b.op(`select.${TYPES[bytes]}`, loaded, laneOf(c, old, bytes, i), condition);
    });
    writeVector(
      c,
      e,
      2,
      eachHalf(old, () => zeroVector(c)),
    );
    writeVector(c, e, 0, vectorOf(c, lanes, bytes, width));
  };
}

export const AVX_MEMORY_ROWS: Rows = vexRows([
  ['Maskmovps', masked(4)],
  ['Maskmovpd', masked(8)],
  ['Pmaskmovd', masked(4)],
  ['Pmaskmovq', masked(8)],
  ['Pgatherdd', gather(4, 4)],
  ['Pgatherdq', gather(4, 8)],
  ['Pgatherqd', gather(8, 4)],
  ['Pgatherqq', gather(8, 8)],
  ['Gatherdps', gather(4, 4)],
  ['Gatherdpd', gather(4, 8)],
  ['Gatherqps', gather(8, 4)],
  ['Gatherqpd', gather(8, 8)],
]);
