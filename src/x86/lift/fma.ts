import type { Node } from '../../ir/node.ts';
import type { Lift } from './context.ts';
import type { Rows } from './row.ts';
import { VECTOR_LANES, withLane } from './sse-operands.ts';
import { type Float, fused, vectorFused } from './sse-values.ts';
import {
  type Encoding,
  eachHalf,
  governed,
  readVector,
  type Shape,
  scalarOperand,
  type Vector,
  type VectorTable,
  vexRows,
  writeVector,
} from './vector-form.ts';

/**
 * FMA3. The digits of a mnemonic name the operands: 231 is second * third + first. Signs: `fnm` changes the product's, `sub`
 * the addend's, `addsub` that of even lanes, `subadd` that of odd ones.
 */
const ORDERS = { '132': [0, 2, 1], '213': [1, 0, 2], '231': [1, 2, 0] } as const;
type Order = keyof typeof ORDERS;

/** Bits as in the immediate of `x86.f64x2.fma`: the product's sign, then the addend's in each lane. */
const KINDS = {
  fmadd: 0b0_0000,
  fmsub: 0b1_1110,
  fnmadd: 0b0_0001,
  fnmsub: 0b1_1111,
  fmaddsub: 0b0_1010,
  fmsubadd: 0b1_0100,
} as const;

function packedFused(order: Order, type: Float, signs: number): Shape {
  return governed((c, e) => {
    const operands: Vector[] = [0, 1, 2].map((operand) => readVector(c, e, operand));
    const [x, y, z] = ORDERS[order].map((operand) => operands[operand]);
    writeVector(
      c,
      e,
      0,
      eachHalf(x, (half, i) => vectorFused(c, type, [half, y[i] as Node, z[i] as Node], signs)),
    );
  });
}

function scalarFused(order: Order, type: Float, signs: number): Shape {
  return governed((c: Lift, e: Encoding) => {
    const operands = [0, 1, 2].map((operand) => scalarOperand(c, operand, type));
    const value = fused(
      c,
      type,
      ORDERS[order].map((operand) => operands[operand]),
      signs & 3,
    );
    writeVector(c, e, 0, [withLane(c, VECTOR_LANES[type], c.readXmm(0), 0, value)]);
  });
}

const table: VectorTable = Object.entries(KINDS).flatMap(([kind, signs]) =>
  (Object.keys(ORDERS) as Order[]).flatMap((order) => {
    const stem = `F${kind.slice(1)}${order}`;
    const packed = (['ps', 'pd'] as const).map(
      (suffix) => [`${stem}${suffix}`, packedFused(order, suffix === 'ps' ? 'f32' : 'f64', signs)] as const,
    );
    if (kind === 'fmaddsub' || kind === 'fmsubadd') return packed;
    const scalar = (['ss', 'sd'] as const).map(
      (suffix) => [`${stem}${suffix}`, scalarFused(order, suffix === 'ss' ? 'f32' : 'f64', signs)] as const,
    );
    return [...packed, ...scalar];
  }),
);

export const FMA_ROWS: Rows = vexRows(table);
