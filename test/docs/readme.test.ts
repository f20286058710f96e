import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { readConfig } from '../../src/config/read.ts';
import { knownKeys } from '../../src/config/schema.ts';

const ROOT = join(import.meta.dirname, '../..');
const pages = ['', 'docs', 'examples/summation', 'examples/livermore', 'examples/openmp'].flatMap((folder) =>
  readdirSync(join(ROOT, folder))
    .filter((name) => name.endsWith('.md'))
    .map((name) => join(folder, name)),
);
const read = (page: string): string => readFileSync(join(ROOT, page), 'utf8');

/** Fenced blocks of a language, without the indentation that a list gives them. */
function blocks(text: string, language: string): readonly string[] {
  return [...text.matchAll(new RegExp(`^( *)\`\`\`${language}\\n(.*?)^ *\`\`\`$`, 'gms'))].map(
    ([, indent, body]) => body.replaceAll(new RegExp(`^${indent}`, 'gm'), ''),
  );
}

describe('README.md', () => {
  const readme = read('README.md');
  const yaml = blocks(readme, 'yaml');

  test('shows configurations that are accepted as they stand', () => {
    const configurations = yaml.filter((block) => block.includes('targets:'));
    expect(configurations).toHaveLength(2);
    expect(
      configurations.map((block) => readConfig(block, 'README.md').targets.map(({ name }) => name)),
    ).toEqual([['parse'], ['sort']]);
  });

  test('shows every key that a configuration and a target may have', () => {
    const shown = parse(yaml.find((block) => block.includes('expect-exit')) ?? '');
    expect(Object.keys(shown).sort()).toEqual([...knownKeys([]).keys].sort());
    expect(Object.keys(shown.targets[0]).sort()).toEqual([...knownKeys(['targets', 0]).keys].sort());
  });

  test('shows the example workflow word for word', () => {
    const workflow = read('examples/workflows/ilp-gate.yml');
    expect(yaml.map((block) => block.trimEnd())).toContain(workflow.trimEnd());
  });

  test('starts with commands whose files are here', () => {
    const commands = blocks(readme, 'sh').join('');
    const files = [...commands.matchAll(/\b(?:dist|examples)\/[\w./-]+/g)].map(([file]) => file);
    expect(files).toContain('examples/summation/prebuilt.yml');
    expect(files.filter((file) => !existsSync(join(ROOT, file)))).toEqual([]);
  });
});

test('docs/bounds.md shows limits on bounds that are accepted', () => {
  const [limits, ...others] = blocks(read('docs/bounds.md'), 'yaml');
  expect(others).toEqual([]);
  const config = readConfig(`${limits}targets: [{ name: dot, command: ./dot }]\n`, 'docs/bounds.md');
  expect(Object.keys(config.limits)).toEqual(['macs', 'run-time-bound', 'functions']);
});

test('every link between the pages leads to a file', () => {
  const broken = pages.flatMap((page) =>
    [...read(page).matchAll(/\]\((?!https?:|#)([^)#\s]+)[^)]*\)/g)]
      .map(([, target]) => target)
      .filter((target) => !existsSync(join(ROOT, dirname(page), target)))
      .map((target) => `${page}: ${target}`),
  );
  expect(pages).toContain('README.md');
  expect(broken).toEqual([]);
});
