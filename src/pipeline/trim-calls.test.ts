import { expect, it } from 'vitest';
import type { CallProfile, Profile } from '../profile/profile.ts';
import { trimCalls } from './trim-calls.ts';

const call = (name: string, index: number, calls: CallProfile[] = []): CallProfile => ({
  function: name,
  depth: 1,
  index,
  instructions: 10,
  cycles: 5,
  ilp: 2,
  calls,
});
const many = (
  count: number,
  name: (at: number) => string,
  calls: (at: number) => CallProfile[] = () => [],
): CallProfile[] => Array.from({ length: count }, (_, at) => call(name(at), at, calls(at)));
const trim = (calls: CallProfile[]): readonly CallProfile[] =>
  trimCalls({ calls } as unknown as Profile).calls;
const rows = (calls: readonly CallProfile[]): number =>
  calls.reduce((sum, each) => sum + 1 + rows(each.calls), 0);

it('a small call tree stays as it is', () => {
  const calls = many(
    20,
    (at) => `f${at}`,
    () => many(20, () => 'g'),
  );
  expect(trim(calls)).toBe(calls);
});

it('a large one keeps the first calls of each parent and sums the others per function, nothing lost', () => {
  const trimmed = trim(many(1000, (at) => (at % 2 === 0 ? 'even' : 'odd')));
  expect(trimmed).toHaveLength(102);
  expect(trimmed.slice(100)).toEqual([
    {
      function: 'even',
      depth: 1,
      index: 100,
      instructions: 4500,
      cycles: 2250,
      ilp: 2,
      aggregated: 450,
      calls: [],
    },
    {
      function: 'odd',
      depth: 1,
      index: 101,
      instructions: 4500,
      cycles: 2250,
      ilp: 2,
      aggregated: 450,
      calls: [],
    },
  ]);
});

it('a tree of a million calls comes down to rows that a review can hold', () => {
  const calls = [
    call(
      'main',
      0,
      many(
        1000,
        () => 'f',
        () => many(50, () => 'g'),
      ),
    ),
  ];
  expect(rows(trim(calls))).toBeLessThanOrEqual(500);
});

it('sums that were there before are summed on', () => {
  const calls = [...many(600, () => 'f'), { ...call('f', 600), aggregated: 400 }];
  expect(trim(calls).at(-1)).toMatchObject({ function: 'f', aggregated: 900 });
});
