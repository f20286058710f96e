import { fromExact, type Outcome } from './extended.ts';
import { bitLength, type Rules } from './round.ts';

/**
 * Real numbers to a given relative precision, for functions whose values cannot be held exactly: a number is
 * `mantissa * 2^exponent`, and every operation keeps `precision` leading bits.
 */
export interface Real {
  readonly mantissa: bigint;
  readonly exponent: number;
}

const magnitude = (x: bigint): bigint => (x < 0n ? -x : x);
const length = ({ mantissa }: Real): number => bitLength(magnitude(mantissa));
const isZero = ({ mantissa }: Real): boolean => mantissa === 0n;

export const real = (mantissa: bigint, exponent = 0): Real => ({ mantissa, exponent });

export class Approximation {
  readonly precision: number;
  private knownLn2: Real | undefined;
  private knownPi: Real | undefined;

  constructor(precision: number) {
    this.precision = precision;
  }

  private trim(x: Real): Real {
    const excess = length(x) - this.precision;
    return excess > 0 ? real(x.mantissa >> BigInt(excess), x.exponent + excess) : x;
  }

  add(x: Real, y: Real): Real {
    if (isZero(x)) return y;
    if (isZero(y)) return x;
    const [high, low] = x.exponent + length(x) >= y.exponent + length(y) ? [x, y] : [y, x];
    // What lies wholly below the bits that are kept is left out.
    if (high.exponent + length(high) - low.exponent - length(low) > this.precision + 2) return high;
    const exponent = Math.min(x.exponent, y.exponent);
    const sum = (x.mantissa << BigInt(x.exponent - exponent)) + (y.mantissa << BigInt(y.exponent - exponent));
    return this.trim(real(sum, exponent));
  }

  multiply(x: Real, y: Real): Real {
    return this.trim(real(x.mantissa * y.mantissa, x.exponent + y.exponent));
  }

  divide(x: Real, y: Real): Real {
    const shift = Math.max(0, this.precision + 1 + length(y) - length(x));
    return this.trim(real((x.mantissa << BigInt(shift)) / y.mantissa, x.exponent - y.exponent - shift));
  }

  /** Of a number above 0. */
  squareRoot(x: Real): Real {
    const wanted = Math.max(0, 2 * this.precision - length(x));
    const shift = wanted + ((wanted + x.exponent) & 1);
    let root = 1n << BigInt((length(x) + shift + 1) >> 1);
    const square = x.mantissa << BigInt(shift);
    for (let next = (root + square / root) >> 1n; next < root; next = (root + square / root) >> 1n)
      root = next;
    return this.trim(real(root, (x.exponent - shift) / 2));
  }

  /** Sums terms until they no longer count; of the first that does not, its sign is kept in an additional low bit. */
  private series(first: Real, term: (previous: Real, n: number) => { power: Real; value: Real }): Real {
    let sum = first;
    let power = first;
    for (let n = 1; ; n++) {
      const next = term(power, n);
      const above = sum.exponent + length(sum) - next.value.exponent - length(next.value);
      if (isZero(next.value) || above > this.precision + 2) return this.nudge(sum, next.value);
      sum = this.add(sum, next.value);
      power = next.power;
    }
  }

  private nudge(x: Real, { mantissa }: Real): Real {
    const spare = Math.max(0, this.precision + 4 - length(x));
    const side = mantissa === 0n ? 0n : mantissa < 0n ? -1n : 1n;
    return real((x.mantissa << BigInt(spare)) + side, x.exponent - spare);
  }

  /** e^x - 1 for |x| < 1, by its power series. */
  exponentialMinusOne(x: Real): Real {
    return this.series(x, (previous, n) => {
      const power = this.divide(this.multiply(previous, x), real(BigInt(n + 1)));
      return { power, value: power };
    });
  }

  /** sin(x) for |x| < 1, by its power series. */
  sine(x: Real): Real {
    const square = this.multiply(x, x);
    const step = real(-square.mantissa, square.exponent);
    return this.series(x, (previous, n) => {
      const power = this.divide(this.multiply(previous, step), real(BigInt(2 * n) * BigInt(2 * n + 1)));
      return { power, value: power };
    });
  }

  /** cos(x) for |x| < 1, by its power series. */
  cosine(x: Real): Real {
    const square = this.multiply(x, x);
    const step = real(-square.mantissa, square.exponent);
    return this.series(real(1n), (previous, n) => {
      const power = this.divide(this.multiply(previous, step), real(BigInt(2 * n - 1) * BigInt(2 * n)));
      return { power, value: power };
    });
  }

  /** x + x^3/3 + x^5/5 ... (sign 1) or x - x^3/3 + x^5/5 ... (sign -1). */
  private odd(x: Real, sign: 1n | -1n): Real {
    const square = this.multiply(x, x);
    const step = real(square.mantissa * sign, square.exponent);
    return this.series(x, (previous, n) => {
      const power = this.multiply(previous, step);
      return { power, value: this.divide(power, real(BigInt(2 * n + 1))) };
    });
  }

  /** ln(1 + x) for x > -1, best near 0: 2 artanh(x / (2 + x)). */
  logarithmOfOnePlus(x: Real): Real {
    const half = this.odd(this.divide(x, this.add(real(2n), x)), 1n);
    return real(half.mantissa, half.exponent + 1);
  }

  /** log2(x) for x > 0 that is not near 1. */
  binaryLogarithm(x: Real): Real {
    const k = x.exponent + length(x) - 1;
    const fraction = real(x.mantissa - (1n << BigInt(length(x) - 1)), x.exponent - k);
    return this.add(real(BigInt(k)), this.divide(this.logarithmOfOnePlus(fraction), this.ln2()));
  }

  /** atan(x) for 0 <= x <= 1, its argument halved thrice. */
  arcTangent(x: Real): Real {
    let argument = x;
    for (let i = 0; i < 3; i++) {
      const hypotenuse = this.squareRoot(this.add(real(1n), this.multiply(argument, argument)));
      argument = this.divide(argument, this.add(real(1n), hypotenuse));
    }
    const eighth = this.odd(argument, -1n);
    return real(eighth.mantissa, eighth.exponent + 3);
  }

  /** ln 2 = 2 artanh(1/3) */
  ln2(): Real {
    if (this.knownLn2 === undefined) {
      const half = this.odd(this.divide(real(1n), real(3n)), 1n);
      this.knownLn2 = real(half.mantissa, half.exponent + 1);
    }
    return this.knownLn2;
  }

  /** Machin: pi / 4 = 4 atan(1/5) - atan(1/239) */
  pi(): Real {
    if (this.knownPi === undefined) {
      const part = (n: bigint) => this.odd(this.divide(real(1n), real(n)), -1n);
      const [fifth, other] = [part(5n), part(239n)];
      const quarter = this.add(
        real(4n * fifth.mantissa, fifth.exponent),
        real(-other.mantissa, other.exponent),
      );
      this.knownPi = real(quarter.mantissa, quarter.exponent + 2);
    }
    return this.knownPi;
  }
}

/** Bits of an approximation's end that its operations may have got wrong: some hundreds of them, each by a unit or two. */
const DOUBTFUL = 14;
const APPROXIMATIONS = [128, 192, 320].map((precision) => new Approximation(precision));

/**
 * Rounds an irrational value correctly: with more precision for as long as the error could change the result (Ziv, "Fast
 * evaluation of elementary mathematical functions with correctly rounded last bit", 1991).
 */
export function roundIrrational(value: (a: Approximation) => Real, rules: Rules): Outcome {
  let outcome: Outcome | undefined;
  for (const approximation of APPROXIMATIONS) {
    const { precision } = approximation;
    const x = value(approximation);
    const sign = x.mantissa < 0n ? 1 : 0;
    // Room below, so that the error is an integer even when the mantissa happens to be short.
    const shift = BigInt(Math.max(0, precision - length(x)) + 1);
    const wide = magnitude(x.mantissa) << shift;
    const error = 1n << BigInt(DOUBTFUL + 1);
    const rounded = (mantissa: bigint) => fromExact(sign, mantissa | 1n, x.exponent - Number(shift), rules);
    outcome = rounded(wide);
    const [low, high] = [rounded(wide - error), rounded(wide + error)];
    if (
      low.value.significand === high.value.significand &&
      low.value.head === high.value.head &&
      low.flags === high.flags
    )
      return outcome;
  }
  return outcome as Outcome;
}
