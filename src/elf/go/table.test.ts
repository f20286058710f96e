import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { CODE_ADDRESS, tinyElf } from '../fixtures/tiny-elf.ts';
import { linesOf, parseFile } from '../fixtures/tools.ts';
import { parseImage } from '../parse.ts';
import { goTable } from './table.ts';

const text = new TextEncoder();
const u32 = (value: number): number[] => [0, 8, 16, 24].map((shift) => (value >>> shift) & 0xff);
const u64 = (value: number): number[] => [...u32(value), ...u32(0)];

/** Two functions, of 16 and 32 bytes, as the linkers of Go wrote them; lines 10, 12 and 20 of /src/a.go. */
function table(version: '1.2' | '1.16' | '1.18' | '1.20'): Uint8Array {
  const magic = { '1.2': 0xfffffffb, '1.16': 0xfffffffa, '1.18': 0xfffffff0, '1.20': 0xfffffff1 }[version];
  const head = [...u32(magic), 0, 0, 1, 8];
  const names = [...text.encode('\0main.one\0main.two\0')];
  const [one, two] = [1, 10];
  // Go 1.2 counts files from 1.
  // The first difference counts from -1, zigzag; each is followed by the bytes of code that it holds for.
  const files = [version === '1.2' ? 0x04 : 0x02, 0x30, 0];
  const firstLines = [22, 8, 4, 8, 0];
  const secondLines = [42, 32, 0];
  const values = [0, ...files, ...firstLines, ...secondLines];
  const [filesAt, firstAt, secondAt] = [1, 4, 9];
  const record = (entry: readonly number[], name: number, line: number, base = 0) => [
    ...entry,
    ...u32(name + base),
    ...[0, 0, 0].flatMap(u32),
    ...u32(filesAt + base),
    ...u32(line + base),
    ...u32(0),
    ...u32(0),
  ];
  if (version === '1.2') {
    // Header, count, table of functions, offset of files; everything counts from the beginning.
    const afterTable = 16 + 5 * 8 + 4;
    const namesAt = afterTable + 2 * 40 + 8;
    const fileTable = [0, namesAt + names.length].flatMap(u32);
    const shifted = (at: number) => at + namesAt + names.length + 10;
    const entry = (index: number) => afterTable + index * 40;
    const function1 = [
      ...u64(CODE_ADDRESS),
      ...[namesAt + one, 0, 0, 0, shifted(filesAt), shifted(firstAt), 0, 0].flatMap(u32),
    ];
    const function2 = [
      ...u64(CODE_ADDRESS + 16),
      ...[namesAt + two, 0, 0, 0, shifted(filesAt), shifted(secondAt), 0, 0].flatMap(u32),
    ];
    return Uint8Array.from([
      ...head,
      ...u64(2),
      ...[CODE_ADDRESS, entry(0), CODE_ADDRESS + 16, entry(1), CODE_ADDRESS + 48].flatMap(u64),
      ...u32(afterTable + 2 * 40),
      ...function1,
      ...function2,
      ...fileTable,
      ...names,
      ...text.encode('/src/a.go\0'),
      ...values,
    ]);
  }
  const isOld = version === '1.16';
  const units = [0, 0].flatMap(u32);
  const fileNames = [...text.encode('/src/a.go\0')];
  const words = isOld ? 7 : 8;
  const namesAt = 8 + words * 8;
  const unitsAt = namesAt + names.length;
  const filesTableAt = unitsAt + units.length;
  const valuesAt = filesTableAt + fileNames.length;
  const functionsAt = valuesAt + values.length;
  const width = isOld ? u64 : u32;
  const size = isOld ? 8 : 4;
  const base = isOld ? CODE_ADDRESS : 0;
  const first = 5 * size;
  const second = first + size + 32;
  return Uint8Array.from([
    ...head,
    ...[
      2,
      1,
      ...(isOld ? [] : [CODE_ADDRESS]),
      namesAt,
      unitsAt,
      filesTableAt,
      valuesAt,
      functionsAt,
    ].flatMap(u64),
    ...names,
    ...units,
    ...fileNames,
    ...values,
    ...[base, first, base + 16, second, base + 48].flatMap(width),
    ...record(width(base), one, firstAt),
    ...record(width(base + 16), two, secondAt),
  ]);
}

const withTable = (contents: Uint8Array) =>
  parseImage('go', tinyElf([{ name: '.gopclntab', type: 1, contents }]));

describe.each(['1.2', '1.16', '1.18', '1.20'] as const)('the table of Go %s', (version) => {
  it('names functions and lines of a stripped program', () => {
    const image = withTable(table(version));
    expect(image.functions).toEqual([
      { name: 'main.one', address: CODE_ADDRESS, size: 16, isIfunc: false },
      { name: 'main.two', address: CODE_ADDRESS + 16, size: 32, isIfunc: false },
    ]);
    const go = goTable(image)!;
    const line = (offset: number) => go.lookup(CODE_ADDRESS + offset);
    expect([0, 7, 8, 15, 16, 47].map((offset) => line(offset)?.line)).toEqual([10, 10, 12, 12, 20, 20]);
    expect(line(0)?.file).toBe('/src/a.go');
    expect([line(-1), line(48)]).toEqual([undefined, undefined]);
  });

  it('never throws, wherever a byte of it is changed or it ends', () => {
    const good = table(version);
    for (let at = 0; at < good.length; at++) {
      for (const value of [0, 0x7f, 0x80, 0xff]) {
        const bytes = good.slice();
        bytes[at] = value;
        for (const contents of [bytes, bytes.subarray(0, at)]) {
          const go = goTable(withTable(contents));
          for (let offset = 0; offset < 48; offset += 8) go?.lookup(CODE_ADDRESS + offset);
        }
      }
    }
  });
});

it('reads a table soon whose million functions have a name without an end', () => {
  const count = 1_000_000;
  const nameBytes = 2 ** 24;
  const good = table('1.20');
  const functionsAt = good.length;
  const namesAt = functionsAt + (2 * count + 1) * 4 + 40;
  const bytes = new Uint8Array(namesAt + nameBytes).fill(0x61, namesAt);
  bytes.set(good);
  const view = new DataView(bytes.buffer);
  view.setUint32(8, count, true);
  view.setUint32(8 + 3 * 8, namesAt, true);
  view.setUint32(8 + 7 * 8, functionsAt, true);
  // All of them have the one record behind the table.
  for (let i = 0; i < count; i++) {
    view.setUint32(functionsAt + 8 * i, i, true);
    view.setUint32(functionsAt + 8 * i + 4, namesAt - 40 - functionsAt, true);
  }
  view.setUint32(functionsAt + 8 * count, count, true);
  const start = performance.now();
  expect(withTable(bytes).functions).toEqual([]);
  // A second is normal; searching for the end of each name took hours.
  expect(performance.now() - start).toBeLessThan(60_000);
});

const SOURCE = `package main

import "fmt"

//go:noinline
func fib(n int) int {
	if n < 2 {
		return n
	}
	return fib(n-1) + fib(n-2)
}

func main() { fmt.Println(fib(10)) }
`;

describe.skipIf(spawnSync('go', ['version']).error !== undefined)(
  'a program of the Go that is installed',
  () => {
    const directory = mkdtempSync(join(tmpdir(), 'ilp-gate-go-'));
    afterAll(() => rmSync(directory, { recursive: true }));

    it('has the same functions and lines without symbols as DWARF and symbols say', {
      timeout: 120_000,
    }, () => {
      writeFileSync(join(directory, 'main.go'), SOURCE);
      const env = { ...process.env, HOME: directory, GOFLAGS: '-mod=mod', GO111MODULE: 'off' };
      const compile = (output: string, ...flags: string[]) =>
        execFileSync('go', ['build', '-o', output, ...flags, 'main.go'], {
          cwd: directory,
          env,
          stdio: 'pipe',
        });
      compile('whole');
      compile('stripped', '-ldflags=-s -w');
      const whole = parseFile(join(directory, 'whole'));
      const stripped = parseFile(join(directory, 'stripped'));
      const keyOf = ({ name, address }: { name?: string; address: number }) =>
        `${name?.replace(/\.abi0$/, '')} ${address}`;
      const known = new Set(whole.functions.map(keyOf));
      const names = new Set(whole.functions.map(({ name }) => name));
      const named = stripped.functions.filter(({ name }) => names.has(name));
      expect(named.length).toBeGreaterThan(1000);
      expect(named.filter((each) => !known.has(keyOf(each)))).toEqual([]);
      const middles = named
        .filter((_, i) => i % 5 === 0)
        .map(({ address, size }) => address + Math.floor(size / 2));
      const theirs = linesOf(
        'addr2line',
        ['-e', join(directory, 'whole')],
        middles.map((address) => address.toString(16)).join('\n'),
      );
      const go = goTable(stripped)!;
      const same = middles.filter((address, i) => {
        const line = go.lookup(address);
        return line !== undefined && theirs[i].startsWith(`${line.file}:${line.line}`);
      });
      // The compiler's own wrappers have other names there; the line of a few instructions is chosen otherwise.
      expect(same.length / middles.length).toBeGreaterThan(0.85);
    });
  },
);
