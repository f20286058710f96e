import { Mnemonic } from 'iced-x86';
import type { Node } from '../../ir/node.ts';
import type { Lift } from './context.ts';
import type { Row, Rows } from './row.ts';
import {
  double,
  governed,
  lane,
  lowPart,
  packed,
  selector,
  single,
  withLane,
  zeroVector,
} from './sse-operands.ts';
import {
  type Arithmetic,
  arithmetic,
  compared,
  extremum,
  type Float,
  root,
  setCompareFlags,
  VECTOR,
  vectorArithmetic,
  vectorRoot,
  type Width,
} from './sse-values.ts';

/**
 * SSE floating point. What scalar instructions do not compute they keep from their destination, which is therefore a
 * source (rule 4); sqrt and the conversions between formats too.
 */
const BYTES = { f32: 4, f64: 8 } as const;

const scalar = (c: Lift, operand: number, type: Float): Node =>
  type === 'f32' ? single(c, operand) : double(c, operand);

const vector = (c: Lift, operand: number, type: Float, width: Width): Node =>
  width === 'packed' ? packed(c, operand) : lowPart(c, operand, BYTES[type]);

function writeLow(c: Lift, type: Float, value: Node): void {
  c.writeXmm(0, withLane(c, VECTOR[type], c.readXmm(0), 0, value));
}

/** Writes all lanes, or keeps all but the lowest. */
function writeLanes(c: Lift, type: Float, width: Width, value: Node): void {
  if (width === 'packed') c.writeXmm(0, value);
  else writeLow(c, type, lane(c, VECTOR[type], value, 0));
}

function packedArithmetic(operation: Arithmetic, type: Float): Row {
  return governed((c) => c.writeXmm(0, vectorArithmetic(c, operation, type, c.readXmm(0), packed(c, 1))));
}

function scalarArithmetic(operation: Arithmetic, type: Float): Row {
  return governed((c) => {
    const x = scalar(c, 0, type);
    writeLow(c, type, arithmetic(c, operation, type, x, scalar(c, 1, type)));
  });
}

function packedRoot(type: Float): Row {
  return governed((c) => c.writeXmm(0, vectorRoot(c, type, packed(c, 1))));
}

function scalarRoot(type: Float): Row {
  return governed((c) => writeLow(c, type, root(c, type, scalar(c, 1, type))));
}

function extreme(operation: 'min' | 'max', type: Float, width: Width): Row {
  return governed((c) => {
    const x = c.readXmm(0);
    writeLanes(c, type, width, extremum(c, operation, type, width, x, vector(c, 1, type, width)));
  });
}

function compare(type: Float, width: Width): Row {
  return governed((c) => {
    const x = c.readXmm(0);
    const y = vector(c, 1, type, width);
    writeLanes(c, type, width, compared(c, selector(c, 2) & 7, type, width, x, y));
  });
}

function compareFlags(name: 'comi' | 'ucomi', type: Float): Row {
  return governed((c) => {
    const x = scalar(c, 0, type);
    setCompareFlags(c, name, type, x, scalar(c, 1, type));
  });
}

/** Identical registers: andnps x, x is 0 and reads nothing (rule 4), as xorps x, x. */
function logic(operation: 'and' | 'or' | 'xor' | 'andnot'): Row {
  return (c) => {
    if ((operation === 'xor' || operation === 'andnot') && c.sameRegister(0, 1))
      return c.writeXmm(0, zeroVector(c));
    const x = c.readXmm(0);
    const y = packed(c, 1);
    c.writeXmm(0, operation === 'andnot' ? c.b.op('v128.andnot', y, x) : c.b.op(`v128.${operation}`, x, y));
  };
}

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

function packedApproximation(root: boolean): Row {
  return (c) => c.writeXmm(0, approximate(c, root, packed(c, 1)));
}

function scalarApproximation(root: boolean): Row {
  return (c) => writeLow(c, 'f32', lane(c, 'f32x4', approximate(c, root, lowPart(c, 1, 4)), 0));
}

export const SSE_FLOAT_ROWS: Rows = [
  [Mnemonic.Addps, packedArithmetic('add', 'f32')],
  [Mnemonic.Addpd, packedArithmetic('add', 'f64')],
  [Mnemonic.Addss, scalarArithmetic('add', 'f32')],
  [Mnemonic.Addsd, scalarArithmetic('add', 'f64')],
  [Mnemonic.Subps, packedArithmetic('sub', 'f32')],
  [Mnemonic.Subpd, packedArithmetic('sub', 'f64')],
  [Mnemonic.Subss, scalarArithmetic('sub', 'f32')],
  [Mnemonic.Subsd, scalarArithmetic('sub', 'f64')],
  [Mnemonic.Mulps, packedArithmetic('mul', 'f32')],
  [Mnemonic.Mulpd, packedArithmetic('mul', 'f64')],
  [Mnemonic.Mulss, scalarArithmetic('mul', 'f32')],
  [Mnemonic.Mulsd, scalarArithmetic('mul', 'f64')],
  [Mnemonic.Divps, packedArithmetic('div', 'f32')],
  [Mnemonic.Divpd, packedArithmetic('div', 'f64')],
  [Mnemonic.Divss, scalarArithmetic('div', 'f32')],
  [Mnemonic.Divsd, scalarArithmetic('div', 'f64')],
  [Mnemonic.Sqrtps, packedRoot('f32')],
  [Mnemonic.Sqrtpd, packedRoot('f64')],
  [Mnemonic.Sqrtss, scalarRoot('f32')],
  [Mnemonic.Sqrtsd, scalarRoot('f64')],
  [Mnemonic.Minps, extreme('min', 'f32', 'packed')],
  [Mnemonic.Minpd, extreme('min', 'f64', 'packed')],
  [Mnemonic.Minss, extreme('min', 'f32', 'scalar')],
  [Mnemonic.Minsd, extreme('min', 'f64', 'scalar')],
  [Mnemonic.Maxps, extreme('max', 'f32', 'packed')],
  [Mnemonic.Maxpd, extreme('max', 'f64', 'packed')],
  [Mnemonic.Maxss, extreme('max', 'f32', 'scalar')],
  [Mnemonic.Maxsd, extreme('max', 'f64', 'scalar')],
  [Mnemonic.Cmpps, compare('f32', 'packed')],
  [Mnemonic.Cmppd, compare('f64', 'packed')],
  [Mnemonic.Cmpss, compare('f32', 'scalar')],
  [Mnemonic.Comiss, compareFlags('comi', 'f32')],
  [Mnemonic.Comisd, compareFlags('comi', 'f64')],
  [Mnemonic.Ucomiss, compareFlags('ucomi', 'f32')],
  [Mnemonic.Ucomisd, compareFlags('ucomi', 'f64')],
  [Mnemonic.Andps, logic('and')],
  [Mnemonic.Andpd, logic('and')],
  [Mnemonic.Andnps, logic('andnot')],
  [Mnemonic.Andnpd, logic('andnot')],
  [Mnemonic.Orps, logic('or')],
  [Mnemonic.Orpd, logic('or')],
  [Mnemonic.Xorps, logic('xor')],
  [Mnemonic.Xorpd, logic('xor')],
  [Mnemonic.Rcpps, packedApproximation(false)],
  [Mnemonic.Rcpss, scalarApproximation(false)],
  [Mnemonic.Rsqrtps, packedApproximation(true)],
  [Mnemonic.Rsqrtss, scalarApproximation(true)],
];

/** Shares its mnemonic with the string instruction `cmpsd`. */
export const compareScalarDouble: Row = compare('f64', 'scalar');
