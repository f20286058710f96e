import { createHash } from 'node:crypto';
import {
  existsSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { digestBy, keep, makeRoom, readKept } from './directory.ts';

const directory = mkdtempSync(join(tmpdir(), 'ilp-gate-directory-'));
afterAll(() => rmSync(directory, { recursive: true }));
const at = (name: string) => join(directory, name);

const digest = digestBy(createHash);

describe('a kept file', () => {
  it('holds the parts in turn', () => {
    keep(at('parts'), [Uint8Array.of(1, 2), new Uint8Array(), Uint8Array.of(3)], digest);
    expect([...readKept(at('parts'), digest)!]).toEqual([1, 2, 3]);
    expect(readdirSync(directory)).toEqual(['parts']);
  });

  it('is none where there is no file, none that is whole, or no room for one', () => {
    expect(readKept(at('missing'), digest)).toBeUndefined();
    truncateSync(at('parts'), 34);
    expect(readKept(at('parts'), digest)).toBeUndefined();
    keep(at('missing/deeper'), [Uint8Array.of(1)], digest);
    expect(existsSync(at('missing'))).toBe(false);
  });
});

it('what was not used for longest goes where all take more than 512 MiB', () => {
  const MIB = 2 ** 20;
  const add = (name: string, size: number, age: number) => {
    writeFileSync(at(name), '');
    truncateSync(at(name), size);
    utimesSync(at(name), 1e9 - age, 1e9 - age);
  };
  rmSync(at('parts'));
  add('a', 200 * MIB, 5);
  add('b', 10 * MIB, 4);
  add('c', 150 * MIB, 3);
  add('d', 152 * MIB, 2);
  makeRoom(directory);
  expect(readdirSync(directory)).toEqual(['a', 'b', 'c', 'd']);
  add('e', 1 * MIB, 1);
  makeRoom(directory);
  expect(readdirSync(directory)).toEqual(['b', 'c', 'd', 'e']);
  makeRoom(at('missing'));
});
