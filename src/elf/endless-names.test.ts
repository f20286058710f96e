import { describe, expect, test } from 'vitest';
import { archiveMembers } from './archive.ts';
import { DwarfError } from './dwarf/cursor.ts';
import type { DebugSections } from './dwarf/sections.ts';
import { StringReader } from './dwarf/strings.ts';
import { tinyElf } from './fixtures/tiny-elf.ts';
import { importNames } from './imports.ts';
import { parseImage } from './parse.ts';

/**
 * Where many things have a name that has no end, its end must not be searched for each: with these sizes that takes minutes.
 */
const NAMES = new Uint8Array(2 ** 24).fill(0x61);
const MANY = 200_000;

/** A second is normal. */
function soon(work: () => void): void {
  const start = performance.now();
  work();
  expect(performance.now() - start).toBeLessThan(30_000);
}

describe('names without an end', () => {
  test('of members of a library', () => {
    const header = (name: string, size: number): Buffer =>
      Buffer.from(`${name.padEnd(48)}${String(size).padEnd(10)}\`\n`);
    const member = header('/0', 0);
    const members = Array.from({ length: MANY }, () => member);
    const bytes = Buffer.concat([Buffer.from('!<arch>\n'), header('//', NAMES.length), NAMES, ...members]);
    soon(() => {
      const found = archiveMembers('x.a', bytes);
      expect([found.length, found[0].name]).toEqual([MANY, '/0']);
    });
  });

  test('of functions of other files', () => {
    const symbols = new Uint8Array(48);
    const relocations = new Uint8Array(24 * MANY);
    const view = new DataView(relocations.buffer);
    for (let i = 0; i < MANY; i++) {
      view.setUint32(24 * i, i, true);
      view.setUint32(24 * i + 8, 6, true);
      view.setUint32(24 * i + 12, 1, true);
    }
    const image = parseImage(
      'x',
      tinyElf([
        { name: '.names', type: 11, contents: symbols, entrySize: 24, link: 3 },
        { name: '.dynstr', type: 3, contents: NAMES },
        { name: '.rela.dyn', type: 4, contents: relocations, entrySize: 24 },
      ]),
    );
    soon(() => importNames(image));
  });

  test('that units of DWARF refer to', () => {
    const empty = new Uint8Array(0);
    const sections: DebugSections = {
      line: empty,
      lineStr: empty,
      str: NAMES,
      strOffsets: empty,
      info: empty,
      abbrev: empty,
      addr: empty,
      ranges: empty,
      rangeLists: empty,
    };
    const reader = new StringReader(sections);
    let refused = 0;
    soon(() => {
      for (let offset = 0; offset < MANY; offset++) {
        try {
          reader.read({ kind: 'string', section: 'str', offset }, empty);
        } catch (error) {
          if (!(error instanceof DwarfError)) throw error;
          refused++;
        }
      }
    });
    expect(refused).toBe(MANY);
  });
});
