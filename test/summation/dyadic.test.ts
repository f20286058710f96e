import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { add, compare, exactly, isFaithful, multiply, nearest, neighbour } from './dyadic.ts';

const finite = fc.double({ noNaN: true, noDefaultInfinity: true });
const moderate = fc.double({ noNaN: true, min: -1e150, max: 1e150 });

describe('the exact arithmetic that the algorithms are tested against', () => {
  it('rounds every double to itself', () => {
    fc.assert(fc.property(finite, (x) => nearest(exactly(x)) === x));
  });

  it('rounds a sum and a product as the processor does', () => {
    fc.assert(fc.property(moderate, moderate, (x, y) => nearest(add(exactly(x), exactly(y))) === x + y));
    fc.assert(fc.property(finite, finite, (x, y) => nearest(multiply(exactly(x), exactly(y))) === x * y));
  });

  it('orders exact values as the processor orders doubles', () => {
    fc.assert(
      fc.property(
        finite,
        finite,
        (x, y) => Math.sign(compare(exactly(x), exactly(y))) === Math.sign(x < y ? -1 : x > y ? 1 : 0),
      ),
    );
  });

  it('calls both neighbours of a value between two doubles faithful, and no third double', () => {
    const x = 1.5;
    const up = neighbour(x, 1);
    const between = add(exactly(x), exactly(2 ** -55));
    expect([neighbour(x, -1), x, up, neighbour(up, 1)].map((value) => isFaithful(value, between))).toEqual([
      false,
      true,
      true,
      false,
    ]);
    expect([neighbour(x, -1), x, up].map((value) => isFaithful(value, exactly(x)))).toEqual([
      false,
      true,
      false,
    ]);
  });
});
