import { Mnemonic } from 'iced-x86';
import type { Node } from '../../ir/node.ts';
import { FPU_TAGS } from '../state.ts';
import type { Lift } from './context.ts';
import { maskedStoreOperands } from './masked-store.ts';
import { enterMmx, isMmx, readMmx, readMmxVector, writeMmx } from './mmx-registers.ts';
import type { Row, Rows, ServiceRows } from './row.ts';
import { SSE_INTEGER } from './sse-integer.ts';
import { SSE_MOVE } from './sse-move.ts';
import { lane, selector, shuffle, withLane, zeroVector } from './sse-operands.ts';
import { SSE_SHUFFLE } from './sse-shuffle.ts';
import { type Float, fromInteger, toInteger } from './sse-values.ts';
import { SSSE3, shuffleBytes } from './sse3.ts';
import {
  binary,
  binarySelected,
  type Encoding,
  governed,
  mnemonicOf,
  packed,
  type Shape,
} from './vector-form.ts';

/**
 * MMX, and the forms on MMX registers of SSE to SSSE3. Their meaning is that of the shapes on 128 bits:
 *
 *     lanes that stay in their place    the low half of the result on operands in low halves
 *     packing, horizontal sums          the low half of the result on both operands in one vector
 *     punpckh                           the high half of what punpckl gives
 */
const PLAIN: Encoding = { isVex: false, first: 0, second: 1, mmx: { half: 0 } };
const UPPER: Encoding = { ...PLAIN, mmx: { half: 1 } };

/** Both operands in one vector, the first below the second. */
function joined(c: Lift): Encoding {
  const first = readMmxVector(c, 0);
  const operand = withLane(c, 'i64x2', first, 1, lane(c, 'i64x2', readMmxVector(c, 1), 0));
  return { ...PLAIN, mmx: { operand, half: 0 } };
}

const SHAPES: ReadonlyMap<string, Shape> = new Map([...SSE_MOVE, ...SSE_INTEGER, ...SSE_SHUFFLE, ...SSSE3]);

const entering =
  (row: Row): Row =>
  (c) => {
    enterMmx(c);
    row(c);
  };

function derived(names: string, encodingOf: (c: Lift) => Encoding): Rows {
  return names.split(' ').map((name) => {
    const shape = SHAPES.get(name) as Shape;
    return [mnemonicOf(name), entering((c) => shape(c, encodingOf(c)))];
  });
}

const LANEWISE = [
  'Paddb Paddw Paddd Paddq Paddsb Paddsw Paddusb Paddusw Psubb Psubw Psubd Psubq Psubsb Psubsw Psubusb Psubusw',
  'Pmullw Pmulhw Pmulhuw Pmuludq Pmaddwd Psadbw Pavgb Pavgw Pminub Pmaxub Pminsw Pmaxsw',
  'Pcmpeqb Pcmpeqw Pcmpeqd Pcmpgtb Pcmpgtw Pcmpgtd Pand Pandn Por Pxor',
  'Psllw Pslld Psllq Psrlw Psrld Psrlq Psraw Psrad Punpcklbw Punpcklwd Punpckldq Pmovmskb',
  'Pmaddubsw Pmulhrsw Psignb Psignw Psignd Pabsb Pabsw Pabsd',
].join(' ');
const PAIRWISE = 'Packsswb Packuswb Packssdw Phaddw Phaddd Phaddsw Phsubw Phsubd Phsubsw';

const ofShape = (shape: Shape): Row => entering((c) => shape(c, PLAIN));

/** Selectors have three bits. */
const shuffleEight = binary((c, x, y) => {
  const bits = 0x8787_8787_8787_8787n;
  return shuffleBytes(c, x, c.b.op('v128.and', y, c.b.v128(bits, bits)));
});

/** Eight bytes, from `count` on, of the second operand with the first above it and zeros above that. */
const alignRight = binarySelected((c, x, y, count) => {
  // Bytes 8 to 15 of each operand are 0.
  const lanes = Array.from({ length: 16 }, (_, i) => {
    const from = i + count;
    return from < 8 ? 16 + from : from < 16 ? from - 8 : 8;
  });
  return shuffle(c, lanes, x, y);
});

function insertWord(c: Lift): void {
  const source = c.isMemory(1) ? c.loadAs(2, 'i32') : c.read(1);
  const word = source.type === 'i64' ? c.b.op('i32.wrap_i64', source) : source;
  const inserted = c.b.opImm('i16x8.replace_lane', selector(c, 2) & 3, readMmxVector(c, 0), word);
  writeMmx(c, 0, lane(c, 'i64x2', inserted, 0));
}

function extractWord(c: Lift): void {
  const word = c.b.opImm('i16x8.extract_lane_u', selector(c, 2) & 3, readMmxVector(c, 1));
  c.write(0, c.size(0) === 8 ? c.b.op('i64.extend_i32_u', word) : word);
}

/** movd and movq: 32 bits are widened with zeros. */
function move(c: Lift): void {
  const isWide = c.size(isMmx(c, 0) ? 1 : 0) === 8;
  if (isMmx(c, 0)) {
    const value = isMmx(c, 1) ? readMmx(c, 1) : c.read(1);
    return writeMmx(c, 0, isWide ? value : c.b.op('i64.extend_i32_u', value));
  }
  const value = readMmx(c, 1);
  c.write(0, isWide ? value : c.b.op('i32.wrap_i64', value));
}

function toVector(c: Lift): void {
  c.writeXmm(0, withLane(c, 'i64x2', zeroVector(c), 0, readMmx(c, 1)));
}

function fromVector(c: Lift): void {
  writeMmx(c, 0, lane(c, 'i64x2', c.readXmm(1), 0));
}

const lanes = (c: Lift, vector: Node): Node[] => [0, 1].map((i) => lane(c, 'i32x4', vector, i));

/**
 * cvtpi2ps and cvtpi2pd: from memory no MMX register is touched, and the x87 stack stays as it is (seen on EPYC, family 26;
 * Intel's manual says so of the latter only).
 */
const fromMmx =
  (row: Row): Row =>
  (c) => {
    if (!c.isMemory(1)) enterMmx(c);
    row(c);
  };

/** To the lower two singles; the upper two stay. */
const integersToSingles: Row = (c) => {
  const singles = lanes(c, readMmxVector(c, 1)).map((x) => fromInteger(c, 'f32', 'i32', x));
  c.writeXmm(
    0,
    singles.reduce((v, x, i) => withLane(c, 'f32x4', v, i, x), c.readXmm(0)),
  );
};

/** Exact, so that MXCSR does not govern it. */
function integersToDoubles(c: Lift): void {
  c.writeXmm(0, c.b.op('f64x2.convert_low_i32x4_s', readMmxVector(c, 1)));
}

function toIntegers(type: Float, how: 'trunc' | 'round'): Row {
  return (c) => {
    const vector = type === 'f64' ? packed(c, SSE, 1) : c.isMemory(1) ? c.loadAs(8, 'v128') : c.readXmm(1);
    const integers = [0, 1].map((i) => {
      const x = lane(c, type === 'f32' ? 'f32x4' : 'f64x2', vector, i);
      return c.b.op('i64.extend_i32_u', toInteger(c, how, 'i32', type, x));
    });
    writeMmx(c, 0, c.b.op('i64.or', integers[0], c.b.op('i64.shl', integers[1], c.b.i64(32))));
  };
}

const SSE: Encoding = { isVex: false, first: 0, second: 1 };

const governedRow = (row: Row): Row => {
  const shape = governed((c) => row(c));
  return (c) => shape(c, SSE);
};

/** All slots are empty then. */
function empty(c: Lift): void {
  c.top = 0;
  c.b.poke(FPU_TAGS, c.b.i32(0));
}

export const MMX_ROWS: Rows = [
  ...derived(LANEWISE, () => PLAIN),
  ...derived(PAIRWISE, joined),
  ...(['bw', 'wd', 'dq'] as const).map((lanes): Rows[number] => {
    const shape = SHAPES.get(`Punpckl${lanes}`) as Shape;
    return [mnemonicOf(`Punpckh${lanes}`), entering((c) => shape(c, UPPER))];
  }),
  [Mnemonic.Pshufw, ofShape(SHAPES.get('Pshuflw') as Shape)],
  [Mnemonic.Pshufb, ofShape(shuffleEight)],
  [Mnemonic.Palignr, ofShape(alignRight)],
  [Mnemonic.Pinsrw, entering(insertWord)],
  [Mnemonic.Pextrw, entering(extractWord)],
  [Mnemonic.Movd, entering(move)],
  [Mnemonic.Movq, entering(move)],
  [Mnemonic.Movntq, entering(move)],
  [Mnemonic.Movq2dq, entering(toVector)],
  [Mnemonic.Movdq2q, entering(fromVector)],
  [Mnemonic.Cvtpi2ps, fromMmx(governedRow(integersToSingles))],
  [Mnemonic.Cvtpi2pd, fromMmx(integersToDoubles)],
  [Mnemonic.Cvtps2pi, entering(governedRow(toIntegers('f32', 'round')))],
  [Mnemonic.Cvttps2pi, entering(governedRow(toIntegers('f32', 'trunc')))],
  [Mnemonic.Cvtpd2pi, entering(governedRow(toIntegers('f64', 'round')))],
  [Mnemonic.Cvttpd2pi, entering(governedRow(toIntegers('f64', 'trunc')))],
  [Mnemonic.Emms, empty],
];

export const MMX_SERVICES: ServiceRows = [[Mnemonic.Maskmovq, maskedStoreOperands]];
