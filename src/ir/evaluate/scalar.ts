import type { Value } from '../value.ts';

/** The meaning of an operation: values in, immediate, value out. */
export type Evaluate = (args: readonly Value[], imm: unknown) => Value;

const flag = (condition: boolean): number => (condition ? 1 : 0);

/** The only quotient that is too large is that of the least number by -1, which traps. */
function representable<T extends number | bigint>(quotient: T, end: T): T {
  if (quotient === end) throw new RangeError('Division overflows');
  return quotient;
}

/** A division by 0 must not pass silently: generated code would trap. Bigints throw by themselves. */
function divisor(y: number): number {
  if (y === 0) throw new RangeError('division by zero');
  return y;
}

const INT32: Readonly<Record<string, (x: number, y: number) => number>> = {
  add: (x, y) => (x + y) | 0,
  sub: (x, y) => (x - y) | 0,
  mul: Math.imul,
  div_s: (x, y) => representable(Math.trunc(x / divisor(y)), 2 ** 31) | 0,
  div_u: (x, y) => Math.trunc((x >>> 0) / (divisor(y) >>> 0)) | 0,
  rem_s: (x, y) => (x % divisor(y)) | 0,
  rem_u: (x, y) => ((x >>> 0) % (divisor(y) >>> 0)) | 0,
  and: (x, y) => x & y,
  or: (x, y) => x | y,
  xor: (x, y) => x ^ y,
  shl: (x, y) => x << y,
  shr_s: (x, y) => x >> y,
  shr_u: (x, y) => (x >>> y) | 0,
  rotl: (x, y) => (x << (y & 31)) | (x >>> (-y & 31)),
  rotr: (x, y) => (x >>> (y & 31)) | (x << (-y & 31)),
  eq: (x, y) => flag(x === y),
  ne: (x, y) => flag(x !== y),
  lt_s: (x, y) => flag(x < y),
  lt_u: (x, y) => flag(x >>> 0 < y >>> 0),
  le_s: (x, y) => flag(x <= y),
  le_u: (x, y) => flag(x >>> 0 <= y >>> 0),
  gt_s: (x, y) => flag(x > y),
  gt_u: (x, y) => flag(x >>> 0 > y >>> 0),
  ge_s: (x, y) => flag(x >= y),
  ge_u: (x, y) => flag(x >>> 0 >= y >>> 0),
  eqz: (x) => flag(x === 0),
  clz: (x) => Math.clz32(x),
  ctz: (x) => (x === 0 ? 32 : 31 - Math.clz32(x & -x)),
  popcnt: (x) => ones(BigInt(x >>> 0)),
  extend8_s: (x) => (x << 24) >> 24,
  extend16_s: (x) => (x << 16) >> 16,
};

const s = (x: bigint): bigint => BigInt.asIntN(64, x);
const u = (x: bigint): bigint => BigInt.asUintN(64, x);

const INT64: Readonly<Record<string, (x: bigint, y: bigint) => bigint | number>> = {
  add: (x, y) => s(x + y),
  sub: (x, y) => s(x - y),
  mul: (x, y) => s(x * y),
  div_s: (x, y) => representable(x / y, 2n ** 63n),
  div_u: (x, y) => s(u(x) / u(y)),
  rem_s: (x, y) => x % y,
  rem_u: (x, y) => s(u(x) % u(y)),
  and: (x, y) => x & y,
  or: (x, y) => x | y,
  xor: (x, y) => x ^ y,
  shl: (x, y) => s(x << (y & 63n)),
  shr_s: (x, y) => x >> (y & 63n),
  shr_u: (x, y) => s(u(x) >> (y & 63n)),
  rotl: (x, y) => s((u(x) << (y & 63n)) | (u(x) >> (-y & 63n))),
  rotr: (x, y) => s((u(x) >> (y & 63n)) | (u(x) << (-y & 63n))),
  eq: (x, y) => flag(x === y),
  ne: (x, y) => flag(x !== y),
  lt_s: (x, y) => flag(x < y),
  lt_u: (x, y) => flag(u(x) < u(y)),
  le_s: (x, y) => flag(x <= y),
  le_u: (x, y) => flag(u(x) <= u(y)),
  gt_s: (x, y) => flag(x > y),
  gt_u: (x, y) => flag(u(x) > u(y)),
  ge_s: (x, y) => flag(x >= y),
  ge_u: (x, y) => flag(u(x) >= u(y)),
  eqz: (x) => flag(x === 0n),
  clz: (x) => BigInt(64 - (x === 0n ? 0 : u(x).toString(2).length)),
  ctz: (x) => BigInt(x === 0n ? 64 : u(x & -x).toString(2).length - 1),
  popcnt: (x) => BigInt(ones(u(x))),
  extend8_s: (x) => BigInt.asIntN(8, x),
  extend16_s: (x) => BigInt.asIntN(16, x),
  extend32_s: (x) => BigInt.asIntN(32, x),
};

function ones(x: bigint): number {
  return x.toString(2).replaceAll('0', '').length;
}

/** Bit by bit: the n-th one of the mask is the place in the wide value, n that in the narrow one. */
function scattered(x: bigint, mask: bigint, way: 'deposit' | 'extract'): bigint {
  let result = 0n;
  let n = 0n;
  for (let place = 0n; place < 64n; place++) {
    if (((mask >> place) & 1n) === 0n) continue;
    const [from, to] = way === 'deposit' ? [n, place] : [place, n];
    result |= ((x >> from) & 1n) << to;
    n++;
  }
  return result;
}

const select: Evaluate = ([ifTrue, ifFalse, condition]) => (condition !== 0 ? ifTrue : ifFalse);

export const SCALAR: Readonly<Record<string, Evaluate>> = {
  ...prefixed('i32', INT32 as Readonly<Record<string, (x: never, y: never) => Value>>),
  ...prefixed('i64', INT64 as Readonly<Record<string, (x: never, y: never) => Value>>),
  'i32.wrap_i64': ([x]) => Number(BigInt.asIntN(32, x as bigint)),
  'i64.extend_i32_s': ([x]) => BigInt(x as number),
  'i64.extend_i32_u': ([x]) => BigInt((x as number) >>> 0),
  'select.i32': select,
  'select.i64': select,
  'select.f32': select,
  'select.f64': select,
  'select.v128': select,
  'x86.mulhi_s': ([x, y]) => ((x as bigint) * (y as bigint)) >> 64n,
  'x86.mulhi_u': ([x, y]) => s((u(x as bigint) * u(y as bigint)) >> 64n),
  'x86.pdep': ([x, mask]) => s(scattered(u(x as bigint), u(mask as bigint), 'deposit')),
  'x86.pext': ([x, mask]) => s(scattered(u(x as bigint), u(mask as bigint), 'extract')),
  'x86.parity': ([x]) => (ones(BigInt((x as number) & 0xff)) + 1) & 1,
};

function prefixed(
  type: string,
  table: Readonly<Record<string, (x: never, y: never) => Value>>,
): Record<string, Evaluate> {
  return Object.fromEntries(
    Object.entries(table).map(([name, run]) => [
      `${type}.${name}`,
      ([x, y]: readonly Value[]) => run(x as never, y as never),
    ]),
  );
}
