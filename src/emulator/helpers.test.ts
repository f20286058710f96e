import { expect, it } from 'vitest';
import {
  areSame,
  askFor,
  type Helpers,
  type HelpTask,
  isLong,
  measureTogether,
  type SeenRun,
  sharesAhead,
  sharesBehind,
} from './helpers.ts';
import type { Part, PartCounts } from './parts.ts';

const parts = [1, 2, 3, 4, 5].map((from): Part => ({ kind: 'calls', from, to: from }));

/** Counts that say who has measured which part. */
const countsBy = (who: number, part: Part): readonly PartCounts[] => [
  {
    trees: new Map(),
    wholes: new Map(),
    functions: new Map([[who, { ...SUMS, calls: parts.indexOf(part) }]]),
  },
];
const SUMS = {
  calls: 0,
  instructions: 0,
  cycles: 0,
  longest: { index: 0, instructions: 0, cycles: 0, start: 0, end: 0 },
  first: 0,
};

/** Some helpers, each with what it has executed of every part; undefined where it does not answer. */
function helpersWith(
  most: number,
  executed: (helper: number) => number | undefined = () => undefined,
  tasks: HelpTask[] = [],
): Helpers {
  const ask = async (task: HelpTask) => {
    const helper = tasks.push(task);
    const seen = executed(helper);
    return {
      dismiss: () => {},
      answer: async () =>
        seen === undefined
          ? undefined
          : { parts: task.parts.map((part) => ({ executed: seen, counts: countsBy(helper, part) })) },
    };
  };
  return {
    most: (each = 0) => Math.min(most, 2 ** 30 - each),
    taken: () => 0,
    from: 0,
    fromAhead: 0,
    ask,
    askAhead: ask,
  };
}

/** Who has measured each part: 0 for this process. */
async function measuredBy(most: number, executed: (helper: number) => number | undefined) {
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
  const helpers = helpersWith(most, executed, tasks);
  const shares = await askFor(sharesBehind(parts, 100, helpers), run.outgrown, helpers.ask);
  const { found, sawThisRun } = await measureTogether(run, parts, shares);
  for (const { outgrown } of tasks) expect(outgrown).toEqual(['threads']);
  const order = found.map(([{ functions }]) => [...functions.values()][0].calls);
  expect(order).toEqual([0, 1, 2, 3, 4]);
  return { passes, by: found.map(([{ functions }]) => [...functions.keys()][0]), sawThisRun };
}

it('divides parts among this process and helpers', async () => {
  expect(await measuredBy(2, () => 100)).toEqual({ passes: 3, by: [0, 1, 2, 0, 1], sawThisRun: true });
});

const short = (from: number): Part => ({
  kind: 'threads',
  calls: [{ threads: [1], from, to: from }],
  until: 40,
});

it('gives a share of few long parts and one of many short ones', () => {
  const all = [short(1), short(2), parts[2], short(4)];
  expect(sharesBehind(all, 100, helpersWith(1))).toEqual([[all[0], all[1], all[3]]]);
});

it('gives less to do to this process where it has to run the first pass as well', () => {
  expect(sharesAhead({ parts, executed: 100, memory: 0 }, helpersWith(1))).toEqual([
    [parts[0], parts[2], parts[4]],
  ]);
  expect(sharesAhead({ parts, executed: 100, memory: 0 }, helpersWith(2))).toEqual([
    [parts[0], parts[3]],
    [parts[1], parts[4]],
  ]);
  expect(sharesAhead({ parts: [parts[0]], executed: 100, memory: 0 }, helpersWith(3))).toEqual([[parts[0]]]);
  // As many as there is memory for.
  expect(sharesAhead({ parts, executed: 100, memory: 2 ** 30 }, helpersWith(3))).toEqual([]);
});

it('asks no more helpers than there are parts for', async () => {
  expect(await measuredBy(9, () => 100)).toEqual({ passes: 4, by: [0, 1, 2, 3, 4], sawThisRun: true });
});

it.each([0, -1])('measures everything here where nobody helps: %i', async (most) => {
  expect(await measuredBy(most, () => 100)).toEqual({ passes: 0, by: [0, 0, 0, 0, 0], sawThisRun: true });
  expect(sharesAhead({ parts, executed: 100, memory: 0 }, helpersWith(most))).toEqual([]);
});

it('measures here what a helper did not, or of another run', async () => {
  const executed = (helper: number) => (helper === 1 ? undefined : 101);
  expect(await measuredBy(2, executed)).toEqual({ passes: 3, by: [0, 0, 0, 0, 0], sawThisRun: false });
});

it.each([
  [39, false],
  [40, true],
  [41, true],
  [101, false],
])('believes that a pass up to instruction 40 of 100 executed %i: %s', async (executed, isBelieved) => {
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
  // An earlier run, of other lengths, had the part as well.
  const asked = [{ ...short(0), until: 50 }];
  expect(areSame([short(0)], asked)).toBe(true);
  const shares = await askFor([asked], [], helpersWith(1, () => executed).ask);
  const { sawThisRun } = await measureTogether(run, [parts[0], short(0)], shares);
  expect(measuredHere).toBe(isBelieved ? 1 : 2);
  expect(sawThisRun).toBe(true);
});

it('tells other parts from the same', () => {
  expect(areSame(parts, [...parts])).toBe(true);
  expect(areSame(parts, parts.slice(1))).toBe(false);
  expect(areSame(parts.slice(0, 1), [short(1)])).toBe(false);
});

it('tells how much there is to measure', () => {
  expect(isLong([parts[0], short(0)], 100, 140)).toBe(true);
  expect(isLong([parts[0], short(0)], 100, 141)).toBe(false);
});
