import {
  chmodSync,
  closeSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { Failure } from '../base/failure.ts';
import { fromBytes, fromText, toBytes } from '../linux/bytes.ts';
import { commit } from './commit.ts';
import { hostDisk } from './disk.ts';
import { emptyInput, inputFrom } from './input.ts';

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'ilp-gate-disk-'));
});
afterEach(() => {
  rmSync(root, { recursive: true, force: true });
});

const at = (name: string) => fromText(join(root, name));

describe("the host's disk", () => {
  test('tells files, directories and links apart and follows nothing', () => {
    writeFileSync(join(root, 'file'), 'text');
    utimesSync(join(root, 'file'), 1, 1_600_000_000.5);
    writeFileSync(join(root, 'run'), 'text', { mode: 0o755 });
    symlinkSync('file', join(root, 'link'));
    const disk = hostDisk();
    expect(disk.stat(at('file'))).toEqual({
      value: { kind: 'file', size: 4, executable: false, modified: 1_600_000_000.5 },
    });
    expect(disk.stat(at('run'))).toMatchObject({ value: { executable: true } });
    expect(disk.stat(at('link'))).toMatchObject({ value: { kind: 'link' } });
    expect(disk.stat(fromText(root))).toMatchObject({ value: { kind: 'directory' } });
    expect(disk.stat('/dev/null')).toMatchObject({ value: { kind: 'other' } });
    expect(disk.readLink(at('link'))).toEqual({ value: 'file' });
    expect(disk.read(at('file'))).toEqual({ value: Buffer.from('text') });
    expect(disk.stat(at('missing'))).toEqual({ error: 'ENOENT' });
    expect(disk.stat(at('file/x'))).toEqual({ error: 'ENOTDIR' });
  });

  test('passes names on byte for byte, UTF-8 or not', () => {
    const odd = Buffer.concat([Buffer.from(root), Buffer.from([0x2f, 0x66, 0xff, 0xc3])]);
    writeFileSync(odd, 'odd');
    writeFileSync(join(root, 'ä'), 'umlaut');
    const disk = hostDisk();
    expect(disk.list(fromText(root))).toEqual({ value: expect.arrayContaining(['f\xff\xc3', '\xc3\xa4']) });
    expect(disk.read(`${fromText(root)}/f\xff\xc3`)).toEqual({ value: Buffer.from('odd') });
    expect(disk.read(at('ä'))).toEqual({ value: Buffer.from('umlaut') });
  });
});

describe('keeping what the guest wrote', () => {
  test('carries out every kind of change and leaves no temporary file', () => {
    writeFileSync(join(root, 'changed'), 'old');
    chmodSync(join(root, 'changed'), 0o640);
    mkdirSync(join(root, 'gone/deep'), { recursive: true });
    commit([
      { kind: 'file', path: at('changed'), bytes: toBytes('new') },
      { kind: 'directory', path: at('made'), mode: 0o755 },
      { kind: 'file', path: at('made/tool'), bytes: toBytes('x'), mode: 0o755 },
      { kind: 'link', path: at('made/link'), target: '../changed' },
      { kind: 'delete', path: at('gone') },
    ]);
    expect(readdirSync(root, { recursive: true }).map(String).sort()).toEqual([
      'changed',
      'made',
      'made/link',
      'made/tool',
    ]);
    expect(readFileSync(join(root, 'made/link'), 'utf8')).toBe('new');
    expect(statSync(join(root, 'changed')).mode & 0o777).toBe(0o640);
    expect(statSync(join(root, 'made/tool')).mode & 0o777).toBe(0o755);
  });

  test('a change that cannot be made is a failure that names the file, and leaves the old one', () => {
    mkdirSync(join(root, 'taken'));
    const attempt = () => commit([{ kind: 'file', path: at('taken'), bytes: toBytes('x'), mode: 0o644 }]);
    expect(attempt).toThrow(Failure);
    expect(attempt).toThrow(
      expect.objectContaining({ code: 'write-back-failed', message: expect.stringContaining('taken') }),
    );
    expect(readdirSync(root)).toEqual(['taken']);
    expect(existsSync(join(root, 'taken'))).toBe(true);
  });
});

describe('standard input', () => {
  test('is read as far as it is asked for and can be read again', () => {
    const text = 'abcdefghij'.repeat(20_000);
    writeFileSync(join(root, 'input'), text);
    const descriptor = openSync(join(root, 'input'), 'r');
    const input = inputFrom(descriptor);
    expect(fromBytes(input.read(0, 3))).toBe('abc');
    expect(fromBytes(input.read(150_000, 3))).toBe('abc');
    closeSync(descriptor);
    expect(fromBytes(input.read(1, 3))).toBe('bcd');
    expect(input.read(100, 100_000)).toHaveLength(100_000);
  });

  test('ends where the file ends', () => {
    writeFileSync(join(root, 'input'), 'short');
    const descriptor = openSync(join(root, 'input'), 'r');
    const input = inputFrom(descriptor);
    expect(fromBytes(input.read(0, 2 ** 31))).toBe('short');
    expect(input.read(5, 10)).toHaveLength(0);
    expect(input.read(50, 10)).toHaveLength(0);
    closeSync(descriptor);
    expect(emptyInput().read(0, 10)).toHaveLength(0);
  });
});
