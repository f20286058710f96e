import {
  appendFileSync,
  closeSync,
  mkdtempSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { MappedFiles } from './mapped-files.ts';
import { bufferOf, mapFile } from './mapping.ts';
import { nativeCalls } from './native-calls.ts';

const directory = mkdtempSync(join(tmpdir(), 'ilp-gate-mapped-'));
afterAll(() => rmSync(directory, { recursive: true }));
const at = (name: string) => Buffer.from(join(directory, name));

const PAGE = 4096;
const BYTES = Uint8Array.from({ length: 3 * PAGE + 100 }, (_, i) => (i >> 4) ^ (i % 251) ^ 1);

/** The file's bytes as they are mapped. */
function read(files: MappedFiles, name: string): Uint8Array | undefined {
  const descriptor = openSync(at(name), 'r');
  try {
    return files.read(at(name), descriptor);
  } finally {
    closeSync(descriptor);
  }
}

describe.skipIf(nativeCalls() === undefined)('mapped files', () => {
  test('have the bytes of the file, if it is large enough', () => {
    writeFileSync(at('file'), BYTES);
    expect(read(new MappedFiles(() => BYTES.length), 'file')).toEqual(BYTES);
    expect(read(new MappedFiles(() => BYTES.length + 1), 'file')).toBeUndefined();
    writeFileSync(at('empty'), '');
    expect(read(new MappedFiles(() => 0), 'empty')).toBeUndefined();
  });

  test('are shown in a memory until that is cleared, and are not written to', () => {
    const files = new MappedFiles(() => 0);
    writeFileSync(at('shown'), BYTES);
    const content = read(files, 'shown')!;
    const { buffer } = new WebAssembly.Memory({ initial: 4, maximum: 4 });
    const memory = new Uint8Array(buffer).fill(0xee);
    expect(files.show(buffer, 2 * PAGE, content.subarray(PAGE))).toBe(true);
    const expected = new Uint8Array(buffer.byteLength).fill(0xee);
    expected.fill(0, 2 * PAGE, 5 * PAGE).set(BYTES.subarray(PAGE), 2 * PAGE);
    expect(memory).toEqual(expected);
    memory[2 * PAGE] ^= 1;
    content[0] ^= 1;
    expect(new Uint8Array(readFileSync(at('shown')))).toEqual(BYTES);
    files.clear(buffer, 2 * PAGE, 3 * PAGE);
    expected.fill(0, 2 * PAGE, 3 * PAGE);
    expect(memory).toEqual(expected);
    files.clear(buffer, 3 * PAGE, 5 * PAGE);
    expect(memory).toEqual(expected.fill(0, 3 * PAGE, 5 * PAGE));
  });

  test('are shown from whole pages on alone, and only what was given', () => {
    const files = new MappedFiles(() => 0);
    writeFileSync(at('pages'), BYTES);
    const content = read(files, 'pages')!;
    const { buffer } = new WebAssembly.Memory({ initial: 1, maximum: 1 });
    expect(files.show(buffer, 0, content.subarray(1))).toBe(false);
    expect(files.show(buffer, 16, content)).toBe(false);
    expect(files.show(buffer, 0, BYTES)).toBe(false);
    expect(new Uint8Array(buffer)).toEqual(new Uint8Array(buffer.byteLength));
  });

  test('have copies that can be written to, with room behind', () => {
    const files = new MappedFiles(() => 0);
    writeFileSync(at('original'), BYTES);
    const content = read(files, 'original')!;
    const copy = files.copy(content, BYTES.length + 5000)!;
    const expected = new Uint8Array(BYTES.length + 5000);
    expected.set(BYTES);
    expect(copy).toEqual(expected);
    copy.fill(7, PAGE, 2 * PAGE);
    copy.fill(8, BYTES.length);
    expect(content).toEqual(BYTES);
    expect(new Uint8Array(readFileSync(at('original')))).toEqual(BYTES);
    expect(copy).toEqual(expected.fill(7, PAGE, 2 * PAGE).fill(8, BYTES.length));
    expect(files.copy(content.subarray(1), BYTES.length)).toBeUndefined();
    expect(files.copy(BYTES, BYTES.length)).toBeUndefined();
    appendFileSync(at('original'), 'x');
    expect(files.copy(content, BYTES.length)).toBeUndefined();
  });

  test('tell when somebody wrote to them, and are not shown then', () => {
    const files = new MappedFiles(() => 0);
    writeFileSync(at('log'), BYTES);
    utimesSync(at('log'), 1, 1);
    const content = read(files, 'log')!;
    expect(files.hasChanged(content)).toBe(false);
    expect(files.hasChanged(BYTES)).toBe(false);
    appendFileSync(at('log'), 'more');
    expect(files.hasChanged(content)).toBe(true);
    const { buffer } = new WebAssembly.Memory({ initial: 1, maximum: 1 });
    expect(files.show(buffer, 0, content)).toBe(false);
    truncateSync(at('log'), BYTES.length);
    utimesSync(at('log'), 1, 2);
    expect(files.hasChanged(content)).toBe(true);
  });

  test('are what they were when another file has taken their name', () => {
    const files = new MappedFiles(() => 0);
    writeFileSync(at('old'), BYTES);
    const content = read(files, 'old')!;
    writeFileSync(at('new'), BYTES.slice().reverse());
    renameSync(at('new'), at('old'));
    expect(files.hasChanged(content)).toBe(false);
    expect(content).toEqual(BYTES);
    const { buffer } = new WebAssembly.Memory({ initial: 1, maximum: 1 });
    expect(files.show(buffer, 0, content)).toBe(false);
    rmSync(at('old'));
    expect(files.hasChanged(content)).toBe(false);
    expect(files.show(buffer, 0, content)).toBe(false);
  });
});

test('a buffer of some bytes has these alone, mapped or not', () => {
  writeFileSync(at('part'), BYTES);
  const descriptor = openSync(at('part'), 'r');
  const mapped = mapFile(descriptor, BYTES.length) ?? BYTES;
  closeSync(descriptor);
  for (const bytes of [mapped, BYTES])
    expect(new Uint8Array(bufferOf(bytes.subarray(77, PAGE + 99)))).toEqual(BYTES.slice(77, PAGE + 99));
});
