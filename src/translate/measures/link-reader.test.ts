import { describe, expect, it } from 'vitest';
import { LINK_TABLE_SLOTS, MEMORY_PAGES } from '../../guest/layout.ts';
import { LinkReader } from './link-reader.ts';

const ENTRIES = 1 << 16;
const AT = 0xfff0_0000;
const memory = new WebAssembly.Memory({ initial: MEMORY_PAGES, maximum: MEMORY_PAGES });
const words = new Uint32Array(memory.buffer, AT, 2 * ENTRIES);
const reader = new LinkReader(memory, { at: AT, slots: ENTRIES, entries: ENTRIES, threads: false });

/** Logs instructions with numbers behind `before`, whose producers are a few numbers before them, and gives what a chain then is link by link. */
function logged(before: number, count: number, places: number) {
  let seed = 1;
  const random = (below: number): number => {
    seed = (Math.imul(seed, 1_103_515_245) + 12_345) >>> 0;
    return (seed >>> 8) % below;
  };
  for (let number = before + 1; number <= before + count; number++) {
    const entry = 2 * (number % ENTRIES);
    words[entry] = number - 1 - random(12);
    // Also those of pages above, which are negative.
    words[entry + 1] = (random(2) << 31) | (0x40_0000 + 3 * random(places));
  }
  return (from: number, after: number) => {
    const found = new Map<number, { count: number; first: number }>();
    let next = from;
    for (; next > after; next = words[2 * (next % ENTRIES)]) {
      const place = words[2 * (next % ENTRIES) + 1] | 0;
      found.set(place, { count: (found.get(place)?.count ?? 0) + 1, first: next });
    }
    return { found, next };
  };
}

/** The same, as the reader tells it. */
function read(from: number, after: number) {
  const found = new Map<number, { count: number; first: number }>();
  const next = reader.read(from, after, (place, count, first) => {
    const known = found.get(place);
    found.set(place, { count: count + (known?.count ?? 0), first: Math.min(first, known?.first ?? first) });
  });
  return { found, next };
}

describe('links read from the log', () => {
  it('are those that the chain has, wherever in the ring it lies', () => {
    for (const before of [100, 3 * ENTRIES - 500, 0x7fff_ff00, 0xffff_ffff - ENTRIES]) {
      const expected = logged(before, ENTRIES, 300);
      const last = before + ENTRIES;
      for (const [from, after] of [
        [last, before + 20],
        [last - 7, last - 8],
        [last - 3, before + ENTRIES / 2],
        [last, last - 5000],
      ])
        expect(read(from, after)).toEqual(expected(from, after));
    }
  });

  it('may have more places than the table has room for', () => {
    const expected = logged(1000, ENTRIES, 4 * LINK_TABLE_SLOTS);
    const { found, next } = read(1000 + ENTRIES, 1020);
    expect(found.size).toBeGreaterThan(LINK_TABLE_SLOTS / 2);
    expect({ found, next }).toEqual(expected(1000 + ENTRIES, 1020));
  });

  it('are none where the chain ends before', () => {
    expect(read(40, 40)).toEqual({ found: new Map(), next: 40 });
    expect(read(3, 40)).toEqual({ found: new Map(), next: 3 });
  });
});
