import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readGrammar } from '../../host/grammars.ts';
import { languageOf, sourceLoops } from '../../source/analyse.ts';
import type { LoopDemand } from '../../source/demand.ts';
import { essentialCounts } from './essential.ts';
import { longestRecurrence } from './essential-recurrence.ts';

const fixtures = join(import.meta.dirname, '../../source/fixtures');

async function innermost(file: string): Promise<ReadonlyMap<string, LoopDemand>> {
  const text = readFileSync(join(fixtures, file), 'utf8');
  const { loops } = await sourceLoops(text, languageOf(file)!, readGrammar);
  return new Map(loops.filter((loop) => loop.innermost).map((loop) => [loop.function, loop]));
}

/**
 * Counted by hand from the text of the kernels. A product is fused when it has one use, an addition that has no other
 * product; an element is loaded once, whichever iteration meets it first.
 */
const BY_HAND: readonly (readonly [
  name: string,
  why: string,
  fa: number,
  fm: number,
  fma: number,
  loads: number,
  stores: number,
])[] = [
  // x = q + y*(r*z10 + t*z11): 2 additions, 3 products. The inner sum takes one of r*z10 and t*z11, the outer y*(...).
  // z[k+10] is z[k+11] of the iteration before: y and one z.
  ['lfk1', 'one product of the inner sum is left over', 0, 1, 2, 2, 1],
  // x[k] - v[k]*x[k-1] - v[k+1]*x[k+1]: 2 subtractions, 2 products, each with its own. k advances by 2: x[k+1] is x[k-1]
  // of the next iteration; x[k], x[k+1], v[k], v[k+1] are met for the first time.
  ['lfk2', 'x[k-1] was x[k+1]', 0, 0, 2, 4, 1],
  // q += z*x.
  ['lfk3', 'the sum stays in a register', 0, 0, 1, 2, 0],
  // temp -= x[lw]*y[j].
  ['lfk4', 'the sum stays in a register', 0, 0, 1, 2, 0],
  // z*(y - x[i-1]): the product takes the difference, not the other way round. x[i-1] was stored the iteration before.
  ['lfk5', 'nothing adds the product', 1, 1, 0, 2, 1],
  // w[i] += b*w[i-k-1] over k: w[i] is one element and stays in a register.
  ['lfk6', 'w[i] stays in a register', 0, 0, 1, 2, 0],
  // Additions: u+r*(), +t*(), z+r*y, u3+r*(), +t*(), u2+r*u1, u6+q*(), u5+q*u4: 8, with a product each. u[k+1] to u[k+5]
  // and u[k] were u[k+6] before: u, y, z.
  ['lfk7', 'every addition has its product', 0, 0, 8, 3, 1],
  // 3 differences; for each of u1, u2, u3: u + a*du1 + a*du2 + a*du3 + sig*(up - 2*u + down), that is 6 additions and 5
  // products, of which sig*() and the three go with the 4 outer ones, 2*u with an inner one. Loads of each u: [ky+1] (then
  // [ky] and [ky-1]), [kx+1], [kx-1]. du1 to du3 are used from registers. Stores: du1 to du3, u1 to u3.
  ['lfk8', '3 + 3*6 additions, 3*5 products', 6, 0, 15, 9, 6],
  // dm28*px12 + dm27*px11 + ... + dm22*px6 (7 products, 6 additions) + c0*(px4 + px5) + px2: 9 additions, 8 products. The
  // first addition has two products and takes one; px2 and px4 + px5 have none.
  ['lfk9', 'the first addition has two products', 2, 1, 7, 10, 1],
  // 9 differences; loads of cx[4] and px[4] to px[12], stores of px[4] to px[13].
  ['lfk10', 'nine differences in a row', 9, 0, 0, 10, 10],
  // x[k-1] was stored the iteration before.
  ['lfk11', 'x[k-1] stays in a register', 1, 0, 0, 1, 1],
  // y[k] is y[k+1] of the iteration before.
  ['lfk12', 'y[k] was y[k+1]', 1, 0, 0, 1, 1],
];

const RECURRENCES: Readonly<Record<string, { operations: readonly string[]; reassociable: boolean }>> = {
  lfk3: { operations: ['fma'], reassociable: true },
  lfk4: { operations: ['fma'], reassociable: true },
  lfk5: { operations: ['mul', 'sub'], reassociable: false },
  lfk6: { operations: ['fma'], reassociable: true },
  lfk11: { operations: ['add'], reassociable: false },
};

describe.each(['livermore.c', 'livermore.f'])('the Livermore kernels in %s', async (file) => {
  const loops = await innermost(file);

  test.each(BY_HAND)('%s asks for what a count by hand finds: %s', (name, _, fa, fm, fma, loads, stores) => {
    const loop = loops.get(name)!;
    expect(loop.reasons).toEqual([]);
    expect(essentialCounts(loop)).toEqual({ fa, fm, fma, fmisc: 0, loads, stores });
  });

  test.each(BY_HAND.map(([name]) => name))(
    '%s has the recurrence that its text has, and no other',
    (name) => {
      const found = longestRecurrence(loops.get(name)!);
      const expected = RECURRENCES[name];
      if (expected === undefined) expect(found).toBeUndefined();
      else {
        expect(found).toMatchObject({ distance: 1, reassociable: expected.reassociable });
        expect(found!.operations.toSorted()).toEqual(expected.operations);
      }
    },
  );
});
