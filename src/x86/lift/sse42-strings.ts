import type { Node } from '../../ir/node.ts';
import { AR, CF, OF, RAX, RCX, RDX, SR, XMM, YMM_HIGH, ZR } from '../state.ts';
import type { Lift } from './context.ts';
import { onesVector, selector, shuffle, widened, zeroVector } from './sse-operands.ts';
import { lowPart, type Shape, type VectorTable } from './vector-form.ts';

/**
 * pcmpestri, pcmpestrm, pcmpistri and pcmpistrm (SDM volume 2, 4.1): two strings of up to 16 bytes or 8 words. Elements
 * beyond a string's end are invalid; what counts for them depends on the aggregation. Its result is a mask over the
 * elements of the second operand.
 */
interface Strings {
  readonly c: Lift;
  /** Bytes of an element. */
  readonly bytes: 1 | 2;
  readonly count: number;
  readonly isSigned: boolean;
  readonly x: Node;
  readonly y: Node;
  readonly xLength: Node;
  /** Lanes that hold an element of the string. */
  readonly xValid: Node;
  readonly yValid: Node;
}

const shapeOf = ({ bytes }: Strings): string => (bytes === 1 ? 'i8x16' : 'i16x8');

/** A lane in all places. */
const everywhere = (s: Strings, v: Node, lane: number): Node =>
  shuffle(s.c, widened(Array(s.count).fill(lane), s.bytes), v, v);

const lanesOf = (count: number): readonly number[] => Array.from({ length: count }, (_, i) => i);
const join = (c: Lift, op: string, nodes: readonly Node[]): Node =>
  nodes.reduce((all, each) => c.b.op(op, all, each));

/** A length from 0 to the number of elements as lanes: ones below it. */
function below(c: Lift, length: Node, bytes: 1 | 2): Node {
  const shape = bytes === 1 ? 'i8x16' : 'i16x8';
  const numbers = lanesOf(16 / bytes).reduce((all, i) => all | (BigInt(i) << BigInt(8 * bytes * i)), 0n);
  const indices = c.b.v128(BigInt.asUintN(64, numbers), numbers >> 64n);
  return c.b.op(`${shape}.gt_s`, c.b.op(`${shape}.splat`, length), indices);
}

/** All lanes where the length is at least so much. */
function atLeast(s: Strings, least: number): Node {
  const { b } = s.c;
  return b.op('i32x4.splat', b.op('i32.sub', b.i32(0), b.op('i32.ge_u', s.xLength, b.i32(least))));
}

/**
 * The first operand is a set. Its invalid elements are replaced by its first one, which adds nothing; an empty set has
 * nothing.
 */
function equalAny(s: Strings): Node {
  const { b } = s.c;
  const set = b.op('v128.bitselect', s.x, everywhere(s, s.x, 0), s.xValid);
  const hits = lanesOf(s.count).map((i) => b.op(`${shapeOf(s)}.eq`, everywhere(s, set, i), s.y));
  return join(s.c, 'v128.and', [join(s.c, 'v128.or', hits), s.yValid, atLeast(s, 1)]);
}

/** The first operand is pairs of bounds, both included. A pair of which one is invalid is replaced as above. */
function ranges(s: Strings): Node {
  const { b } = s.c;
  const sign = s.isSigned ? 's' : 'u';
  const odd = widened(
    lanesOf(s.count).map((i) => i | 1),
    s.bytes,
  );
  const pairValid = shuffle(s.c, odd, s.xValid, s.xValid);
  const firstPair = widened(
    lanesOf(s.count).map((i) => i & 1),
    s.bytes,
  );
  const pairs = b.op('v128.bitselect', s.x, shuffle(s.c, firstPair, s.x, s.x), pairValid);
  const hits = lanesOf(s.count / 2).map((i) => {
    const low = everywhere(s, pairs, 2 * i);
    const high = everywhere(s, pairs, 2 * i + 1);
    const same = (op: string, bound: Node) =>
      b.op(`${shapeOf(s)}.eq`, b.op(`${shapeOf(s)}.${op}_${sign}`, s.y, bound), s.y);
    return b.op('v128.and', same('max', low), same('min', high));
  });
  return join(s.c, 'v128.and', [join(s.c, 'v128.or', hits), s.yValid, atLeast(s, 2)]);
}

/** Element by element; beyond both ends they are equal. */
function equalEach(s: Strings): Node {
  const { b } = s.c;
  const equal = join(s.c, 'v128.and', [b.op(`${shapeOf(s)}.eq`, s.x, s.y), s.xValid, s.yValid]);
  return b.op('v128.or', equal, b.op('v128.not', b.op('v128.or', s.xValid, s.yValid)));
}

/** The first operand is looked for in the second, as far as it reaches: its invalid elements are found anywhere. */
function equalOrdered(s: Strings): Node {
  const { b } = s.c;
  const ones = onesVector(s.c);
  const found = lanesOf(s.count).map((i) => {
    const equal = b.op('v128.and', b.op(`${shapeOf(s)}.eq`, everywhere(s, s.x, i), s.y), s.yValid);
    const wanted = b.op('v128.or', equal, b.op('v128.not', everywhere(s, s.xValid, i)));
    // Compared with the element i places on; beyond the last nothing is compared.
    const moved = lanesOf(16).map((at) => Math.min(at + i * s.bytes, 16));
    return shuffle(s.c, moved, wanted, ones);
  });
  return join(s.c, 'v128.and', found);
}

const AGGREGATIONS = [equalAny, ranges, equalEach, equalOrdered];

type Lengths = 'explicit' | 'implicit';

/** Explicit: the magnitude of eax or edx (rax or rdx with REX.W), at most the number of elements. */
function explicitLength(c: Lift, register: number, count: number, isWide: boolean): Node {
  const { b } = c;
  const whole = b.get(register);
  const signed = isWide ? whole : b.op('i64.extend_i32_s', b.op('i32.wrap_i64', whole));
  const sign = b.op('i64.shr_s', signed, b.i64(63));
  const magnitude = b.op('i64.sub', b.op('i64.xor', signed, sign), sign);
  const fits = b.op('i64.lt_u', magnitude, b.i64(count));
  return b.op('select.i32', b.op('i32.wrap_i64', magnitude), b.i32(count), fits);
}

/** Implicit: up to the first element that is 0. */
function implicitLength(c: Lift, v: Node, shape: string, count: number): Node {
  const { b } = c;
  const zeros = b.op(`${shape}.bitmask`, b.op(`${shape}.eq`, v, zeroVector(c)));
  return b.op('i32.ctz', b.op('i32.or', zeros, b.i32(1 << count)));
}

function compareStrings(lengths: Lengths, isWide: boolean, output: 'index' | 'mask'): Shape {
  return (c, e) => {
    const { b } = c;
    const select = selector(c, 2);
    const bytes = select & 1 ? 2 : 1;
    const count = 16 / bytes;
    const shape = bytes === 1 ? 'i8x16' : 'i16x8';
    const x = b.get(c.xmm(0));
    const y = lowPart(c, 1, 16);
    const [xLength, yLength] =
      lengths === 'explicit'
        ? [RAX, RDX].map((register) => explicitLength(c, register, count, isWide))
        : [x, y].map((v) => implicitLength(c, v, shape, count));
    const yValid = below(c, yLength, bytes);
    const strings: Strings = {
      c,
      bytes,
      count,
      isSigned: (select & 2) !== 0,
      x,
      y,
      xLength,
      xValid: below(c, xLength, bytes),
      yValid,
    };
    const found = AGGREGATIONS[(select >> 2) & 3](strings);
    const negated = [found, b.op('v128.not', found), found, b.op('v128.xor', found, yValid)];
    const result = negated[(select >> 4) & 3];
    const bits = b.op(`${shape}.bitmask`, result);
    const isShort = (length: Node): Node => b.op('i32.lt_u', length, b.i32(count));
    b.set(CF, b.op('i32.ne', bits, b.i32(0)));
    b.set(OF, b.op('i32.and', bits, b.i32(1)));
    b.set(ZR, b.op('i64.extend_i32_u', b.op('i32.eqz', isShort(yLength))));
    // Negative for SF; of odd parity either way.
    b.set(SR, b.op('select.i64', b.i64(-0x80), b.i64(1), isShort(xLength)));
    b.set(AR, b.i32(0));
    if (output === 'index')
      b.set(RCX, b.op('i64.extend_i32_u', indexOf(c, bits, count, (select & 0x40) !== 0)));
    else {
      const mask = b.opImm('i32x4.replace_lane', 0, zeroVector(c), bits);
      b.set(XMM[0], select & 0x40 ? result : mask);
      if (e.isVex) b.set(YMM_HIGH[0], zeroVector(c));
    }
  };
}

/** The lowest or highest one; the number of elements where there is none. */
function indexOf(c: Lift, bits: Node, count: number, highest: boolean): Node {
  const { b } = c;
  if (!highest) return b.op('i32.ctz', b.op('i32.or', bits, b.i32(1 << count)));
  const last = b.op('i32.sub', b.i32(31), b.op('i32.clz', bits));
  return b.op('select.i32', last, b.i32(count), bits);
}

export const SSE42_STRINGS: VectorTable = [
  ['Pcmpestri', compareStrings('explicit', false, 'index')],
  ['Pcmpestri64', compareStrings('explicit', true, 'index')],
  ['Pcmpestrm', compareStrings('explicit', false, 'mask')],
  ['Pcmpestrm64', compareStrings('explicit', true, 'mask')],
  ['Pcmpistri', compareStrings('implicit', false, 'index')],
  ['Pcmpistrm', compareStrings('implicit', false, 'mask')],
];
