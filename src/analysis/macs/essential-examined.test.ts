import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readGrammar } from '../../host/grammars.ts';
import { languageOf, sourceLoops } from '../../source/analyse.ts';
import type { LoopDemand } from '../../source/demand.ts';
import { essentialCounts } from './essential.ts';
import { longestRecurrence } from './essential-recurrence.ts';

/**
 * Every loop of these files says in a comment that begins with `:`, in its own line, what a count by hand from the rules of
 * docs/source-bounds.md finds: `fa=3 l=2 s=1 rec=add+mul@1 in=function`. What is not said is 0, or absent; `*` is not
 * compared, `why` stands for a reason that has to be given. After `;` is what there is to explain.
 */
const folder = join(import.meta.dirname, '../../source/fixtures/examined');

const NAMES = ['fa', 'fm', 'fma', 'fmisc', 'l', 's', 'int', 'rec', 'in'] as const;
type Found = Record<(typeof NAMES)[number], string>;

const sorted = (recurrence: string): string => {
  const [operations, distance] = recurrence.split('@');
  return distance === undefined ? recurrence : `${operations.split('+').toSorted().join('+')}@${distance}`;
};

function expectedOf(text: string): Partial<Found> {
  const said = Object.fromEntries(
    [...text.split(';')[0].matchAll(/(\w+)=([\w+@:*]+)/g)].map(([, name, value]) => [name, value]),
  );
  return Object.fromEntries(
    NAMES.filter((name) => said[name] !== '*' && (name !== 'in' || said.in !== undefined)).map((name) => [
      name,
      name === 'rec' ? sorted(said.rec ?? '') : (said[name] ?? '0'),
    ]),
  );
}

function foundIn(demand: LoopDemand): Found {
  const { fa, fm, fma, fmisc, loads, stores, integer } = essentialCounts(demand);
  const recurrence = longestRecurrence(demand);
  const rec = recurrence === undefined ? '' : `${recurrence.operations.join('+')}@${recurrence.distance}`;
  const [a, m, pairs, misc, l, s, int] = [fa, fm, fma, fmisc, loads, stores, integer ?? 0].map(String);
  return { fa: a, fm: m, fma: pairs, fmisc: misc, l, s, int, rec: sorted(rec), in: demand.function };
}

describe.each(readdirSync(folder))('the loops of %s', async (file) => {
  const lines = readFileSync(join(folder, file), 'utf8').split('\n');
  const { loops, problems } = await sourceLoops(lines.join('\n'), languageOf(file)!, readGrammar);
  const said = lines.flatMap((line, i) => {
    const text = /[/!]:(.*)$/.exec(line)?.[1];
    return text === undefined ? [] : [{ line: i + 1, text, head: line.replace(/[/!]+:.*/, '').trim() }];
  });

  test('are all found, and nothing else is', () => {
    expect(problems).toEqual([]);
    expect([...new Set(loops.map(({ line }) => line))]).toEqual(said.map(({ line }) => line));
  });

  test.each(said)('line $line: $head', ({ line, text }) => {
    const here = loops.filter((loop) => loop.line === line);
    for (const each of here) expect(each.reasons.length > 0).toBe(/\bwhy\b/.test(text));
    // Of an assignment of arrays with several subscripts, the innermost.
    if (!text.startsWith('*')) expect(foundIn(here.at(-1)!)).toMatchObject(expectedOf(text));
  });
});
