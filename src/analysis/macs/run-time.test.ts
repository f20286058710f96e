import { expect, test } from 'vitest';
import { runTimeBound } from './run-time.ts';

test('RB is the sum of the blocks’ bounds, each as often as it was executed (equation 4.15)', () => {
  // Case 3 of figure 3: a loop of 19 cycles with a block of 3 that a branch passes by in 10 of 100 iterations.
  const blocks = [
    { cycles: 16, executions: 100 },
    { cycles: 3, executions: 90 },
  ];
  expect(runTimeBound(blocks)).toBe(1870);
  expect(runTimeBound([])).toBe(0);
});
