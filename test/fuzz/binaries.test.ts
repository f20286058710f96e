import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { archiveMembers } from '../../src/elf/archive.ts';
import { parseDebugFile, withDebugFiles } from '../../src/elf/debug-file.ts';
import { inlinedCalls } from '../../src/elf/dwarf/inlined-calls.ts';
import { parseImage } from '../../src/elf/parse.ts';
import { parseRelocatable } from '../../src/elf/relocatable.ts';
import { imageTools } from '../../src/host/image-tools.ts';
import { builtInMachine } from '../../src/machines/catalog.ts';
import { boundObject } from '../../src/pipeline/object-bounds.ts';
import { oracleMissing } from '../guest/builds.ts';
import { type Area, fuzz, mutantsInPlace, mutated } from './fuzz.ts';
import { readAll } from './read-all.ts';

const SOURCE = fileURLToPath(new URL('../../src/elf/fixtures/shapes.cc', import.meta.url));
const C_SOURCES = ['program.c', 'table.c'].map((name) =>
  fileURLToPath(new URL(`../../src/elf/fixtures/${name}`, import.meta.url)),
);

describe.skipIf(oracleMissing('g++', 'gcc', 'clang', 'strip', 'ar', 'dwp'))('a damaged', () => {
  const directory = mkdtempSync(join(tmpdir(), 'ilp-gate-fuzz-'));
  afterAll(() => rmSync(directory, { recursive: true }));
  const run = (tool: string, ...args: string[]) =>
    execFileSync(tool, args, { cwd: directory, stdio: 'pipe' });
  const file = (name: string) => new Uint8Array(readFileSync(join(directory, name)));

  const programs: { readonly bytes: Uint8Array; readonly areas: readonly Area[] }[] = [];
  const objects: Uint8Array[] = [];
  beforeAll(() => {
    const builds: Readonly<Record<string, readonly string[]>> = {
      four: ['g++', '-O2', '-g', '-gdwarf-4', SOURCE],
      five: ['g++', '-O2', '-g', SOURCE],
      clang: ['clang++', '-O1', '-g', SOURCE],
      split: ['g++', '-O2', '-g', '-gdwarf-5', '-gsplit-dwarf', SOURCE],
      packed: ['g++', '-O2', '-g', '-gdwarf-4', '-gsplit-dwarf', '-gz', SOURCE],
      sysv: ['gcc', '-O2', '-shared', '-fPIC', '-Wl,--hash-style=sysv', ...C_SOURCES],
      plain: ['gcc', '-O2', '-s', ...C_SOURCES, '-lm'],
    };
    for (const [name, [compiler, ...flags]] of Object.entries(builds)) {
      run(compiler, '-o', name, ...flags);
      if (name === 'packed') run('dwp', '-e', name, '-o', 'packed.dwp');
      const bytes = file(name);
      const image = parseImage(name, bytes);
      // Not the code, which nobody reads here, nor the padding.
      const areas = image.sections
        .filter(
          ({ type, flags, size, address }) => type !== 8 && size > 0 && ((flags & 4) === 0 || address === 0),
        )
        .map(({ offset, size }) => ({ start: offset, end: offset + size }));
      const table = Number(Buffer.from(bytes.buffer).readBigUInt64LE(0x28));
      const headers = [
        { start: 0, end: 64 + 56 * 13 },
        { start: table, end: table + 64 * image.sections.length },
      ];
      // Headers as often as all else.
      const all = areas.reduce((sum, { start, end }) => sum + end - start, 0);
      const size = headers.reduce((sum, { start, end }) => sum + end - start, 0);
      programs.push({
        bytes,
        areas: [
          ...areas,
          ...Array(Math.ceil(all / size))
            .fill(headers)
            .flat(),
        ],
      });
    }
    run('g++', '-O2', '-g', '-c', '-o', 'shapes.o', SOURCE);
    run('gcc', '-O3', '-c', '-o', 'table.o', C_SOURCES[1]);
    run('ar', 'rcs', 'all.a', 'shapes.o', 'table.o');
    objects.push(file('shapes.o'), file('table.o'), file('all.a'));
  });

  it('program is read or refused', async () => {
    const { cases, accepted, codes } = await fuzz(mutantsInPlace(7), 3000, (mutant) => {
      const { bytes, areas } = programs[mutant.seed];
      const image = parseImage('program', mutated(bytes, mutant, areas));
      readAll(withDebugFiles(image, join(directory, 'program'), imageTools.readDebugFile));
    });
    expect(accepted).toBeGreaterThan(cases / 5);
    expect(codes).toContain('elf-malformed');
    expect(codes).toContain('elf-truncated');
  });

  it('file of debug information is read or refused', async () => {
    const image = parseImage('four', programs[0].bytes);
    const { accepted } = await fuzz(mutantsInPlace(1), 600, (mutant) => {
      const own = parseDebugFile('debug', mutated(programs[0].bytes, mutant, programs[0].areas));
      readAll({ ...image, debug: { path: '/nowhere/program', own, shared: own, problems: [] } });
    });
    expect(accepted).toBeGreaterThan(20);
  });

  it.each(['split', 'packed'])('file of %s units is read or refused', async (name) => {
    const image = { ...parseImage(name, file(name)), path: join(directory, name) };
    const found = name === 'split' ? /\.dwo$/ : /\.dwp$/;
    const good = new Map<string, Uint8Array>();
    const { accepted } = await fuzz(mutantsInPlace(1), 600, (mutant) => {
      const readDebugFile = (path: string) => {
        const bytes = found.test(path) ? (good.get(path) ?? imageTools.readDebugFile(path)) : undefined;
        if (bytes === undefined) return undefined;
        good.set(path, bytes);
        return mutated(bytes, mutant);
      };
      const inlined = inlinedCalls(image, { ...imageTools, readDebugFile });
      for (const { address, size } of image.functions)
        for (let i = 0; i < size; i += 16) inlined.at(address + i);
    });
    expect(good.size).toBeGreaterThan(0);
    expect(accepted).toBeGreaterThan(20);
  });

  it('object file or archive is read or refused', async () => {
    const machine = await builtInMachine('skylake');
    const { accepted } = await fuzz(mutantsInPlace(3), 400, (mutant) => {
      const bytes = mutated(objects[mutant.seed], mutant);
      if (mutant.seed === 2) archiveMembers('all.a', bytes);
      else parseRelocatable('o', bytes);
      boundObject({ path: 'o', bytes, functions: [], machine, sourceRoot: '/nowhere', imageTools });
    });
    expect(accepted).toBeGreaterThan(5);
  });
});
