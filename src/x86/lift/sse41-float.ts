import type { Node } from '../../ir/node.ts';
import type { Lift } from './context.ts';
import { selector, shuffle, widened, zeroVector } from './sse-operands.ts';
import { type Float, rounded, vectorArithmetic, vectorRounded } from './sse-values.ts';
import {
  binarySelected,
  governed,
  type Shape,
  scalarOperand,
  unarySelected,
  type VectorTable,
  writeLow,
} from './vector-form.ts';

/** SSE4.1 floating point: scalar products and rounding to integers. */

/**
 * Products of the lanes that the selector's upper half names, 0 for the others, summed in pairs, then the sums; to the
 * lanes that its lower half names. Lanes that are not named are not multiplied: they raise no exception.
 */
function scalarProduct(type: Float): Shape {
  const bytes = type === 'f32' ? 4 : 8;
  const count = 16 / bytes;
  const lanes = Array.from({ length: count }, (_, i) => i);
  const marked = (c: Lift, v: Node, bits: number) =>
    shuffle(
      c,
      widened(
        lanes.map((i) => ((bits >> i) & 1 ? i : count + i)),
        bytes,
      ),
      v,
      zeroVector(c),
    );
  return governed(
    binarySelected((c, x, y, select) => {
      const upper = select >> 4;
      let sum = marked(c, vectorArithmetic(c, 'mul', type, marked(c, x, upper), marked(c, y, upper)), upper);
      for (let distance = 1; distance < count; distance *= 2) {
        const other = lanes.map((i) => i ^ distance);
        sum = vectorArithmetic(c, 'add', type, sum, shuffle(c, widened(other, bytes), sum, sum));
      }
      return shuffle(
        c,
        widened(
          lanes.map((i) => ((select >> i) & 1 ? 0 : count)),
          bytes,
        ),
        sum,
        zeroVector(c),
      );
    }),
  );
}

/** The selector's bits 0 and 1 say how to round, or bit 2 that MXCSR does; bit 3 that inexactness raises nothing. */
function packedRound(type: Float): Shape {
  return governed(unarySelected((c, x, select) => vectorRounded(c, type, x, select & 15)));
}

function scalarRound(type: Float): Shape {
  return governed((c, e) => {
    const select = selector(c, e.second + 1) & 15;
    writeLow(c, e, type, rounded(c, type, scalarOperand(c, e.second, type), select));
  });
}

export const SSE41_FLOAT: VectorTable = [
  ['Dpps', scalarProduct('f32')],
  ['Dppd', scalarProduct('f64')],
  ['Roundps', packedRound('f32')],
  ['Roundpd', packedRound('f64')],
  ['Roundss', scalarRound('f32')],
  ['Roundsd', scalarRound('f64')],
];
