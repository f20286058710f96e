import {
  chmodSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { files } from './files.ts';

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'ilp-gate-files-'));
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

describe('writing files', () => {
  it('creates their directories and leaves no temporary file', async () => {
    await files.writeAll([
      { path: join(directory, 'new/a.json'), text: 'a' },
      { path: join(directory, 'new/b.json'), text: 'b' },
    ]);
    expect(readdirSync(join(directory, 'new')).sort()).toEqual(['a.json', 'b.json']);
    expect(readFileSync(join(directory, 'new/b.json'), 'utf8')).toBe('b');
  });

  it('changes none of them when one cannot be written', async () => {
    writeFileSync(join(directory, 'a.json'), 'old');
    const write = files.writeAll([
      { path: join(directory, 'a.json'), text: 'new' },
      { path: join(directory, 'a.json/b.json'), text: 'b' },
    ]);
    await expect(write).rejects.toMatchObject({ kind: 'environment', code: 'file-unwritable' });
    expect(readFileSync(join(directory, 'a.json'), 'utf8')).toBe('old');
    expect(readdirSync(directory)).toEqual(['a.json']);
  });

  it('replaces what a link points to and keeps the link', async () => {
    writeFileSync(join(directory, 'real'), 'old');
    symlinkSync('real', join(directory, 'link'));
    await files.writeAll([{ path: join(directory, 'link'), text: 'new' }]);
    expect(readFileSync(join(directory, 'real'), 'utf8')).toBe('new');
    expect(readdirSync(directory).sort()).toEqual(['link', 'real']);
  });

  it('writes into a device instead of replacing it', async () => {
    await files.writeAll([{ path: '/dev/null', text: 'x' }]);
    expect(existsSync('/dev/null')).toBe(true);
    expect(readFileSync('/dev/null', 'utf8')).toBe('');
  });
});

describe('reading a file', () => {
  it('tells a missing one from an unreadable one', async () => {
    expect(await files.read(join(directory, 'none'))).toBeUndefined();
    writeFileSync(join(directory, 'file'), 'x');
    expect(await files.read(join(directory, 'file/below'))).toBeUndefined();
    await expect(files.read(directory)).rejects.toMatchObject({
      code: 'file-unreadable',
      message: `cannot read ${directory}: it is a directory`,
    });
  });

  it.skipIf(process.getuid?.() === 0)('says when it may not', async () => {
    writeFileSync(join(directory, 'secret'), 'x');
    chmodSync(join(directory, 'secret'), 0);
    await expect(files.read(join(directory, 'secret'))).rejects.toMatchObject({ code: 'file-unreadable' });
  });
});
