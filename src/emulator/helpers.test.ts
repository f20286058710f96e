import { expect, it } from 'vitest';
import { type HelpTask, isLong, measureTogether, type SeenRun } from './helpers.ts';
import type { Part, PartCounts } from './parts.ts';

const parts = [1, 2, 3, 4, 5].map((from): Part => ({ kind: 'calls', from, to: from }));

/** Counts that say who has measured which part. */
const countsBy = (who: number, part: Part): readonly PartCounts[] => [
  { trees: new Map(), functions: new Map([[who, { ...SUMS, calls: parts.indexOf(part) }]]) },
];
const SUMS = {
  calls: 0,
  instructions: 0,
  cycles: 0,
  longest: { index: 0, instructions: 0, cycles: 0, start: 0, end: 0 },
  first: 0,
};

/** Who has measured each part: 0 for this process. */
async function measuredBy(most: number, answers: (helper: number) => { executed: number } | undefined) {
  let asked = 0;
  let passes = 0;
  const run: SeenRun = {
    outgrown: ['threads'],
    executed: 100,
    measure: (part) => countsBy(0, part),
    asked: (count) => {
      passes = count;
    },
  };
  const tasks: HelpTask[] = [];
  const found = await measureTogether(run, parts, {
    most,
    from: 0,
    ask: async (task) => {
      const helper = ++asked;
      tasks.push(task);
      const seen = answers(helper);
      return {
        answer: async () =>
          seen && { parts: task.parts.map((part) => ({ ...seen, counts: countsBy(helper, part) })) },
      };
    },
  });
  for (const { outgrown } of tasks) expect(outgrown).toEqual(['threads']);
  const order = found.map(([{ functions }]) => [...functions.values()][0].calls);
  expect(order).toEqual([0, 1, 2, 3, 4]);
  return { passes, by: found.map(([{ functions }]) => [...functions.keys()][0]) };
}

it('divides parts among this process and helpers', async () => {
  expect(await measuredBy(2, () => ({ executed: 100 }))).toEqual({ passes: 3, by: [0, 1, 2, 0, 1] });
});

it('gives a share of few long parts and one of many short ones', async () => {
  const short = (from: number): Part => ({ kind: 'calls', from, to: from, threads: [1], until: 40 });
  const all = [short(1), short(2), parts[2], short(4)];
  const asked: Part[][] = [];
  const run: SeenRun = {
    outgrown: [],
    executed: 100,
    measure: () => [],
    asked: () => {},
  };
  const ask = async (task: HelpTask) => {
    asked.push([...task.parts]);
    return { answer: async () => undefined };
  };
  await measureTogether(run, all, { most: 1, from: 0, ask });
  expect(asked).toEqual([[all[0], all[1], all[3]]]);
});

it('asks no more helpers than there are parts for', async () => {
  expect(await measuredBy(9, () => ({ executed: 100 }))).toEqual({ passes: 4, by: [0, 1, 2, 3, 4] });
});

it('measures everything here where nobody helps', async () => {
  expect(await measuredBy(0, () => ({ executed: 100 }))).toEqual({ passes: 0, by: [0, 0, 0, 0, 0] });
});

it('measures here what a helper did not, or of another run', async () => {
  const answers = (helper: number) => (helper === 1 ? undefined : { executed: 101 });
  expect(await measuredBy(2, answers)).toEqual({ passes: 3, by: [0, 0, 0, 0, 0] });
});

it.each([
  [39, false],
  [40, true],
  [41, true],
  [101, false],
])('believes that a pass up to instruction 40 of 100 executed %i: %s', async (executed, isBelieved) => {
  const until: Part = { kind: 'calls', from: 0, to: 0, threads: [1], until: 40 };
  let measuredHere = 0;
  const run: SeenRun = {
    outgrown: [],
    executed: 100,
    measure: () => {
      measuredHere++;
      return [];
    },
    asked: () => {},
  };
  const ask = async () => ({ answer: async () => ({ parts: [{ counts: [], executed }] }) });
  await measureTogether(run, [parts[0], until], { most: 1, from: 0, ask });
  expect(measuredHere).toBe(isBelieved ? 1 : 2);
});

it('asks nobody for little', () => {
  const helpers = (from: number) => ({ most: 1, from, ask: () => Promise.reject() });
  const short: Part = { kind: 'calls', from: 0, to: 0, threads: [1], until: 40 };
  expect(isLong([parts[0], short], 100, helpers(140))).toBe(true);
  expect(isLong([parts[0], short], 100, helpers(141))).toBe(false);
  expect(isLong([parts[0]], 1000, helpers(141))).toBe(false);
});
