import { add, divide, multiply, multiplyAdd, squareRoot, subtract } from './arithmetic.ts';
import { compare as compareExtended, type Order } from './compare.ts';
import { fromInteger as extendedOf, fromBinary, toInteger as integerOf, toBinary } from './convert.ts';
import { DIVIDE_BY_ZERO, INEXACT, INVALID } from './exceptions.ts';
import { type Extended, fromExact, kindOf, type Outcome, scaleOf, signOf, zero } from './extended.ts';
import { roundInteger } from './parts.ts';
import { type Format, HALF, NEAREST, type Rules, SINGLE } from './round.ts';

/**
 * SSE arithmetic on bit patterns, in every mode of MXCSR and with its exceptions (SDM volume 1, 11.5). Generated code
 * calls it where MXCSR asks for more than rounding to nearest with denormals as they are.
 */
export interface Result {
  readonly bits: bigint;
  readonly flags: number;
}

const ALL = 0x3f;
/** Bits of MXCSR. */
export const DENORMALS_ARE_ZEROS = 0x40;
export const FLUSH_TO_ZERO = 0x8000;
const MASKS = 0x1f80;
const UNDERFLOW_MASK = 0x800;

function rulesOf(mxcsr: number, format: Format): Rules {
  const flagsTiny = (mxcsr & UNDERFLOW_MASK) === 0;
  // Flushing to zero is a response to masked underflow (SDM volume 1, 10.2.3.3).
  const flush = (mxcsr & FLUSH_TO_ZERO) !== 0 && !flagsTiny;
  return { format, rounding: (mxcsr >> 13) & 3, flush, flagsTiny };
}

/** An operand, with the flag of a denormal; MXCSR may have it count as zero. */
function operand(bits: bigint, format: Format, mxcsr: number): Outcome {
  const { value, flags } = fromBinary(bits, format);
  return flags !== 0 && (mxcsr & DENORMALS_ARE_ZEROS) !== 0
    ? { value: zero(signOf(value)), flags: 0 }
    : { value, flags };
}

const quietBit = (format: Format): bigint => 1n << BigInt(format.precision - 2);
const isNan = ({ value }: Outcome): boolean => /nan/.test(kindOf(value));
const isSignalling = ({ value }: Outcome): boolean => kindOf(value) === 'signalling-nan';

/** The first NaN of the operands, quieted (SDM volume 1, table 4-7); undefined when none is one. */
function nanOf(format: Format, ...operands: readonly (readonly [bigint, Outcome])[]): Result | undefined {
  const first = operands.find(([, x]) => isNan(x));
  if (first === undefined) return undefined;
  const signalling = operands.some(([, x]) => isSignalling(x));
  return { bits: first[0] | quietBit(format), flags: signalling ? INVALID : 0 };
}

const OPERATIONS = { add, sub: subtract, mul: multiply, div: divide } as const;
export type Operation = keyof typeof OPERATIONS;

/** The result's bits, and its flags with those of denormal operands unless they were not looked at. */
function finished(outcome: Outcome, denormal: number, format: Format): Result {
  const settled = (outcome.flags & (INVALID | DIVIDE_BY_ZERO)) !== 0;
  const flags = (outcome.flags | (settled ? 0 : denormal)) & ALL;
  return { bits: toBinary(outcome.value, format, NEAREST).bits, flags };
}

export function arithmetic(
  operation: Operation,
  format: Format,
  a: bigint,
  b: bigint,
  mxcsr: number,
): Result {
  const x = operand(a, format, mxcsr);
  const y = operand(b, format, mxcsr);
  const outcome = () => OPERATIONS[operation](x.value, y.value, rulesOf(mxcsr, format));
  return nanOf(format, [a, x], [b, y]) ?? finished(outcome(), x.flags | y.flags, format);
}

/** a * b + c, with the signs of product and addend changed where `signs` has bits 0 and 1. */
export function fused(format: Format, [a, b, c]: readonly bigint[], signs: number, mxcsr: number): Result {
  const [x, y, z] = [a, b, c].map((bits) => operand(bits, format, mxcsr));
  const nan = nanOf(format, [a, x], [b, y], [c, z]);
  if (nan !== undefined) return nan;
  const signed = ({ value }: Outcome, bit: number) =>
    (signs & bit) === 0 ? value : { ...value, head: value.head ^ 0x8000 };
  const outcome = multiplyAdd(signed(x, 1), y.value, signed(z, 2), rulesOf(mxcsr, format));
  return finished(outcome, x.flags | y.flags | z.flags, format);
}

export function root(format: Format, a: bigint, mxcsr: number): Result {
  const x = operand(a, format, mxcsr);
  return nanOf(format, [a, x]) ?? finished(squareRoot(x.value, rulesOf(mxcsr, format)), x.flags, format);
}

/** `ordered`: quiet NaNs are invalid too. */
export function compare(format: Format, a: bigint, b: bigint, ordered: boolean, mxcsr: number) {
  const x = operand(a, format, mxcsr);
  const y = operand(b, format, mxcsr);
  const { order, flags } = compareExtended(x.value, y.value, ordered);
  const denormal = isNan(x) || isNan(y) ? 0 : x.flags | y.flags;
  return { order, flags: (flags | denormal) & ALL };
}

/** min or max: the second operand as it is when one is a NaN, and when they are equal. */
export function extremum(wanted: Order, format: Format, a: bigint, b: bigint, mxcsr: number): Result {
  const { order, flags } = compare(format, a, b, true, mxcsr);
  return { bits: flushedOperand(order === wanted ? a : b, format, mxcsr), flags };
}

function flushedOperand(bits: bigint, format: Format, mxcsr: number): bigint {
  return isNan(fromBinary(bits, format))
    ? bits
    : toBinary(operand(bits, format, mxcsr).value, format, NEAREST).bits;
}

/** Between single and double precision. */
export function convert(from: Format, to: Format, a: bigint, mxcsr: number): Result {
  const x = operand(a, from, mxcsr);
  if (isNan(x)) {
    const { bits } = toBinary(x.value, to, NEAREST);
    return { bits: bits | quietBit(to), flags: isSignalling(x) ? INVALID : 0 };
  }
  const kind = kindOf(x.value);
  if (kind === 'zero' || kind === 'infinity')
    return { bits: toBinary(x.value, to, NEAREST).bits, flags: x.flags };
  return finished(rounded(x.value, rulesOf(mxcsr, to)), x.flags, to);
}

/** Of half precision: subnormals are numbers like others. */
export function fromHalf(a: bigint): Result {
  const { bits, flags } = convert(HALF, SINGLE, a, 0);
  return { bits, flags: flags & INVALID };
}

/** To half precision, rounded as the selector says (SDM volume 2, VCVTPS2PH); tiny results are never flushed. */
export function toHalf(a: bigint, select: number, mxcsr: number): Result {
  const rounding = select & 4 ? (mxcsr >> 13) & 3 : select & 3;
  return convert(SINGLE, HALF, a, (mxcsr & (DENORMALS_ARE_ZEROS | MASKS)) | (rounding << 13));
}

function rounded(x: Extended, rules: Rules): Outcome {
  return fromExact(signOf(x), x.significand, scaleOf(x), rules);
}

/** To 32 or 64 bits, cut or rounded as MXCSR says; what does not fit gives the integer indefinite. */
export function toInteger(
  format: Format,
  width: number,
  a: bigint,
  truncate: boolean,
  mxcsr: number,
): Result {
  const x = operand(a, format, mxcsr);
  const { integer, flags } = integerOf(x.value, width, truncate ? 3 : (mxcsr >> 13) & 3);
  return { bits: integer, flags: flags & ALL };
}

/** roundps and its like: to an integer in the same format, as the selector says (SDM volume 2, ROUNDPD). */
export function integral(format: Format, a: bigint, select: number, mxcsr: number): Result {
  const x = operand(a, format, mxcsr);
  const nan = nanOf(format, [a, x]);
  if (nan !== undefined) return nan;
  const rounding = select & 4 ? (mxcsr >> 13) & 3 : select & 3;
  const { value, flags } = roundInteger(x.value, rounding << 10);
  const raised = select & 8 ? 0 : flags & INEXACT;
  return { bits: toBinary(value, format, NEAREST).bits, flags: raised };
}

export function fromInteger(format: Format, a: bigint, mxcsr: number): Result {
  if (a === 0n) return { bits: 0n, flags: 0 };
  return finished(rounded(extendedOf(a), rulesOf(mxcsr, format)), 0, format);
}
