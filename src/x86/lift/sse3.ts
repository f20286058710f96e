import { Mnemonic } from 'iced-x86';
import type { Node } from '../../ir/node.ts';
import type { Lift } from './context.ts';
import type { Row, Rows } from './row.ts';
import {
  governed,
  lane,
  lowPart,
  packed,
  selector,
  shuffle,
  vectorOnly,
  widened,
  withLane,
  zeroVector,
} from './sse-operands.ts';
import { type Arithmetic, arithmetic, type Float, VECTOR, vectorArithmetic } from './sse-values.ts';

/**
 * SSE3 and SSSE3, which are above the baseline but what compilers make of -march=core2. The forms of SSSE3 on MMX
 * registers are reported as unsupported.
 */
type Compute = (c: Lift, x: Node, y: Node) => Node;

function binary(compute: Compute): Row {
  return vectorOnly((c) => {
    const x = c.readXmm(0);
    c.writeXmm(0, compute(c, x, packed(c, 1)));
  });
}

/** Lanes of `bytes` bytes at even or odd places of two vectors. */
function everySecond(c: Lift, bytes: number, first: 0 | 1, x: Node, y: Node): Node {
  const lanes = Array.from({ length: 16 / bytes }, (_, i) => 2 * i + first);
  return shuffle(c, widened(lanes, bytes), x, y);
}

/** Adds or subtracts neighbouring lanes: those of the destination below those of the source. */
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
      const [left, right] = [x, y].map((vector) => lane(c, VECTOR[type], vector, i));
      result = withLane(
        c,
        VECTOR[type],
        result,
        i,
        arithmetic(c, i % 2 === 0 ? 'sub' : 'add', type, left, right),
      );
    }
    return result;
  };
}

function duplicate(lanes: readonly number[]): Row {
  return (c) => {
    const x = packed(c, 1);
    c.writeXmm(0, shuffle(c, widened(lanes, 4), x, x));
  };
}

const duplicateDouble: Row = (c) => {
  const x = lowPart(c, 1, 8);
  c.writeXmm(0, withLane(c, 'f64x2', x, 1, lane(c, 'f64x2', x, 0)));
};

const loadUnaligned: Row = (c) => c.writeXmm(0, c.readXmm(1));

const splat16 = (c: Lift, word: bigint): Node => {
  const half = word * 0x0001_0001_0001_0001n;
  return c.b.v128(half, half);
};

/** A selector with bit 7 set gives 0; swizzle does so for every index above 15. */
const shuffleBytes: Compute = (c, x, y) =>
  c.b.op('i8x16.swizzle', x, c.b.op('v128.and', y, splat16(c, 0x8f8fn)));

/** Unsigned bytes of the destination times signed bytes of the source, in pairs, the sums saturated. */
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

/** Negates where the source is negative, clears where it is 0. */
function sign(shape: string): Compute {
  return (c, x, y) => {
    const { b } = c;
    const negative = b.op(`${shape}.lt_s`, y, zeroVector(c));
    const signed = b.op(`${shape}.sub`, b.op('v128.xor', x, negative), negative);
    return b.op('v128.andnot', signed, b.op(`${shape}.eq`, y, zeroVector(c)));
  };
}

function absolute(op: string): Row {
  return vectorOnly((c) => c.writeXmm(0, c.b.op(op, packed(c, 1))));
}

/** Sixteen bytes, from `count` on, of the source with the destination above it and zeros above that. */
const alignRight: Row = vectorOnly((c) => {
  const count = selector(c, 2);
  const x = c.readXmm(0);
  const y = packed(c, 1);
  const from = (start: number) => Array.from({ length: 16 }, (_, i) => Math.min(start + i, 31));
  if (count <= 16) c.writeXmm(0, shuffle(c, from(count), y, x));
  else c.writeXmm(0, count < 32 ? shuffle(c, from(count - 16), x, zeroVector(c)) : zeroVector(c));
});

export const SSE3_ROWS: Rows = [
  [Mnemonic.Addsubps, governed(binary(addSubtract('f32')))],
  [Mnemonic.Addsubpd, governed(binary(addSubtract('f64')))],
  [Mnemonic.Haddps, governed(binary(floats('add', 'f32')))],
  [Mnemonic.Haddpd, governed(binary(floats('add', 'f64')))],
  [Mnemonic.Hsubps, governed(binary(floats('sub', 'f32')))],
  [Mnemonic.Hsubpd, governed(binary(floats('sub', 'f64')))],
  [Mnemonic.Lddqu, loadUnaligned],
  [Mnemonic.Movddup, duplicateDouble],
  [Mnemonic.Movsldup, duplicate([0, 0, 2, 2])],
  [Mnemonic.Movshdup, duplicate([1, 1, 3, 3])],
];

export const SSSE3_ROWS: Rows = [
  [Mnemonic.Pshufb, binary(shuffleBytes)],
  [Mnemonic.Phaddw, binary(integers('i16x8.add', 2))],
  [Mnemonic.Phaddd, binary(integers('i32x4.add', 4))],
  [Mnemonic.Phaddsw, binary(integers('i16x8.add_sat_s', 2))],
  [Mnemonic.Phsubw, binary(integers('i16x8.sub', 2))],
  [Mnemonic.Phsubd, binary(integers('i32x4.sub', 4))],
  [Mnemonic.Phsubsw, binary(integers('i16x8.sub_sat_s', 2))],
  [Mnemonic.Pmaddubsw, binary(multiplyBytes)],
  [Mnemonic.Pmulhrsw, binary(multiplyRounded)],
  [Mnemonic.Psignb, binary(sign('i8x16'))],
  [Mnemonic.Psignw, binary(sign('i16x8'))],
  [Mnemonic.Psignd, binary(sign('i32x4'))],
  [Mnemonic.Pabsb, absolute('i8x16.abs')],
  [Mnemonic.Pabsw, absolute('i16x8.abs')],
  [Mnemonic.Pabsd, absolute('i32x4.abs')],
  [Mnemonic.Palignr, alignRight],
];
