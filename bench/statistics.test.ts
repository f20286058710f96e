import { describe, expect, it } from 'vitest';
import { geometricMean, rangeOf } from './statistics.ts';

describe('the range of measurements', () => {
  it('has the middle value of an odd number, whatever their order', () => {
    expect(rangeOf([3, 10, 2])).toEqual({ least: 2, median: 3, most: 10, count: 3 });
  });

  it('has the mean of the two middle values of an even number', () => {
    expect(rangeOf([4, 1, 100, 2])).toEqual({ least: 1, median: 3, most: 100, count: 4 });
  });
});

describe('the geometric mean', () => {
  it('lets a ratio and its inverse cancel out', () => {
    expect(geometricMean([0.25, 4, 8])).toBeCloseTo(2, 12);
  });

  it('of nothing is not a number that could be compared with a limit', () => {
    expect(geometricMean([])).toBeUndefined();
  });
});
