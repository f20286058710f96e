import { Mnemonic } from 'iced-x86';
import type { Node } from '../../ir/node.ts';
import { AR, CF, OF, SR, ZR } from '../state.ts';
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

/**
 * SSE floating point. What scalar instructions do not compute they keep from their destination, which is therefore a
 * source (rule 4); sqrt and the conversions between formats too.
 */
type Float = 'f32' | 'f64';
const VECTOR = { f32: 'f32x4', f64: 'f64x2' } as const;
const BYTES = { f32: 4, f64: 8 } as const;

const scalar = (c: Lift, operand: number, type: Float): Node =>
  type === 'f32' ? single(c, operand) : double(c, operand);

function writeLow(c: Lift, type: Float, value: Node): void {
  c.writeXmm(0, withLane(c, VECTOR[type], c.readXmm(0), 0, value));
}

type Operation = 'add' | 'sub' | 'mul' | 'div';

function packedArithmetic(operation: Operation, type: Float): Row {
  return governed((c) =>
    c.writeXmm(0, c.b.op(`x86.${VECTOR[type]}.${operation}`, c.readXmm(0), packed(c, 1))),
  );
}

function scalarArithmetic(operation: Operation, type: Float): Row {
  return governed((c) => {
    const x = scalar(c, 0, type);
    writeLow(c, type, c.b.op(`x86.${type}.${operation}`, x, scalar(c, 1, type)));
  });
}

function packedRoot(type: Float): Row {
  return governed((c) => c.writeXmm(0, c.b.op(`x86.${VECTOR[type]}.sqrt`, packed(c, 1))));
}

function scalarRoot(type: Float): Row {
  return governed((c) => writeLow(c, type, c.b.op(`x86.${type}.sqrt`, scalar(c, 1, type))));
}

/**
 * min(x, y) is x < y ? x : y, so that NaNs and zeros of either sign give y (SDM, MINPS): WebAssembly's pmin with its
 * operands exchanged. The scalar forms compute all lanes and keep the lowest.
 */
function extremum(operation: 'pmin' | 'pmax', type: Float, width: 'packed' | 'scalar'): Row {
  return governed((c) => {
    const x = c.readXmm(0);
    const y = width === 'packed' ? packed(c, 1) : lowPart(c, 1, BYTES[type]);
    const result = c.b.op(`${VECTOR[type]}.${operation}`, y, x);
    if (width === 'packed') c.writeXmm(0, result);
    else writeLow(c, type, lane(c, VECTOR[type], result, 0));
  });
}

/** The eight predicates of cmpps and the like, in the order of the immediate. */
function compared(c: Lift, predicate: number, type: Float, x: Node, y: Node): Node {
  const { b } = c;
  const op = (name: string, left: Node, right: Node) => b.op(`${VECTOR[type]}.${name}`, left, right);
  switch (predicate & 3) {
    case 0:
      return op(predicate === 0 ? 'eq' : 'ne', x, y);
    case 1:
    case 2: {
      const less = op((predicate & 3) === 1 ? 'lt' : 'le', x, y);
      return predicate < 4 ? less : b.op('v128.not', less);
    }
    default:
      return predicate === 3
        ? b.op('v128.or', op('ne', x, x), op('ne', y, y))
        : b.op('v128.and', op('eq', x, x), op('eq', y, y));
  }
}

function packedCompare(type: Float): Row {
  return governed((c) => {
    const x = c.readXmm(0);
    c.writeXmm(0, compared(c, selector(c, 2) & 7, type, x, packed(c, 1)));
  });
}

function scalarCompare(type: Float): Row {
  return governed((c) => {
    const x = c.readXmm(0);
    const mask = compared(c, selector(c, 2) & 7, type, x, lowPart(c, 1, BYTES[type]));
    writeLow(c, type, lane(c, VECTOR[type], mask, 0));
  });
}

/** comis and ucomis: ZF, PF, CF tell less (CF), equal (ZF), greater (none), unordered (all three); OF, SF, AF are 0. */
function compareFlags(type: Float): Row {
  return governed((c) => {
    const { b } = c;
    const x = scalar(c, 0, type);
    const y = scalar(c, 1, type);
    const op = (name: string, left: Node, right: Node) => b.op(`${type}.${name}`, left, right);
    const ordered = x === y ? op('eq', x, x) : b.op('i32.and', op('eq', x, x), op('eq', y, y));
    b.set(CF, b.op('i32.eqz', op('ge', x, y)));
    b.set(OF, b.i32(0));
    b.set(ZR, b.op('i64.extend_i32_u', b.op('i32.or', op('lt', x, y), op('gt', x, y))));
    // 1 has odd parity, 0 even.
    b.set(SR, b.op('i64.extend_i32_u', ordered));
    b.set(AR, b.i32(0));
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
  [Mnemonic.Minps, extremum('pmin', 'f32', 'packed')],
  [Mnemonic.Minpd, extremum('pmin', 'f64', 'packed')],
  [Mnemonic.Minss, extremum('pmin', 'f32', 'scalar')],
  [Mnemonic.Minsd, extremum('pmin', 'f64', 'scalar')],
  [Mnemonic.Maxps, extremum('pmax', 'f32', 'packed')],
  [Mnemonic.Maxpd, extremum('pmax', 'f64', 'packed')],
  [Mnemonic.Maxss, extremum('pmax', 'f32', 'scalar')],
  [Mnemonic.Maxsd, extremum('pmax', 'f64', 'scalar')],
  [Mnemonic.Cmpps, packedCompare('f32')],
  [Mnemonic.Cmppd, packedCompare('f64')],
  [Mnemonic.Cmpss, scalarCompare('f32')],
  [Mnemonic.Comiss, compareFlags('f32')],
  [Mnemonic.Comisd, compareFlags('f64')],
  [Mnemonic.Ucomiss, compareFlags('f32')],
  [Mnemonic.Ucomisd, compareFlags('f64')],
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
export const compareScalarDouble: Row = scalarCompare('f64');
