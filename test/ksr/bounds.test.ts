import { describe, expect, test } from 'vitest';
import { EVERY_TIME, essentialCounts } from '../../src/analysis/macs/essential.ts';
import { ksrEssentialBounds } from '../../src/analysis/macs/essential-bounds.ts';
import { readGrammar } from '../../src/host/grammars.ts';
import { boundListing, readCounts } from '../../src/pipeline/ksr.ts';
import { sourceLoops } from '../../src/source/analyse.ts';
import { boundsOf, listing } from './listings.ts';

describe('MAC and MACS of a listing (equations 4.10 to 4.14)', () => {
  test('kernel 1, unrolled by 4: 13 and 16 instructions, 12 on FPU{C}, 18 pairs', async () => {
    const loop = (await boundsOf('lfk1-by-4.s')).named('.L6');
    expect(loop).toMatchObject({
      unroll: 4,
      unrollFrom: 'addresses',
      // 4 products, 8 triads and a move for 4 iterations; 8 loads, one of them of what the next iteration needs.
      compiled: { fa: 0, fm: 1, fma: 2, fmisc: 0.25, loads: 2, stores: 1 },
      // 15 left: 13 and an index update with its comparison. 16 right: 12 accesses, 3 increments, the branch.
      units: { floatingPoint: 13 / 4, memory: 12 / 4, issue: 16 / 4, dependence: 0 },
      bounds: { MAC: 16 / 4, MACS: 18 / 4 },
      limits: { MAC: 'CEU/XIU', MACS: 'schedule' },
      gaps: { S: 0.5 },
      // TNF is 1 + 2 x 2 + 0.25.
      perOperation: { MAC: 0.7619, MACS: 0.8571 },
    });
  });

  test('kernel 5 waits for itself: subtraction and product are 6 cycles through a register', async () => {
    const loop = (await boundsOf('lfk5.s')).named('.L9');
    expect(loop.units.dependence).toBe(6);
    expect(loop.bounds).toEqual({ MAC: 7, MACS: 7 });
  });

  test('through memory it is 9: load 2, subtraction 3, product 3, store 1', async () => {
    const loop = (await boundsOf('lfk5-memory.s')).named('.L9');
    expect(loop.units.dependence).toBe(9);
    expect(loop).toMatchObject({ bounds: { MAC: 9, MACS: 10 }, limits: { MAC: 'recurrence' } });
  });

  test('MAC is at most MACS for every listing of the figures', async () => {
    for (const name of [
      'figure7-accepted.s',
      'figure8.s',
      'figure9.s',
      'figure10.s',
      'figure20.s',
      'figure25.s',
      'delay-slots.s',
    ])
      for (const { bounds } of (await boundsOf(name)).loops)
        expect(bounds.MAC).toBeLessThanOrEqual(bounds.MACS);
  });
});

describe('the run-time bound (equation 4.15)', () => {
  test('is the sum over loops of pairs and executions: 6 x 1000 and a residue of 7 x 10', async () => {
    const bounds = await boundsOf(
      'figure8.s',
      new Map([
        ['.L11', 1000],
        ['.L10', 10],
      ]),
    );
    expect(bounds.runTime).toBe(6 * 1000 + 7 * 10);
    expect(bounds.named('.L11')).toMatchObject({ iterations: 1000, runTime: 6000, share: 0.9885 });
    expect(bounds.named('.L10')).toMatchObject({ iterations: 10, runTime: 70, share: 0.0115 });
  });

  test('counts source iterations of a loop that was unrolled', async () => {
    const bounds = await boundsOf('lfk1-by-4.s', new Map([['.L6', 250]]));
    expect(bounds.named('.L6')).toMatchObject({ iterations: 1000, runTime: 250 * 18 });
  });

  test('leaves out what taken branches skip: figure 25 has 107 pairs, 100 where .L17 is jumped to', async () => {
    const bounds = await boundsOf(
      'figure25.s',
      new Map([
        ['.L37', 50],
        ['.L17', 20],
        ['.L19', 2],
      ]),
    );
    expect(bounds.named('.L37').runTime).toBe(30 * 107 + 20 * 100);
    expect(bounds.runTime).toBe(30 * 107 + 20 * 100 + 2 * 114);
  });

  test('leaves out nothing twice where areas intersect', async () => {
    const bounds = await boundsOf(
      'figure9.s',
      new Map([
        ['.L20', 100],
        ['.L23', 10],
        ['.L24', 5],
      ]),
    );
    expect(bounds.named('.L20').runTime).toBe(100 * 19 - 10 * 3 - 5 * 2);
  });

  test('says what has no count', async () => {
    const bounds = await boundsOf('figure8.s', new Map([['.L11', 3]]));
    expect(bounds.runTime).toBe(18);
    expect(bounds.named('.L10').notes).toEqual(['it has no count and is not in RB']);
    expect(bounds.named('.L10')).not.toHaveProperty('runTime');
  });

  test('refuses counts of nothing, and branches that were taken more often than reached', async () => {
    await expect(boundsOf('figure8.s', new Map([['.L99', 1]]))).rejects.toThrow(
      'there is a count for ".L99", but no loop or forward branch of that label; there are: .L11, .L10',
    );
    await expect(
      boundsOf(
        'figure25.s',
        new Map([
          ['.L37', 5],
          ['.L17', 6],
        ]),
      ),
    ).rejects.toThrow('the branch to .L17 on line 99 cannot have been taken 6 times: it was reached 5 times');
  });
});

describe('a file of counts', () => {
  test('is an object in JSON, or lines of label and count', () => {
    const counts = new Map([
      ['.L6', 1000],
      ['.L17@99', 20],
    ]);
    expect(readCounts('{".L6": 1000, ".L17@99": 20}', 'c.json')).toEqual(counts);
    expect(readCounts('# of a run\n.L6,1000\r\n.L17@99, 20\n', 'c.csv')).toEqual(counts);
    expect(readCounts('label,count\n.L6,1000\n.L17@99,20\n', 'c.csv')).toEqual(counts);
  });

  test.each([
    ['', 'c: there are no counts'],
    ['{', 'c: it is not JSON'],
    ['{".L6": -1}', 'c: the count of ".L6" is not a whole number'],
    ['{".L6": [1]}', 'c: the count of ".L6" is not a whole number'],
    ['.L6,1\n.L6,2', 'c: ".L6" has two counts'],
    ['.L6,1\n.L7,x', 'c: the count of ".L7" is not a whole number'],
    ['.L6,1\nxyz', 'is not a whole number'],
  ])('is refused with the reason: %j', (text, message) => {
    expect(() => readCounts(text, 'c')).toThrow(message);
  });
});

describe('a listing beside its source (figure 1: M, A, MA, C, MAC, S, MACS)', () => {
  const SOURCE = `      subroutine lfk1(n, q, r, t, x, y, z)
      integer n, k
      double precision q, r, t, x(n), y(n), z(n+11)
      do 1 k = 1, n
    1 x(k) = q + y(k) * (r * z(k+10) + t * z(k+11))
      end
`;
  const bounded = async (text: string) => {
    const { loops } = await sourceLoops(text, 'fortran-fixed', readGrammar);
    const latencies = { of: () => 1, fused: () => 1 };
    const source = loops.map((loop) => ({
      function: loop.function,
      line: loop.line,
      innermost: loop.innermost,
      essential: essentialCounts(loop),
      bounds: ksrEssentialBounds(loop, EVERY_TIME, latencies),
    }));
    const { bounds } = await boundListing(listing('lfk1-by-4.s'), 'lfk1-by-4.s', { source });
    return bounds.loops[0];
  };

  test('kernel 1: 2.5, 3, 4 and 4.5 cycles, unrolled by what both compute', async () =>
    expect(await bounded(SOURCE)).toMatchObject({
      unroll: 4,
      unrollFrom: 'operations',
      bounds: { M: 2.5, MA: 3, MAC: 4, MACS: 4.5 },
      gaps: { A: 0.5, C: 1, S: 0.5 },
      source: { function: 'lfk1', line: 4 },
    }));

  test('a source with other loops tells nothing, and says so', async () => {
    const loop = await bounded(SOURCE.replace('      end', '      do 2 k = 1, n\n    2 y(k) = 0\n      end'));
    expect(loop.bounds).toEqual({ MAC: 4, MACS: 4.5 });
    expect(loop.notes.join()).toMatch(/another number of innermost loops/);
  });
});
