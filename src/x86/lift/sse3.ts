import type { Node } from '../../ir/node.ts';
import type { Lift } from './context.ts';
import { lane, shuffle, VECTOR_LANES, widened, withLane, zeroVector } from './sse-operands.ts';
import { type Arithmetic, arithmetic, type Float, vectorArithmetic } from './sse-values.ts';
import {
  binary,
  binarySelected,
  governed,
  lowPart,
  type Shape,
  unary,
  type VectorTable,
  writeVector,
} from './vector-form.ts';

/** SSE3 and SSSE3. */
type Compute = (c: Lift, x: Node, y: Node) => Node;

/** Lanes of `bytes` bytes at even or odd places of two vectors. */
function everySecond(c: Lift, bytes: number, first: 0 | 1, x: Node, y: Node): Node {
  const lanes = Array.from({ length: 16 / bytes }, (_, i) => 2 * i + first);
  return shuffle(c, widened(lanes, bytes), x, y);
}

/** Adds or subtracts neighbouring lanes: those of the first source below those of the second. */
function horizontal(bytes: number, compute: Compute): Compute {
  return (c, x, y) => compute(c, everySecond(c, bytes, 0, x, y), everySecond(c, bytes, 1, x, y));
}

const integers = (op: string, bytes: number): Compute => horizontal(bytes, (c, x, y) => c.b.op(op, x, y));
const floats = (operation: Arithmetic, type: Float): Compute =>
  horizontal(type === 'f32' ? 4 : 8, (c, x, y) => vectorArithmetic(c, operation, type, x, y));

/** Subtracts in even lanes, adds in odd ones. */
function addSubtract(type: Float): Compute {
  return (c, x, y) => {
    let result = x;
    for (let i = 0; i < (type === 'f32' ? 4 : 2); i++) {
      const [left, right] = [x, y].map((vector) => lane(c, VECTOR_LANES[type], vector, i));
      result = withLane(
        c,
        VECTOR_LANES[type],
        result,
        i,
        arithmetic(c, i % 2 === 0 ? 'sub' : 'add', type, left, right),
      );
    }
    return result;
  };
}

const duplicate = (lanes: readonly number[]): Shape => unary((c, x) => shuffle(c, widened(lanes, 4), x, x));

const doubled = (c: Lift, x: Node): Node => withLane(c, 'f64x2', x, 1, lane(c, 'f64x2', x, 0));

/** Reads 8 bytes of memory, or all 32 of the wide form. */
const duplicateDouble: Shape = (c, e) => {
  if (c.isWide(0)) unary(doubled)(c, e);
  else writeVector(c, e, 0, [doubled(c, lowPart(c, 1, 8))]);
};

const splat16 = (c: Lift, word: bigint): Node => {
  const half = word * 0x0001_0001_0001_0001n;
  return c.b.v128(half, half);
};

/** A selector with bit 7 set gives 0; swizzle does so for every index above 15. */
export const shuffleBytes: Compute = (c, x, y) =>
  c.b.op('i8x16.swizzle', x, c.b.op('v128.and', y, splat16(c, 0x8f8fn)));

/** Unsigned bytes of the first source times signed bytes of the second, in pairs, the sums saturated. */
const multiplyBytes: Compute = (c, x, y) => {
  const { b } = c;
  const eight = b.i32(8);
  const even = b.op(
    'i16x8.mul',
    b.op('v128.and', x, splat16(c, 0xffn)),
    b.op('i16x8.shr_s', b.op('i16x8.shl', y, eight), eight),
  );
  const odd = b.op('i16x8.mul', b.op('i16x8.shr_u', x, eight), b.op('i16x8.shr_s', y, eight));
  return b.op('i16x8.add_sat_s', even, odd);
};

/** Bits 15 to 30 of each product, rounded at bit 14. */
const multiplyRounded: Compute = (c, x, y) => {
  const { b } = c;
  const one = b.v128(0x1_0000_0001n, 0x1_0000_0001n);
  const rounded = (half: string) => {
    const product = b.op(`i32x4.extmul_${half}_i16x8_s`, x, y);
    return b.op('i32x4.shr_s', b.op('i32x4.add', b.op('i32x4.shr_s', product, b.i32(14)), one), b.i32(1));
  };
  return everySecond(c, 2, 0, rounded('low'), rounded('high'));
};

/** Negates where the second source is negative, clears where it is 0. */
function sign(shape: string): Compute {
  return (c, x, y) => {
    const { b } = c;
    const negative = b.op(`${shape}.lt_s`, y, zeroVector(c));
    const signed = b.op(`${shape}.sub`, b.op('v128.xor', x, negative), negative);
    return b.op('v128.andnot', signed, b.op(`${shape}.eq`, y, zeroVector(c)));
  };
}

const absolute = (op: string): Shape => unary((c, x) => c.b.op(op, x));

/** Sixteen bytes, from `count` on, of the second source with the first above it and zeros above that. */
const alignRight = binarySelected((c, x, y, count) => {
  const from = (start: number) => Array.from({ length: 16 }, (_, i) => Math.min(start + i, 31));
  if (count <= 16) return shuffle(c, from(count), y, x);
  return count < 32 ? shuffle(c, from(count - 16), x, zeroVector(c)) : zeroVector(c);
});

export const SSE3: VectorTable = [
  ['Addsubps', governed(binary(addSubtract('f32')))],
  ['Addsubpd', governed(binary(addSubtract('f64')))],
  ['Haddps', governed(binary(floats('add', 'f32')))],
  ['Haddpd', governed(binary(floats('add', 'f64')))],
  ['Hsubps', governed(binary(floats('sub', 'f32')))],
  ['Hsubpd', governed(binary(floats('sub', 'f64')))],
  ['Movddup', duplicateDouble],
  ['Movsldup', duplicate([0, 0, 2, 2])],
  ['Movshdup', duplicate([1, 1, 3, 3])],
];

export const SSSE3: VectorTable = [
  ['Pshufb', binary(shuffleBytes)],
  ['Phaddw', binary(integers('i16x8.add', 2))],
  ['Phaddd', binary(integers('i32x4.add', 4))],
  ['Phaddsw', binary(integers('i16x8.add_sat_s', 2))],
  ['Phsubw', binary(integers('i16x8.sub', 2))],
  ['Phsubd', binary(integers('i32x4.sub', 4))],
  ['Phsubsw', binary(integers('i16x8.sub_sat_s', 2))],
  ['Pmaddubsw', binary(multiplyBytes)],
  ['Pmulhrsw', binary(multiplyRounded)],
  ['Psignb', binary(sign('i8x16'))],
  ['Psignw', binary(sign('i16x8'))],
  ['Psignd', binary(sign('i32x4'))],
  ['Pabsb', absolute('i8x16.abs')],
  ['Pabsw', absolute('i16x8.abs')],
  ['Pabsd', absolute('i32x4.abs')],
  ['Palignr', alignRight],
];
