import { inlinedCalls } from '../../src/elf/dwarf/inlined-calls.ts';
import { lineTable } from '../../src/elf/dwarf/line-table.ts';
import { frameRanges } from '../../src/elf/frames.ts';
import { goTable } from '../../src/elf/go/table.ts';
import { loadedRanges } from '../../src/elf/hash-ranges.ts';
import type { Image } from '../../src/elf/image.ts';
import { importNames } from '../../src/elf/imports.ts';
import { functionIndex } from '../../src/elf/symbols.ts';
import { imageTools } from '../../src/host/image-tools.ts';

/** Everything that is read of a program. */
export function readAll(image: Image): void {
  const index = functionIndex(image);
  const lines = lineTable(image, imageTools.inflate);
  const inlined = inlinedCalls(image, imageTools);
  const go = goTable(image);
  loadedRanges(image);
  frameRanges(image);
  importNames(image);
  const places = image.functions.slice(0, 40).flatMap(({ address, size }) => [address, address + size - 1]);
  for (const at of [...places, image.entry, 0, -1, 2 ** 47, 2 ** 53]) {
    index.covering(at);
    lines.lookup(at);
    lines.declaration(at);
    inlined.at(at);
    go?.lookup(at);
  }
}
