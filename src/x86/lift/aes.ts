import type { Node } from '../../ir/node.ts';
import type { Lift } from './context.ts';
import { shuffle, zeroVector } from './sse-operands.ts';
import { binary, type Shape, unary, unarySelected, type VectorTable } from './vector-form.ts';

/**
 * AES-NI (FIPS 197; SDM volume 2, AESDEC to AESKEYGENASSIST). Byte 4c + r of the register is row r and column c of the
 * state. Each of the instructions joins its steps in an order in which substitution and the shift of rows may change places.
 */

/** Product in GF(2^8) modulo x^8 + x^4 + x^3 + x + 1. */
function product(x: number, y: number): number {
  let result = 0;
  for (let bit = 0, power = x; bit < 8; bit++, power = (power << 1) ^ (power & 0x80 ? 0x11b : 0))
    if ((y >> bit) & 1) result ^= power;
  return result;
}

/** The S-box: the inverse, then an affine map over bits (FIPS 197, 5.1.1). */
function substitution(): Uint8Array {
  return Uint8Array.from({ length: 256 }, (_, x) => {
    let inverse = 0;
    while (x !== 0 && product(x, inverse) !== 1) inverse++;
    const wide = inverse * 0x101;
    return (inverse ^ (wide >> 7) ^ (wide >> 6) ^ (wide >> 5) ^ (wide >> 4) ^ 0x63) & 0xff;
  });
}

/** Made when it is needed: it takes 2 ms, which is more than the smallest measurement should spend on it. */
let known: { readonly forward: Uint8Array; readonly inverse: Uint8Array } | undefined;

function boxes(): { readonly forward: Uint8Array; readonly inverse: Uint8Array } {
  if (known !== undefined) return known;
  const forward = substitution();
  const inverse = Uint8Array.from({ length: 256 }, (_, y) => forward.indexOf(y));
  known = { forward, inverse };
  return known;
}

function constant(c: Lift, bytes: ArrayLike<number>): Node {
  const half = (from: number) =>
    Array.from({ length: 8 }, (_, i) => BigInt(bytes[from + i]) << BigInt(8 * i)).reduce(
      (all, byte) => all | byte,
    );
  return c.b.v128(half(0), half(8));
}

const splat = (c: Lift, byte: number): Node => constant(c, Array(16).fill(byte));

/** Looks every byte up: swizzle gives 0 for other rows of the table than the byte's. */
function substitute(c: Lift, x: Node, table: Uint8Array): Node {
  const { b } = c;
  return Array.from({ length: 16 }, (_, row) => {
    const indices = row === 0 ? x : b.op('v128.xor', x, splat(c, 16 * row));
    return b.op('i8x16.swizzle', constant(c, table.subarray(16 * row, 16 * row + 16)), indices);
  }).reduce((all, each) => b.op('v128.or', all, each));
}

/** Row r moves by r columns: to the left, or back to the right. */
function shiftRows(c: Lift, x: Node, direction: 1 | -1): Node {
  const lanes = Array.from({ length: 16 }, (_, i) => (i + 4 * direction * (i % 4) + 16) % 16);
  return shuffle(c, lanes, x, x);
}

/** Each byte times x. */
function doubled(c: Lift, v: Node): Node {
  const { b } = c;
  const carry = b.op('v128.and', b.op('i8x16.lt_s', v, zeroVector(c)), splat(c, 0x1b));
  return b.op('v128.xor', b.op('i8x16.add', v, v), carry);
}

/** The byte `count` rows further down its column. */
function rowsOn(c: Lift, v: Node, count: number): Node {
  const lanes = Array.from({ length: 16 }, (_, i) => (i & ~3) | ((i + count) & 3));
  return shuffle(c, lanes, v, v);
}

const xor = (c: Lift, ...nodes: Node[]): Node => nodes.reduce((all, each) => c.b.op('v128.xor', all, each));

/** 2, 3, 1, 1 times the bytes from a place on (FIPS 197, 5.1.3). */
function mixColumns(c: Lift, v: Node): Node {
  const twice = doubled(c, v);
  return xor(c, twice, rowsOn(c, xor(c, v, twice), 1), rowsOn(c, v, 2), rowsOn(c, v, 3));
}

/** 14, 11, 13, 9 times: mixColumns of v + 4 (v + the byte two rows on), as 14, 11, 13, 9 = (2, 3, 1, 1) (5, 0, 4, 0). */
function inverseMixColumns(c: Lift, v: Node): Node {
  const fourfold = doubled(c, doubled(c, v));
  return mixColumns(c, xor(c, v, fourfold, rowsOn(c, fourfold, 2)));
}

type Compute = (c: Lift, x: Node) => Node;
const round = (steps: Compute): Shape => binary((c, x, key) => xor(c, steps(c, x), key));

const encrypt: Compute = (c, x) => substitute(c, shiftRows(c, x, 1), boxes().forward);
const decrypt: Compute = (c, x) => substitute(c, shiftRows(c, x, -1), boxes().inverse);

/** Words 1 and 3 substituted, each beside its rotation by a byte with the round constant added. */
const assistKey: Shape = unarySelected((c, x, select) => {
  const words = substitute(c, x, boxes().forward);
  const lanes = [4, 5, 6, 7, 5, 6, 7, 4, 12, 13, 14, 15, 13, 14, 15, 12];
  const bytes = lanes.map((_, i) => (i === 4 || i === 12 ? select : 0));
  return xor(c, shuffle(c, lanes, words, words), constant(c, bytes));
});

export const AES: VectorTable = [
  ['Aesenc', round((c, x) => mixColumns(c, encrypt(c, x)))],
  ['Aesenclast', round(encrypt)],
  ['Aesdec', round((c, x) => inverseMixColumns(c, decrypt(c, x)))],
  ['Aesdeclast', round(decrypt)],
  ['Aesimc', unary(inverseMixColumns)],
  ['Aeskeygenassist', assistKey],
];
