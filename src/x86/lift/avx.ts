import { Mnemonic } from 'iced-x86';
import type { AccessSize, Node } from '../../ir/node.ts';
import { AR, CF, OF, SR, XMM, YMM_HIGH, ZR } from '../state.ts';
import type { Lift } from './context.ts';
import type { Row, Rows } from './row.ts';
import { lane, selector, shuffle, widened, withLane, zeroVector } from './sse-operands.ts';
import {
  type Encoding,
  eachHalf,
  lowPart,
  readVector,
  type Shape,
  type Vector,
  type VectorTable,
  vexRows,
  writeVector,
} from './vector-form.ts';

/** AVX and AVX2 instructions that no SSE instruction is like: across the halves, broadcasts, shifts by lanes. */

/** Reads nothing (rule 4). */
const zeroUpper: Row = (c) => {
  for (const high of YMM_HIGH) c.b.set(high, zeroVector(c));
};

const zeroAll: Row = (c) => {
  for (const half of [...XMM, ...YMM_HIGH]) c.b.set(half, zeroVector(c));
};

/** One half of an operand, 0 low: the other one is not read where the operand is a register. */
function readHalf(c: Lift, e: Encoding, operand: number, half: number): Node {
  if (c.isMemory(operand)) return readVector(c, e, operand)[half] as Node;
  return c.b.get(half === 0 ? c.xmm(operand) : c.ymmHigh(operand));
}

/** Shapes of one 128-bit lane, which the wide form has in both halves. */
const filled = (c: Lift, value: Node): Vector => (c.isWide(0) ? [value, value] : [value]);

/** vbroadcast and vpbroadcast: the source's lowest element everywhere. */
function broadcast(bytes: AccessSize): Shape {
  return (c, e) => {
    if (bytes < 4 && c.isMemory(1)) {
      const value = c.b.op(bytes === 1 ? 'i8x16.splat' : 'i16x8.splat', c.loadAs(bytes, 'i32'));
      return writeVector(c, e, 0, filled(c, value));
    }
    const x = lowPart(c, 1, bytes);
    const lanes = widened(Array(16 / bytes).fill(0), bytes);
    writeVector(c, e, 0, filled(c, bytes === 16 ? x : shuffle(c, lanes, x, x)));
  };
}

const extractHalf: Shape = (c, e) => {
  const value = readHalf(c, e, 1, selector(c, 2) & 1);
  if (c.isMemory(0)) c.storeAs(16, value);
  else writeVector(c, e, 0, [value]);
};

const insertHalf: Shape = (c, e) => {
  const which = selector(c, 3) & 1;
  const kept = readHalf(c, e, 1, 1 - which);
  const value = lowPart(c, 2, 16);
  writeVector(c, e, 0, which === 0 ? [value, kept] : [kept, value]);
};

/** Each half of the destination is one of four halves, or zero. */
const permuteHalves: Shape = (c, e) => {
  const select = selector(c, 3);
  const memory = c.isMemory(2) ? readVector(c, e, 2) : undefined;
  const chosen = (bits: number): Node => {
    if ((bits & 8) !== 0) return zeroVector(c);
    if ((bits & 2) === 0) return readHalf(c, e, 1, bits & 1);
    return memory === undefined ? readHalf(c, e, 2, bits & 1) : (memory[bits & 1] as Node);
  };
  writeVector(c, e, 0, [chosen(select), chosen(select >> 4)]);
};

/** vpermq and vpermpd: four times one of four lanes, named by two bits each. */
const permuteLanes: Shape = (c, e) => {
  const select = selector(c, 2);
  const lanes = [0, 1, 2, 3].map((i) => (select >> (2 * i)) & 3);
  const memory = c.isMemory(1) ? readVector(c, e, 1) : undefined;
  const half = (i: number) => memory?.[i] ?? readHalf(c, e, 1, i);
  const pair = ([x, y]: number[]) => {
    const [left, right] = [half(x >> 1), half(y >> 1)];
    return shuffle(c, widened([x & 1, 2 + (y & 1)], 8), left, right);
  };
  writeVector(c, e, 0, [pair(lanes.slice(0, 2)), pair(lanes.slice(2))]);
};

const splat32 = (c: Lift, value: bigint): Node => {
  const half = value | (value << 32n);
  return c.b.v128(half, half);
};

/** Byte numbers of the 32-bit lanes that the lowest bits of each lane of a vector name. */
function bytesOf(c: Lift, lanes: Node, mask: bigint): Node {
  const { b } = c;
  const numbers = b.op('v128.and', lanes, splat32(c, mask));
  return b.op('i32x4.add', b.op('i32x4.mul', numbers, splat32(c, 0x0404_0404n)), splat32(c, 0x0302_0100n));
}

/** vpermd and vpermps: lanes of the second source, named by the first. */
const permuteWords: Shape = (c, e) => {
  const { b } = c;
  const indices = readVector(c, e, 1);
  const [low, high] = readVector(c, e, 2) as readonly [Node, Node];
  writeVector(
    c,
    e,
    0,
    eachHalf(indices, (half) => {
      // swizzle gives 0 for numbers above 15: each half of the table answers for its own.
      const numbers = bytesOf(c, half, 7n);
      const above = b.op('i8x16.sub', numbers, splat32(c, 0x1010_1010n));
      return b.op('v128.or', b.op('i8x16.swizzle', low, numbers), b.op('i8x16.swizzle', high, above));
    }),
  );
};

const isImmediate = (c: Lift, operand: number): boolean => !c.isRegister(operand) && !c.isMemory(operand);

/** vpermilps: within 128 bits, lanes named by the immediate or by a vector. */
const permuteSingles: Shape = (c, e) => {
  const x = readVector(c, e, 1);
  if (isImmediate(c, 2)) {
    const select = selector(c, 2);
    const lanes = [0, 1, 2, 3].map((i) => (select >> (2 * i)) & 3);
    return writeVector(
      c,
      e,
      0,
      eachHalf(x, (half) => shuffle(c, widened(lanes, 4), half, half)),
    );
  }
  const control = readVector(c, e, 2);
  const swizzled = (half: Node, i: 0 | 1) =>
    c.b.op('i8x16.swizzle', half, bytesOf(c, control[i] as Node, 3n));
  writeVector(c, e, 0, eachHalf(x, swizzled));
};

/** vpermilpd: a bit for each lane, bit 1 of the lanes of a vector. */
const permuteDoubles: Shape = (c, e) => {
  const { b } = c;
  const x = readVector(c, e, 1);
  if (isImmediate(c, 2)) {
    const select = selector(c, 2);
    const lanes = (i: number) => widened([(select >> (2 * i)) & 1, (select >> (2 * i + 1)) & 1], 8);
    return writeVector(
      c,
      e,
      0,
      eachHalf(x, (half, i) => shuffle(c, lanes(i), half, half)),
    );
  }
  const control = readVector(c, e, 2);
  const both = (half: Node, which: number) => shuffle(c, widened([which, which], 8), half, half);
  const chosen = (half: Node, i: 0 | 1) => {
    const isUpper = b.op('i64x2.shr_s', b.op('i64x2.shl', control[i] as Node, b.i32(62)), b.i32(63));
    return b.op('v128.bitselect', both(half, 1), both(half, 0), isUpper);
  };
  writeVector(c, e, 0, eachHalf(x, chosen));
};

type Shift = 'shl' | 'shr_s' | 'shr_u';

/** Each lane by a count of its own: by too much gives 0, or copies of the sign. */
function shiftLanes(kind: Shift, shape: 'i32x4' | 'i64x2'): Shape {
  const [type, count, width] = shape === 'i32x4' ? (['i32', 4, 32] as const) : (['i64', 2, 64] as const);
  return (c, e) => {
    const { b } = c;
    const x = readVector(c, e, 1);
    const y = readVector(c, e, 2);
    const literal = (value: number) => (type === 'i32' ? b.i32(value) : b.i64(value));
    const shifted = (value: Node, by: Node) => {
      const big = b.op(`${type}.gt_u`, by, literal(width - 1));
      if (kind === 'shr_s')
        return b.op(`${type}.shr_s`, value, b.op(`select.${type}`, literal(width - 1), by, big));
      return b.op(`select.${type}`, literal(0), b.op(`${type}.${kind}`, value, by), big);
    };
    const lanes = (half: Node, i: 0 | 1) => {
      let result = half;
      for (let k = 0; k < count; k++) {
        const value = shifted(lane(c, shape, half, k), lane(c, shape, y[i] as Node, k));
        result = withLane(c, shape, result, k, value);
      }
      return result;
    };
    writeVector(c, e, 0, eachHalf(x, lanes));
  };
}

/** Lanes of the second source where the selector has a one. */
const blendWords: Shape = (c, e) => {
  const x = readVector(c, e, 1);
  const y = readVector(c, e, 2);
  const select = selector(c, 3);
  const lanes = (i: 0 | 1) =>
    widened(
      [0, 1, 2, 3].map((k) => k + 4 * ((select >> (4 * i + k)) & 1)),
      4,
    );
  writeVector(
    c,
    e,
    0,
    eachHalf(x, (half, i) => shuffle(c, lanes(i), half, y[i] as Node)),
  );
};

/** vtestps and vtestpd: ZF when no lane is negative in both operands, CF when none is in the second alone. */
function testSigns(shape: 'i32x4' | 'i64x2'): Shape {
  return (c, e) => {
    const { b } = c;
    const x = readVector(c, e, 0);
    const y = readVector(c, e, 1);
    const signs = (op: string) =>
      x
        .map((half, i) => b.op(`${shape}.bitmask`, b.op(op, y[i] as Node, half)))
        .reduce((all, half) => b.op('i32.or', all, half));
    b.set(ZR, b.op('i64.extend_i32_u', signs('v128.and')));
    b.set(CF, b.op('i32.eqz', signs('v128.andnot')));
    b.set(OF, b.i32(0));
    // Positive and of odd parity.
    b.set(SR, b.i64(1));
    b.set(AR, b.i32(0));
  };
}

/** Without the `v` that all have in front. */
const TABLE: VectorTable = [
  ['Broadcastss', broadcast(4)],
  ['Broadcastsd', broadcast(8)],
  ['Broadcastf128', broadcast(16)],
  ['Broadcasti128', broadcast(16)],
  ['Pbroadcastb', broadcast(1)],
  ['Pbroadcastw', broadcast(2)],
  ['Pbroadcastd', broadcast(4)],
  ['Pbroadcastq', broadcast(8)],
  ['Extractf128', extractHalf],
  ['Extracti128', extractHalf],
  ['Insertf128', insertHalf],
  ['Inserti128', insertHalf],
  ['Perm2f128', permuteHalves],
  ['Perm2i128', permuteHalves],
  ['Permq', permuteLanes],
  ['Permpd', permuteLanes],
  ['Permd', permuteWords],
  ['Permps', permuteWords],
  ['Permilps', permuteSingles],
  ['Permilpd', permuteDoubles],
  ['Psllvd', shiftLanes('shl', 'i32x4')],
  ['Psllvq', shiftLanes('shl', 'i64x2')],
  ['Psrlvd', shiftLanes('shr_u', 'i32x4')],
  ['Psrlvq', shiftLanes('shr_u', 'i64x2')],
  ['Psravd', shiftLanes('shr_s', 'i32x4')],
  ['Pblendd', blendWords],
  ['Testps', testSigns('i32x4')],
  ['Testpd', testSigns('i64x2')],
];

export const AVX_ONLY_ROWS: Rows = [
  [Mnemonic.Vzeroupper, zeroUpper],
  [Mnemonic.Vzeroall, zeroAll],
  ...vexRows(TABLE),
];
