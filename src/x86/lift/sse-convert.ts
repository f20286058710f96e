import { Mnemonic } from 'iced-x86';
import type { Node } from '../../ir/node.ts';
import type { Lift } from './context.ts';
import type { Row, Rows } from './row.ts';
import { double, governed, lane, lowPart, packed, single, withLane, zeroVector } from './sse-operands.ts';
import {
  type Float,
  fromInteger,
  fromIntegers,
  toDouble,
  toInteger,
  toSingle,
  VECTOR,
} from './sse-values.ts';

/** Conversions. Those that are always exact and take any operand do not depend on MXCSR. */

/** cvtsi2ss and cvtsi2sd: only the latter from 32 bits is exact. */
function integerToFloat(type: Float): Row {
  const convert: Row = (c) => {
    const value = fromInteger(c, type, c.size(1) === 8 ? 'i64' : 'i32', c.read(1));
    c.writeXmm(0, withLane(c, VECTOR[type], c.readXmm(0), 0, value));
  };
  return (c) => (type === 'f64' && c.size(1) === 4 ? convert(c) : governed(convert)(c));
}

function floatToInteger(type: Float, how: 'trunc' | 'round'): Row {
  return governed((c) => {
    const x = type === 'f32' ? single(c, 1) : double(c, 1);
    c.write(0, toInteger(c, how, c.size(0) === 8 ? 'i64' : 'i32', type, x));
  });
}

const singleToDouble: Row = governed((c) =>
  c.writeXmm(0, withLane(c, 'f64x2', c.readXmm(0), 0, toDouble(c, single(c, 1)))),
);

const doubleToSingle: Row = governed((c) =>
  c.writeXmm(0, withLane(c, 'f32x4', c.readXmm(0), 0, toSingle(c, double(c, 1)))),
);

/** A vector of which `values` are the first lanes and the rest is zero. */
function vectorOf(c: Lift, shape: 'i32x4' | 'f32x4' | 'f64x2', values: readonly Node[]): Node {
  return values.reduce((vector, value, i) => withLane(c, shape, vector, i, value), zeroVector(c));
}

const lanes = (c: Lift, shape: 'f32x4' | 'f64x2', vector: Node, count: number): Node[] =>
  Array.from({ length: count }, (_, i) => lane(c, shape, vector, i));

const singlesToDoubles: Row = governed((c) => {
  const values = lanes(c, 'f32x4', lowPart(c, 1, 8), 2).map((x) => toDouble(c, x));
  c.writeXmm(0, vectorOf(c, 'f64x2', values));
});

const doublesToSingles: Row = governed((c) => {
  const values = lanes(c, 'f64x2', packed(c, 1), 2).map((x) => toSingle(c, x));
  c.writeXmm(0, vectorOf(c, 'f32x4', values));
});

/** Four singles, or two doubles with zeros above them, to 32-bit integers. */
function toIntegers(type: Float, how: 'trunc' | 'round'): Row {
  return governed((c) => {
    const vector = packed(c, 1);
    const operands = type === 'f32' ? lanes(c, 'f32x4', vector, 4) : lanes(c, 'f64x2', vector, 2);
    c.writeXmm(
      0,
      vectorOf(
        c,
        'i32x4',
        operands.map((x) => toInteger(c, how, 'i32', type, x)),
      ),
    );
  });
}

const integersToSingles: Row = governed((c) => c.writeXmm(0, fromIntegers(c, packed(c, 1))));

const integersToDoubles: Row = (c) => c.writeXmm(0, c.b.op('f64x2.convert_low_i32x4_s', lowPart(c, 1, 8)));

export const SSE_CONVERT_ROWS: Rows = [
  [Mnemonic.Cvtsi2ss, integerToFloat('f32')],
  [Mnemonic.Cvtsi2sd, integerToFloat('f64')],
  [Mnemonic.Cvtss2si, floatToInteger('f32', 'round')],
  [Mnemonic.Cvtsd2si, floatToInteger('f64', 'round')],
  [Mnemonic.Cvttss2si, floatToInteger('f32', 'trunc')],
  [Mnemonic.Cvttsd2si, floatToInteger('f64', 'trunc')],
  [Mnemonic.Cvtss2sd, singleToDouble],
  [Mnemonic.Cvtsd2ss, doubleToSingle],
  [Mnemonic.Cvtps2pd, singlesToDoubles],
  [Mnemonic.Cvtpd2ps, doublesToSingles],
  [Mnemonic.Cvtps2dq, toIntegers('f32', 'round')],
  [Mnemonic.Cvttps2dq, toIntegers('f32', 'trunc')],
  [Mnemonic.Cvtpd2dq, toIntegers('f64', 'round')],
  [Mnemonic.Cvttpd2dq, toIntegers('f64', 'trunc')],
  [Mnemonic.Cvtdq2ps, integersToSingles],
  [Mnemonic.Cvtdq2pd, integersToDoubles],
];
