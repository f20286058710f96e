import { deflateSync, inflateSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  advance,
  advanceLine,
  copy,
  endSequence,
  type LineUnit,
  lineSection,
  lineUnit,
  setAddress,
  setFile,
  u32,
} from '../fixtures/line-unit.ts';
import { CODE_ADDRESS, type TinySection, tinyElf } from '../fixtures/tiny-elf.ts';
import { parseImage } from '../parse.ts';
import type { Inflate } from '../ports.ts';
import { lineTable } from './line-table.ts';

const inflate: Inflate = (compressed, size, form) => {
  if (form === 'zstd') throw new Error('zstd');
  return inflateSync(compressed, { maxOutputLength: Math.max(1, size) });
};

const tableOf = (...sections: readonly TinySection[]) =>
  lineTable(parseImage('./prog', tinyElf(sections)), inflate);

const show = (line: { file: string; line: number } | undefined) => line && `${line.file}:${line.line}`;

const unit5: LineUnit = {
  version: 5,
  directories: ['/work/build', '../src', '/usr/include'],
  files: [
    { name: 'main.c', directory: 0 },
    { name: 'part.c', directory: 1 },
    { name: 'stdio.h', directory: 2 },
    { name: '/gen/parser.y', directory: 0 },
  ],
  program: [],
};

/** Lines 10, 11, ... of file register 1, four bytes of code each. */
const run = (start: number, count: number, firstLine: number): readonly number[] => [
  ...setAddress(start),
  ...advanceLine(firstLine - 1),
  ...Array.from({ length: count }, () => [...copy, ...advance(4), ...advanceLine(1)]).flat(),
  ...endSequence,
];

const withProgram = (...program: readonly (readonly number[])[]) =>
  lineUnit({ ...unit5, program: program.flat() });

describe('rows', () => {
  it('hold from their address to the next row, and no further than the end of their sequence', () => {
    const table = tableOf(lineSection(withProgram(run(CODE_ADDRESS + 8, 3, 10))));
    const shown = [7, 8, 11, 12, 16, 19, 20].map((offset) => show(table.lookup(CODE_ADDRESS + offset)));
    const file = '/work/build/../src/part.c';
    expect(shown).toEqual([
      undefined,
      `${file}:10`,
      `${file}:10`,
      `${file}:11`,
      `${file}:12`,
      `${file}:12`,
      undefined,
    ]);
    expect(table.problems).toEqual([]);
  });

  it('of one address: the last is where the instruction belongs, the first is where the function begins', () => {
    const twoRows = [
      ...setAddress(CODE_ADDRESS),
      ...copy,
      ...setFile(2),
      ...advanceLine(29),
      ...copy,
      ...advance(4),
    ];
    const table = tableOf(lineSection(withProgram([...twoRows, ...endSequence])));
    expect(show(table.lookup(CODE_ADDRESS))).toBe('/usr/include/stdio.h:30');
    expect(show(table.declaration(CODE_ADDRESS))).toBe('/work/build/../src/part.c:1');
  });

  it('find the beginning of a function that shares its line with the one before it', () => {
    const oneLine = [...copy, ...advance(4)];
    const inlined = [...copy, ...setFile(2), ...copy, ...advance(4)];
    const table = tableOf(
      lineSection(withProgram([...setAddress(CODE_ADDRESS), ...oneLine, ...inlined, ...endSequence])),
    );
    expect(show(table.lookup(CODE_ADDRESS + 4))).toBe('/usr/include/stdio.h:1');
    expect(show(table.declaration(CODE_ADDRESS + 4))).toBe('/work/build/../src/part.c:1');
  });

  it('of line 0 name no line: the compiler says that the instruction has none', () => {
    const program = [...setAddress(CODE_ADDRESS), ...advanceLine(-1), ...copy, ...advance(4), ...endSequence];
    expect(tableOf(lineSection(withProgram(program))).lookup(CODE_ADDRESS)).toBeUndefined();
  });

  it('are sorted when a sequence goes back, which old producers did', () => {
    const program = [
      ...[...setAddress(CODE_ADDRESS + 8), ...copy],
      ...[...setAddress(CODE_ADDRESS), ...advanceLine(1), ...copy],
      ...[...setAddress(CODE_ADDRESS + 12), ...endSequence],
    ];
    const table = tableOf(lineSection(withProgram(program)));
    expect(table.lookup(CODE_ADDRESS + 4)?.line).toBe(2);
    expect(table.lookup(CODE_ADDRESS + 8)?.line).toBe(1);
  });

  it('beyond the end of their sequence cover nothing and disturb no search', () => {
    const program = [
      ...[...setAddress(CODE_ADDRESS), ...copy, ...setAddress(CODE_ADDRESS + 64), ...advanceLine(1), ...copy],
      ...[...setAddress(CODE_ADDRESS + 8), ...endSequence],
    ];
    const table = tableOf(lineSection(withProgram(program, run(CODE_ADDRESS + 8, 2, 20))));
    const lines = [0, 8, 12, 16, 64].map((offset) => table.lookup(CODE_ADDRESS + offset)?.line);
    expect(lines).toEqual([1, 20, 21, undefined, undefined]);
  });

  it('of functions that the linker dropped are discarded, whatever address stands for nowhere', () => {
    const gone = [0, 1, 0x40, 2 ** 53].map((address) => run(address, 3, 100));
    const table = tableOf(lineSection(withProgram(...gone, run(CODE_ADDRESS, 1, 7))));
    expect(table.lookup(CODE_ADDRESS)?.line).toBe(7);
    expect([0, 4, 0x40].map((address) => table.lookup(address))).toEqual([undefined, undefined, undefined]);
  });

  it('of overlapping sequences come from the one that starts first, then from the rest of the other', () => {
    const table = tableOf(
      lineSection(
        withProgram(run(CODE_ADDRESS + 8, 4, 50), run(CODE_ADDRESS, 4, 10)),
        withProgram(run(CODE_ADDRESS, 4, 90)),
      ),
    );
    const lines = [0, 4, 8, 12, 16, 20, 24].map((offset) => table.lookup(CODE_ADDRESS + offset)?.line);
    expect(lines).toEqual([10, 11, 12, 13, 52, 53, undefined]);
  });
});

describe('files', () => {
  const fileOf = (unit: LineUnit, register: number, ...others: readonly TinySection[]) => {
    const program = [
      ...setFile(register),
      ...setAddress(CODE_ADDRESS),
      ...copy,
      ...advance(4),
      ...endSequence,
    ];
    return tableOf(lineSection(lineUnit({ ...unit, program })), ...others).lookup(CODE_ADDRESS)?.file;
  };

  it.each([false, true])('of DWARF 5 are relative to directory 0 (64-bit format: %s)', (is64) => {
    const names = [0, 1, 2, 3, 4].map((register) => fileOf({ ...unit5, is64 }, register));
    expect(names).toEqual([
      '/work/build/main.c',
      '/work/build/../src/part.c',
      '/usr/include/stdio.h',
      '/gen/parser.y',
      undefined,
    ]);
  });

  const unit4: LineUnit = {
    version: 4,
    directories: ['../src', '/usr/include'],
    files: [
      { name: 'main.c', directory: 0 },
      { name: 'part.c', directory: 1 },
      { name: 'stdio.h', directory: 2 },
    ],
    program: [],
  };
  // Attributes name, comp_dir (both inline strings), stmt_list (sec_offset) in abbreviation 1.
  const abbrev = [1, 0x11, 0, 0x03, 0x08, 0x1b, 0x08, 0x10, 0x17, 0, 0, 0];
  const strings = [...new TextEncoder().encode('main.c\0/work/build\0')];
  const body = [4, 0, ...u32(0), 8, 1, ...strings, ...u32(0)];
  const info: readonly TinySection[] = [
    { name: '.debug_info', type: 1, contents: Uint8Array.from([...u32(body.length), ...body]) },
    { name: '.debug_abbrev', type: 1, contents: Uint8Array.from(abbrev) },
  ];

  it('of DWARF 4 are counted from 1 and relative to the directory that .debug_info names', () => {
    const names = [0, 1, 2, 3].map((register) => fileOf(unit4, register, ...info));
    expect(names).toEqual([
      '/work/build/main.c',
      '/work/build/main.c',
      '/work/build/../src/part.c',
      '/usr/include/stdio.h',
    ]);
  });

  it('of DWARF 4 without .debug_info stay relative', () => {
    expect([1, 2, 3].map((register) => fileOf(unit4, register))).toEqual([
      'main.c',
      '../src/part.c',
      '/usr/include/stdio.h',
    ]);
  });
});

describe('compressed sections', () => {
  const { contents } = lineSection(withProgram(run(CODE_ADDRESS, 2, 10)));
  const compressed = (size: number, type = 1): TinySection => ({
    name: '.debug_line',
    type: 1,
    flags: 0x800,
    contents: Uint8Array.from([
      ...u32(type),
      ...u32(0),
      ...u32(size),
      ...u32(0),
      ...u32(1),
      ...u32(0),
      ...deflateSync(contents),
    ]),
  });

  it('are read through the given function', () => {
    expect(tableOf(compressed(contents.length)).lookup(CODE_ADDRESS + 4)?.line).toBe(11);
  });

  it.each([
    ['a size that deflate cannot reach', compressed(2 ** 31), 'is not credible'],
    ['a wrong size', compressed(contents.length + 1), `instead of ${contents.length + 1}`],
    ['what this Node cannot read', compressed(contents.length, 2), 'zstd'],
    ['an unknown form', compressed(contents.length, 3), 'type is 3'],
  ])('with %s are a problem, not an error', (_, section, problem) => {
    const table = tableOf(section);
    expect(table.lookup(CODE_ADDRESS)).toBeUndefined();
    expect(table.problems).toEqual([expect.stringContaining(problem)]);
  });
});

describe('corrupt tables', () => {
  it('lose the unit that is corrupt and keep the rows before it and the units after it', () => {
    const cut = [
      ...setAddress(CODE_ADDRESS),
      ...copy,
      ...advance(4),
      ...advanceLine(1),
      ...copy,
      ...advance(4),
      0,
      100,
    ];
    const table = tableOf(lineSection(withProgram(cut), withProgram(run(CODE_ADDRESS + 0x100, 1, 70))));
    expect([0, 4, 8, 0x100].map((offset) => table.lookup(CODE_ADDRESS + offset)?.line)).toEqual([
      1,
      2,
      undefined,
      70,
    ]);
    expect(table.problems).toEqual([
      'The line table at 0 of .debug_line cannot be read to its end: it ends in the middle of an extended opcode.',
    ]);
  });

  it('outside the file are a problem', () => {
    const table = tableOf({ ...lineSection(withProgram(run(CODE_ADDRESS, 1, 7))), claimedSize: 2 ** 40 });
    expect(table.problems).toEqual([
      'The section .debug_line cannot be read: its contents are not in the file.',
    ]);
  });

  it('of a version that does not exist are named and passed over', () => {
    const future = [...withProgram(run(CODE_ADDRESS, 1, 7))];
    future[4] = 6;
    const table = tableOf(lineSection(future, withProgram(run(CODE_ADDRESS, 1, 8))));
    expect(table.lookup(CODE_ADDRESS)?.line).toBe(8);
    expect(table.problems).toEqual([
      'The line table at 0 of .debug_line cannot be read to its end: it has DWARF version 6.',
    ]);
  });

  const survives = (...sections: readonly TinySection[]): number => {
    const table = tableOf(...sections);
    for (let offset = -8; offset < 64; offset += 4) {
      table.lookup(CODE_ADDRESS + offset);
      table.declaration(CODE_ADDRESS + offset);
    }
    return table.problems.length;
  };
  const section = (name: string, bytes: Iterable<number>): TinySection => ({
    name,
    type: 1,
    contents: Uint8Array.from(bytes),
  });

  it('never throw: any line program', () => {
    let clean = 0;
    const opcode = fc.oneof(
      fc.integer({ min: 0, max: 255 }).map((byte) => [byte]),
      fc.constantFrom(
        setAddress(CODE_ADDRESS),
        setAddress(CODE_ADDRESS + 16),
        copy,
        endSequence,
        advance(4),
        setFile(2),
      ),
    );
    fc.assert(
      fc.property(fc.array(opcode, { maxLength: 40 }), (program) => {
        if (survives(lineSection(withProgram(...program, endSequence))) === 0) clean++;
      }),
      { numRuns: 2000 },
    );
    expect(clean).toBeGreaterThan(100);
  });

  it('never throw: changed headers and lengths', () => {
    for (const version of [4, 5] as const) {
      const good = lineUnit({ ...unit5, version, program: run(CODE_ADDRESS, 4, 10) });
      const change = fc.tuple(fc.integer({ min: 0, max: good.length - 1 }), fc.integer({ min: 0, max: 255 }));
      fc.assert(
        fc.property(fc.array(change, { minLength: 1, maxLength: 4 }), (changes) => {
          const bytes = [...good];
          for (const [at, byte] of changes) bytes[at] = byte;
          survives(section('.debug_line', [...bytes, ...good]));
        }),
        { numRuns: 1500 },
      );
    }
  });

  it('never throw: any .debug_info and .debug_abbrev', () => {
    const bytes = fc.uint8Array({ maxLength: 60 });
    const line = lineSection(lineUnit({ ...unit5, version: 4, program: run(CODE_ADDRESS, 1, 1) }));
    fc.assert(
      fc.property(bytes, bytes, fc.constantFrom(2, 3, 4, 5), (info, abbrev, version) => {
        const unit = [...u32(info.length + 7), version, 0, ...u32(0), 8, ...info];
        survives(line, section('.debug_info', unit), section('.debug_abbrev', [1, 0x11, 0, ...abbrev]));
      }),
      { numRuns: 2000 },
    );
  });
});

describe('work on crafted tables is bounded', () => {
  it('a table of entries without columns does not count to 2^56', () => {
    const header = [
      1,
      1,
      1,
      0xfb,
      14,
      13,
      0,
      1,
      1,
      1,
      1,
      0,
      0,
      0,
      1,
      0,
      0,
      1,
      0,
      ...Array(8).fill(0xff),
      0x7f,
    ];
    const body = [5, 0, 8, 0, ...u32(header.length), ...header];
    const table = tableOf({
      name: '.debug_line',
      type: 1,
      contents: Uint8Array.from([...u32(body.length), ...body]),
    });
    expect(table.problems).toEqual([expect.stringContaining('entries without content')]);
  });

  it('a thousand units that search one long abbreviation table, each from another place, give up', () => {
    const abbrev = [...Array.from({ length: 60_000 }, () => [2, 0x11, 0, 0, 0]).flat(), 1, 0x11, 0, 0, 0];
    const unit = (at: number) => [...u32(8), 4, 0, ...u32(5 * at), 8, 1];
    const table = tableOf(
      lineSection(lineUnit({ ...unit5, version: 4, program: run(CODE_ADDRESS, 1, 1) })),
      {
        name: '.debug_info',
        type: 1,
        contents: Uint8Array.from(Array.from({ length: 1000 }, (_, at) => unit(at)).flat()),
      },
      { name: '.debug_abbrev', type: 1, contents: Uint8Array.from(abbrev) },
    );
    expect(table.problems.some((problem) => problem.includes('too many times'))).toBe(true);
  });
});
