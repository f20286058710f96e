import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { tinyElf } from './fixtures/tiny-elf.ts';
import { haveTools, parseFile, programCompiler } from './fixtures/tools.ts';
import { loadedRanges } from './hash-ranges.ts';
import type { Image } from './image.ts';
import { parseImage } from './parse.ts';

const compile = programCompiler();

function loadedHash(image: Image): string {
  const hash = createHash('sha256');
  for (const { start, end } of loadedRanges(image)) hash.update(image.bytes.subarray(start, end));
  return hash.digest('hex');
}

describe('the loaded bytes', () => {
  const isAvailable = haveTools('gcc');

  it.skipIf(!isAvailable)(
    'are equal for two builds that differ in debug information and build id only',
    () => {
      const plain = parseFile(compile('gcc', ['-O2']));
      const debug = parseFile(compile('gcc', ['-O2', '-g3']));
      expect(plain.buildId).not.toBe(debug.buildId);
      expect(loadedHash(plain)).toBe(loadedHash(debug));
    },
  );

  it.skipIf(!isAvailable)('differ for builds of different code', () => {
    const one = parseFile(compile('gcc', ['-O2']));
    const other = parseFile(compile('gcc', ['-O2', '-fno-inline']));
    expect(loadedHash(one)).not.toBe(loadedHash(other));
  });

  it.skipIf(!isAvailable)(
    'are all bytes of the segments but the build id and the section table fields',
    () => {
      const image = parseFile(compile('gcc', ['-O2', '-Wl,-z,noseparate-code']));
      const isLoaded = new Uint8Array(image.bytes.length);
      for (const { offset, fileSize } of image.segments) isLoaded.fill(1, offset, offset + fileSize);
      const isHashed = new Uint8Array(image.bytes.length);
      for (const { start, end } of loadedRanges(image)) isHashed.fill(1, start, end);
      const left = [...isLoaded.keys()].filter((at) => isLoaded[at] !== isHashed[at]);
      const note = image.sections.find((s) => s.name === '.note.gnu.build-id')!;
      const descriptor = Array.from({ length: 20 }, (_, index) => note.offset + 16 + index);
      const header = [
        ...Array.from({ length: 8 }, (_, index) => 0x28 + index),
        0x3a,
        0x3b,
        0x3c,
        0x3d,
        0x3e,
        0x3f,
      ];
      expect(left).toEqual([...header, ...descriptor]);
    },
  );

  it('come in ascending, disjoint ranges, even where segments overlap in the file', () => {
    const image = parseImage('./prog', tinyElf());
    const segment = fc.record({
      offset: fc.integer({ min: 0, max: 300 }),
      fileSize: fc.integer({ min: 0, max: 200 }),
    });
    fc.assert(
      fc.property(fc.array(segment, { maxLength: 5 }), (segments) => {
        const shape = { ...image.segments[0]! };
        const ranges = loadedRanges({ ...image, segments: segments.map((s) => ({ ...shape, ...s })) });
        const expected = new Uint8Array(600);
        for (const { offset, fileSize } of segments) expected.fill(1, offset, offset + fileSize);
        expected.fill(0, 0x28, 0x30).fill(0, 0x3a, 0x40);
        const covered = new Uint8Array(600);
        let last = 0;
        for (const { start, end } of ranges) {
          expect(start).toBeGreaterThanOrEqual(last);
          expect(end).toBeGreaterThan(start);
          covered.fill(1, start, end);
          last = end;
        }
        expect(covered).toEqual(expected);
      }),
    );
  });
});
