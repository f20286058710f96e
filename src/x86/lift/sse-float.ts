import type { Node } from '../../ir/node.ts';
import type { Lift } from './context.ts';
import { selector, zeroVector } from './sse-operands.ts';
import {
  type Arithmetic,
  arithmetic,
  compared,
  extremum,
  type Float,
  root,
  setCompareFlags,
  vectorArithmetic,
  vectorRoot,
} from './sse-values.ts';
import {
  binary,
  type Encoding,
  governed,
  idiom,
  lowest,
  type Shape,
  scalarBinary,
  scalarOperand,
  scalarUnary,
  unary,
  type VectorTable,
} from './vector-form.ts';

/**
 * SSE floating point. What scalar instructions do not compute they keep from their first source, which is therefore
 * read (rule 4); sqrt and the conversions between formats too.
 */
function packedArithmetic(operation: Arithmetic, type: Float): Shape {
  return governed(binary((c, x, y) => vectorArithmetic(c, operation, type, x, y)));
}

function scalarArithmetic(operation: Arithmetic, type: Float): Shape {
  return governed(scalarBinary(type, (c, x, y) => arithmetic(c, operation, type, x, y)));
}

function packedRoot(type: Float): Shape {
  return governed(unary((c, x) => vectorRoot(c, type, x)));
}

function scalarRoot(type: Float): Shape {
  return governed(scalarUnary(type, (c, x) => root(c, type, x)));
}

function packedExtreme(operation: 'min' | 'max', type: Float): Shape {
  return governed(binary((c, x, y) => extremum(c, operation, type, 'packed', x, y)));
}

function scalarExtreme(operation: 'min' | 'max', type: Float): Shape {
  return governed(lowest(type, (c, x, y) => extremum(c, operation, type, 'scalar', x, y)));
}

/** VEX encodings have four times as many predicates. */
const predicate = (c: Lift, e: Encoding): number => selector(c, e.second + 1) & (e.isVex ? 31 : 7);

function packedCompare(type: Float): Shape {
  return governed((c, e) => {
    const which = predicate(c, e);
    binary((_, x, y) => compared(c, which, type, 'packed', x, y))(c, e);
  });
}

function scalarCompare(type: Float): Shape {
  return governed((c, e) => {
    const which = predicate(c, e);
    lowest(type, (_, x, y) => compared(c, which, type, 'scalar', x, y))(c, e);
  });
}

/** In all encodings of the first two operands. */
function compareFlags(name: 'comi' | 'ucomi', type: Float): Shape {
  return governed((c) => {
    const x = scalarOperand(c, 0, type);
    setCompareFlags(c, name, type, x, scalarOperand(c, 1, type));
  });
}

const and = binary((c, x, y) => c.b.op('v128.and', x, y));
const or = binary((c, x, y) => c.b.op('v128.or', x, y));
/** Of one register andnps gives 0 and reads nothing (rule 4), as xorps. */
const andNot = idiom(
  zeroVector,
  binary((c, x, y) => c.b.op('v128.andnot', y, x)),
);
const xor = idiom(
  zeroVector,
  binary((c, x, y) => c.b.op('v128.xor', x, y)),
);

/**
 * rcpps and rsqrtps. Processors differ in the bits of these approximations (relative error at most 1.5 * 2^-12, SDM
 * volume 2, RCPPS); to be the same everywhere, ours are defined as the quotient 1 / x, or 1 / sqrt(x), rounded to
 * nearest in single precision and then cut to 13 bits of significand after adding half of the last of them. Subnormal operands
 * count as zeros of their sign and subnormal results become such; MXCSR does not govern these instructions.
 */
function approximate(c: Lift, root: boolean, operand: Node): Node {
  const { b } = c;
  const splat = (bits: bigint) => b.v128(bits | (bits << 32n), bits | (bits << 32n));
  const sign = splat(0x8000_0000n);
  const exponent = splat(0x7f80_0000n);
  /** Lanes with a zero exponent field lose their fraction. */
  const flushed = (x: Node) => {
    const tiny = b.op('i32x4.eq', b.op('v128.and', x, exponent), zeroVector(c));
    return b.op('v128.bitselect', b.op('v128.and', x, sign), x, tiny);
  };
  const x = flushed(operand);
  const quotient = b.op('x86.f32x4.div', splat(0x3f80_0000n), root ? b.op('x86.f32x4.sqrt', x) : x);
  const rounded = b.op('v128.and', b.op('i32x4.add', quotient, splat(0x400n)), splat(0xffff_f800n));
  const number = b.op('f32x4.eq', quotient, quotient);
  return b.op('v128.bitselect', flushed(rounded), quotient, number);
}

const packedApproximation = (root: boolean): Shape => unary((c, x) => approximate(c, root, x));

const scalarApproximation = (root: boolean): Shape => lowest('f32', (c, _, y) => approximate(c, root, y));

export const SSE_FLOAT: VectorTable = [
  ['Addps', packedArithmetic('add', 'f32')],
  ['Addpd', packedArithmetic('add', 'f64')],
  ['Addss', scalarArithmetic('add', 'f32')],
  ['Addsd', scalarArithmetic('add', 'f64')],
  ['Subps', packedArithmetic('sub', 'f32')],
  ['Subpd', packedArithmetic('sub', 'f64')],
  ['Subss', scalarArithmetic('sub', 'f32')],
  ['Subsd', scalarArithmetic('sub', 'f64')],
  ['Mulps', packedArithmetic('mul', 'f32')],
  ['Mulpd', packedArithmetic('mul', 'f64')],
  ['Mulss', scalarArithmetic('mul', 'f32')],
  ['Mulsd', scalarArithmetic('mul', 'f64')],
  ['Divps', packedArithmetic('div', 'f32')],
  ['Divpd', packedArithmetic('div', 'f64')],
  ['Divss', scalarArithmetic('div', 'f32')],
  ['Divsd', scalarArithmetic('div', 'f64')],
  ['Sqrtps', packedRoot('f32')],
  ['Sqrtpd', packedRoot('f64')],
  ['Sqrtss', scalarRoot('f32')],
  ['Sqrtsd', scalarRoot('f64')],
  ['Minps', packedExtreme('min', 'f32')],
  ['Minpd', packedExtreme('min', 'f64')],
  ['Minss', scalarExtreme('min', 'f32')],
  ['Minsd', scalarExtreme('min', 'f64')],
  ['Maxps', packedExtreme('max', 'f32')],
  ['Maxpd', packedExtreme('max', 'f64')],
  ['Maxss', scalarExtreme('max', 'f32')],
  ['Maxsd', scalarExtreme('max', 'f64')],
  ['Cmpps', packedCompare('f32')],
  ['Cmppd', packedCompare('f64')],
  ['Cmpss', scalarCompare('f32')],
  ['Cmpsd', scalarCompare('f64')],
  ['Comiss', compareFlags('comi', 'f32')],
  ['Comisd', compareFlags('comi', 'f64')],
  ['Ucomiss', compareFlags('ucomi', 'f32')],
  ['Ucomisd', compareFlags('ucomi', 'f64')],
  ['Andps', and],
  ['Andpd', and],
  ['Andnps', andNot],
  ['Andnpd', andNot],
  ['Orps', or],
  ['Orpd', or],
  ['Xorps', xor],
  ['Xorpd', xor],
  ['Rcpps', packedApproximation(false)],
  ['Rcpss', scalarApproximation(false)],
  ['Rsqrtps', packedApproximation(true)],
  ['Rsqrtss', scalarApproximation(true)],
];
