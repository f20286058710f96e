import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { haveTools } from '../elf/fixtures/tools.ts';
import { readGrammar } from '../host/grammars.ts';
import { imageTools } from '../host/image-tools.ts';
import { readSource } from '../host/sources.ts';
import { builtInMachine } from '../machines/catalog.ts';
import { type BoundLoop, boundObject, notesOf } from './object-bounds.ts';
import { degreesFromSources } from './object-sources.ts';

/** Livermore kernels 2 and 4: vectors of elements that do not lie side by side. */
const SOURCE = `double x[1001], v[1001], y[1001];
void cholesky(int ipnt, int ipntp, int i) {
  for (int k = ipnt + 1; k < ipntp; k += 2) {
    i++;
    x[i] = x[k] - v[k] * x[k - 1] - v[k + 1] * x[k + 1];
  }
}
double banded(int n, int lw, double temp) {
  for (int j = 4; j < n; j += 5) {
    temp -= x[lw] * y[j];
    lw++;
  }
  return temp;
}
`;

describe.skipIf(!haveTools('gcc'))('the degree of unrolling of loops without a run', () => {
  const directory = mkdtempSync(join(tmpdir(), 'object-sources-'));
  afterAll(() => rmSync(directory, { recursive: true }));

  async function loops(known: boolean): Promise<readonly BoundLoop[]> {
    writeFileSync(join(directory, 'kernels.c'), SOURCE);
    execFileSync('gcc', ['-g', '-O3', '-c', 'kernels.c'], { cwd: directory });
    const path = join(directory, 'kernels.o');
    const bytes = new Uint8Array(readFileSync(path));
    const machine = await builtInMachine('zen5');
    const found = boundObject({ path, bytes, functions: [], machine, sourceRoot: directory, imageTools });
    const read = known ? readSource : () => undefined;
    return (await degreesFromSources(found, directory, { readSource: read, readGrammar })).loops;
  }
  const vectors = (all: readonly BoundLoop[], name: string): BoundLoop =>
    all
      .filter(({ loop }) => loop.function === name && loop.innermost)
      .reduce((a, b) => (b.loop.counts.fa > a.loop.counts.fa ? b : a));

  test('is what the operations of their source tell', async () => {
    const all = await loops(true);
    for (const name of ['cholesky', 'banded']) {
      const { loop, cycles } = vectors(all, name);
      expect(loop.unrolling).toMatchObject({ degree: 2, from: 'operations', isDoubtful: false });
      expect(notesOf(loop, cycles).join()).not.toContain('several elements');
    }
  });

  test('is said to be unknown where there is none, and the code does not show it', async () => {
    const all = await loops(false);
    for (const name of ['cholesky', 'banded']) {
      const { loop, cycles } = vectors(all, name);
      expect(loop.unrolling.degree).toBe(1);
      expect(notesOf(loop, cycles).join()).toContain('does several elements at a time');
    }
  });
});
