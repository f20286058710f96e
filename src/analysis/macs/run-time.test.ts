import { expect, test } from 'vitest';
import {
  actualBound,
  balancedBound,
  loadImbalance,
  machineUtilisation,
  runTimeBound,
  sequentialBound,
  speedUp,
  type TeamWork,
} from './run-time.ts';

test('RB is the sum of the blocks’ bounds, each as often as it was executed (equation 4.15)', () => {
  // Case 3 of figure 3: a loop of 19 cycles with a block of 3 that a branch passes by in 10 of 100 iterations.
  const blocks = [
    { cycles: 16, executions: 100 },
    { cycles: 3, executions: 90 },
  ];
  expect(runTimeBound(blocks)).toBe(1870);
  expect(runTimeBound([])).toBe(0);
});

const team = (...threads: readonly (number | TeamWork['threads'][number])[]): TeamWork => ({
  threads: threads.map((each) => (typeof each === 'number' ? { cycles: each, regions: [] } : each)),
});

test('Seq_RB of a sequential section is that of its blocks, balanced or not (equation 4.16)', () => {
  const section = team(
    runTimeBound([
      { cycles: 5, executions: 1 },
      { cycles: 7, executions: 20 },
    ]),
  );
  expect([actualBound(section), balancedBound(section), sequentialBound(section)]).toEqual([145, 145, 145]);
});

// 100 iterations of the loop above on 4 processors, which have 40, 30, 20 and 10 of them; the branch passes by 10, 0, 0, 0.
const LOOP = team(
  ...[
    [40, 30],
    [30, 30],
    [20, 20],
    [10, 10],
  ].map(([c, taken]) =>
    runTimeBound([
      { cycles: 16, executions: c },
      { cycles: 3, executions: taken },
    ]),
  ),
);

test('Para_RB of a balanced loop is its whole bound over the processors (equation 4.17)', () => {
  expect(sequentialBound(LOOP)).toBe(1870);
  expect(balancedBound(LOOP)).toBe(467.5);
});

test('Para_RB of an actual distribution is the bound of the thread that has most (equation 4.18)', () => {
  // 40 x 16 + 30 x 3.
  expect(actualBound(LOOP)).toBe(730);
  expect(loadImbalance(730, 467.5)).toBeCloseTo(1.5615, 4);
  expect(actualBound(team(3, 1))).toBe(3);
  expect(loadImbalance(actualBound(team(3, 1)), balancedBound(team(3, 1)))).toBe(1.5);
});

test('RB of nested regions is the most of the outer threads’ sums (equation 4.19, figure 4)', () => {
  // Two section blocks: Para_RB_1 + Seq_RB_1, and Para_RB_2 + Para_RB_3 + Seq_RB_2.
  const [para1, para2, para3] = [team(300, 500), team(100, 120, 80), team(250, 150)];
  const sections = team({ cycles: 40, regions: [para1] }, { cycles: 60, regions: [para2, para3] });
  expect(actualBound(sections)).toBe(Math.max(500 + 40, 120 + 250 + 60));
  // (400 + 40 + 100 + 200 + 60) / 2: each region balanced, and then the sections.
  expect(balancedBound(sections)).toBe(400);
  expect(sequentialBound(sections)).toBe(1600);
  // What the master does before and behind it counts whole.
  const run = team({ cycles: 100, regions: [sections] });
  expect(actualBound(run)).toBe(640);
  expect(balancedBound(run)).toBe(500);
  expect(speedUp(sequentialBound(run), actualBound(run))).toBeCloseTo(1700 / 640, 12);
});

test('the machine utilisation factor is the share of the time that is not gap P (equation 7.1)', () => {
  // t_MACS 30, t_GAP 20.
  expect(machineUtilisation(30, 30 + 20)).toBe(0.6);
  // Averaged over the processors: four have 467.5 each to do in 730.
  expect(machineUtilisation(balancedBound(LOOP), actualBound(LOOP))).toBeCloseTo(0.6404, 4);
  expect(machineUtilisation(0, 0)).toBe(0);
});

test('nothing to do takes no time', () => {
  expect([actualBound(team()), balancedBound(team()), sequentialBound(team())]).toEqual([0, 0, 0]);
  expect([loadImbalance(0, 0), speedUp(0, 0)]).toEqual([1, 1]);
});
