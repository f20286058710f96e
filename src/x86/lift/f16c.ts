import type { Node } from '../../ir/node.ts';
import type { Lift } from './context.ts';
import type { Rows } from './row.ts';
import { selector, zeroVector } from './sse-operands.ts';
import { fromHalves, toHalves } from './sse-values.ts';
import { eachHalf, governed, lowPart, readVector, type Shape, vexRows, writeVector } from './vector-form.ts';

/** F16C: half-precision numbers in memory, or in the 16-bit lanes of a register. */

/** Four lanes of 16 bits, of eight, each in 32 bits. */
const spread = (c: Lift, x: Node, half: 'low' | 'high'): Node => c.b.op(`i32x4.extend_${half}_i16x8_u`, x);

const toSingles: Shape = governed((c, e) => {
  const x = lowPart(c, 1, c.isWide(0) ? 16 : 8);
  const low = fromHalves(c, spread(c, x, 'low'));
  writeVector(c, e, 0, c.isWide(0) ? [low, fromHalves(c, spread(c, x, 'high'))] : [low]);
});

const fromSingles: Shape = governed((c, e) => {
  const select = selector(c, 2) & 7;
  const [low, high] = eachHalf(readVector(c, e, 1), (half) => toHalves(c, half, select));
  const lanes = c.b.op('i16x8.narrow_i32x4_u', low, high ?? zeroVector(c));
  if (!c.isMemory(0)) writeVector(c, e, 0, [lanes]);
  else c.storeAs(high === undefined ? 8 : 16, lanes);
});

export const F16C_ROWS: Rows = vexRows([
  ['Cvtph2ps', toSingles],
  ['Cvtps2ph', fromSingles],
]);
