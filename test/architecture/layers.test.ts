import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { cycleIn, type Import, importsOf, type Sources, shippedSources, usesOfMember } from './imports.ts';
import { IMPURE, JUDGE_SIDE, LAYERS, layerOf, PARTS, RUN_SIDE, WIRING } from './layers.ts';

const sources = shippedSources(join(import.meta.dirname, '../../src'));
const imports = importsOf(sources);

describe('the folders of src', () => {
  test('each have exactly one row in the table of layers', () => {
    const folders = new Set([...sources.keys()].map(layerOf));
    expect([...folders].sort()).toEqual(LAYERS.map(({ name }) => name).sort());
  });

  test('are read with their imports: a checker that finds none would pass everything', () => {
    expect(imports.filter(({ kind }) => kind === 'file').length).toBeGreaterThan(sources.size);
    for (const file of WIRING) expect(sources.has(file), `${file} exists`).toBe(true);
    // Machine models are JSON, which imports nothing.
    const unknown = imports.filter(
      ({ to, kind }) => kind === 'file' && !to.endsWith('.json') && !sources.has(to),
    );
    expect(unknown).toEqual([]);
  });

  test('import only the layers and packages that their row allows', () => {
    expect(violations(imports)).toEqual([]);
  });

  test('have no cycle among them', () => {
    const edges = imports.filter(({ kind }) => kind === 'file');
    const between = edges.map(({ from, to }) => [layerOf(from), layerOf(to)] as const);
    expect(cycleIn(between.filter(([from, to]) => from !== to))).toBeUndefined();
  });

  test('keep what executes and what judges apart, even through other folders', () => {
    const reach = (from: string): ReadonlySet<string> => reachable(from, imports);
    for (const run of RUN_SIDE)
      expect(
        JUDGE_SIDE.filter((judge) => reach(run).has(judge)),
        run,
      ).toEqual([]);
    for (const judge of JUDGE_SIDE)
      expect(
        RUN_SIDE.filter((run) => reach(judge).has(run)),
        judge,
      ).toEqual([]);
  });
});

test('no files import each other in a circle', () => {
  const edges = imports.filter(({ kind }) => kind === 'file').map(({ from, to }) => [from, to] as const);
  expect(cycleIn(edges)).toBeUndefined();
});

describe.each(Object.entries(PARTS))('the folders of %s', (layer, parts) => {
  const inside = imports.filter(({ from, to }) => layerOf(from) === layer && layerOf(to) === layer);

  test('are those that are listed', () => {
    const folders = inside.flatMap(({ from }) => from.split('/').slice(1, -1).slice(0, 1));
    expect([...new Set(folders)].sort()).toEqual([...parts].sort());
  });

  test('import none that comes after them', () => {
    const rank = (file: string): number => parts.indexOf(file.split('/')[1]);
    const wrong = inside.filter(({ from, to }) => rank(from) >= 0 && rank(from) < rank(to));
    expect(wrong.map(({ from, to }) => `${from} imports ${to}`)).toEqual([]);
  });

  // Through files that lie in none of them.
  test('have no cycle among them', () => {
    const between = inside.map(({ from, to }) => [partOf(from), partOf(to)] as const);
    expect(cycleIn(between.filter(([from, to]) => from !== to))).toBeUndefined();
  });
});

// The globals (Date, process and their like) are a rule of the linter, which knows a parameter of that name from the global.
test('no result depends on chance: Math.random is nowhere in the pure folders', () => {
  const pure = new Map([...sources].filter(([file]) => !IMPURE.includes(layerOf(file))));
  expect(pure.size).toBeGreaterThan(100);
  expect(usesOfMember(pure, 'Math', 'random')).toEqual([]);
});

describe('the checker', () => {
  test('sees every way to import', () => {
    const found = importsOf(
      sample({
        'diff/a.ts': [
          "import type { A } from '../host/a.ts';",
          "import '../host/b.ts';",
          "export * from '../host/c.ts';",
          "export type { D } from '../host/d.ts';",
          "const e = await import('../host/e.ts');",
          "type F = import('../host/f.ts').F;",
        ],
      }),
    );
    expect(found.map(({ to }) => to)).toEqual(
      ['a', 'b', 'c', 'd', 'e', 'f'].map((name) => `host/${name}.ts`),
    );
  });

  test('names the import, and the reason of the row that forbids it', () => {
    const found = importsOf(
      sample({
        'wasm/module.ts': ["import type { Region } from '../translate/regions/region.ts';"],
        'host/files.ts': [
          "import { check } from '../pipeline/check.ts';",
          "import type { P } from '../cli/ports.ts';",
        ],
        'gate/judge.ts': ["import { readFileSync } from 'node:fs';"],
        'base/x.ts': ["import '../base/y.ts';"],
      }),
    );
    expect(violations(found)).toEqual([
      'wasm/module.ts imports translate/regions/region.ts. A writer of modules knows nothing of who writes them.',
      'host/files.ts imports pipeline/check.ts. The only folder that touches the outside. It fulfils ports and knows nothing of what is done with them.',
      'gate/judge.ts imports node:fs. The opinion: limits applied to facts.',
    ]);
  });

  test('finds a circle and says who is on it', () => {
    const edges: [string, string][] = [
      ['a', 'b'],
      ['b', 'c'],
      ['c', 'd'],
      ['a', 'd'],
      ['d', 'b'],
    ];
    expect(cycleIn(edges)).toEqual(['b', 'c', 'd', 'b']);
    expect(cycleIn(edges.slice(0, 4))).toBeUndefined();
  });

  test('finds Math.random in code and not in words', () => {
    const found = usesOfMember(
      sample({ 'x86/a.ts': ['// Math.random', 'const a = Math.random();'] }),
      'Math',
      'random',
    );
    expect(found).toEqual(['x86/a.ts:2']);
  });
});

/** The imports that no row allows, each with the reason of the row. */
function violations(found: readonly Import[]): readonly string[] {
  return found.flatMap((entry) => {
    const layer = LAYERS.find(({ name }) => name === layerOf(entry.from));
    if (layer && allowed(entry, layer.layers, layer.packages)) return [];
    return `${entry.from} imports ${entry.to}. ${layer?.why ?? 'It has no row in the table of layers.'}`;
  });
}

function allowed(
  { from, to, kind }: Import,
  layers: readonly string[],
  packages: readonly string[],
): boolean {
  if (kind === 'package')
    return packages.includes(to) || (to.startsWith('node:') && packages.includes('node:*'));
  const target = layerOf(to);
  if (target === layerOf(from) || target === 'base' || layers.includes(target)) return true;
  return layers.includes('*/ports.ts') && to.endsWith('/ports.ts');
}

/** A folder of a layer; a file that lies in none of them stands for itself. */
function partOf(file: string): string {
  const [layer, part] = file.split('/');
  return `${layer}/${part}`;
}

function reachable(start: string, edges: readonly Import[]): ReadonlySet<string> {
  const seen = new Set([start]);
  for (const layer of seen)
    for (const { from, to, kind } of edges)
      if (kind === 'file' && layerOf(from) === layer) seen.add(layerOf(to));
  return seen;
}

function sample(files: Readonly<Record<string, readonly string[]>>): Sources {
  return new Map(Object.entries(files).map(([file, lines]) => [file, lines.join('\n')]));
}
