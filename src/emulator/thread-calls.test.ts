import fc from 'fast-check';
import { expect, it } from 'vitest';
import { inPasses, placeCalls, type ThreadCalls } from './thread-calls.ts';

const FIRST: ThreadCalls = { threads: [0], from: 0, to: 0 };
/** How deep calls of the first thread are, that nobody asks for. */
const DEEPEST_OF_FIRST = 9;

/** The deepest calls of threads, by their index - 1. */
const deepest = fc.array(fc.nat(9), { minLength: 1, maxLength: 9 });
const callsOf = (depths: readonly number[]): ThreadCalls[] =>
  depths.map((to, i) => ({ threads: [i + 1], from: 0, to }));

/** The depths of threads that a pass with so many lanes measures, by lane. */
function measuredIn(calls: readonly ThreadCalls[], lanes: number, depths: readonly number[]) {
  const { placed, left } = placeCalls(calls, lanes);
  const byLane: string[][] = Array.from({ length: lanes }, () => []);
  for (const { threads, firstDepth, firstLane, lanes: many } of placed)
    for (const thread of threads)
      for (let depth = 0; depth <= [DEEPEST_OF_FIRST, ...depths][thread]; depth++) {
        const lane = depth - firstDepth;
        if (lane < 0 || lane >= lanes) continue;
        byLane[lane].push(`${thread} at ${depth}`);
        expect(lane).toBeGreaterThanOrEqual(firstLane);
        expect(lane).toBeLessThan(firstLane + many);
      }
  for (const each of byLane) expect(each.length).toBeLessThanOrEqual(1);
  return { measured: byLane.flat(), left };
}

it('each depth of each thread has a lane of its own in one pass, also where there are fewer lanes than there were', () => {
  const lanes = fc.constantFrom([4, 4], [4, 2], [4, 1], [2, 2], [2, 1], [1, 1]);
  fc.assert(
    fc.property(deepest, lanes, (depths, [lanesBefore, lanesNow]) => {
      const passes = inPasses(callsOf(depths), lanesBefore, FIRST);
      const measured: string[] = [];
      for (const pass of passes) {
        let left = pass;
        for (let many = 0; left.length > 0; many++) {
          expect(many).toBeLessThan(Math.ceil(lanesBefore / lanesNow) + 1);
          const found = measuredIn(left, lanesNow, depths);
          measured.push(...found.measured);
          left = found.left;
        }
      }
      const all = depths.flatMap((to, i) =>
        Array.from({ length: to + 1 }, (_, depth) => `${i + 1} at ${depth}`),
      );
      expect(measured.sort()).toEqual([...all, '0 at 0'].sort());
    }),
  );
});

it('a pass with as many lanes is enough for what was put together for it', () => {
  fc.assert(
    fc.property(deepest, fc.constantFrom(4, 2, 1), (depths, lanes) => {
      for (const pass of inPasses(callsOf(depths), lanes, FIRST))
        expect(placeCalls(pass, lanes).left).toEqual([]);
    }),
  );
});

it.each([
  [[3], 2],
  [[2], 1],
  [[1, 1], 2],
  [[1, 1, 1], 2],
  [[0, 0, 0], 1],
  [[2, 0, 1, 1], 3],
  [[5, 1, 0], 3],
])('threads with calls down to %j take %i passes of four lanes', (depths, passes) => {
  expect(inPasses(callsOf(depths), 4, FIRST)).toHaveLength(passes);
});
