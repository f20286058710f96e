import { expect, it } from 'vitest';
import { PAGE_SIZE } from './layout.ts';
import { type ShowingPages, ShownPages } from './shown-pages.ts';

const FILE = new Uint8Array(6 * PAGE_SIZE - 100).map((_, i) => (i >> 8) + 1);
const END = 0x10000;

/** A memory whose host shows what belongs to one file, and tells what it did, in pages. */
function shown(file = FILE.buffer) {
  const done: string[] = [];
  const buffer = new ArrayBuffer(END);
  const bytes = new Uint8Array(buffer);
  const note = (what: string, start: number, end: number) =>
    done.push(`${what} ${start / PAGE_SIZE} to ${Math.ceil(end / PAGE_SIZE)}`);
  const host: ShowingPages = {
    show(memory, start, content) {
      if (content.buffer !== file || memory !== buffer) return false;
      note('show', start, start + content.length);
      bytes.set(content, start);
      return true;
    },
    clear(_, start, end) {
      note('clear', start, end);
      bytes.fill(0, start, end);
    },
  };
  return { pages: new ShownPages(buffer, host), bytes, did: () => done.splice(0) };
}

const at = (page: number) => page * PAGE_SIZE;

it('what is there already is not shown again, nor part of it at its place', () => {
  const { pages, did } = shown();
  expect(pages.show(at(2), at(8), FILE)).toBe(true);
  expect(did()).toEqual(['show 2 to 8']);
  expect(pages.show(at(2), at(8), FILE)).toBe(true);
  expect(pages.show(at(3), at(5), FILE.subarray(at(1), at(3)))).toBe(true);
  expect(did()).toEqual([]);
  // Another part, or no pages of a file.
  expect(pages.show(at(3), at(5), FILE.subarray(at(2), at(4)))).toBe(true);
  expect(did()).toEqual(['clear 3 to 5', 'show 3 to 5']);
  expect(pages.show(at(4), at(6), new Uint8Array(at(2)))).toBe(false);
  expect(did()).toEqual(['clear 4 to 5', 'clear 5 to 6']);
  expect([2, 3, 4, 5, 6, 8].map((page) => pages.has(at(page)))).toEqual([
    true,
    true,
    false,
    false,
    true,
    false,
  ]);
});

it('pages behind the bytes are zero', () => {
  const { pages, bytes, did } = shown();
  pages.show(0, at(6), FILE);
  expect(pages.show(0, at(6), FILE.subarray(0, at(2)))).toBe(true);
  expect(did()).toEqual(['show 0 to 6', 'clear 2 to 6']);
  expect(bytes.subarray(at(2)).every((byte) => byte === 0)).toBe(true);
  expect(pages.show(0, at(1), new Uint8Array())).toBe(true);
  expect(did()).toEqual(['clear 0 to 1']);
});

it('what was stored to is hidden with its neighbours, and the rest stays', () => {
  const { pages, did } = shown();
  pages.show(0, at(3), FILE.subarray(0, at(3)));
  pages.show(at(4), at(6), FILE.subarray(at(4)));
  did();
  const hidden = pages.hideTouched(at(1), at(6), (page) => page === 5);
  expect(hidden).toMatchObject([{ start: at(4), end: at(6) }]);
  expect(did()).toEqual(['clear 4 to 6']);
  expect([0, 1, 2, 4, 5].map((page) => pages.has(at(page)))).toEqual([true, true, true, false, false]);
});

it('a copy shows the same and nothing else, as far as its host can', () => {
  const [one, other] = [shown(), shown()];
  one.pages.show(0, at(3), FILE.subarray(0, at(3)));
  one.pages.show(at(4), at(6), FILE.subarray(at(4)));
  one.pages.hide(at(1), at(2));
  other.pages.show(at(4), at(6), FILE.subarray(at(4)));
  other.pages.show(at(8), at(9), FILE.subarray(0, at(1)));
  other.did();
  expect(other.pages.copyFrom(one.pages)).toEqual([]);
  expect(other.did()).toEqual(['clear 8 to 9', 'show 0 to 1', 'show 2 to 3']);
  expect(other.bytes).toEqual(one.bytes);
  const third = shown(new ArrayBuffer());
  expect(third.pages.copyFrom(one.pages)).toMatchObject([
    { start: 0, end: at(1) },
    { start: at(2), end: at(3) },
    { start: at(4), end: at(6) },
  ]);
});
