import { expect, it } from 'vitest';
import type { CallTree } from './contexts/call-tree.ts';
import { type Counts, measurePart, type Part, type PartPasses } from './parts.ts';
import { groupsAtOnce, type MeasuredPart } from './pass/measured-part.ts';

/** Of the run: functions a, b, c and d, whose entries are 1 to 4, are called once by each of four threads. */
const NAMES = ['a', 'b', 'c', 'd'];
const THREADS = [0, 1, 2, 3];

/** Passes with four lanes, of which there are two from one of them on. */
function passesWith(fewerFrom: number) {
  let lanes = 4;
  let begun = 0;
  const passes: PartPasses = {
    lanes: () => lanes,
    run: (_, measured) => {
      measured();
      // Begins anew where there is too little room.
      if (++begun === fewerFrom) lanes = 2;
      return countsOf(measured(), lanes);
    },
  };
  return passes;
}

function countsOf({ named = [], threads = [] }: Partial<MeasuredPart>, lanes: number): Counts {
  expect(threads.length).toBeLessThanOrEqual(groupsAtOnce({ named }, lanes));
  const functions = named.map((name) => {
    const calls = threads.flat().length;
    const longest = { index: 0, instructions: 1, cycles: 1, start: 0, end: 1 };
    return [
      NAMES.indexOf(name) + 1,
      { calls, instructions: calls, cycles: calls, longest, first: 0 },
    ] as const;
  });
  const tree = { cycles: Float64Array.of(1) } as unknown as CallTree;
  const thread = { tree, root: 0, deepest: 0, instructions: 1, began: 0, ran: 1, ended: 1 };
  return {
    threads: THREADS.map(() => thread),
    functions: new Map(functions),
    hooked: new Set(THREADS),
    leftOut: new Set(),
    layers: 1,
  };
}

it.each([
  [1, NAMES],
  [2, NAMES],
  [3, NAMES],
  [9, NAMES],
  [1, ['c']],
  [9, ['c']],
  [1, ['a', 'b', 'c']],
  [2, ['a', 'b', 'c']],
])(
  'of functions in threads each call counts once, also where lanes become fewer in pass %i: %j',
  (fewerFrom, names) => {
    const part: Part = { kind: 'functions', names, threads: [[1], [2], [3]] };
    const [{ functions }] = measurePart(part, passesWith(fewerFrom));
    expect([...functions].map(([entry, { calls }]) => [NAMES[entry - 1], calls])).toEqual(
      names.map((name) => [name, 4]),
    );
  },
);
