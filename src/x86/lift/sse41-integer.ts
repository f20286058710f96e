import type { AccessSize, Node } from '../../ir/node.ts';
import { AR, CF, OF, SR, ZR } from '../state.ts';
import type { Lift } from './context.ts';
import { onesVector, shuffle, widened, zeroVector } from './sse-operands.ts';
import {
  binary,
  binarySelected,
  idiom,
  lowPart,
  readVector,
  type Shape,
  unary,
  type VectorTable,
  writeVector,
} from './vector-form.ts';

/** Integer arithmetic of SSE4.1 and SSE4.2 on vectors, without the strings. */
const plain = (op: string): Shape => binary((c, x, y) => c.b.op(op, x, y));

/** Products of the even 32-bit lanes, as 64 bits each. */
const evenProduct: Shape = binary((c, x, y) => {
  const even = (v: Node) => shuffle(c, widened([0, 2, 0, 2], 4), v, v);
  return c.b.op('i64x2.extmul_low_i32x4_s', even(x), even(y));
});

/**
 * Sums of the absolute differences of four bytes: four that the selector names of the second operand against those from
 * each of eight places on of the first. The high half of 256 bits has selector bits of its own.
 */
const blockDifferences: Shape = binarySelected((c, x, y, select, half) => {
  const { b } = c;
  const bits = select >> (3 * half);
  const xStart = bits & 4;
  const yStart = 4 * (bits & 3);
  const zero = zeroVector(c);
  /** Eight bytes as 16-bit lanes. */
  const words = (v: Node, byteOf: (i: number) => number) =>
    shuffle(c, Array.from({ length: 8 }, (_, i) => [byteOf(i), 16]).flat(), v, zero);
  return [0, 1, 2, 3]
    .map((k) => {
      const left = words(x, (i) => xStart + i + k);
      const right = words(y, () => yStart + k);
      return b.op('i16x8.abs', b.op('i16x8.sub', left, right));
    })
    .reduce((sum, each) => b.op('i16x8.add', sum, each));
});

/** The smallest 16-bit lane and its number, of several the lowest. Keys of both, put in 32 bits, are compared. */
const smallest: Shape = unary((c, x) => {
  const { b } = c;
  const keys = (half: 'low' | 'high', first: bigint) => {
    const words = b.op('i32x4.shl', b.op(`i32x4.extend_${half}_i16x8_u`, x), b.i32(16));
    const numbers = (n: bigint) => n | ((n + 1n) << 32n);
    return b.op('v128.or', words, b.v128(numbers(first), numbers(first + 2n)));
  };
  const fold = (v: Node, lanes: readonly number[]) =>
    b.op('i32x4.min_u', v, shuffle(c, widened(lanes, 4), v, v));
  const four = b.op('i32x4.min_u', keys('low', 0n), keys('high', 4n));
  const one = fold(fold(four, [2, 3, 0, 1]), [1, 0, 3, 2]);
  return shuffle(c, [2, 3, 0, 1, ...Array(12).fill(16)], one, zeroVector(c));
});

/** The lanes of the low half, or quarter, or eighth, widened. */
function extend(sign: 's' | 'u', from: 1 | 2 | 4, to: 2 | 4 | 8): Shape {
  return (c, e) => {
    const { b } = c;
    const isWide = c.isWide(0);
    const enlarged = (x: Node) => {
      let result = x;
      for (let bytes = from as number; bytes < to; bytes *= 2)
        result = b.op(`${SHAPES[2 * bytes]}.extend_low_${SHAPES[bytes]}_${sign}`, result);
      return result;
    };
    const bytes = ((isWide ? 32 : 16) * from) / to;
    // No vector load is of 2 bytes.
    const x =
      bytes === 2 && c.isMemory(1)
        ? b.opImm('i32x4.replace_lane', 0, zeroVector(c), c.loadAs(2, 'i32'))
        : lowPart(c, 1, bytes as AccessSize);
    // The upper half is made of the second half of what is read.
    const upper = () => enlarged(shuffle(c, rotated(bytes / 2), x, x));
    writeVector(c, e, 0, isWide ? [enlarged(x), upper()] : [enlarged(x)]);
  };
}

const SHAPES: Readonly<Record<number, string>> = { 1: 'i8x16', 2: 'i16x8', 4: 'i32x4', 8: 'i64x2' };

const rotated = (count: number): number[] => Array.from({ length: 16 }, (_, i) => (i + count) % 16);

/** ZF: no bit is set in both operands; CF: none of the second that is not in the first; the other flags become 0. */
const test: Shape = (c, e) => {
  const { b } = c;
  const x = readVector(c, e, 0);
  const y = readVector(c, e, 1);
  const any = (op: string, halves: (i: number) => readonly [Node, Node]) => {
    const joined = x.map((_, i) => b.op(op, ...halves(i)));
    return b.op(
      'v128.any_true',
      joined.reduce((all, each) => b.op('v128.or', all, each)),
    );
  };
  setTestFlags(
    c,
    any('v128.and', (i) => [x[i], y[i]] as readonly [Node, Node]),
    any('v128.andnot', (i) => [y[i], x[i]] as readonly [Node, Node]),
  );
};

/** Flags of ptest and its like: from whether any bit is common, and whether any is the second operand's only. */
export function setTestFlags(c: Lift, common: Node, other: Node): void {
  const { b } = c;
  b.set(ZR, b.op('i64.extend_i32_u', common));
  b.set(CF, b.op('i32.eqz', other));
  b.set(OF, b.i32(0));
  // Positive and of odd parity.
  b.set(SR, b.i64(1));
  b.set(AR, b.i32(0));
}

export const SSE41_INTEGER: VectorTable = [
  ['Pminsb', plain('i8x16.min_s')],
  ['Pmaxsb', plain('i8x16.max_s')],
  ['Pminuw', plain('i16x8.min_u')],
  ['Pmaxuw', plain('i16x8.max_u')],
  ['Pminsd', plain('i32x4.min_s')],
  ['Pmaxsd', plain('i32x4.max_s')],
  ['Pminud', plain('i32x4.min_u')],
  ['Pmaxud', plain('i32x4.max_u')],
  ['Pmulld', plain('i32x4.mul')],
  ['Pmuldq', evenProduct],
  ['Packusdw', plain('i16x8.narrow_i32x4_u')],
  ['Pcmpeqq', idiom(onesVector, plain('i64x2.eq'))],
  ['Pcmpgtq', idiom(zeroVector, plain('i64x2.gt_s'))],
  ['Mpsadbw', blockDifferences],
  ['Phminposuw', smallest],
  ['Pmovsxbw', extend('s', 1, 2)],
  ['Pmovsxbd', extend('s', 1, 4)],
  ['Pmovsxbq', extend('s', 1, 8)],
  ['Pmovsxwd', extend('s', 2, 4)],
  ['Pmovsxwq', extend('s', 2, 8)],
  ['Pmovsxdq', extend('s', 4, 8)],
  ['Pmovzxbw', extend('u', 1, 2)],
  ['Pmovzxbd', extend('u', 1, 4)],
  ['Pmovzxbq', extend('u', 1, 8)],
  ['Pmovzxwd', extend('u', 2, 4)],
  ['Pmovzxwq', extend('u', 2, 8)],
  ['Pmovzxdq', extend('u', 4, 8)],
  ['Ptest', test],
];
