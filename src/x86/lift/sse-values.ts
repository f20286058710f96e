import type { Node } from '../../ir/node.ts';
import { FLOAT_FAULTS } from '../float/exceptions.ts';
import { DENORMALS_ARE_ZEROS, FLUSH_TO_ZERO } from '../float/sse.ts';
import { AR, CF, MXCSR_STATUS, OF, SR, ZR } from '../state.ts';
import { DEFAULT_MXCSR, type Lift } from './context.ts';
import { lane, onesVector, VECTOR_LANES, withLane, zeroVector } from './sse-operands.ts';

/**
 * SSE floating-point values in the mode that MXCSR asks for. Rounded to nearest with exceptions masked they are operations of
 * the IR, as long as the program cannot see that sticky exceptions are not kept (see status-use.ts); also where tiny results or
 * denormal operands are zeros, as compilers have it for fast mathematics. Otherwise each lane is a call of a helper of float/,
 * which rounds, flushes and raises as the processor does.
 */
export type Float = 'f32' | 'f64';
export type Arithmetic = 'add' | 'sub' | 'mul' | 'div';

const INTEGER = { f32: 'i32', f64: 'i64' } as const;
const LANES = { f32: 4, f64: 2 } as const;

/** Where MXCSR has the masks of exceptions. */
const MASKS = 7;

const isUsual = ({ mxcsr, exceptions }: Lift): boolean =>
  (mxcsr & ~(FLUSH_TO_ZERO | DENORMALS_ARE_ZEROS)) === DEFAULT_MXCSR && !exceptions.keepsStatus;

type FloatShape = Float | (typeof VECTOR_LANES)[Float];

/** An operand, or a vector of them. */
const operand = ({ b, mxcsr }: Lift, shape: FloatShape, x: Node): Node =>
  (mxcsr & DENORMALS_ARE_ZEROS) === 0 ? x : b.op(`x86.${shape}.daz`, x);

/** The name of an operation whose result may be tiny. */
const flushing = ({ mxcsr }: Lift, name: string): string =>
  (mxcsr & FLUSH_TO_ZERO) === 0 ? name : `${name}_ftz`;

/** Calls a helper on bit patterns and keeps the exceptions that it raises; one that is unmasked is a fault. */
function exact(c: Lift, name: string, args: readonly Node[], result: 'i32' | 'i64'): Node {
  const { b } = c;
  const mxcsr = b.op('i32.or', b.i32(c.mxcsr), b.peek(MXCSR_STATUS));
  const [value, flags] = b.helper(`sse.${name}`, [...args, mxcsr], [result, 'i32']);
  for (const [exceptions, fault] of FLOAT_FAULTS) {
    const unmasked = exceptions & ~(c.mxcsr >> MASKS);
    if (unmasked !== 0) b.guard(b.op('i32.and', flags, b.i32(unmasked)), fault);
  }
  b.poke(MXCSR_STATUS, b.op('i32.or', b.peek(MXCSR_STATUS), flags));
  return value;
}

const bitsOf = (c: Lift, type: Float, x: Node): Node => c.b.op(`${INTEGER[type]}.reinterpret_${type}`, x);
const floatOf = (c: Lift, type: Float, bits: Node): Node =>
  c.b.op(`${type}.reinterpret_${INTEGER[type]}`, bits);

function exactFloat(c: Lift, name: string, type: Float, args: readonly Node[]): Node {
  const bits = args.map((x) => bitsOf(c, type, x));
  return floatOf(c, type, exact(c, `${name}.${type}`, bits, INTEGER[type]));
}

/** Applies a function to the first lanes of vectors; the other lanes of the result are zero. */
function eachLane(
  c: Lift,
  type: Float,
  count: number,
  vectors: readonly Node[],
  run: (lanes: Node[]) => Node,
): Node {
  let result = zeroVector(c);
  for (let i = 0; i < count; i++) {
    const lanes = vectors.map((vector) => lane(c, VECTOR_LANES[type], vector, i));
    result = withLane(c, VECTOR_LANES[type], result, i, run(lanes));
  }
  return result;
}

export function arithmetic(c: Lift, operation: Arithmetic, type: Float, x: Node, y: Node): Node {
  if (!isUsual(c)) return exactFloat(c, operation, type, [x, y]);
  return c.b.op(flushing(c, `x86.${type}.${operation}`), operand(c, type, x), operand(c, type, y));
}

export function vectorArithmetic(c: Lift, operation: Arithmetic, type: Float, x: Node, y: Node): Node {
  if (!isUsual(c))
    return eachLane(c, type, LANES[type], [x, y], (lanes) => exactFloat(c, operation, type, lanes));
  const shape = VECTOR_LANES[type];
  return c.b.op(flushing(c, `x86.${shape}.${operation}`), operand(c, shape, x), operand(c, shape, y));
}

/** x * y + z; the signs are as in the operation's immediate. */
export function fused(c: Lift, type: Float, operands: readonly Node[], signs: number): Node {
  if (isUsual(c)) return usualFused(c, type, operands, signs);
  const bits = operands.map((x) => bitsOf(c, type, x));
  return floatOf(c, type, exact(c, `fma.${type}`, [...bits, c.b.i32(signs)], INTEGER[type]));
}

export function vectorFused(c: Lift, type: Float, operands: readonly Node[], signs: number): Node {
  if (isUsual(c)) return usualFused(c, VECTOR_LANES[type], operands, signs);
  let i = 0;
  return eachLane(c, type, LANES[type], operands, (lanes) => {
    const addend = (signs >> ++i) & 1;
    return fused(c, type, lanes, (signs & 1) | (addend << 1));
  });
}

function usualFused(c: Lift, shape: FloatShape, operands: readonly Node[], signs: number): Node {
  const each = operands.map((x) => operand(c, shape, x));
  return c.b.opImm(flushing(c, `x86.${shape}.fma`), signs, ...each);
}

export function root(c: Lift, type: Float, x: Node): Node {
  return isUsual(c) ? c.b.op(`x86.${type}.sqrt`, operand(c, type, x)) : exactFloat(c, 'sqrt', type, [x]);
}

export function vectorRoot(c: Lift, type: Float, x: Node): Node {
  const shape = VECTOR_LANES[type];
  if (isUsual(c)) return c.b.op(`x86.${shape}.sqrt`, operand(c, shape, x));
  return eachLane(c, type, LANES[type], [x], (lanes) => exactFloat(c, 'sqrt', type, lanes));
}

/** By the rounding that a selector's bits 0 and 1 name; with bit 2 it is MXCSR's, to nearest by default. */
const ROUNDINGS = ['nearest', 'floor', 'ceil', 'trunc'] as const;
const roundingOf = (select: number) => ROUNDINGS[select & 4 ? 0 : select & 3];

/** To an integer in the same format, as a selector of roundps and its like says. */
export function rounded(c: Lift, type: Float, x: Node, select: number): Node {
  if (isUsual(c)) return c.b.op(`x86.${type}.${roundingOf(select)}`, operand(c, type, x));
  const bits = exact(c, `integral.${type}`, [bitsOf(c, type, x), c.b.i32(select)], INTEGER[type]);
  return floatOf(c, type, bits);
}

export function vectorRounded(c: Lift, type: Float, x: Node, select: number): Node {
  const shape = VECTOR_LANES[type];
  if (isUsual(c)) return c.b.op(`x86.${shape}.${roundingOf(select)}`, operand(c, shape, x));
  return eachLane(c, type, LANES[type], [x], ([lane]) => rounded(c, type, lane, select));
}

const splat = (c: Lift, bits: number): Node => {
  const wide = BigInt.asUintN(32, BigInt(bits)) * 0x1_0000_0001n;
  return c.b.v128(wide, wide);
};

/** Singles of half-precision numbers in 32-bit lanes; subnormals are numbers in every mode. */
export function fromHalves(c: Lift, x: Node): Node {
  const { b } = c;
  if (!isUsual(c)) return eachWord(c, x, (word) => exact(c, 'f32_f16', [word], 'i32'));
  const magnitude = b.op('v128.and', x, splat(c, 0x7fff));
  // The fields at their places in a single, whose exponents count from another number: 2^112 makes up for it.
  const placed = b.op('i32x4.shl', magnitude, b.i32(13));
  const finite = b.op('x86.f32x4.mul', placed, splat(c, 0x7780_0000));
  const isSpecial = b.op('i32x4.gt_s', magnitude, splat(c, 0x7bff));
  const isNan = b.op('i32x4.gt_s', magnitude, splat(c, 0x7c00));
  const quiet = b.op('v128.and', isNan, splat(c, 0x0040_0000));
  const special = b.op('v128.or', b.op('v128.or', placed, splat(c, 0x7f80_0000)), quiet);
  const value = b.op('v128.bitselect', special, finite, isSpecial);
  const sign = b.op('i32x4.shl', b.op('v128.and', x, splat(c, 0x8000)), b.i32(16));
  return b.op('v128.or', value, sign);
}

/** Half-precision numbers, in 32-bit lanes, of singles, rounded as the selector says. */
export function toHalves(c: Lift, x: Node, select: number): Node {
  const { b } = c;
  const toNearest = select === 0 || select >= 4;
  if (!isUsual(c) || !toNearest)
    return eachWord(c, x, (word) => exact(c, 'f16_f32', [word, b.i32(select)], 'i32'));
  const magnitude = b.op('v128.and', x, splat(c, 0x7fff_ffff));
  const rebiased = b.op('i32x4.add', magnitude, splat(c, -(112 << 23)));
  const last = b.op('v128.and', b.op('i32x4.shr_u', rebiased, b.i32(13)), splat(c, 1));
  const raised = b.op('i32x4.add', b.op('i32x4.add', rebiased, splat(c, 0xfff)), last);
  const normal = b.op('i32x4.shr_u', raised, b.i32(13));
  // In a sum with 1/2 the last place is 2^-24, as in a subnormal half: the addition rounds.
  const sum = b.op('x86.f32x4.add', magnitude, splat(c, 0x3f00_0000));
  const subnormal = b.op('i32x4.sub', sum, splat(c, 0x3f00_0000));
  const payload = b.op('v128.and', b.op('i32x4.shr_u', magnitude, b.i32(13)), splat(c, 0x3ff));
  const choose = (chosen: Node, other: Node, condition: Node) =>
    b.op('v128.bitselect', chosen, other, condition);
  const number = choose(subnormal, normal, b.op('i32x4.lt_s', magnitude, splat(c, 0x3880_0000)));
  const finite = choose(splat(c, 0x7c00), number, b.op('i32x4.gt_s', magnitude, splat(c, 0x477f_ffff)));
  const nan = b.op('v128.or', payload, splat(c, 0x7e00));
  const value = choose(nan, finite, b.op('i32x4.gt_s', magnitude, splat(c, 0x7f80_0000)));
  const sign = b.op('v128.and', b.op('i32x4.shr_u', x, b.i32(16)), splat(c, 0x8000));
  return b.op('v128.or', value, sign);
}

const eachWord = (c: Lift, x: Node, run: (word: Node) => Node): Node =>
  eachConverted(c, 'i32x4', 'i32x4', 4, x, run);

type VectorShape = 'i32x4' | (typeof VECTOR_LANES)[Float];

/** Converts the first lanes of a vector, one by one; the other lanes of the result are zero. */
function eachConverted(
  c: Lift,
  from: VectorShape,
  to: VectorShape,
  count: number,
  x: Node,
  convert: (x: Node) => Node,
): Node {
  let result = zeroVector(c);
  for (let i = 0; i < count; i++) result = withLane(c, to, result, i, convert(lane(c, from, x, i)));
  return result;
}

export type Width = 'packed' | 'scalar';

const count = (type: Float, width: Width): number => (width === 'packed' ? LANES[type] : 1);

/**
 * min(x, y) is x < y ? x : y, so that NaNs and zeros of either sign give y (SDM, MINPS): WebAssembly's pmin with its
 * operands exchanged. Of a scalar result the lowest lane counts.
 */
export function extremum(
  c: Lift,
  operation: 'min' | 'max',
  type: Float,
  width: Width,
  x: Node,
  y: Node,
): Node {
  const shape = VECTOR_LANES[type];
  if (isUsual(c)) return c.b.op(`${shape}.p${operation}`, operand(c, shape, y), operand(c, shape, x));
  return eachLane(c, type, count(type, width), [x, y], (lanes) => exactFloat(c, operation, type, lanes));
}

/** Masks of one of the 32 predicates of vcmpps and the like, in the order of the immediate; cmpps has the first eight. */
export function compared(c: Lift, predicate: number, type: Float, width: Width, x: Node, y: Node): Node {
  const shape = VECTOR_LANES[type];
  if (isUsual(c)) return vectorCompared(c, predicate, type, operand(c, shape, x), operand(c, shape, y));
  return eachLane(c, type, count(type, width), [x, y], (lanes) => laneCompared(c, predicate, type, lanes));
}

function vectorCompared(c: Lift, predicate: number, type: Float, x: Node, y: Node): Node {
  const { b } = c;
  const op = (name: string, left: Node, right: Node) => b.op(`${VECTOR_LANES[type]}.${name}`, left, right);
  const not = (mask: Node) => b.op('v128.not', mask);
  const apart = () => b.op('v128.or', op('lt', x, y), op('lt', y, x));
  switch (predicate & 15) {
    case 0:
      return op('eq', x, y);
    case 1:
      return op('lt', x, y);
    case 2:
      return op('le', x, y);
    case 3:
      return b.op('v128.or', op('ne', x, x), op('ne', y, y));
    case 4:
      return op('ne', x, y);
    case 5:
      return not(op('lt', x, y));
    case 6:
      return not(op('le', x, y));
    case 7:
      return b.op('v128.and', op('eq', x, x), op('eq', y, y));
    case 8:
      return not(apart());
    case 9:
      return not(op('le', y, x));
    case 10:
      return not(op('lt', y, x));
    case 11:
      return zeroVector(c);
    case 12:
      return apart();
    case 13:
      return op('le', y, x);
    case 14:
      return op('lt', y, x);
    default:
      return onesVector(c);
  }
}

/** For each predicate, and again with the other answer to quiet NaNs, a bit for each order: greater, less, equal, unordered. */
const HOLDS = [
  0b0100, 0b0010, 0b0110, 0b1000, 0b1011, 0b1101, 0b1001, 0b0111, 0b1100, 0b1010, 0b1110, 0b0000, 0b0011,
  0b0101, 0b0001, 0b1111,
];

/** Less, less-or-equal and the like are invalid for quiet NaNs; of the second sixteen the others. */
function laneCompared(c: Lift, predicate: number, type: Float, operands: readonly Node[]): Node {
  const { b } = c;
  const signalling = ((predicate & 3) === 1 || (predicate & 3) === 2) !== predicate >= 16;
  const order = exactOrder(c, signalling ? 'comi' : 'ucomi', type, operands);
  const holds = b.op('i32.and', b.op('i32.shr_u', b.i32(HOLDS[predicate & 15]), order), b.i32(1));
  const mask = b.op('i32.sub', b.i32(0), holds);
  return floatOf(c, type, type === 'f32' ? mask : b.op('i64.extend_i32_s', mask));
}

/** 0 greater, 1 less, 2 equal, 3 unordered. */
function exactOrder(c: Lift, name: 'comi' | 'ucomi', type: Float, operands: readonly Node[]): Node {
  const bits = operands.map((x) => bitsOf(c, type, x));
  return exact(c, `${name}.${type}`, bits, 'i32');
}

/** comis and ucomis: ZF, PF, CF tell less (CF), equal (ZF), greater (none), unordered (all three); OF, SF, AF are 0. */
export function setCompareFlags(c: Lift, name: 'comi' | 'ucomi', type: Float, x: Node, y: Node): void {
  const { b } = c;
  const { below, unequal, ordered } = isUsual(c)
    ? comparison(c, type, operand(c, type, x), operand(c, type, y))
    : exactComparison(c, name, type, x, y);
  b.set(CF, below);
  b.set(OF, b.i32(0));
  b.set(ZR, b.op('i64.extend_i32_u', unequal));
  // 1 has odd parity, 0 even.
  b.set(SR, b.op('i64.extend_i32_u', ordered));
  b.set(AR, b.i32(0));
}

function comparison(c: Lift, type: Float, x: Node, y: Node) {
  const { b } = c;
  const op = (name: string, left: Node, right: Node) => b.op(`${type}.${name}`, left, right);
  return {
    below: b.op('i32.eqz', op('ge', x, y)),
    unequal: b.op('i32.or', op('lt', x, y), op('gt', x, y)),
    ordered: x === y ? op('eq', x, x) : b.op('i32.and', op('eq', x, x), op('eq', y, y)),
  };
}

function exactComparison(c: Lift, name: 'comi' | 'ucomi', type: Float, x: Node, y: Node) {
  const { b } = c;
  const order = exactOrder(c, name, type, [x, y]);
  return {
    below: b.op('i32.and', order, b.i32(1)),
    unequal: b.op('i32.lt_u', order, b.i32(2)),
    ordered: b.op('i32.ne', order, b.i32(3)),
  };
}

/** An i32 or i64 to floating point. */
export function fromInteger(c: Lift, type: Float, from: 'i32' | 'i64', x: Node): Node {
  const always = type === 'f64' && from === 'i32';
  if (always || isUsual(c)) return c.b.op(`${type}.convert_${from}_s`, x);
  const wide = from === 'i32' ? c.b.op('i64.extend_i32_s', x) : x;
  return floatOf(c, type, exact(c, `${type}_i64`, [wide], INTEGER[type]));
}

export function fromIntegers(c: Lift, x: Node): Node {
  if (isUsual(c)) return c.b.op('f32x4.convert_i32x4_s', x);
  return eachConverted(c, 'i32x4', 'f32x4', 4, x, (each) => fromInteger(c, 'f32', 'i32', each));
}

export function toInteger(c: Lift, how: 'trunc' | 'round', to: 'i32' | 'i64', type: Float, x: Node): Node {
  // A denormal gives 0, in every mode.
  if (isUsual(c)) return c.b.op(`x86.${to}.${how}_${type}`, x);
  return exact(c, `${to}_${how}_${type}`, [bitsOf(c, type, x)], to);
}

/** The lower lanes of a vector of singles or doubles, and zeros above. */
export function vectorToIntegers(c: Lift, how: 'trunc' | 'round', type: Float, x: Node): Node {
  if (isUsual(c)) return c.b.op(`x86.i32x4.${how}_${VECTOR_LANES[type]}`, x);
  return eachConverted(c, VECTOR_LANES[type], 'i32x4', LANES[type], x, (each) =>
    toInteger(c, how, 'i32', type, each),
  );
}

/** The lower two singles. */
export function vectorToDoubles(c: Lift, x: Node): Node {
  if (isUsual(c)) return c.b.op('x86.f64x2.promote_f32x4', operand(c, 'f32x4', x));
  return eachConverted(c, 'f32x4', 'f64x2', 2, x, (each) => toDouble(c, each));
}

/** The two doubles, and zeros above. */
export function vectorToSingles(c: Lift, x: Node): Node {
  if (isUsual(c)) return c.b.op(flushing(c, 'x86.f32x4.demote_f64x2'), x);
  return eachConverted(c, 'f64x2', 'f32x4', 2, x, (each) => toSingle(c, each));
}

export function toDouble(c: Lift, x: Node): Node {
  if (isUsual(c)) return c.b.op('x86.f64.promote_f32', operand(c, 'f32', x));
  return floatOf(c, 'f64', exact(c, 'f64_f32', [bitsOf(c, 'f32', x)], 'i64'));
}

export function toSingle(c: Lift, x: Node): Node {
  // A double so small is 0 in single precision, in every mode.
  if (isUsual(c)) return c.b.op(flushing(c, 'x86.f32.demote_f64'), x);
  return floatOf(c, 'f32', exact(c, 'f32_f64', [bitsOf(c, 'f64', x)], 'i32'));
}
