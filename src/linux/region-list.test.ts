import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { FileNode } from './fs/node.ts';
import type { Region } from './region.ts';
import {
  allRegions,
  emptyRegions,
  highestFree,
  lowestFree,
  type RegionList,
  regionBefore,
  regionFrom,
  regionsIn,
  regionsOf,
  replaceRegions,
} from './region-list.ts';

const FILES = [undefined, {}, {}] as readonly (FileNode | undefined)[];
const LAST = 4000;

const regionOf = (start: number, end: number, file: FileNode | undefined): Region => ({
  start,
  end,
  protection: 0,
  shared: false,
  label: '',
  offset: 0,
  ...(file && { file }),
});

/** The same as arrays do it. */
class Plain {
  regions: Region[] = [];

  replace(start: number, end: number, regions: readonly Region[]): void {
    const others = this.regions.filter((region) => region.start >= end || region.end <= start);
    this.regions = [...others, ...regions].sort((a, b) => a.start - b.start);
  }

  isFree(start: number, length: number): boolean {
    return this.regions.every((region) => region.start >= start + length || region.end <= start);
  }
}

function filled(count: number): { list: RegionList; plain: Plain } {
  const list = emptyRegions();
  const plain = new Plain();
  // In an order that cuts runs again and again, with gaps of one to three here and there.
  for (let i = 0; i < count; i++) {
    const at = ((i * 617) % count) * 4 + 1;
    const region = regionOf(at, at + 4 - (i % 3), FILES[i % 3]);
    replaceRegions(list, region.start, region.end, [region]);
    plain.replace(region.start, region.end, [region]);
  }
  return { list, plain };
}

test('finds and replaces what a plain array does, in runs that are cut and emptied', () => {
  const { list, plain } = filled(LAST / 4);
  expect(list.runs.length).toBeGreaterThan(3);
  const address = fc.integer({ min: 0, max: LAST });
  const range = fc.tuple(address, fc.oneof(fc.integer({ min: 1, max: 9 }), fc.integer({ min: 1, max: 900 })));
  fc.assert(
    fc.property(range, fc.boolean(), fc.integer({ min: 0, max: 2 }), ([start, length], isEmpty, file) => {
      const end = start + length;
      const hit = plain.regions.filter((region) => region.start < end && region.end > start);
      expect(regionsIn(list, start, end)).toEqual(hit);
      expect(regionFrom(list, start)).toEqual(plain.regions.find((region) => region.end > start));
      expect(regionBefore(list, start)).toEqual(plain.regions.findLast((region) => region.end <= start));
      const kept = hit.flatMap((region) => [
        ...(region.start < start ? [{ ...region, end: start }] : []),
        ...(region.end > end ? [{ ...region, start: end }] : []),
      ]);
      const added = isEmpty ? [] : [regionOf(start, end, FILES[file])];
      const regions = [...kept, ...added].sort((a, b) => a.start - b.start);
      replaceRegions(list, start, end, regions);
      plain.replace(start, end, regions);
      expect(allRegions(list)).toEqual(plain.regions);
      expect(list.size).toBe(plain.regions.length);
      expect(list.near).toBe(plain.regions.reduce((sum, region) => sum + region.end - region.start, 0));
      expect(list.runs.every(({ regions: run }) => run.length > 0)).toBe(true);
      for (const shown of FILES)
        if (shown !== undefined)
          expect(regionsOf(list, shown)).toEqual(plain.regions.filter((region) => region.file === shown));
    }),
    { numRuns: 600 },
  );
});

test('finds the highest and the lowest room', () => {
  const { list, plain } = filled(LAST / 4);
  const address = fc.integer({ min: 0, max: LAST });
  fc.assert(
    fc.property(
      address,
      address,
      fc.integer({ min: 1, max: 40 }),
      fc.integer({ min: 1, max: 50 }),
      (a, b, length, hole) => {
        const [low, high] = [Math.min(a, b), Math.max(a, b)];
        const places = Array.from({ length: Math.max(0, high - length - low + 1) }, (_, i) => low + i);
        const free = places.filter((start) => plain.isFree(start, length));
        expect(highestFree(list, low, high, length)).toBe(free.at(-1));
        expect(lowestFree(list, low, high, length)).toBe(free[0]);
        const gone = plain.regions.filter((region) => region.start < a + hole && region.end > a);
        const [first, last] = [gone[0], gone.at(-1)];
        if (first === undefined || last === undefined) return;
        replaceRegions(list, first.start, last.end, []);
        plain.replace(first.start, last.end, []);
      },
    ),
    { numRuns: 300 },
  );
});
