import { expect, test } from 'vitest';
import { SHADOW } from '../../guest/layout.ts';
import { STACK_SIZE } from '../../linux/main-stack.ts';
import { HugePages } from './huge-pages.ts';

/** With steps of 16 bytes, of which a huge page has those of 128 pages of the guest; it may store to the first so many pages. */
function asked(writable = 0): {
  readonly hugePages: HugePages;
  readonly answers: boolean[];
  /** The first huge pages of steps, and how many. */
  readonly populated: [number, number][];
} {
  const memory = new ArrayBuffer(8);
  const answers: boolean[] = [];
  const populated: [number, number][] = [];
  const host = {
    advise(about: ArrayBuffer, areWanted: boolean) {
      expect(about).toBe(memory);
      answers.push(areWanted);
    },
    populate(about: ArrayBuffer, start: number, length: number) {
      expect(about).toBe(memory);
      if (populated.length === 64) return false;
      populated.push([(start - SHADOW) / HUGE, length / HUGE]);
      return true;
    },
  };
  const hugePages = new HugePages(memory, 4, host, (page) => page < writable);
  return { hugePages, answers, populated };
}

const HUGE = 2 * 2 ** 20;

test('a program that touches little asks for nothing', () => {
  const { hugePages, answers } = asked();
  for (let page = 16; page < 16 + 255; page++) hugePages.touch(page);
  for (let time = 0; time < 1000; time++) hugePages.touch(16);
  expect(answers).toEqual([]);
  hugePages.touch(1000);
  expect(answers).toEqual([true]);
});

test('huge pages stay while they are full', () => {
  const { hugePages, answers } = asked();
  for (let page = 16; page < 100_000; page++) hugePages.touch(page);
  expect(answers).toEqual([true]);
});

test('huge pages end where too little of them is used', () => {
  const { hugePages, answers } = asked();
  for (let page = 0; page < 300; page++) hugePages.touch(page);
  expect(answers).toEqual([true]);
  // Each takes 2 MiB of steps, and every fourth 2 MiB of the guest.
  let sparse = 0;
  for (let page = 1024; answers.length === 1; page += 128) {
    hugePages.touch(page);
    sparse++;
  }
  expect(answers).toEqual([true, false]);
  expect(sparse * 2.5 * 2 ** 20).toBeGreaterThan(90 * 2 ** 20);
  expect(sparse * 2.5 * 2 ** 20).toBeLessThan(110 * 2 ** 20);
  for (let page = 0; page < 100_000; page++) hugePages.touch(page);
  hugePages.logged(1e9);
  expect(answers).toEqual([true, false]);
});

test('a program that touches a page here and there from the beginning has none', () => {
  const { hugePages, answers } = asked();
  for (let page = 0; page < 100_000; page += 512) hugePages.touch(page);
  for (let page = 0; page < 100_000; page++) hugePages.touch(page);
  expect(answers).toEqual([]);
});

test('a large mapping asks before it is touched, of which a page here and there may be', () => {
  const { hugePages, answers } = asked();
  hugePages.map(4 * 2 ** 20 - 4096);
  hugePages.map(STACK_SIZE);
  expect(answers).toEqual([]);
  hugePages.map(4 * 2 ** 20);
  hugePages.map(2 ** 30);
  expect(answers).toEqual([true]);
  for (let page = 0; page < 100_000; page += 512) hugePages.touch(page);
  expect(answers).toEqual([true, false]);
  hugePages.map(2 ** 30);
  expect(answers).toEqual([true, false]);
});

test('the log of a chain asks when it has become long', () => {
  const { hugePages, answers } = asked();
  hugePages.logged(999_999);
  expect(answers).toEqual([]);
  hugePages.logged(1_000_000);
  hugePages.logged(2_000_000);
  expect(answers).toEqual([true]);
});

test('who fills memory has every second pair of huge pages populated meanwhile, as far as there is memory', () => {
  const { hugePages, populated } = asked(128 * 15 + 127);
  hugePages.map(4 * 2 ** 20);
  for (let page = 0; page < 128 * 15 + 127; page++) hugePages.touch(page);
  expect(populated).toEqual([
    [2, 2],
    [6, 2],
    [10, 2],
  ]);
});

test('in whatever order it is filled, and only where huge pages are wanted', () => {
  const { hugePages, answers, populated } = asked(128 * 40);
  hugePages.touch(0);
  expect(populated).toEqual([]);
  hugePages.map(4 * 2 ** 20);
  for (const block of [9, 4, 11, 2, 18, 6]) hugePages.touch(128 * block + 5);
  expect(populated).toEqual([
    [11, 2],
    [6, 2],
    [20, 2],
  ]);
  for (let block = 1000; answers.length === 1; block += 2) hugePages.touch(128 * block);
  hugePages.touch(128 * 30);
  expect(populated.length).toBe(3);
});

test('later pieces are larger, and the host may take no more', () => {
  const { hugePages, populated } = asked(128 * 1000);
  hugePages.map(4 * 2 ** 20);
  for (let page = 0; page < 128 * 1000; page++) hugePages.touch(page);
  expect(populated.length).toBe(64);
  expect(populated.map(([first]) => first)).toEqual(
    Array.from({ length: 64 }, (_, i) => (i < 32 ? 4 * i + 2 : 133 + 16 * (i - 32))),
  );
  expect(populated.map(([, count]) => count)).toEqual(Array.from({ length: 64 }, (_, i) => (i < 32 ? 2 : 8)));
});
