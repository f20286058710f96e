import { appendFileSync, closeSync, mkdtempSync, openSync, readSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { inputFrom } from './input.ts';
import { MappedFiles } from './mapped-files.ts';
import { nativeCalls } from './native-calls.ts';

const directory = mkdtempSync(join(tmpdir(), 'ilp-gate-input-'));
afterAll(() => rmSync(directory, { recursive: true }));

it('a directory as standard input is said to be one', () => {
  const descriptor = openSync(tmpdir(), 'r');
  try {
    for (const mapped of [undefined, new MappedFiles(() => 0)])
      expect(() => inputFrom(descriptor, mapped).read(0, 1)).toThrow('standard input is a directory');
  } finally {
    closeSync(descriptor);
  }
});

it.skipIf(nativeCalls() === undefined)(
  'a file that was read in part is mapped, and goes on behind that',
  () => {
    const file = join(directory, 'file');
    writeFileSync(file, 'abcdefgh');
    const descriptor = openSync(file, 'r');
    readSync(descriptor, Buffer.alloc(3));
    const input = inputFrom(descriptor, new MappedFiles(() => 0));
    const text = (bytes: Uint8Array) => Buffer.from(bytes).toString();
    expect(text(input.read(1, 2))).toBe('ef');
    expect(text(input.kept())).toBe('def');
    expect(text(input.read(3, 100))).toBe('gh');
    expect(input.read(50, 1)).toHaveLength(0);
    expect(text(input.kept())).toBe('defgh');
    expect(input.hasChanged()).toBe(false);
    appendFileSync(file, 'i');
    expect(input.hasChanged()).toBe(true);
    closeSync(descriptor);
  },
);

it('what is ahead in a file is told without reading it', () => {
  const file = join(directory, 'ahead');
  writeFileSync(file, 'abcdefgh');
  const descriptor = openSync(file, 'r');
  readSync(descriptor, Buffer.alloc(3));
  const input = inputFrom(descriptor);
  const text = (bytes: Uint8Array) => Buffer.from(bytes).toString();
  expect(text(input.ahead())).toBe('defgh');
  expect(text(input.read(0, 2))).toBe('de');
  closeSync(descriptor);
});
