import type { Node } from '../../ir/node.ts';
import type { Lift } from './context.ts';
import { lane, shuffle, VECTOR_LANES, widened, withLane, zeroVector } from './sse-operands.ts';
import { type Float, fromInteger, fromIntegers, toDouble, toInteger, toSingle } from './sse-values.ts';
import {
  governed,
  lowPart,
  readVector,
  type Shape,
  scalarOperand,
  scalarUnary,
  unary,
  type VectorTable,
  writeLow,
  writeVector,
} from './vector-form.ts';

/** Conversions. Those that are always exact and take any operand do not depend on MXCSR. */

/** cvtsi2ss and cvtsi2sd: only the latter from 32 bits is exact. */
function integerToFloat(type: Float): Shape {
  const convert: Shape = (c, e) => {
    const from = c.size(e.second) === 8 ? 'i64' : 'i32';
    writeLow(c, e, type, fromInteger(c, type, from, c.read(e.second)));
  };
  return (c, e) => (type === 'f64' && c.size(e.second) === 4 ? convert(c, e) : governed(convert)(c, e));
}

function floatToInteger(type: Float, how: 'trunc' | 'round'): Shape {
  return governed((c) => {
    const x = scalarOperand(c, 1, type);
    c.write(0, toInteger(c, how, c.size(0) === 8 ? 'i64' : 'i32', type, x));
  });
}

const singleToDouble = governed(scalarUnary('f64', toDouble, 'f32'));
const doubleToSingle = governed(scalarUnary('f32', toSingle, 'f64'));

/** A vector of which `values` are the first lanes and the rest is zero. */
function vectorOf(c: Lift, shape: 'i32x4' | 'f32x4' | 'f64x2', values: readonly Node[]): Node {
  return values.reduce((vector, value, i) => withLane(c, shape, vector, i, value), zeroVector(c));
}

const lanes = (c: Lift, type: Float, vector: Node, first: number, count: number): Node[] =>
  Array.from({ length: count }, (_, i) => lane(c, VECTOR_LANES[type], vector, first + i));

/** Lanes become twice as wide: 8 bytes of source for each 128 bits of the destination. */
function widening(convert: (c: Lift, source: Node, half: 0 | 1) => Node): Shape {
  return (c, e) => {
    const source = lowPart(c, 1, c.isWide(0) ? 16 : 8);
    writeVector(
      c,
      e,
      0,
      c.isWide(0) ? [convert(c, source, 0), convert(c, source, 1)] : [convert(c, source, 0)],
    );
  };
}

const singlesToDoubles = governed(
  widening((c, source, half) =>
    vectorOf(
      c,
      'f64x2',
      lanes(c, 'f32', source, 2 * half, 2).map((x) => toDouble(c, x)),
    ),
  ),
);

const integersToDoubles = widening((c, source, half) => {
  const upper = half === 0 ? source : shuffle(c, widened([1, 1], 8), source, source);
  return c.b.op('f64x2.convert_low_i32x4_s', upper);
});

/** Two or four doubles to lanes of half the width, of which the destination has 128 bits. */
function narrowing(shape: 'i32x4' | 'f32x4', convert: (c: Lift, x: Node) => Node): Shape {
  return governed((c, e) => {
    const doubles = readVector(c, e, 1).flatMap((half) => lanes(c, 'f64', half, 0, 2));
    writeVector(c, e, 0, [
      vectorOf(
        c,
        shape,
        doubles.map((x) => convert(c, x)),
      ),
    ]);
  });
}

function singlesToIntegers(how: 'trunc' | 'round'): Shape {
  return governed(
    unary((c, x) =>
      vectorOf(
        c,
        'i32x4',
        lanes(c, 'f32', x, 0, 4).map((each) => toInteger(c, how, 'i32', 'f32', each)),
      ),
    ),
  );
}

const doublesToIntegers = (how: 'trunc' | 'round'): Shape =>
  narrowing('i32x4', (c, x) => toInteger(c, how, 'i32', 'f64', x));

export const SSE_CONVERT: VectorTable = [
  ['Cvtsi2ss', integerToFloat('f32')],
  ['Cvtsi2sd', integerToFloat('f64')],
  ['Cvtss2si', floatToInteger('f32', 'round')],
  ['Cvtsd2si', floatToInteger('f64', 'round')],
  ['Cvttss2si', floatToInteger('f32', 'trunc')],
  ['Cvttsd2si', floatToInteger('f64', 'trunc')],
  ['Cvtss2sd', singleToDouble],
  ['Cvtsd2ss', doubleToSingle],
  ['Cvtps2pd', singlesToDoubles],
  ['Cvtpd2ps', narrowing('f32x4', toSingle)],
  ['Cvtps2dq', singlesToIntegers('round')],
  ['Cvttps2dq', singlesToIntegers('trunc')],
  ['Cvtpd2dq', doublesToIntegers('round')],
  ['Cvttpd2dq', doublesToIntegers('trunc')],
  ['Cvtdq2ps', governed(unary(fromIntegers))],
  ['Cvtdq2pd', integersToDoubles],
];
