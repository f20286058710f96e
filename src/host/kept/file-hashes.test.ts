import { createHash } from 'node:crypto';
import {
  closeSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { FileHashes } from './file-hashes.ts';

const SIZE = 5 * 2 ** 20;
const WHOLE = [{ start: 0, end: SIZE }];
const PARTS = [
  { start: 0, end: 100 },
  { start: 4096, end: 5000 },
];

describe('hashes of large files', () => {
  let root: string;
  let kept: string;
  let file: string;
  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), 'ilp-gate-hashes-'));
    kept = join(root, 'kept');
    mkdirSync(kept);
    file = join(root, 'library');
    writeFileSync(file, new Uint8Array(SIZE).fill(1));
    // So that another change has another time, however coarse they are.
    utimesSync(file, 1, 1);
  });
  afterEach(() => rmSync(root, { recursive: true }));

  /** As another process has them, some seconds from now. */
  const hashes = (seconds = 60, of = root) =>
    new FileHashes(kept, of, () => (BigInt(Date.now()) + 1000n * BigInt(seconds)) * 1_000_000n);

  function hash(of: FileHashes, ranges = WHOLE): string {
    const descriptor = openSync(file, 'r');
    const bytes = of.readNoting(file, descriptor, () => readFileSync(descriptor));
    closeSync(descriptor);
    return of.sha256(bytes, ranges);
  }

  function expected(ranges = WHOLE): string {
    const bytes = readFileSync(file);
    const own = createHash('sha256');
    for (const { start, end } of ranges) own.update(bytes.subarray(start, end));
    return own.digest('hex');
  }

  it('are kept by file and ranges', () => {
    for (const ranges of [WHOLE, PARTS]) expect(hash(hashes(), ranges)).toBe(expected(ranges));
    expect(readdirSync(kept)).toHaveLength(2);
    for (const ranges of [WHOLE, PARTS]) expect(hash(hashes(), ranges)).toBe(expected(ranges));
    expect(readdirSync(kept)).toHaveLength(2);
  });

  it('are taken from what was kept', () => {
    hash(hashes());
    const [name] = readdirSync(kept);
    const text = Buffer.from('kept');
    writeFileSync(join(kept, name), Buffer.concat([createHash('sha256').update(text).digest(), text]));
    expect(hash(hashes())).toBe('kept');
    // A damaged one is none.
    writeFileSync(join(kept, name), 'damaged');
    expect(hash(hashes())).toBe(expected());
  });

  it('are another file’s after any change', () => {
    hash(hashes());
    const before = expected();
    writeFileSync(file, new Uint8Array(SIZE).fill(2));
    expect(expected()).not.toBe(before);
    expect(hash(hashes())).toBe(expected());
    expect(readdirSync(kept)).toHaveLength(2);
  });

  it('are not kept of a file that was just written, of small ones, nor of those elsewhere', () => {
    expect(hash(hashes(0))).toBe(expected());
    expect(hash(hashes(60, join(root, 'elsewhere')))).toBe(expected());
    writeFileSync(file, 'small');
    expect(hash(hashes(), [{ start: 0, end: 5 }])).toBe(expected([{ start: 0, end: 5 }]));
    expect(readdirSync(kept)).toEqual([]);
  });

  it('are not kept of what changed while it was read', () => {
    const own = hashes();
    const descriptor = openSync(file, 'r');
    const bytes = own.readNoting(file, descriptor, () => {
      const read = readFileSync(descriptor);
      writeFileSync(file, new Uint8Array(SIZE).fill(3));
      return read;
    });
    closeSync(descriptor);
    expect(own.sha256(bytes, WHOLE)).not.toBe(expected());
    expect(readdirSync(kept)).toEqual([]);
  });
});
