import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { essentialCounts } from '../../src/analysis/macs/essential.ts';
import { essentialBounds } from '../../src/analysis/macs/essential-bounds.ts';
import { readGrammar } from '../../src/host/grammars.ts';
import { builtInMachine } from '../../src/machines/catalog.ts';
import { sourceLoops } from '../../src/source/analyse.ts';
import type { Language } from '../../src/source/syntax.ts';
import { casesOf } from '../corpus/cases.ts';
import { fuzz, mutants, mutatedText } from './fuzz.ts';

const machine = await builtInMachine('zen4');

/** Bounds a source's loops, for which what must hold of every loop holds. */
async function bound(text: string, language: Language): Promise<number> {
  const { loops } = await sourceLoops(text, language, readGrammar);
  for (const loop of loops) {
    const { line, endLine, depth } = loop;
    const { limit: _, perOperation: __, ...bounds } = essentialBounds(loop, machine, { isa: 'x86-64-v3' });
    for (const [name, value] of [...Object.entries(essentialCounts(loop)), ...Object.entries(bounds)])
      if (typeof value === 'number' && !(Number.isFinite(value) && value >= 0))
        throw new Error(`line ${line}: ${name} is ${value}`);
    if (bounds.M !== undefined && bounds.M > bounds.MA * (1 + 1e-9))
      throw new Error(`line ${line}: M ${bounds.M} is above MA ${bounds.MA}`);
    if (!(line >= 1 && endLine >= line && depth >= 1))
      throw new Error(`lines ${line} to ${endLine}, depth ${depth}`);
  }
  return loops.length;
}

const WORDS = {
  c: [
    '{',
    '}',
    'for (int i = 0; i < n; i++) ',
    'while (x) ',
    'do ',
    'if (a[i]) ',
    'continue;',
    'break;',
    'goto l; l: ',
    'a[i - 1] = a[i];',
    '* ',
    '++',
    '?:',
    '#define n (n+1)\n',
    'switch (i) { case 0: ',
  ],
  cpp: [
    '{',
    '}',
    'for (auto &x : v) ',
    'while (true) ',
    '[=](auto... x) ',
    'operator()',
    'template <int N> ',
    'a[i - 1] = a[i];',
    'R"x(',
    'co_await ',
    '<',
    '>>',
    'return; ',
  ],
  fortran: [
    'do i = 1, n\n',
    'enddo\n',
    'end do\n',
    'do while (x > 0)\n',
    'a(i) = a(i - 1)\n',
    'if (a(i) > 0) goto 10\n',
    '10 continue\n',
    '&\n',
    'where (a > 0)\n',
    'do concurrent (i = 1:n)\n',
    'cycle\n',
    'exit\n',
    "'",
    '(/',
    ': ',
  ],
} as const;

describe.each([
  ['c', 'c'],
  ['cpp', 'c++'],
  ['fortran', 'fortran-free'],
  ['fortran', 'fortran-fixed'],
] as const)('a source of %s, read as %s', (corpus, language) => {
  const sources = casesOf(corpus).map(({ source }) => readFileSync(source, 'utf8'));

  it('is bounded as it is in the corpus', async () => {
    let loops = 0;
    for (const text of sources.filter((_, i) => i % 4 === 0)) loops += await bound(text, language);
    if (language !== 'fortran-fixed') expect(loops).toBeGreaterThan(sources.length / 4);
  });

  it('and damaged, keeps what holds of every loop', async () => {
    const parts = fc.record({
      mutant: mutants(sources.length),
      from: fc.double({ min: 0, max: 1, noNaN: true }),
    });
    await fuzz(parts, 40, ({ mutant, from }) => {
      const whole = sources[mutant.seed];
      // A part, so that each case takes milliseconds.
      const start = Math.floor(from * Math.max(0, whole.length - 4000));
      return bound(mutatedText(whole.slice(start, start + 4000), mutant, WORDS[corpus]), language);
    });
  });
});
