import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';
import { haveTools, parseFile } from './fixtures/tools.ts';
import type { Image } from './image.ts';

const SOURCE = fileURLToPath(new URL('./fixtures/shapes.cc', import.meta.url));
const directory = mkdtempSync(join(tmpdir(), 'ilp-gate-stripped-'));
afterAll(() => rmSync(directory, { recursive: true }));

const BUILDS = [
  ['g++', '-O2', '-pie'],
  ['g++', '-O0', '-no-pie'],
  ['g++', '-O2', '-static'],
  ['clang++', '-O2', '-pie'],
  ['g++', '-O3', '-flto'],
] as const;

function build(
  compiler: string,
  flags: readonly string[],
): { readonly whole: Image; readonly stripped: Image } {
  const path = join(directory, 'program');
  execFileSync(compiler, [...flags, '-o', path, SOURCE], { stdio: 'pipe' });
  const whole = parseFile(path);
  execFileSync('strip', [path]);
  return { whole, stripped: parseFile(path) };
}

/** Functions that a compiler made, by address; what only assembles has no unwind information. */
function startsOf({ functions }: Image): ReadonlyMap<number, readonly string[]> {
  const starts = new Map<number, string[]>();
  for (const { address, name = '' } of functions) starts.set(address, [...(starts.get(address) ?? []), name]);
  return starts;
}

describe.each(BUILDS)('a program of %s %s %s without its symbols', (compiler, ...flags) => {
  it.skipIf(!haveTools(compiler, 'strip'))('has functions where it had them', () => {
    const { whole, stripped } = build(compiler, flags);
    const [before, after] = [startsOf(whole), startsOf(stripped)];
    const compiled = [...before].filter(
      ([address, names]) =>
        names.some((name) => /geo|largest|main|SquareI/.test(name) && !/\.cold/.test(name)) &&
        whole.functions.some((each) => each.address === address && each.size > 0),
    );
    expect(compiled.length).toBeGreaterThan(3);
    expect(compiled.filter(([address]) => !after.has(address))).toEqual([]);
    const main = whole.functions.find(({ name }) => name === 'main')!;
    expect(stripped.functions.find(({ name }) => name === 'main')).toMatchObject({
      address: main.address,
      size: main.size,
    });
    // Cold parts begin as no function does; a few begin before anything was pushed.
    const cold = [...before].filter(([, names]) => names.every((name) => /\.cold/.test(name)));
    const mistaken = cold.filter(([address]) => after.has(address));
    expect(mistaken.length).toBeLessThanOrEqual(cold.length / 4);
    // What is no symbol's begins no function, but for stubs and the like.
    const unknown = [...after].filter(([address]) => !before.has(address));
    expect(unknown.length).toBeLessThanOrEqual(after.size / 20 + 1);
  });
});

it.skipIf(!haveTools('g++', 'strip'))(
  'without section headers functions are found by the header of .eh_frame',
  () => {
    const { stripped } = build('clang++', ['-O2', '-pie']);
    const bytes = stripped.bytes.slice();
    bytes.fill(0, 0x28, 0x30);
    bytes.fill(0, 0x3a, 0x40);
    const bare = parseFile('program', bytes);
    const known = new Set(bare.functions.map(({ address }) => address));
    expect(stripped.functions.length).toBeGreaterThan(5);
    expect(stripped.functions.filter(({ address }) => !known.has(address)).length).toBe(0);
  },
);

it('a file whose unwind information is cut or changed gives what can be read', () => {
  if (!haveTools('g++', 'strip')) return;
  const { stripped } = build('g++', ['-O2', '-pie']);
  const section = stripped.sections.find(({ name }) => name === '.eh_frame')!;
  for (let at = 0; at < section.size; at += 7) {
    const bytes = new Uint8Array(readFileSync(join(directory, 'program')));
    bytes[section.offset + at] ^= 0xff;
    expect(parseFile('program', bytes).functions.length).toBeGreaterThan(0);
  }
});
