import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Failure } from '../base/failure.ts';
import { symbolSections, tinyElf } from './fixtures/tiny-elf.ts';
import type { Image } from './image.ts';
import { parseImage } from './parse.ts';

function failureOf(bytes: Uint8Array): Failure {
  try {
    parseImage('./prog', bytes);
  } catch (error) {
    if (error instanceof Failure) return error;
    throw error;
  }
  throw new Error('expected a Failure');
}

const ascii = (text: string) => new TextEncoder().encode(text);

function changed(bytes: Uint8Array, at: number, ...values: readonly number[]): Uint8Array {
  const copy = bytes.slice();
  copy.set(values, at);
  return copy;
}

describe('what is not a program for us', () => {
  const elf = tinyElf();
  const cases: readonly (readonly [string, Uint8Array, string, string])[] = [
    ['an empty file', ascii(''), 'elf-not-elf', './prog is empty.'],
    [
      'text',
      ascii('hello world'),
      'elf-not-elf',
      './prog is not an ELF file: it starts with the text "hello wo".',
    ],
    [
      'a Windows program',
      ascii('MZ\x90\0'),
      'elf-not-elf',
      './prog is not an ELF file: it starts with "MZ", as Windows programs do.',
    ],
    [
      'a script',
      ascii('#! /usr/bin/env python3\nprint(1)\n'),
      'elf-script',
      './prog is a script for "/usr/bin/env python3", not a native program; name the interpreter as the program and the script as its argument.',
    ],
    [
      'i386 code',
      changed(changed(elf, 4, 1), 18, 3),
      'elf-32-bit',
      './prog is a 32-bit program; only 64-bit programs can be run.',
    ],
    [
      'x32 code',
      changed(elf, 4, 1),
      'elf-32-bit',
      './prog is an x32 program (32-bit addresses on x86-64); only 64-bit programs can be run.',
    ],
    [
      'Arm code',
      changed(elf, 18, 183),
      'elf-other-machine',
      './prog is a program for 64-bit Arm (AArch64), not x86-64.',
    ],
    [
      'big-endian code',
      changed(elf, 5, 2),
      'elf-other-machine',
      './prog is a big-endian program, not x86-64.',
    ],
    [
      'a FreeBSD program',
      changed(elf, 7, 9),
      'elf-other-system',
      './prog is a program for FreeBSD, not Linux.',
    ],
    [
      'an object file',
      changed(elf, 16, 1),
      'elf-not-executable-type',
      './prog is an object file (relocatable); link it first.',
    ],
    ['a core dump', changed(elf, 16, 4), 'elf-not-executable-type', './prog is a core dump, not a program.'],
    [
      'a header that is cut off',
      elf.subarray(0, 40),
      'elf-truncated',
      './prog is truncated: the ELF header is at 0x0 to 0x40, but the file ends at 0x28.',
    ],
    [
      'a segment that is cut off',
      elf.subarray(0, 0x1800),
      'elf-truncated',
      './prog is truncated: the segment for address 0x400000 is at 0x0 to 0x2000, but the file ends at 0x1800.',
    ],
    [
      'no program headers',
      changed(elf, 56, 0, 0),
      'elf-malformed',
      './prog is a malformed ELF file: it has no program headers, so nothing of it can be loaded (at file offset 0x38).',
    ],
  ];
  it.each(cases)('%s is refused with its own message', (_, bytes, code, message) => {
    const failure = failureOf(bytes);
    expect([failure.kind, failure.code, failure.message]).toEqual(['guest', code, message]);
  });

  it('a file that lost only its section headers is truncated, because function names would vanish silently', () => {
    expect(failureOf(elf.subarray(0, elf.length - 1)).code).toBe('elf-truncated');
  });
});

describe('function symbols', () => {
  const functionsOf = (symbols: Parameters<typeof symbolSections>[0]): Image['functions'] =>
    parseImage('./prog', tinyElf(symbolSections(symbols, 3))).functions;

  it('are sorted by address, then global before local, then by leading underscores', () => {
    const functions = functionsOf([
      { name: 'local.c', address: 0, type: 4, binding: 0, section: 0xfff1 },
      { name: 'quiet', address: 0x401010, size: 4, binding: 0 },
      { name: '__libc_malloc', address: 0x401010, size: 4 },
      { name: 'malloc', address: 0x401010, size: 4, binding: 2 },
      { name: 'early', address: 0x401000, size: 4, type: 10 },
    ]);
    expect(functions).toEqual([
      { name: 'early', address: 0x401000, size: 4, isIfunc: true },
      { name: 'malloc', address: 0x401010, size: 4, isIfunc: false },
      { name: '__libc_malloc', address: 0x401010, size: 4, isIfunc: false },
      { name: 'quiet', address: 0x401010, size: 4, isIfunc: false, file: 'local.c' },
    ]);
  });

  it('lose version suffixes and repeat no name at one address', () => {
    const names = functionsOf([
      { name: 'memcpy@@GLIBC_2.14', address: 0x401010 },
      { name: 'memcpy@GLIBC_2.2.5', address: 0x401020 },
      { name: 'memcpy', address: 0x401010 },
    ]).map((f) => [f.name, f.address]);
    expect(names).toEqual([
      ['memcpy', 0x401010],
      ['memcpy', 0x401020],
    ]);
  });

  it('include untyped global labels only in code that no function covers', () => {
    const names = functionsOf([
      { name: '_start', address: 0x401000, type: 0 },
      { name: 'kernel', address: 0x401100, size: 0x40 },
      { name: 'inner_label', address: 0x401110, type: 0 },
      { name: 'local_label', address: 0x401200, type: 0, binding: 0 },
      { name: '_etext', address: 0x402000, type: 0 },
      { name: 'undefined_function', address: 0, section: 0 },
    ]).map((f) => f.name);
    expect(names).toEqual(['_start', 'kernel']);
  });

  it('with names that overlap without end are malformed, not a memory exhaustion', () => {
    const sections = symbolSections([], 3);
    const count = 20_000;
    const symbols = new Uint8Array((count + 1) * 24);
    const view = new DataView(symbols.buffer);
    for (let index = 1; index <= count; index++) {
      view.setUint32(index * 24, index, true);
      symbols[index * 24 + 4] = 0x12;
      view.setUint16(index * 24 + 6, 1, true);
    }
    const names = new Uint8Array(500_000).fill(0x61);
    names[names.length - 1] = 0;
    const bytes = tinyElf([
      { ...sections[0]!, contents: symbols },
      { ...sections[1]!, contents: names },
    ]);
    expect(failureOf(bytes).message).toContain('the symbol names overlap beyond reason');
  });
});

describe('hostile input', () => {
  const base = tinyElf(symbolSections([{ name: 'main', address: 0x401000, size: 16 }], 3));

  const parses = (bytes: Uint8Array): boolean => {
    try {
      parseImage('./prog', bytes);
      return true;
    } catch (error) {
      if (!(error instanceof Failure) || error.kind !== 'guest') throw error;
      return false;
    }
  };

  it('of random bytes is a Failure', () => {
    fc.assert(fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => !parses(bytes)));
  });

  it('of random bytes behind a good identification is an image or a Failure', () => {
    const identification = [...base.subarray(0, 20)];
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 50, maxLength: 600 }), (bytes) => {
        parses(Uint8Array.from([...identification, ...bytes]));
      }),
    );
  });

  it('of a real file with some bytes changed is an image or a Failure', () => {
    // Headers, section table and symbols are where a change matters; the code between them is not read.
    const interesting = fc.oneof(
      fc.integer({ min: 0, max: 119 }),
      fc.integer({ min: 0x2000, max: base.length - 1 }),
    );
    const value = fc.constantFrom(0, 1, 0x7f, 0x80, 0xff);
    const change = fc.tuple(interesting, value);
    let accepted = 0;
    fc.assert(
      fc.property(fc.array(change, { minLength: 1, maxLength: 6 }), (changes) => {
        const bytes = base.slice();
        for (const [at, byte] of changes) bytes[at] = byte;
        if (parses(bytes)) accepted++;
      }),
      { numRuns: 3000 },
    );
    expect(accepted).toBeGreaterThan(100);
  });

  it('cut anywhere is a Failure', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: base.length - 1 }),
        (length) => !parses(base.subarray(0, length)),
      ),
    );
  });
});
