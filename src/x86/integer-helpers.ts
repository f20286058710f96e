import type { Node, NodeFactory } from '../ir/node.ts';
import type { Type } from '../ir/ops.ts';
import { Calculator } from './calculator.ts';
import { crc32c } from './crc32c.ts';
import type { Case, Helper } from './helper.ts';
import { divideLong } from './quotient.ts';

const signed = (x: bigint): bigint => BigInt.asIntN(64, x);
const unsigned = (x: number | bigint): bigint => BigInt.asUintN(64, x as bigint);

/** Division of 128 bits by 64: (high, low, divisor) to (quotient, remainder, 1 for a divide error). */
function divideUnsigned(
  high: number | bigint,
  low: number | bigint,
  divisor: number | bigint,
): (number | bigint)[] {
  const by = unsigned(divisor);
  if (unsigned(high) >= by) return [0n, 0n, 1];
  const dividend = (unsigned(high) << 64n) | unsigned(low);
  return [signed(dividend / by), signed(dividend % by), 0];
}

function divideSigned(
  high: number | bigint,
  low: number | bigint,
  divisor: number | bigint,
): (number | bigint)[] {
  if (divisor === 0n) return [0n, 0n, 1];
  const dividend = ((high as bigint) << 64n) | unsigned(low);
  const quotient = dividend / (divisor as bigint);
  return quotient === signed(quotient) ? [quotient, dividend % (divisor as bigint), 0] : [0n, 0n, 1];
}

/** A quotient that fits: dividend and divisor are moved up until the divisor's highest bit is set. */
function divideUnsignedCases(b: NodeFactory, [high, low, divisor]: readonly Node[]): Case[] {
  const c = new Calculator(b);
  const zeros = c.op('clz', divisor);
  const carried = c.op('shr_u', c.op('shr_u', low, 1), c.op('sub', c.i64(63n), zeros));
  const { quotient, remainder } = divideLong(
    c,
    c.op('or', c.op('shl', high, zeros), carried),
    c.op('shl', low, zeros),
    c.op('shl', divisor, zeros),
  );
  return [
    { when: c.op('lt_u', high, divisor), results: [quotient, c.op('shr_u', remainder, zeros), c.i32(0)] },
  ];
}

const params: readonly Type[] = ['i64', 'i64', 'i64'];
const results: readonly Type[] = ['i64', 'i64', 'i32'];

export const INTEGER_HELPERS: readonly (readonly [string, Helper])[] = [
  ['div128_u', { params, results, run: divideUnsigned, cases: divideUnsignedCases }],
  ['div128_s', { params, results, run: divideSigned }],
  ...([1, 2, 4] as const).map((size): readonly [string, Helper] => [
    `crc32.${size}`,
    {
      params: ['i32', 'i32'],
      results: ['i32'],
      run: (crc, data) => [crc32c(crc as number, data as number, size)],
    },
  ]),
];
