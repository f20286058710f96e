import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { imageTools } from '../../host/image-tools.ts';
import { haveTools, linesOf, parseFile } from '../fixtures/tools.ts';
import type { Image } from '../image.ts';
import { inlinedCalls } from './inlined-calls.ts';
import { lineTable } from './line-table.ts';

const SOURCE = fileURLToPath(new URL('../fixtures/shapes.cc', import.meta.url));
const workplace = mkdtempSync(join(tmpdir(), 'ilp-gate-inlined-'));
afterAll(() => rmSync(workplace, { recursive: true }));

let directory = '';
beforeEach(() => {
  directory = mkdtempSync(join(workplace, 'case-'));
});

const run = (tool: string, ...args: string[]) =>
  execFileSync(tool, args, { cwd: directory, stdio: 'pipe', timeout: 60_000 });

function build(compiler: string, name: string, ...flags: string[]): Image {
  run(compiler, '-O2', ...flags, '-o', name, SOURCE);
  return parseFile(join(directory, name));
}

/** Inlined calls as rows of addr2line: callee and place, from the inside out. Files without their folders. */
function frames(image: Image): ReadonlyMap<number, string> {
  const lines = lineTable(image, imageTools.inflate);
  const inlined = inlinedCalls(image, imageTools);
  const text = image.sections.find(({ name }) => name === '.text')!;
  const result = new Map<number, string>();
  const show = (place: { file: string; line: number } | undefined) =>
    place === undefined ? '?' : `${basename(place.file)}:${place.line}`;
  for (let at = text.address; at < text.address + text.size; at += 2) {
    let place = show(lines.lookup(at));
    const rows = inlined.at(at).map(({ symbol, name, call }) => {
      const row = `${symbol ?? name} ${place}`;
      place = show(call);
      return row;
    });
    result.set(at, [...rows, place].join(' | '));
  }
  expect([...lines.problems, ...inlined.problems]).toEqual([]);
  return result;
}

function binutils(path: string, addresses: Iterable<number>): ReadonlyMap<number, string> {
  const all = [...addresses];
  const input = `${all.map((address) => address.toString(16)).join('\n')}\n`;
  const blocks = linesOf('addr2line', ['-a', '-i', '-f', '-e', path], input)
    .join('\n')
    .split(/^0x\w+\n/m);
  return new Map(
    all.map((address, at) => {
      const rows = blocks[at + 1].trim().split('\n');
      const frame = rows.flatMap((name, i) => {
        if (i % 2 === 1) return [];
        const place = basename(rows[i + 1].replace(/ \(discriminator.*/, '')).replace(/^.*:[?0]$/, '?');
        return [i + 2 < rows.length ? `${name} ${place}` : place];
      });
      return [address, frame.join(' | ')];
    }),
  );
}

/** How many agree: in all places, and in the names of what has a symbol. */
function agreement(ours: ReadonlyMap<number, string>, theirs: ReadonlyMap<number, string>): number {
  const same = [...ours].filter(([at, text]) => {
    const rows = (theirs.get(at) ?? '').split(' | ');
    const own = text.split(' | ');
    return (
      rows.length === own.length &&
      own.every((row, i) =>
        // A part that is cold has a name of its own there.
        row.startsWith('_Z') && !rows[i].includes('.cold ')
          ? row === rows[i]
          : row.split(' ').at(-1) === rows[i].split(' ').at(-1),
      )
    );
  });
  return same.length / ours.size;
}

const deep = (all: ReadonlyMap<number, string>): number =>
  [...all.values()].filter((text) => text.split(' | ').length > 2).length;

const FORMS: readonly (readonly string[])[] = [
  ['-g', '-gdwarf-2'],
  ['-g', '-gdwarf-3'],
  ['-g', '-gdwarf-4'],
  ['-g', '-gdwarf-5'],
  ['-g', '-gdwarf-4', '-fdebug-types-section'],
  ['-g', '-gz=zlib'],
  ['-g1'],
  ['-g', '-static-pie', '-fPIE'],
];

describe.skipIf(!haveTools('g++', 'addr2line'))('inlined calls of g++', () => {
  it.each(FORMS)('with %s %s %s are those that addr2line tells', (...flags) => {
    const image = build('g++', 'program', ...flags);
    const all = frames(image);
    const own = new Map([...all].filter(([, text]) => text !== '?'));
    expect(deep(own)).toBeGreaterThan(30);
    const theirs = binutils(join(directory, 'program'), own.keys());
    expect(agreement(own, theirs)).toBeGreaterThan(0.99);
  });

  // addr2line cannot read these: the same code with plain DWARF is what they must agree with.
  it.each([
    ['-gdwarf64', '-gdwarf-5'],
    ['-gsplit-dwarf', '-gdwarf-4'],
    ['-gsplit-dwarf', '-gdwarf-5'],
    ['-fdebug-types-section', '-gdwarf-5'],
    ['-gz=zlib-gnu', '-gdwarf-5'],
  ])('are the same with %s %s', (...flags) => {
    const plain = build('g++', 'plain', '-g');
    const image = build('g++', 'program', '-g', ...flags);
    const all = frames(image);
    expect(deep(all)).toBeGreaterThan(30);
    expect([...all]).toEqual([...frames(plain)]);
  });
});

describe.skipIf(!haveTools('clang++', 'addr2line'))('inlined calls of clang', () => {
  it.each([
    ['-g', '-gdwarf-4'],
    ['-gline-tables-only', '-gdwarf-4'],
    ['-g', '-flto', '-gdwarf-4', '-fuse-ld=lld'],
  ])('with %s %s are those that addr2line tells', (...flags) => {
    if (flags.includes('-flto') && !haveLld()) return;
    const all = frames(build('clang++', 'program', ...flags));
    const own = new Map([...all].filter(([, text]) => !text.includes('?')));
    expect(deep(own)).toBeGreaterThan(30);
    expect(agreement(own, binutils(join(directory, 'program'), own.keys()))).toBeGreaterThan(0.97);
  });

  it.each([
    ['-gdwarf-5'],
    ['-gdwarf-5', '-gsplit-dwarf', '-fno-split-dwarf-inlining'],
    ['-gdwarf-4', '-gsplit-dwarf', '-fno-split-dwarf-inlining'],
  ])('are the same with %s %s %s', (...flags) => {
    const plain = build('clang++', 'plain', '-g', '-gdwarf-4');
    const all = frames(build('clang++', 'program', '-g', ...flags));
    expect(deep(all)).toBeGreaterThan(30);
    expect([...all]).toEqual([...frames(plain)]);
  });
});

const haveLld = (): boolean => {
  try {
    run('ld.lld', '--version');
    return true;
  } catch {
    return false;
  }
};

describe.skipIf(!haveTools('gcc', 'dwp'))('a package of split units', () => {
  it('tells what its files told', () => {
    const image = build('g++', 'program', '-g', '-gdwarf-4', '-gsplit-dwarf');
    const before = frames(image);
    run('dwp', '-e', 'program', '-o', 'program.dwp');
    for (const name of linesOf('find', [directory, '-name', '*.dwo'])) if (name !== '') rmSync(name);
    expect([...frames(image)]).toEqual([...before]);
    rmSync(join(directory, 'program.dwp'));
    const missing = inlinedCalls(image, imageTools);
    const text = image.sections.find(({ name }) => name === '.text')!;
    for (let at = text.address; at < text.address + text.size; at += 64) missing.at(at);
    expect(missing.problems).toEqual([
      expect.stringMatching(/\.dwo, which has the rest of the debug information/),
    ]);
  });
});

describe.skipIf(!haveTools('gcc', 'objcopy'))('zstd', () => {
  it('is read where Node can, and else said', () => {
    build('g++', 'plain', '-g');
    try {
      run('objcopy', '--compress-debug-sections=zstd', 'plain', 'program');
    } catch {
      return; // binutils without zstd
    }
    const image = parseFile(join(directory, 'program'));
    const table = lineTable(image, imageTools.inflate);
    const { address } = image.functions.find(({ name }) => name === 'main')!;
    const [major, minor] = process.versions.node.split('.').map(Number);
    if (major > 22 || (major === 22 && minor >= 15))
      expect(table.lookup(address)?.file).toContain('shapes.cc');
    else expect(table.problems[0]).toContain('zstd');
    expect(readFileSync(join(directory, 'program')).length).toBeGreaterThan(0);
  });
});
