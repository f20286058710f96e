import type { Node, NodeFactory } from '../../../../ir/node.ts';
import { Calculator } from '../../../calculator.ts';
import type { Real } from '../../approximate.ts';
import { bitLength } from '../../round.ts';
import type { Parts } from '../number.ts';

/**
 * A number as the sum of two doubles, of which the second is at most half a unit in the last place of the first: 106 bits and more
 * (Dekker, "A floating-point technique for extending the available precision", 1971; names and orders of operations as in Hida, Li and
 * Bailey, "Library for double-double and quad-double arithmetic", 2001).
 */
export interface Pair {
  readonly high: Node;
  readonly low: Node;
}

/** 2^27 + 1: a product with it splits a double into halves of 26 bits, whose products are exact. */
const SPLITTER = 2 ** 27 + 1;

const scratch = new DataView(new ArrayBuffer(8));

/** Writes arithmetic on pairs. Each operation is off by a few units of 2^-105 of its result, unless it says otherwise. */
export class PairCalculator extends Calculator {
  readonly zero: Pair;

  constructor(b: NodeFactory) {
    super(b);
    this.zero = { high: this.double(0), low: this.double(0) };
  }

  double(value: number): Node {
    scratch.setFloat64(0, value);
    return this.float(this.i64(scratch.getBigInt64(0)));
  }

  float(bits: Node): Node {
    return this.b.op('f64.reinterpret_i64', bits);
  }

  bits(float: Node): Node {
    return this.b.op('i64.reinterpret_f64', float);
  }

  /** 2^power for a power in the range of normal doubles. */
  powerOfTwo(power: Node): Node {
    return this.float(this.op('shl', this.wide(this.op('add', power, 1023)), 52));
  }

  constant(x: Real): Pair {
    const [high, low] = doublesOf(x);
    return { high: this.double(high), low: this.double(low) };
  }

  /** The constant with this index, which is below their number; that is a power of two. */
  select(index: Node, constants: readonly Real[]): Pair {
    const pairs = constants.map(doublesOf);
    const of = (part: 0 | 1) =>
      this.float(
        this.selectBits(
          index,
          pairs.map((pair) => pair[part]),
        ),
      );
    return { high: of(0), low: of(1) };
  }

  private selectBits(index: Node, values: readonly number[]): Node {
    const { length } = values;
    if (length === 1) return this.bits(this.double(values[0]));
    const half = length / 2;
    const upper = this.op('and', index, half);
    return this.choose(
      upper,
      this.selectBits(index, values.slice(half)),
      this.selectBits(index, values.slice(0, half)),
    );
  }

  add(x: Node, y: Node): Node {
    return this.b.op('f64.add', x, y);
  }

  subtract(x: Node, y: Node): Node {
    return this.b.op('f64.sub', x, y);
  }

  multiply(x: Node, y: Node): Node {
    return this.b.op('f64.mul', x, y);
  }

  divide(x: Node, y: Node): Node {
    return this.b.op('f64.div', x, y);
  }

  /** The significand of a normal number: from 1 up to 2, exactly. */
  significand(x: Parts): Pair {
    const part = (bits: Node, scale: number) =>
      this.multiply(this.b.op('f64.convert_i64_s', bits), this.double(scale));
    return this.quickSum(
      part(this.op('shr_u', x.significand, 11), 2 ** -52),
      part(this.op('and', x.significand, 0x7ff), 2 ** -63),
    );
  }

  /** Times a power of two. */
  scaled(x: Pair, by: Node): Pair {
    return { high: this.multiply(x.high, by), low: this.multiply(x.low, by) };
  }

  /** The nearest number of eighths of a number of 0 and more (i32). */
  eighthsOf(x: Node): Node {
    return this.b.op('x86.i32.trunc_f64', this.add(this.multiply(x, this.double(8)), this.double(0.5)));
  }

  /** So many eighths as a number. */
  ofEighths(count: Node): Node {
    return this.multiply(this.b.op('f64.convert_i32_s', count), this.double(1 / 8));
  }

  /** With its sign changed where the condition, 0 or 1, is 1. */
  negatedWhere(condition: Node, x: Pair): Pair {
    const sign = this.op('shl', this.wide(condition), 63);
    const change = (float: Node) => this.float(this.op('xor', this.bits(float), sign));
    return { high: change(x.high), low: change(x.low) };
  }

  choosePair(condition: Node, x: Pair, y: Pair): Pair {
    return { high: this.choose(condition, x.high, y.high), low: this.choose(condition, x.low, y.low) };
  }

  /** x + y exactly. */
  sum(x: Node, y: Node): Pair {
    const high = this.add(x, y);
    const part = this.subtract(high, x);
    const low = this.add(this.subtract(x, this.subtract(high, part)), this.subtract(y, part));
    return { high, low };
  }

  /** x + y exactly, where |x| >= |y| or x is 0. */
  quickSum(x: Node, y: Node): Pair {
    const high = this.add(x, y);
    return { high, low: this.subtract(y, this.subtract(high, x)) };
  }

  private split(x: Node): Pair {
    const shifted = this.multiply(x, this.double(SPLITTER));
    const high = this.subtract(shifted, this.subtract(shifted, x));
    return { high, low: this.subtract(x, high) };
  }

  /** x * y exactly. */
  product(x: Node, y: Node): Pair {
    const high = this.multiply(x, y);
    const [s, t] = [this.split(x), this.split(y)];
    const crossed = this.add(
      this.subtract(this.multiply(s.high, t.high), high),
      this.multiply(s.high, t.low),
    );
    const low = this.add(this.add(crossed, this.multiply(s.low, t.high)), this.multiply(s.low, t.low));
    return { high, low };
  }

  plus(x: Pair, y: Pair): Pair {
    const high = this.sum(x.high, y.high);
    const low = this.sum(x.low, y.low);
    const first = this.quickSum(high.high, this.add(high.low, low.high));
    return this.quickSum(first.high, this.add(first.low, low.low));
  }

  /** x + y where |x| >= 2 |y|, so that nothing cancels. */
  plusSmaller(x: Pair, y: Pair): Pair {
    const { high, low } = this.quickSum(x.high, y.high);
    return this.quickSum(high, this.add(low, this.add(x.low, y.low)));
  }

  times(x: Pair, y: Pair): Pair {
    const { high, low } = this.product(x.high, y.high);
    const crossed = this.add(this.multiply(x.high, y.low), this.multiply(x.low, y.high));
    return this.quickSum(high, this.add(low, crossed));
  }

  timesDouble(x: Pair, y: Node): Pair {
    const { high, low } = this.product(x.high, y);
    return this.quickSum(high, this.add(low, this.multiply(x.low, y)));
  }

  quotient(x: Pair, y: Pair): Pair {
    const first = this.divide(x.high, y.high);
    const part = this.product(first, y.high);
    const rest = this.subtract(
      this.add(this.subtract(this.subtract(x.high, part.high), part.low), x.low),
      this.multiply(first, y.low),
    );
    return this.quickSum(first, this.divide(rest, y.high));
  }

  /**
   * c0 + c1 x + c2 x^2 ..., each term at most half of the one before and in `pairs` of them with two doubles: of those behind, one double
   * is exact enough.
   */
  polynomial(x: Pair, coefficients: readonly Real[], pairs: number): Pair {
    const tail = coefficients
      .slice(pairs)
      .map((coefficient) => this.double(doublesOf(coefficient)[0]))
      .reduceRight((rest, coefficient) => this.add(coefficient, this.multiply(rest, x.high)));
    const [last, ...others] = coefficients.slice(0, pairs).reverse();
    // The tail itself is a double, times a pair.
    let result = this.plusSmaller(this.constant(last), this.timesDouble(x, tail));
    for (const coefficient of others)
      result = this.plusSmaller(this.constant(coefficient), this.times(x, result));
    return result;
  }
}

/** The two doubles that are nearest. */
function doublesOf({ mantissa, exponent }: Real): readonly [number, number] {
  const magnitude = mantissa < 0n ? -mantissa : mantissa;
  const [high, rest] = cut(magnitude);
  const sign = mantissa < 0n ? -1 : 1;
  const scale = sign * 2 ** exponent;
  return [Number(high) * scale, Number(rest) * scale];
}

/** A natural number as the nearest one of 53 bits and what that lacks. */
function cut(x: bigint): readonly [bigint, bigint] {
  const shift = BigInt(Math.max(0, bitLength(x) - 53));
  const half = shift === 0n ? 0n : 1n << (shift - 1n);
  const high = ((x + half) >> shift) << shift;
  return [high, x - high];
}
