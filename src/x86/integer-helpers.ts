import type { Type } from '../ir/ops.ts';
import type { Helper } from './helper.ts';

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

const params: readonly Type[] = ['i64', 'i64', 'i64'];
const results: readonly Type[] = ['i64', 'i64', 'i32'];

export const INTEGER_HELPERS: readonly (readonly [string, Helper])[] = [
  ['div128_u', { params, results, run: divideUnsigned }],
  ['div128_s', { params, results, run: divideSigned }],
];
