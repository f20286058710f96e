import { basename } from 'node:path';
import { inflateSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { haveTools, linesOf, parseFile, programCompiler } from '../fixtures/tools.ts';
import type { Image, SourceLine } from '../image.ts';
import type { Inflate } from '../ports.ts';
import { functionIndex } from '../symbols.ts';
import { type LineTable, lineTable } from './line-table.ts';

const compile = programCompiler();

const inflate: Inflate = (compressed, size) => inflateSync(compressed, { maxOutputLength: size });

const VERSIONS = ['-gdwarf-2', '-gdwarf-3', '-gdwarf-4', '-gdwarf-5'];
const SHAPES = [['-O0'], ['-O2'], ['-O2', '-static'], ['-O2', '-ffunction-sections', '-Wl,--gc-sections']];
const EXTRA = [
  ['-gdwarf-4', '-gdwarf64', '-O2'],
  ['-gdwarf-5', '-O2', '-gz=zlib'],
  ['-gdwarf-4', '-O3', '-flto'],
  ['-gdwarf-5', '-O2', '-static-pie'],
];

const combinations = (compiler: string) =>
  [...VERSIONS.flatMap((version) => SHAPES.map((shape) => [version, ...shape])), ...EXTRA]
    // clang-14 leaves link-time optimisation to a linker plug-in that may be missing.
    .filter((flags) => compiler !== 'clang' || !flags.includes('-flto'))
    .map((flags) => [compiler, flags.join(' '), flags] as const);

const isAvailable = haveTools('addr2line', 'objdump');

describe.each([...combinations('gcc'), ...combinations('clang'), ...combinations('musl-gcc')])(
  '%s %s',
  (compiler, _, flags) => {
    it.skipIf(!isAvailable || !haveTools(compiler))('has the rows that objdump decodes', () => {
      const path = compile(compiler, flags);
      const image = parseFile(path);
      const table = lineTable(image, inflate);
      expect(table.problems).toEqual([]);
      const rows = objdumpRows(path, image);
      expect(rows.size).toBeGreaterThan(20);
      for (const [address, expected] of rows) {
        const found = table.lookup(address);
        expect(found && `${basename(found.file)}:${found.line}`, address.toString(16)).toBe(expected);
      }
    });

    // addr2line of binutils 2.40 confuses files 0 and 1 of gcc's DWARF 5 tables; the rows above cover those.
    if (compiler === 'clang' || !flags.includes('-gdwarf-5')) {
      it.skipIf(!isAvailable || !haveTools(compiler))("gives addr2line's line for every byte of code", () => {
        const path = compile(compiler, flags);
        const image = parseFile(path);
        const table = lineTable(image, inflate);
        const addresses = programCode(image);
        const expected = addr2line(path, addresses);
        const found = addresses.map((address) => show(table.lookup(address)));
        expect(found).toEqual(expected);
        expect(new Set(found).size).toBeGreaterThan(15);
      });
    }

    it.skipIf(!haveTools(compiler))('declares each function on the line of its opening brace', () => {
      const image = parseFile(compile(compiler, flags));
      expect(declarations(image, lineTable(image, inflate))).toEqual({
        fibonacci: 'program.c:19',
        main: 'program.c:26',
      });
    });
  },
);

const show = (line: SourceLine | undefined) => (line === undefined ? '?' : `${line.file}:${line.line}`);

function declarations(image: Image, table: LineTable): Record<string, string> {
  const index = functionIndex(image);
  const entries = ['fibonacci', 'main'].map((name) => {
    const line = table.declaration(index.named(name)[0]!.address)!;
    return [name, `${basename(line.file)}:${line.line}`] as const;
  });
  return Object.fromEntries(entries);
}

/** Every address of the functions that the program's own sources define. */
function programCode(image: Image): readonly number[] {
  const names = ['main', 'fibonacci', 'table_lookup', 'helper', 'unused_function', 'clamp'];
  const functions = names.flatMap((name) => functionIndex(image).named(name));
  return functions.flatMap(({ address, size }) =>
    Array.from({ length: size }, (_, index) => address + index),
  );
}

function addr2line(path: string, addresses: readonly number[]): readonly string[] {
  const input = addresses.map((address) => address.toString(16)).join('\n');
  const lines = linesOf('addr2line', ['-e', path], input).slice(0, addresses.length);
  return lines.map((line) => {
    const position = line.replace(/ \(discriminator \d+\)$/, '');
    return /:[0?]$/.test(position) ? '?' : position;
  });
}

/** The last row of each address, as "file:line"; undefined where line 0 or the end of a sequence says so. */
function objdumpRows(path: string, image: Image): ReadonlyMap<number, string | undefined> {
  const code = image.sections.filter((s) => (s.flags & 4) !== 0);
  const rows = new Map<number, string | undefined>();
  let sequence = new Map<number, string | undefined>();
  for (const line of linesOf('objdump', ['--dwarf=decodedline', '-w', path])) {
    const match = /^(\S+) +(\d+|-) +(0x[0-9a-f]+)/.exec(line);
    if (match === null) continue;
    const address = Number(match[3]);
    if (match[2] !== '-') {
      sequence.set(address, match[2] === '0' ? undefined : `${basename(match[1]!)}:${match[2]}`);
      continue;
    }
    // A row where its sequence ends covers nothing; the end does not hide the start of the next sequence.
    sequence.delete(address);
    if (!rows.has(address)) sequence.set(address, undefined);
    for (const [at, row] of sequence) {
      if (code.some((s) => at >= s.address && at < s.address + s.size)) rows.set(at, row);
    }
    sequence = new Map();
  }
  return rows;
}
