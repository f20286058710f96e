import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Edge, maximumRecurrence } from './recurrence.ts';

const edge = (from: number, to: number, cycles: number, distance: number): Edge => ({
  from,
  to,
  cycles,
  distance,
});

test('without a cycle there is no recurrence', () => {
  expect(maximumRecurrence(3, [edge(0, 1, 5, 0), edge(1, 2, 4, 1)])).toEqual({ cycles: 0, nodes: [] });
});

test('equation 4.7: a multiplication (4) and an addition (4) around one repetition take 8, around two 4', () => {
  expect(maximumRecurrence(2, [edge(0, 1, 4, 0), edge(1, 0, 4, 1)]).cycles).toBe(8);
  expect(maximumRecurrence(2, [edge(0, 1, 4, 0), edge(1, 0, 4, 2)]).cycles).toBe(4);
});

test('the cycle with the largest ratio wins, not the longest', () => {
  const edges = [edge(0, 0, 3, 1), edge(1, 2, 5, 0), edge(2, 1, 5, 4)];
  expect(maximumRecurrence(3, edges)).toEqual({ cycles: 3, nodes: [0] });
});

test('the ratio is that of the best simple cycle (all of them tried)', () => {
  const NODES = 5;
  // Within a repetition dependences go from lower to higher nodes, as in a loop body.
  const any = fc
    .tuple(fc.nat(NODES - 1), fc.nat(NODES - 1), fc.nat(9), fc.nat(3))
    .map(([from, to, cycles, distance]) =>
      edge(from, to, cycles, from < to ? distance : Math.max(1, distance)),
    );
  fc.assert(
    fc.property(fc.array(any, { maxLength: 12 }), (edges) => {
      let best = 0;
      const visit = (
        start: number,
        node: number,
        cycles: number,
        distance: number,
        path: readonly number[],
      ): void => {
        for (const each of edges.filter(({ from }) => from === node)) {
          const [sum, span] = [cycles + each.cycles, distance + each.distance];
          if (each.to === start) best = Math.max(best, sum / span);
          else if (each.to > start && !path.includes(each.to))
            visit(start, each.to, sum, span, [...path, each.to]);
        }
      };
      for (let start = 0; start < NODES; start++) visit(start, start, 0, 0, [start]);
      expect(maximumRecurrence(NODES, edges).cycles).toBeCloseTo(best, 9);
    }),
  );
});
