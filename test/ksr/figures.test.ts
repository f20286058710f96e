import { describe, expect, test } from 'vitest';
import { boundListing } from '../../src/pipeline/ksr.ts';
import { boundsOf, listing, loopsOf } from './listings.ts';

describe('figure 7: acceptable and unacceptable loops', () => {
  test('perfect nests, loops side by side in a third, and forward branches are accepted', () => {
    const { loops, unacceptable, named } = loopsOf('figure7-accepted.s');
    expect(unacceptable).toEqual([]);
    expect(loops.map(({ label }) => label)).toEqual(['.L2', '.L1', '.L4', '.L5', '.L3', '.L6']);
    expect(loops.filter(({ innermost }) => innermost).map(({ label }) => label)).toEqual([
      '.L2',
      '.L4',
      '.L5',
      '.L6',
    ]);
    expect(named('.L3').depth).toBe(1);
    expect(named('.L5').depth).toBe(2);
  });

  test('two loops that cross are not: the second is named, with the reason', () => {
    const { loops, unacceptable } = loopsOf('figure7-crossing.s');
    expect(loops.map(({ label }) => label)).toEqual(['.L1']);
    expect(unacceptable).toEqual([
      {
        label: '.L2',
        line: 4,
        branchLine: 9,
        reason: expect.stringContaining('inside the loop .L1, which ends before it does'),
      },
    ]);
  });
});

describe('figures 8 and 24: residues', () => {
  test('of an outer loop counts what is in no inner one: 2 pairs before, 5 behind', () => {
    const { named } = loopsOf('figure8.s');
    expect(named('.L11').statistics).toMatchObject({ length: 6, fma: 1, lfl: 1, left: 3, right: 3 });
    expect(named('.L10').statistics).toMatchObject({
      length: 7,
      fa: 1,
      fma: 0,
      lfl: 2,
      sfl: 1,
      left: 4,
      right: 5,
    });
  });

  test('of four loops in three shells (figure 23) are counted from inside out', () => {
    const { named } = loopsOf('figure20.s');
    expect(named('.L2').statistics).toMatchObject({ length: 2, fm: 1, fma: 0, fa: 0 });
    expect(named('.L3').statistics).toMatchObject({ length: 2, fm: 0, fma: 1, fa: 0 });
    expect(named('.L1').statistics).toMatchObject({ length: 3, fm: 0, fma: 0, fa: 2 });
    expect(named('.L0').statistics).toMatchObject({ length: 3, fm: 0, fma: 0, fa: 2 });
  });
});

describe('figure 9: an innermost loop with forward branches', () => {
  const { named } = loopsOf('figure9.s');
  const { statistics, areas } = named('.L20');

  test('is counted with all of them', () => {
    expect(statistics).toMatchObject({ length: 19, fa: 2, fm: 3, fmisc: 3, lfl: 1, sfl: 2, branches: 5 });
  });

  test('has an area for each, from behind a branch that is quashed when taken, else behind its delay slots', () => {
    expect(
      areas.map(({ target, branchLine, targetLine, statistics: { length } }) => [
        target,
        branchLine,
        targetLine,
        length,
      ]),
    ).toEqual([
      ['.L21', 5, 8, 2],
      ['.L22', 9, 15, 3],
      ['.L23', 16, 20, 3],
      ['.L24', 18, 22, 2],
    ]);
    expect(areas[0].statistics).toMatchObject({ fa: 1, sfl: 1 });
    expect(areas[1].statistics).toMatchObject({ fm: 3, right: 0 });
  });

  test('names the areas that intersect', () => {
    expect(areas.map(({ crosses }) => crosses)).toEqual([[], [], [], [3]]);
  });
});

describe('figure 10: a scan', () => {
  test('completes the loops from inside out, each without those inside it', () => {
    const { loops } = loopsOf('figure10.s');
    expect(loops.map(({ label, depth, statistics: { length } }) => [label, depth, length])).toEqual([
      ['.L33', 3, 5],
      ['.L32', 2, 5],
      // Its branch is quashed when taken, so that its delay slots are in no iteration.
      ['.L31', 1, 3],
    ]);
  });
});

describe('figures 20 to 22: which loop is in which', () => {
  test('a loop that begins no earlier and ends earlier is inner', async () => {
    const { macstat } = await boundListing(listing('figure20.s'), 'figure20.s', {});
    expect(macstat.split('\n').filter((line) => line.includes('is an inner loop of'))).toEqual([
      '.L2 is an inner loop of .L1',
      '.L2 is an inner loop of .L0',
      '.L3 is an inner loop of .L1',
      '.L3 is an inner loop of .L0',
      '.L1 is an inner loop of .L0',
    ]);
  });
});

describe('figure 25: the report of K-MACSTAT', () => {
  test('is the paper’s, line by line, for code that has its counts', async () => {
    const { macstat } = await boundListing(listing('figure25.s'), 'figure25.s', {});
    expect(macstat).toBe(listing('figure25.txt'));
  });

  test('MAC is the longer column and MACS the length, over two iterations in one', async () => {
    const inner = (await boundsOf('figure25.s')).named('.L37');
    expect(inner).toMatchObject({
      unroll: 2,
      unrollFrom: 'addresses',
      bounds: { MAC: 96 / 2, MACS: 107 / 2 },
      limits: { MAC: 'CEU/XIU', MACS: 'schedule' },
      // 28 operations in two iterations.
      perOperation: { MAC: 3.4286, MACS: 3.8214 },
    });
  });
});

describe('appendix A.4: delay slots', () => {
  test('are in the loop where the branch back executes them when it is taken', () => {
    const { loops } = loopsOf('delay-slots.s');
    expect(loops.map(({ label, statistics: { length, fa } }) => [label, length, fa])).toEqual([
      ['.L40', 3, 3],
      ['.L41', 3, 3],
      ['.L42', 1, 1],
      ['.L43', 3, 3],
    ]);
  });
});
