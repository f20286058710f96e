import type { Node } from '../../ir/node.ts';
import type { Lift } from './context.ts';
import { shuffle, widened } from './sse-operands.ts';
import {
  type Float,
  fromInteger,
  fromIntegers,
  toDouble,
  toInteger,
  toSingle,
  vectorToDoubles,
  vectorToIntegers,
  vectorToSingles,
} from './sse-values.ts';
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

/** Lanes become twice as wide: 8 bytes of source for each 128 bits of the destination. */
function widening(convert: (c: Lift, x: Node) => Node): Shape {
  return (c, e) => {
    const source = lowPart(c, 1, c.isWide(0) ? 16 : 8);
    const upper = () => shuffle(c, widened([1, 1], 8), source, source);
    writeVector(c, e, 0, c.isWide(0) ? [convert(c, source), convert(c, upper())] : [convert(c, source)]);
  };
}

const singlesToDoubles = governed(widening(vectorToDoubles));

const integersToDoubles = widening((c, x) => c.b.op('f64x2.convert_low_i32x4_s', x));

/** Two or four doubles to lanes of half the width, of which the destination has 128 bits. */
function narrowing(convert: (c: Lift, x: Node) => Node): Shape {
  return governed((c, e) => {
    const [low, high] = readVector(c, e, 1).map((half) => convert(c, half));
    writeVector(c, e, 0, [high === undefined ? low : shuffle(c, widened([0, 2], 8), low, high)]);
  });
}

const singlesToIntegers = (how: 'trunc' | 'round'): Shape =>
  governed(unary((c, x) => vectorToIntegers(c, how, 'f32', x)));

const doublesToIntegers = (how: 'trunc' | 'round'): Shape =>
  narrowing((c, x) => vectorToIntegers(c, how, 'f64', x));

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
  ['Cvtpd2ps', narrowing(vectorToSingles)],
  ['Cvtps2dq', singlesToIntegers('round')],
  ['Cvttps2dq', singlesToIntegers('trunc')],
  ['Cvtpd2dq', doublesToIntegers('round')],
  ['Cvttpd2dq', doublesToIntegers('trunc')],
  ['Cvtdq2ps', governed(unary(fromIntegers))],
  ['Cvtdq2pd', integersToDoubles],
];
