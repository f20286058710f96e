import type { Node } from '../../ir/node.ts';
import { XMM } from '../state.ts';
import { aligned } from './sse-move.ts';
import { lane, selector, shuffle, withLane, zeroVector } from './sse-operands.ts';
import {
  binarySelected,
  lowPart,
  readVector,
  type Shape,
  type Vector,
  type VectorTable,
  writeVector,
} from './vector-form.ts';

/** SSE4.1: choosing, taking out and putting in lanes. */

/** Lanes of the second operand where the selector has a one; of 256 bits the high half has the next bits. */
function blend(bytes: 2 | 4 | 8): Shape {
  const count = 16 / bytes;
  return binarySelected((c, x, y, select, half) => {
    const bits = bytes === 2 ? select : select >> (count * half);
    const lanes = Array.from({ length: 16 }, (_, i) => i + 16 * ((bits >> Math.floor(i / bytes)) & 1));
    return shuffle(c, lanes, x, y);
  });
}

/** Lanes of the second operand where those of the mask are negative. The mask is xmm0, with VEX an operand. */
function blendByMask(shape: string, bits: number): Shape {
  return (c, e) => {
    const { b } = c;
    const [x, y] = [readVector(c, e, e.first), readVector(c, e, e.second)];
    const masks = e.isVex ? readVector(c, e, 3) : ([b.get(XMM[0])] as const);
    const chosen = masks.map((mask, i) => {
      const negative = b.op(`${shape}.shr_s`, mask, b.i32(bits - 1));
      return b.op('v128.bitselect', y[i] as Node, x[i] as Node, negative);
    });
    writeVector(c, e, 0, chosen as unknown as Vector);
  };
}

/** pextr: a lane to a general register, widened with zeros, or to memory. */
function extract(bytes: 1 | 4 | 8): Shape {
  return (c) => {
    const { b } = c;
    const which = selector(c, 2) & (16 / bytes - 1);
    const vector = b.get(c.xmm(1));
    const value =
      bytes === 1
        ? b.opImm('i8x16.extract_lane_u', which, vector)
        : lane(c, bytes === 4 ? 'i32x4' : 'i64x2', vector, which);
    if (c.isMemory(0)) c.storeAs(bytes, value);
    else c.write(0, c.size(0) === 8 && bytes < 8 ? b.op('i64.extend_i32_u', value) : value);
  };
}

/** pinsr: a general register's low part or memory to a lane. */
function insert(bytes: 1 | 4 | 8): Shape {
  return (c, e) => {
    const { b } = c;
    const which = selector(c, e.second + 1) & (16 / bytes - 1);
    const x = b.get(c.xmm(e.first));
    const type = bytes === 8 ? 'i64' : 'i32';
    const source = c.isMemory(e.second) ? c.loadAs(bytes, type) : c.read(e.second);
    const value = source.type === type ? source : b.op('i32.wrap_i64', source);
    const shape = { 1: 'i8x16', 4: 'i32x4', 8: 'i64x2' }[bytes];
    writeVector(c, e, 0, [b.opImm(`${shape}.replace_lane`, which, x, value)]);
  };
}

/** insertps: one lane to another; bits 0 to 3 clear lanes. Memory is one lane, whatever lane the selector names. */
const insertSingle: Shape = (c, e) => {
  const select = selector(c, e.second + 1);
  const x = c.b.get(c.xmm(e.first));
  const y = lowPart(c, e.second, 4);
  const from = c.isMemory(e.second) ? 0 : select >> 6;
  const inserted = withLane(c, 'i32x4', x, (select >> 4) & 3, lane(c, 'i32x4', y, from));
  const lanes = Array.from({ length: 16 }, (_, i) => ((select >> (i >> 2)) & 1 ? 16 : i));
  writeVector(c, e, 0, [shuffle(c, lanes, inserted, zeroVector(c))]);
};

export const SSE41_LANES: VectorTable = [
  ['Pblendw', blend(2)],
  ['Blendps', blend(4)],
  ['Blendpd', blend(8)],
  ['Pblendvb', blendByMask('i8x16', 8)],
  ['Blendvps', blendByMask('i32x4', 32)],
  ['Blendvpd', blendByMask('i64x2', 64)],
  ['Pextrb', extract(1)],
  ['Pextrd', extract(4)],
  ['Pextrq', extract(8)],
  ['Extractps', extract(4)],
  ['Pinsrb', insert(1)],
  ['Pinsrd', insert(4)],
  ['Pinsrq', insert(8)],
  ['Insertps', insertSingle],
  ['Movntdqa', aligned],
];
