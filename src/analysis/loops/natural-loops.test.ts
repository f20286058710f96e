import fc from 'fast-check';
import { expect, test } from 'vitest';
import { depthFirst, dominance, dominatorsOf } from './dominators.ts';
import { predecessorsOf } from './graph.ts';
import { loopsOf, withinRegions } from './natural-loops.ts';

/** Graphs of up to 12 blocks, each with up to three successors, as branches and jump tables make them. */
const graphs = fc.integer({ min: 1, max: 12 }).chain((count) =>
  fc.array(fc.uniqueArray(fc.integer({ min: 0, max: count - 1 }), { maxLength: 3 }), {
    minLength: count,
    maxLength: count,
  }),
);

/** What a walk from the roots reaches without a block. */
function reachedWithout(successors: readonly (readonly number[])[], roots: readonly number[], block: number) {
  const seen = new Set(roots.filter((root) => root !== block));
  const work = [...seen];
  while (work.length > 0)
    for (const to of successors[work.pop()!])
      if (to !== block && !seen.has(to)) {
        seen.add(to);
        work.push(to);
      }
  return seen;
}

const rootsOf = (successors: readonly (readonly number[])[]): number[] => {
  const { parent } = depthFirst(successors);
  return successors.map((_, node) => node).filter((node) => parent[node] < 0);
};

test('a block dominates those that cannot be reached without it', () => {
  fc.assert(
    fc.property(graphs, (successors) => {
      const roots = rootsOf(successors);
      const dominates = dominance(dominatorsOf(predecessorsOf(successors), depthFirst(successors)));
      successors.forEach((_, a) => {
        const without = reachedWithout(successors, roots, a);
        successors.forEach((_, b) => {
          expect(dominates(a, b), `${a} dominates ${b}`).toBe(!without.has(b));
        });
      });
    }),
    { numRuns: 1500 },
  );
});

test('the loops are those that the definition gives, nested as their blocks are', () => {
  fc.assert(
    fc.property(graphs, (all) => {
      const successors = withinRegions(all, depthFirst(all));
      const roots = rootsOf(successors);
      const predecessors = predecessorsOf(successors);
      const { loops, innermostOf } = loopsOf(all);
      // Back edges go to a block that dominates where they come from; the loop is what reaches them without the header.
      const bodies = new Map<number, Set<number>>();
      successors.forEach((list, from) => {
        for (const to of list) {
          if (reachedWithout(successors, roots, to).has(from)) continue;
          const body = bodies.get(to) ?? new Set([to]);
          bodies.set(to, body);
          const work = [from];
          while (work.length > 0) {
            const block = work.pop()!;
            if (body.has(block)) continue;
            body.add(block);
            work.push(...predecessors[block]);
          }
        }
      });
      expect(loops.map(({ header }) => header)).toEqual([...bodies.keys()].sort((a, b) => a - b));
      for (const { header, blocks, outer, depth, innermost } of loops) {
        const body = bodies.get(header)!;
        const inside = loops.filter((each) => each.header !== header && body.has(each.header));
        const residue = [...body].filter(
          (block) => !inside.some((each) => bodies.get(each.header)!.has(block)),
        );
        expect(blocks).toEqual(residue.sort((a, b) => a - b));
        const around = loops.filter((each) => each.header !== header && bodies.get(each.header)!.has(header));
        expect(depth).toBe(1 + around.length);
        expect(innermost).toBe(inside.length === 0);
        expect(outer === undefined ? undefined : loops[outer].header).toBe(
          around.sort((a, b) => b.depth - a.depth)[0]?.header,
        );
      }
      successors.forEach((_, block) => {
        const around = loops.filter(({ header }) => bodies.get(header)!.has(block));
        const loop = innermostOf[block];
        expect(loop === undefined ? 0 : loops[loop].depth).toBe(around.length);
      });
    }),
    { numRuns: 1500 },
  );
});

test('every cycle is in a loop or in one with several entries', () => {
  fc.assert(
    fc.property(graphs, (successors) => {
      const { loops, irreducible, innermostOf } = loopsOf(successors);
      const odd = new Set(irreducible.flatMap(({ blocks }) => blocks));
      successors.forEach((_, block) => {
        const seen = new Set<number>();
        const work = [...successors[block]];
        while (work.length > 0) {
          const at = work.pop()!;
          if (seen.has(at)) continue;
          seen.add(at);
          work.push(...successors[at]);
        }
        const isInCycle = seen.has(block);
        expect(innermostOf[block] !== undefined || odd.has(block), `block ${block}`).toBe(isInCycle);
      });
      expect(loops.length + irreducible.length).toBeLessThanOrEqual(successors.length * 3);
    }),
    { numRuns: 1500 },
  );
});

test('code that nothing leads to is no second entry', () => {
  // 0 -> 1 <-> 2 -> 3, and padding in 4 that runs into the middle of the loop.
  const { loops, irreducible } = loopsOf([[1], [2], [1, 3], [], [2]]);
  expect(loops.map(({ header, blocks }) => ({ header, blocks }))).toEqual([{ header: 1, blocks: [1, 2] }]);
  expect(irreducible).toEqual([]);
});

test('a cycle with two entries is named, and is no loop', () => {
  //  0 -> 1, 2;  1 <-> 2;  2 -> 3
  const { loops, irreducible } = loopsOf([[1, 2], [2], [1, 3], []]);
  expect(loops).toEqual([]);
  expect(irreducible).toEqual([{ entry: 1, latch: 2, blocks: [1, 2], outer: undefined }]);
});

test('a hundred thousand blocks in a row, each with a loop of its own around all before it, are no problem', () => {
  const count = 100_000;
  const successors = Array.from({ length: count }, (_, i) => (i + 1 < count ? [i + 1] : []));
  for (let i = 1; i < count; i += 3) successors[i].push(i);
  expect(loopsOf(successors).loops).toHaveLength(Math.ceil((count - 1) / 3));
  const nest = Array.from({ length: 20_000 }, (_, i) => (i + 1 < 20_000 ? [i + 1] : []));
  for (let i = 10_000; i < 20_000; i++) nest[i].push(19_999 - i);
  expect(loopsOf(nest).loops.at(-1)?.depth).toBe(10_000);
});
