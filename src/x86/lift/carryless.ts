import type { Node } from '../../ir/node.ts';
import type { Lift } from './context.ts';
import { lane, withLane, zeroVector } from './sse-operands.ts';
import { binarySelected, type VectorTable } from './vector-form.ts';

/** Every fourth bit of 64. */
const FOURTH = 0x1111_1111_1111_1111n;

/**
 * The carry-less product of two numbers below 2^32, by ordinary multiplication: of operands with every fourth bit only, at
 * most eight ones meet at a place, so that their sum's carries stay in the three bits between (T. Pornin, BearSSL, ghash).
 */
function product32(c: Lift, x: Node, y: Node): Node {
  const { b } = c;
  const and = (v: Node, mask: bigint) => b.op('i64.and', v, b.i64(mask));
  const parts = (v: Node) => [0n, 1n, 2n, 3n].map((k) => and(v, FOURTH << k));
  const [left, right] = [parts(x), parts(y)];
  return [0, 1, 2, 3]
    .map((k) => {
      const sum = left
        .map((each, i) => b.op('i64.mul', each, right[(k - i + 4) & 3]))
        .reduce((all, each) => b.op('i64.xor', all, each));
      return and(sum, FOURTH << BigInt(k));
    })
    .reduce((all, each) => b.op('i64.or', all, each));
}

/** The 128-bit product by Karatsuba's three products of halves. */
function product64(c: Lift, x: Node, y: Node): { readonly low: Node; readonly high: Node } {
  const { b } = c;
  const bits = b.i64(32);
  const lower = (v: Node) => b.op('i64.and', v, b.i64(0xffff_ffffn));
  const upper = (v: Node) => b.op('i64.shr_u', v, bits);
  const both = (v: Node) => b.op('i64.xor', lower(v), upper(v));
  const low = product32(c, lower(x), lower(y));
  const high = product32(c, upper(x), upper(y));
  const middle = b.op('i64.xor', product32(c, both(x), both(y)), b.op('i64.xor', low, high));
  return {
    low: b.op('i64.xor', low, b.op('i64.shl', middle, bits)),
    high: b.op('i64.xor', high, upper(middle)),
  };
}

/** pclmulqdq: bit 0 of the selector chooses the half of the first operand, bit 4 that of the second. */
export const CARRYLESS: VectorTable = [
  [
    'Pclmulqdq',
    binarySelected((c, x, y, select) => {
      const half = (v: Node, bit: number) => lane(c, 'i64x2', v, (select >> bit) & 1);
      const { low, high } = product64(c, half(x, 0), half(y, 4));
      return withLane(c, 'i64x2', withLane(c, 'i64x2', zeroVector(c), 0, low), 1, high);
    }),
  ],
];
