import { expect, test } from 'vitest';
import { emptyBlock } from './entries.ts';
import type { Region } from './region.ts';
import { betterRoot } from './roots.ts';

/** A region of blocks at addresses that are their numbers, in reverse postorder, by where each of them leads. */
function region(successors: readonly (readonly number[])[], usesFpu = false): Region {
  const blocks = successors.map((targets, index) => ({
    index,
    lifted: emptyBlock(index),
    top: 0,
    successors: targets.map((to) => ({ kind: 'block', index: to }) as const),
    predecessors: successors.flatMap((each, from) => (each.includes(index) ? [from] : [])),
  }));
  return { entry: 0, top: 0, mxcsr: 0x1f80, usesFpu, blocks, entries: [] };
}

/**
 * Of two loops around one whose condition is at its end (7): the innermost loop's body (0, 1) is where the region begins. It is left from
 * its middle as well (2).
 */
const ROTATED = [[1, 2], [7], [3], [4, 6], [5], [6], [7], [0, 8], [3]];

test('a region in the middle of a loop would better begin where the loop is entered', () => {
  expect(betterRoot(region(ROTATED))).toBe(7);
});

test('a region that begins with a loop, or before it, begins well', () => {
  expect(betterRoot(region([[1], [2, 3], [1], []]))).toBeUndefined();
  expect(betterRoot(region([[1, 2], [0], []]))).toBeUndefined();
});

test('where no other beginning helps, there is none', () => {
  // Each of two loops is entered at both of its blocks, from the other one.
  const both = [
    [1, 2],
    [2, 3],
    [1, 4],
    [4, 1],
    [3, 2],
  ];
  expect(betterRoot(region(both))).toBeUndefined();
  expect(betterRoot(region(ROTATED, true))).toBeUndefined();
});
