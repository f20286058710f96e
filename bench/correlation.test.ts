import { expect, test } from 'vitest';
import { kendallTau, meanRelativeError } from './correlation.ts';

test('the mean relative error of 10 % too much and 20 % too little is 15 %', () => {
  expect(meanRelativeError([1.1, 1.6], [1, 2])).toBeCloseTo(0.15, 12);
});

test('tau is 1 for the same order, -1 for the opposite', () => {
  expect(kendallTau([1, 2, 3], [10, 20, 30])).toBe(1);
  expect(kendallTau([1, 2, 3], [3, 2, 1])).toBe(-1);
});

test('ties count in the total of the other list only: 2 of 3 pairs ordered, none tied there', () => {
  // Pairs: (1,1) tied in a; the other two in the same order. 2 / sqrt(2 * 3).
  expect(kendallTau([1, 1, 2], [1, 2, 3])).toBeCloseTo(2 / Math.sqrt(6), 12);
});
