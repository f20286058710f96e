import { describe, expect, test } from 'vitest';
import { readGrammar } from '../../host/grammars.ts';
import { sourceLoops } from '../../source/analyse.ts';
import { NOTHING } from '../loops/counts.ts';
import { essentialCounts } from '../macs/essential.ts';
import { sourceLoopFor } from './source-match.ts';

describe('loops on one line', async () => {
  const text = `void f(double *a, double *b, int n) {
  for (int r = 0; r < 9; r++) { double s = 0; for (int i = 0; i < n; i++) s += a[i]; for (int i = 0; i < n; i++) b[i] = a[i] * s + b[i]; }
}
`;
  const { loops } = await sourceLoops(text, 'c', readGrammar);
  const found = (isInnermost: boolean, counts: Partial<typeof NOTHING>) =>
    sourceLoopFor(isInnermost, { file: 'a.c', line: 2 }, [], loops, { ...NOTHING, ...counts });

  test.each([
    ['the sum', { fa: 4, loads: 4 }, { fa: 1, stores: 0 }],
    ['the multiply-adds, two operations each', { fa: 8, fm: 8, loads: 16, stores: 8 }, { fma: 1, stores: 1 }],
  ])('%s is told by what it does', (_, counts, expected) =>
    expect(essentialCounts(found(true, counts)!)).toMatchObject(expected),
  );

  test('the loop around both is not one of them', () => {
    expect(found(false, { fa: 1 })?.innermost).not.toBe(true);
  });
});
