import type { Node } from '../../ir/node.ts';
import type { Lift } from './context.ts';
import { lane, onesVector, selector, shuffle, widened, zeroVector } from './sse-operands.ts';
import {
  binary,
  eachHalf,
  idiom,
  packed,
  readVector,
  type Shape,
  type VectorTable,
  writeVector,
} from './vector-form.ts';

/** Integer arithmetic of SSE2 on vector registers. */

const plain = (op: string): Shape => binary((c, x, y) => c.b.op(op, x, y));
const orZero = (op: string): Shape => idiom(zeroVector, plain(op));
const orOnes = (op: string): Shape => idiom(onesVector, plain(op));
const andNot = idiom(
  zeroVector,
  binary((c, x, y) => c.b.op('v128.andnot', y, x)),
);

/** Upper halves of the 32-bit products of 16-bit lanes. */
function highProduct(sign: 's' | 'u'): Shape {
  const upper = widened([1, 3, 5, 7, 9, 11, 13, 15], 2);
  return binary((c, x, y) => {
    const product = (half: string) => c.b.op(`i32x4.extmul_${half}_i16x8_${sign}`, x, y);
    return shuffle(c, upper, product('low'), product('high'));
  });
}

/** Products of the even 32-bit lanes. */
const evenProduct: Shape = binary((c, x, y) => {
  const even = (v: Node) => c.b.op('v128.and', v, c.b.v128(0xffff_ffffn, 0xffff_ffffn));
  return c.b.op('i64x2.mul', even(x), even(y));
});

/** Sums of the absolute differences of eight bytes each. */
const absoluteDifferences: Shape = binary((c, x, y) => {
  const { b } = c;
  const difference = b.op('v128.or', b.op('i8x16.sub_sat_u', x, y), b.op('i8x16.sub_sat_u', y, x));
  const fours = b.op('i32x4.extadd_pairwise_i16x8_u', b.op('i16x8.extadd_pairwise_i8x16_u', difference));
  const low = b.op('v128.and', fours, b.v128(0xffff_ffffn, 0xffff_ffffn));
  return b.op('i64x2.add', low, b.op('i64x2.shr_u', fours, b.i32(32)));
});

type Lanes = 'i16x8' | 'i32x4' | 'i64x2';
const BITS = { i16x8: 16, i32x4: 32, i64x2: 64 } as const;

/**
 * Shifts of all lanes by one count: an immediate, or the low 64 bits of a vector of 128. Counts of the lane's width and
 * more give 0, or copies of the sign.
 */
function shift(kind: 'shl' | 'shr_s' | 'shr_u', lanes: Lanes): Shape {
  const op = `${lanes}.${kind}`;
  return (c, e) => {
    const { b } = c;
    if (!c.isRegister(e.second) && !c.isMemory(e.second)) {
      const count = selector(c, e.second);
      const x = readVector(c, e, e.first);
      return writeVector(
        c,
        e,
        0,
        eachHalf(x, (half) => shiftedBy(c, kind, lanes, half, count)),
      );
    }
    const x = readVector(c, e, e.first);
    const wide = lane(c, 'i64x2', packed(c, e, e.second), 0);
    const count = b.op('i32.wrap_i64', wide);
    const big = b.op('i64.gt_u', wide, b.i64(BITS[lanes] - 1));
    const shifted = (half: Node) =>
      kind === 'shr_s'
        ? b.op(op, half, b.op('select.i32', b.i32(BITS[lanes] - 1), count, big))
        : b.op('select.v128', zeroVector(c), b.op(op, half, count), big);
    writeVector(c, e, 0, eachHalf(x, shifted));
  };
}

function shiftedBy(c: Lift, kind: string, lanes: Lanes, x: Node, count: number): Node {
  const width = BITS[lanes];
  if (kind === 'shr_s') return c.b.op(`${lanes}.${kind}`, x, c.b.i32(Math.min(count, width - 1)));
  return count < width ? c.b.op(`${lanes}.${kind}`, x, c.b.i32(count)) : zeroVector(c);
}

/** pslldq and psrldq: by bytes, across the lanes of 128 bits. */
function byteShift(direction: 1 | -1): Shape {
  return (c, e) => {
    const count = Math.min(selector(c, e.second), 16);
    const lanes = Array.from({ length: 16 }, (_, i) => {
      const from = i - direction * count;
      return from >= 0 && from < 16 ? from : 16;
    });
    const shifted = (x: Node) => (count === 16 ? zeroVector(c) : shuffle(c, lanes, x, zeroVector(c)));
    writeVector(c, e, 0, eachHalf(readVector(c, e, e.first), shifted));
  };
}

const insertWord: Shape = (c, e) => {
  const x = c.b.get(c.xmm(e.first));
  const source = c.isMemory(e.second) ? c.loadAs(2, 'i32') : c.read(e.second);
  // With a REX.W prefix the register is one of 64 bits.
  const word = source.type === 'i64' ? c.b.op('i32.wrap_i64', source) : source;
  writeVector(c, e, 0, [c.b.opImm('i16x8.replace_lane', selector(c, e.second + 1) & 7, x, word)]);
};

const extractWord: Shape = (c) => {
  const word = c.b.opImm('i16x8.extract_lane_u', selector(c, 2) & 7, c.readXmm(1));
  // To memory since SSE4.1.
  if (c.isMemory(0)) c.storeAs(2, word);
  else c.write(0, c.size(0) === 8 ? c.b.op('i64.extend_i32_u', word) : word);
};

export const SSE_INTEGER: VectorTable = [
  ['Paddb', plain('i8x16.add')],
  ['Paddw', plain('i16x8.add')],
  ['Paddd', plain('i32x4.add')],
  ['Paddq', plain('i64x2.add')],
  ['Paddsb', plain('i8x16.add_sat_s')],
  ['Paddsw', plain('i16x8.add_sat_s')],
  ['Paddusb', plain('i8x16.add_sat_u')],
  ['Paddusw', plain('i16x8.add_sat_u')],
  ['Psubb', orZero('i8x16.sub')],
  ['Psubw', orZero('i16x8.sub')],
  ['Psubd', orZero('i32x4.sub')],
  ['Psubq', orZero('i64x2.sub')],
  ['Psubsb', orZero('i8x16.sub_sat_s')],
  ['Psubsw', orZero('i16x8.sub_sat_s')],
  ['Psubusb', orZero('i8x16.sub_sat_u')],
  ['Psubusw', orZero('i16x8.sub_sat_u')],
  ['Pmullw', plain('i16x8.mul')],
  ['Pmulhw', highProduct('s')],
  ['Pmulhuw', highProduct('u')],
  ['Pmuludq', evenProduct],
  ['Pmaddwd', plain('i32x4.dot_i16x8_s')],
  ['Psadbw', absoluteDifferences],
  ['Pavgb', plain('i8x16.avgr_u')],
  ['Pavgw', plain('i16x8.avgr_u')],
  ['Pminub', plain('i8x16.min_u')],
  ['Pmaxub', plain('i8x16.max_u')],
  ['Pminsw', plain('i16x8.min_s')],
  ['Pmaxsw', plain('i16x8.max_s')],
  ['Pcmpeqb', orOnes('i8x16.eq')],
  ['Pcmpeqw', orOnes('i16x8.eq')],
  ['Pcmpeqd', orOnes('i32x4.eq')],
  ['Pcmpgtb', orZero('i8x16.gt_s')],
  ['Pcmpgtw', orZero('i16x8.gt_s')],
  ['Pcmpgtd', orZero('i32x4.gt_s')],
  ['Pand', plain('v128.and')],
  ['Pandn', andNot],
  ['Por', plain('v128.or')],
  ['Pxor', orZero('v128.xor')],
  ['Packsswb', plain('i8x16.narrow_i16x8_s')],
  ['Packuswb', plain('i8x16.narrow_i16x8_u')],
  ['Packssdw', plain('i16x8.narrow_i32x4_s')],
  ['Psllw', shift('shl', 'i16x8')],
  ['Pslld', shift('shl', 'i32x4')],
  ['Psllq', shift('shl', 'i64x2')],
  ['Psrlw', shift('shr_u', 'i16x8')],
  ['Psrld', shift('shr_u', 'i32x4')],
  ['Psrlq', shift('shr_u', 'i64x2')],
  ['Psraw', shift('shr_s', 'i16x8')],
  ['Psrad', shift('shr_s', 'i32x4')],
  ['Pslldq', byteShift(1)],
  ['Psrldq', byteShift(-1)],
  ['Pinsrw', insertWord],
  ['Pextrw', extractWord],
];
