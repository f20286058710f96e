import { expect, test } from 'vitest';
import { STACK_SIZE } from '../../linux/main-stack.ts';
import { HugePages } from './huge-pages.ts';

/** With steps of 16 bytes. */
function asked(): { readonly hugePages: HugePages; readonly answers: boolean[] } {
  const memory = new ArrayBuffer(8);
  const answers: boolean[] = [];
  const hugePages = new HugePages(memory, 4, (about, areWanted) => {
    expect(about).toBe(memory);
    answers.push(areWanted);
  });
  return { hugePages, answers };
}

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
