import { beforeEach, expect, it } from 'vitest';
import {
  AT_REST,
  BYTE_PAGES,
  BYTE_SPLITS,
  BYTEWISE,
  CHUNK_CELLS,
  IN_CELLS,
  MEMORY_PAGES,
} from '../../guest/layout.ts';
import { ENGINE_LIMITS } from '../../translate/limits.ts';
import { NARROW } from '../../translate/steps/lane-shape.ts';
import { laneEntry } from '../../translate/steps/step-entry.ts';
import { ByteSteps } from './byte-steps.ts';
import { Outgrown } from './measure-plan.ts';

const PAGE = 0x400;
const TABLE = 0x1_0000;
const CHUNK = 0x1000;
const END = 0x4000_0000;
const entry = laneEntry(NARROW, { end: 0x1000_0000, followsFar: false, isInLine: true });
const memory = new WebAssembly.Memory({ initial: MEMORY_PAGES, maximum: MEMORY_PAGES });
let words: Int32Array;
/** Of the page's granules. */
let entries: Int32Array;

beforeEach(() => {
  words = new Int32Array(memory.buffer);
  for (const table of [BYTE_PAGES, BYTE_SPLITS]) words.fill(0, table / 4, table / 4 + 2 * PAGE);
  entries = new Int32Array(4096).fill(-1000);
});

const bytesWith = (pages: number, limits = {}) =>
  new ByteSteps(words, entry, { start: END - pages * TABLE, end: END }, { ...ENGINE_LIMITS, ...limits });

/** The granule's bytes come to have steps: its number, as four lanes of four bytes. */
function split(bytes: ByteSteps, granule: number, page = PAGE): number {
  if (!bytes.hasRoom(page)) bytes.add(page, entries);
  const place = bytes.take(page * 4096 + 4 * granule);
  words.fill(-granule - 1, place / 4, place / 4 + 16);
  entry.setMixed(entries, 4 * granule, place);
  return place;
}

const stepsOf = (granule: number) => {
  const place = entry.placeIn(entries, 4 * granule);
  return [...words.subarray(place / 4, place / 4 + 16)];
};

const partsOf = (bytes: ByteSteps, page = PAGE) => {
  const parts: [number, number][] = [];
  bytes.eachPart(page, (first, end) => parts.push([4 * first, 4 * end]));
  return parts;
};

it('cells lie in the order in which granules need them, and move to a table when there are many', () => {
  const bytes = bytesWith(2);
  const granules = Array.from({ length: 256 }, (_, i) => (i * 413) % 1023);
  const places = granules.map((granule) => split(bytes, granule));
  expect(places).toEqual(granules.map((_, i) => END - TABLE + 64 * i));
  expect(partsOf(bytes)).toEqual(
    [0, 1, 2, 3].map((i) => [END - TABLE + CHUNK * i, END - TABLE + CHUNK * (i + 1)]),
  );
  expect(bytes.tables).toBe(1);
  expect(bytes.hasRoom(PAGE)).toBe(false);

  expect(split(bytes, 700)).toBe(END - 2 * TABLE + 64 * 700);
  // The chunks are free again, and so is the table that they were cut from.
  expect(bytes.tables).toBe(1);
  expect(partsOf(bytes)).toEqual([[END - 2 * TABLE, END - TABLE]]);
  for (const granule of granules) {
    expect(entry.placeIn(entries, 4 * granule)).toBe(END - 2 * TABLE + 64 * granule);
    expect(stepsOf(granule)).toEqual(Array(16).fill(-granule - 1));
  }
  // What has no steps of its bytes stays as it is.
  expect(entries[4 * 1023]).toBe(-1000);
  expect(split(bytes, 3, PAGE + 1)).toBe(END - TABLE);
});

it('cells that lie side by side, or nearly so, move when their chunk is full', () => {
  for (const [every, parts] of [
    [1, 1],
    [2, 1],
    [3, 2],
  ]) {
    const bytes = bytesWith(2);
    for (let i = 0; i < CHUNK_CELLS; i++) split(bytes, every * i);
    expect(partsOf(bytes)).toEqual([[END - TABLE, END - TABLE + CHUNK]]);
    split(bytes, 1000);
    expect([every, partsOf(bytes).length]).toEqual([every, parts]);
    bytes.forget(PAGE);
    entries.fill(-1000);
  }
});

it('pages that are forgotten give back what they had, and pages take theirs along', () => {
  const bytes = bytesWith(2, { byteCells: CHUNK_CELLS });
  const first = split(bytes, 9);
  bytes.move(PAGE, PAGE + 5);
  expect(words[BYTE_PAGES / 4 + PAGE]).toBe(0);
  expect(words[BYTE_PAGES / 4 + PAGE + 5]).toBe(first | IN_CELLS);
  expect(split(bytes, 10, PAGE + 5)).toBe(first + 64);
  bytes.forget(PAGE + 5);
  expect(partsOf(bytes, PAGE + 5)).toEqual([]);
  expect(split(bytes, 11)).toBe(first);
  for (let granule = 100; granule < 164; granule++) split(bytes, granule);
  expect(partsOf(bytes)).toEqual([[END - 2 * TABLE, END - TABLE]]);
  bytes.forget(PAGE);
  expect(bytes.tables).toBe(0);
  expect(() => {
    for (let page = PAGE; page < PAGE + 100; page++) split(bytes, 0, page);
  }).toThrow(Outgrown);
});

it('without cells each page has a table', () => {
  const bytes = bytesWith(1, { without: ['byte cells'] });
  expect(split(bytes, 9)).toBe(END - TABLE + 64 * 9);
  expect(() => split(bytes, 9, PAGE + 1)).toThrow(Outgrown);
});

it('tells how many tables are free, and which page has had steps of bytes for longest', () => {
  const bytes = bytesWith(3);
  expect([bytes.capacity, bytes.room, bytes.oldest(() => true)]).toEqual([3, 3, undefined]);
  split(bytes, 9);
  split(bytes, 9, PAGE + 1);
  expect([bytes.capacity, bytes.room]).toEqual([3, 2]);
  expect(bytes.oldest(() => true)).toBe(PAGE);
  expect(bytes.oldest((page) => page !== PAGE)).toBe(PAGE + 1);
  bytes.move(PAGE, PAGE + 2);
  expect(bytes.oldest(() => true)).toBe(PAGE + 1);
  bytes.forget(PAGE + 1);
  expect([bytes.room, bytes.oldest(() => true)]).toEqual([2, PAGE + 2]);
  bytes.forget(PAGE + 2);
  expect([bytes.room, bytes.oldest(() => true)]).toEqual([3, undefined]);
});

it('there may be so many tables at most', () => {
  const bytes = bytesWith(3, { byteTables: 2, without: ['byte cells'] });
  split(bytes, 9);
  split(bytes, 9, PAGE + 1);
  expect([bytes.capacity, bytes.room]).toEqual([2, 0]);
  expect(() => split(bytes, 9, PAGE + 2)).toThrow(Outgrown);
});

it('copies of a memory have the same at the same places', () => {
  const bytes = bytesWith(3, { byteCells: CHUNK_CELLS });
  for (let granule = 0; granule < 70; granule++) split(bytes, granule);
  split(bytes, 5, PAGE + 1);
  const other = new Int32Array(
    new WebAssembly.Memory({ initial: MEMORY_PAGES, maximum: MEMORY_PAGES }).buffer,
  );
  const copy = new ByteSteps(
    other,
    entry,
    { start: END - 3 * TABLE, end: END },
    { ...ENGINE_LIMITS, byteCells: CHUNK_CELLS },
  );
  copy.copyFrom(bytes, [PAGE, PAGE + 1]);
  for (const page of [PAGE, PAGE + 1]) {
    expect(partsOf(copy, page)).toEqual(partsOf(bytes, page));
    for (const [first, end] of partsOf(copy, page))
      expect(other.subarray(first / 4, end / 4)).toEqual(words.subarray(first / 4, end / 4));
  }
  const next = [bytes, copy].map((each) => each.take((PAGE + 1) * 4096 + 80));
  expect(next[0]).toBe(next[1]);
  expect(copy.tables).toBe(bytes.tables);
});

it('of copies stores are noticed, also where the memory itself stores bytes without asking', () => {
  for (const flag of [BYTEWISE, AT_REST]) {
    words.fill(0, BYTE_PAGES / 4 + PAGE, BYTE_PAGES / 4 + PAGE + 2);
    const bytes = bytesWith(3, { byteCells: CHUNK_CELLS });
    for (let granule = 0; granule < 70; granule++) split(bytes, granule);
    split(bytes, 5, PAGE + 1);
    const [table, cells] = words.subarray(BYTE_PAGES / 4 + PAGE);
    words[BYTE_PAGES / 4 + PAGE] |= flag;
    const other = new Int32Array(
      new WebAssembly.Memory({ initial: MEMORY_PAGES, maximum: MEMORY_PAGES }).buffer,
    );
    const pool = { start: END - 3 * TABLE, end: END };
    const copy = new ByteSteps(other, entry, pool, { ...ENGINE_LIMITS, byteCells: CHUNK_CELLS });
    copy.copyFrom(bytes, [PAGE, PAGE + 1]);
    expect([...other.subarray(BYTE_PAGES / 4 + PAGE, BYTE_PAGES / 4 + PAGE + 2)]).toEqual([table, cells]);
    expect(cells & IN_CELLS).toBe(IN_CELLS);
  }
});
