import { beforeEach, describe, expect, it } from 'vitest';
import { COMPACT, COMPACT_WIDE, NARROW, SINGLE } from '../../translate/steps/lane-shape.ts';
import { laneEntry, type StepEntry, tagEntry } from '../../translate/steps/step-entry.ts';
import { PagedOut } from './paged-out.ts';

const REACH = { end: 0x1000_0000, followsFar: false, isInLine: true };
const GRANULES = 1024;

/** What a single entry's words may be: negative in lanes of 32 bits, positive in the second word of doubles. */
const SHAPES: readonly (readonly [string, StepEntry, sign: 1 | -1])[] = [
  ['one lane', laneEntry(SINGLE, REACH), -1],
  ['two lanes', laneEntry(COMPACT, REACH), -1],
  ['four lanes', laneEntry(NARROW, REACH), -1],
  ['a wide lane', laneEntry(COMPACT_WIDE, REACH), 1],
  ['tags', tagEntry(REACH), 1],
];

let seed: number;
beforeEach(() => {
  seed = 1;
});
const below = (bound: number): number => {
  seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0;
  return Math.floor((seed / 2 ** 32) * bound);
};

describe.each(SHAPES)('pages out of the memory, %s', (_, entry, sign) => {
  const size = 2 ** (entry.bits - 2);
  const first = 4096 * size;
  const table = 2 * first;
  const words = new Int32Array(16 * first);

  /** A page whose steps differ by so much, with so many of a hundred granules mixed: the words of each byte's step, by byte. */
  function fill(range: number, mixed: number, inTable: boolean): number[][] {
    const step = () => Array.from({ length: size }, () => sign * (2 ** 30 + below(range)));
    const found: number[][] = [];
    for (let granule = 0, cell = table + 4 * first; granule < GRANULES; granule++) {
      const at = first + size * granule;
      if (below(100) >= mixed) {
        const one = step();
        words.set(one, at);
        found.push(one, one, one, one);
        continue;
      }
      const place = inTable ? table + 4 * size * granule : cell;
      cell += 4 * size;
      for (let byte = 0; byte < 4; byte++) {
        found.push(step());
        words.set(found.at(-1)!, place + size * byte);
      }
      entry.setMixed(words, at, 4 * place);
    }
    return found;
  }

  /** The same of a page that is in the memory. */
  const read = (): number[][] =>
    Array.from({ length: 4 * GRANULES }, (_, byte) => {
      const at = first + size * (byte >> 2);
      const from = entry.isSingle(words, at) ? at : entry.placeIn(words, at) / 4 + size * (byte & 3);
      return [...words.subarray(from, from + size)];
    });

  for (const [range, mixed, inTable] of [
    [100, 100, true],
    [0x1_0000, 40, true],
    [0x1_0001, 100, true],
    [2 ** 29, 30, false],
    [1000, 0, false],
  ] as const)
    it(`come back as they were: steps up to ${range} apart, ${mixed} % mixed`, () => {
      const out = new PagedOut(words, entry);
      const steps = fill(range, mixed, inTable);
      out.put(7, { first, table: inTable ? table : undefined });
      for (let i = 0; i < 40; i++) {
        const start = below(4096);
        const end = start + 1 + below(Math.min(70, 4096 - start));
        const seen = new Set<string>();
        out.eachStep(7, start, end, (found, at) => seen.add(String(found.subarray(at, at + size))));
        expect(seen).toEqual(new Set(steps.slice(start, end).map(String)));
      }
      expect([out.has(7), out.isUsed(7)]).toEqual([true, true]);
      words.fill(0, first, first + size * GRANULES);
      const places = 4 * (table + 8 * first);
      out.restore(7, first, (granule) => places + 16 * size * granule);
      expect(read()).toEqual(steps);
      expect(out.isEmpty).toBe(true);
    });

  it('change as others do, from when they went', () => {
    const out = new PagedOut(words, entry);
    const changeBy = (more: number) => (found: Int32Array, from: number, end: number) => {
      for (let at = from; at < end; at++) found[at] = 3 * found[at] + more;
    };
    const kept = new Map<number, number[][]>();
    const put = (page: number) => {
      kept.set(page, fill(100, 50, true));
      out.put(page, { first, table });
    };
    out.change(changeBy(99));
    put(1);
    out.change(changeBy(1));
    put(2);
    out.change(changeBy(2));
    const later = (value: number, ...more: number[]) =>
      more.reduce((before, each) => (3 * before + each) | 0, value);
    for (const [page, changes] of [
      [1, [1, 2]],
      [2, [2]],
    ] as const) {
      const expected = kept.get(page)!.map((step) => step.map((word) => later(word, ...changes)));
      const seen: number[][] = [];
      out.eachStep(page, 0, 4, (found, at) => seen.push([...found.subarray(at, at + size)]));
      expect(new Set(seen.map(String))).toEqual(new Set(expected.slice(0, 4).map(String)));
    }
    const sums: number[] = [];
    out.eachPage((found, count) => sums.push(found.subarray(0, count).reduce((a, b) => (a + b) | 0, 0)));
    const sumOf = (page: number, ...changes: number[]) => {
      const steps = kept.get(page)!;
      let sum = 0;
      for (let granule = 0; granule < GRANULES; granule++) {
        const isMixed = new Set(steps.slice(4 * granule, 4 * granule + 4)).size > 1;
        for (const step of steps.slice(4 * granule, 4 * granule + (isMixed ? 4 : 1)))
          for (const word of step) sum = (sum + later(word, ...changes)) | 0;
      }
      return sum;
    };
    expect(sums).toEqual([sumOf(1, 1, 2), sumOf(2, 2)]);
  });

  it('are dropped, move, and are copied', () => {
    const out = new PagedOut(words, entry);
    fill(10, 100, true);
    for (const page of [1, 2, 3, 4]) out.put(page, { first, table });
    expect([out.drop(1), out.drop(1)]).toEqual([true, false]);
    out.dropRange(3, 4);
    out.dropRange(5, 1000);
    out.move(4, 9);
    out.move(5, 6);
    const copy = new PagedOut(words, entry);
    copy.copyFrom(out);
    copy.eachStep(9, 0, 1, () => {});
    copy.eachStep(9, 0, 1, () => {});
    expect(copy.isUsed(9)).toBe(false);
    copy.eachStep(9, 0, 1, () => {});
    for (const each of [out, copy])
      expect([1, 2, 3, 4, 6, 9].filter((page) => each.has(page))).toEqual([2, 9]);
    expect([out.isUsed(9), copy.isUsed(9)]).toEqual([false, true]);
    expect(out.dropRange(0, 1000)).toBe(2);
    expect([out.isEmpty, copy.isEmpty]).toEqual([true, false]);
  });
});
