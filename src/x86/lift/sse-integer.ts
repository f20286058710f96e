import { Mnemonic } from 'iced-x86';
import type { Node } from '../../ir/node.ts';
import type { Lift } from './context.ts';
import type { Row, Rows } from './row.ts';
import {
  lane,
  onesVector,
  packed,
  selector,
  shuffle,
  vectorOnly,
  widened,
  zeroVector,
} from './sse-operands.ts';

/** Integer arithmetic of SSE2 on vector registers. The forms on MMX registers are reported as unsupported. */

type Compute = (c: Lift, x: Node, y: Node) => Node;

function binary(compute: Compute): Row {
  return vectorOnly((c) => {
    const x = c.readXmm(0);
    c.writeXmm(0, compute(c, x, packed(c, 1)));
  });
}

const plain = (op: string): Row => binary((c, x, y) => c.b.op(op, x, y));

/** The idioms of rule 4 on one register: the value is known and nothing is read. */
function idiom(same: (c: Lift) => Node, row: Row): Row {
  return vectorOnly((c) => (c.sameRegister(0, 1) ? c.writeXmm(0, same(c)) : row(c)));
}

const orZero = (op: string): Row => idiom(zeroVector, plain(op));
const orOnes = (op: string): Row => idiom(onesVector, plain(op));
const andNot = idiom(
  zeroVector,
  binary((c, x, y) => c.b.op('v128.andnot', y, x)),
);

/** Upper halves of the 32-bit products of 16-bit lanes. */
function highProduct(sign: 's' | 'u'): Row {
  const upper = widened([1, 3, 5, 7, 9, 11, 13, 15], 2);
  return binary((c, x, y) => {
    const product = (half: string) => c.b.op(`i32x4.extmul_${half}_i16x8_${sign}`, x, y);
    return shuffle(c, upper, product('low'), product('high'));
  });
}

/** Products of the even 32-bit lanes. */
const evenProduct: Row = binary((c, x, y) => {
  const even = (v: Node) => c.b.op('v128.and', v, c.b.v128(0xffff_ffffn, 0xffff_ffffn));
  return c.b.op('i64x2.mul', even(x), even(y));
});

/** Sums of the absolute differences of eight bytes each. */
const absoluteDifferences: Row = binary((c, x, y) => {
  const { b } = c;
  const difference = b.op('v128.or', b.op('i8x16.sub_sat_u', x, y), b.op('i8x16.sub_sat_u', y, x));
  const fours = b.op('i32x4.extadd_pairwise_i16x8_u', b.op('i16x8.extadd_pairwise_i8x16_u', difference));
  const low = b.op('v128.and', fours, b.v128(0xffff_ffffn, 0xffff_ffffn));
  return b.op('i64x2.add', low, b.op('i64x2.shr_u', fours, b.i32(32)));
});

type Shape = 'i16x8' | 'i32x4' | 'i64x2';
const BITS = { i16x8: 16, i32x4: 32, i64x2: 64 } as const;

/**
 * Shifts of all lanes by one count: an immediate, or the low 64 bits of a vector. Counts of the lane's width and more
 * give 0, or copies of the sign.
 */
function shift(kind: 'shl' | 'shr_s' | 'shr_u', shape: Shape): Row {
  const width = BITS[shape];
  return vectorOnly((c) => {
    const { b } = c;
    const x = c.readXmm(0);
    const shifted = (count: Node) => b.op(`${shape}.${kind}`, x, count);
    if (!c.isRegister(1) && !c.isMemory(1)) {
      const count = selector(c, 1);
      if (kind === 'shr_s') return c.writeXmm(0, shifted(b.i32(Math.min(count, width - 1))));
      return c.writeXmm(0, count < width ? shifted(b.i32(count)) : zeroVector(c));
    }
    const wide = lane(c, 'i64x2', packed(c, 1), 0);
    const count = b.op('i32.wrap_i64', wide);
    const big = b.op('i64.gt_u', wide, b.i64(width - 1));
    if (kind === 'shr_s') c.writeXmm(0, shifted(b.op('select.i32', b.i32(width - 1), count, big)));
    else c.writeXmm(0, b.op('select.v128', zeroVector(c), shifted(count), big));
  });
}

/** pslldq and psrldq: by bytes, across the lanes. */
function byteShift(direction: 1 | -1): Row {
  return (c) => {
    const count = Math.min(selector(c, 1), 16);
    const lanes = Array.from({ length: 16 }, (_, i) => {
      const from = i - direction * count;
      return from >= 0 && from < 16 ? from : 16;
    });
    c.writeXmm(0, count === 16 ? zeroVector(c) : shuffle(c, lanes, c.readXmm(0), zeroVector(c)));
  };
}

const insertWord: Row = vectorOnly((c) => {
  const x = c.readXmm(0);
  const source = c.isMemory(1) ? c.loadAs(2, 'i32') : c.read(1);
  // With a REX.W prefix the register is one of 64 bits.
  const word = source.type === 'i64' ? c.b.op('i32.wrap_i64', source) : source;
  c.writeXmm(0, c.b.opImm('i16x8.replace_lane', selector(c, 2) & 7, x, word));
});

const extractWord: Row = vectorOnly((c) => {
  const word = c.b.opImm('i16x8.extract_lane_u', selector(c, 2) & 7, c.readXmm(1));
  // To memory since SSE4.1.
  if (c.isMemory(0)) c.storeAs(2, word);
  else c.write(0, c.size(0) === 8 ? c.b.op('i64.extend_i32_u', word) : word);
});

export const SSE_INTEGER_ROWS: Rows = [
  [Mnemonic.Paddb, plain('i8x16.add')],
  [Mnemonic.Paddw, plain('i16x8.add')],
  [Mnemonic.Paddd, plain('i32x4.add')],
  [Mnemonic.Paddq, plain('i64x2.add')],
  [Mnemonic.Paddsb, plain('i8x16.add_sat_s')],
  [Mnemonic.Paddsw, plain('i16x8.add_sat_s')],
  [Mnemonic.Paddusb, plain('i8x16.add_sat_u')],
  [Mnemonic.Paddusw, plain('i16x8.add_sat_u')],
  [Mnemonic.Psubb, orZero('i8x16.sub')],
  [Mnemonic.Psubw, orZero('i16x8.sub')],
  [Mnemonic.Psubd, orZero('i32x4.sub')],
  [Mnemonic.Psubq, orZero('i64x2.sub')],
  [Mnemonic.Psubsb, orZero('i8x16.sub_sat_s')],
  [Mnemonic.Psubsw, orZero('i16x8.sub_sat_s')],
  [Mnemonic.Psubusb, orZero('i8x16.sub_sat_u')],
  [Mnemonic.Psubusw, orZero('i16x8.sub_sat_u')],
  [Mnemonic.Pmullw, plain('i16x8.mul')],
  [Mnemonic.Pmulhw, highProduct('s')],
  [Mnemonic.Pmulhuw, highProduct('u')],
  [Mnemonic.Pmuludq, evenProduct],
  [Mnemonic.Pmaddwd, plain('i32x4.dot_i16x8_s')],
  [Mnemonic.Psadbw, absoluteDifferences],
  [Mnemonic.Pavgb, plain('i8x16.avgr_u')],
  [Mnemonic.Pavgw, plain('i16x8.avgr_u')],
  [Mnemonic.Pminub, plain('i8x16.min_u')],
  [Mnemonic.Pmaxub, plain('i8x16.max_u')],
  [Mnemonic.Pminsw, plain('i16x8.min_s')],
  [Mnemonic.Pmaxsw, plain('i16x8.max_s')],
  [Mnemonic.Pcmpeqb, orOnes('i8x16.eq')],
  [Mnemonic.Pcmpeqw, orOnes('i16x8.eq')],
  [Mnemonic.Pcmpeqd, orOnes('i32x4.eq')],
  [Mnemonic.Pcmpgtb, orZero('i8x16.gt_s')],
  [Mnemonic.Pcmpgtw, orZero('i16x8.gt_s')],
  [Mnemonic.Pcmpgtd, orZero('i32x4.gt_s')],
  [Mnemonic.Pand, plain('v128.and')],
  [Mnemonic.Pandn, andNot],
  [Mnemonic.Por, plain('v128.or')],
  [Mnemonic.Pxor, orZero('v128.xor')],
  [Mnemonic.Packsswb, plain('i8x16.narrow_i16x8_s')],
  [Mnemonic.Packuswb, plain('i8x16.narrow_i16x8_u')],
  [Mnemonic.Packssdw, plain('i16x8.narrow_i32x4_s')],
  [Mnemonic.Psllw, shift('shl', 'i16x8')],
  [Mnemonic.Pslld, shift('shl', 'i32x4')],
  [Mnemonic.Psllq, shift('shl', 'i64x2')],
  [Mnemonic.Psrlw, shift('shr_u', 'i16x8')],
  [Mnemonic.Psrld, shift('shr_u', 'i32x4')],
  [Mnemonic.Psrlq, shift('shr_u', 'i64x2')],
  [Mnemonic.Psraw, shift('shr_s', 'i16x8')],
  [Mnemonic.Psrad, shift('shr_s', 'i32x4')],
  [Mnemonic.Pslldq, byteShift(1)],
  [Mnemonic.Psrldq, byteShift(-1)],
  [Mnemonic.Pinsrw, insertWord],
  [Mnemonic.Pextrw, extractWord],
];
