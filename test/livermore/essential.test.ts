import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const EXAMPLE = join(ROOT, 'examples/livermore');

interface Essential {
  readonly fa: number;
  readonly fm: number;
  readonly fma: number;
  readonly fmisc: number;
  readonly loads: number;
  readonly stores: number;
  readonly recurrence?: { readonly distance: number; readonly operations: readonly string[] };
}

interface SourceLoop {
  readonly function: string;
  readonly innermost: boolean;
  readonly essential: Essential;
  readonly bounds: { readonly M: number; readonly MA: number };
}

const BY_HAND: Readonly<Record<string, Essential>> = JSON.parse(
  readFileSync(join(EXAMPLE, 'essential.json'), 'utf8'),
);

/** Bounds of source files are there as soon as the file that makes them is. */
const boundsSources = existsSync(join(ROOT, 'src/pipeline/source-bounds.ts'));

function loopsOf(source: string): readonly SourceLoop[] {
  const args = [
    join(ROOT, 'src/cli/entry.ts'),
    'bounds',
    '--machine',
    'ksr1',
    join(EXAMPLE, source),
    '--json',
    '-',
  ];
  const node = join(ROOT, 'node_modules/.bin/node');
  return JSON.parse(execFileSync(node, args, { encoding: 'utf8' })).loops;
}

describe.skipIf(!boundsSources).each(['kernels.c', 'kernels.f90'])(
  'what the innermost loops of %s ask for',
  (source) => {
    const loops = boundsSources ? loopsOf(source).filter(({ innermost }) => innermost) : [];

    test.each(Object.keys(BY_HAND))('%s: as counted by hand', (name) => {
      const [loop, ...others] = loops.filter((each) => each.function === name);
      expect(others).toEqual([]);
      const { recurrence, fa, fm, fma, fmisc, loads, stores } = loop.essential;
      const { recurrence: expected, ...counts } = BY_HAND[name];
      expect({ fa, fm, fma, fmisc, loads, stores }).toEqual(counts);
      expect(recurrence?.distance).toBe(expected?.distance);
      expect(recurrence?.operations).toEqual(expected?.operations);
      // Equation 4.3; MA is the busier of both sides and of FPU{C}, or more where something waits (4.6, 4.8).
      expect(loop.bounds.M).toBe((fa + fm + 2 * fma + fmisc) / 2);
      expect(loop.bounds.MA).toBeGreaterThanOrEqual(
        Math.max(loads + stores, fa + fm + fma + fmisc, fma + stores, loop.bounds.M),
      );
    });
  },
);

test('the page of the example has the same numbers', () => {
  const page = readFileSync(join(EXAMPLE, 'README.md'), 'utf8');
  const table = page.slice(page.indexOf('<!-- figures: by-hand -->'), page.indexOf('<!-- end -->'));
  for (const [name, { fa, fm, fma, loads, stores }] of Object.entries(BY_HAND)) {
    const operations = fa + fm + 2 * fma;
    const row = [name.slice('kernel'.length), fa, fm, fma, loads, stores, operations].join(' | ');
    expect(table).toContain(`| ${row} |`);
    expect(table.split('\n').find((line) => line.startsWith(`| ${row} |`))).toMatch(
      new RegExp(`\\| ${operations / 2} \\|$`),
    );
  }
});
