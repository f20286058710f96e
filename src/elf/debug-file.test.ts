import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { crc32 as zlibCrc32 } from 'node:zlib';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { imageTools } from '../host/image-tools.ts';
import { crc32 } from './crc32.ts';
import { withDebugFiles } from './debug-file.ts';
import { inlinedCalls } from './dwarf/inlined-calls.ts';
import { lineTable } from './dwarf/line-table.ts';
import { haveTools } from './fixtures/tools.ts';
import type { Image } from './image.ts';
import { parseImage } from './parse.ts';

const SOURCE = fileURLToPath(new URL('./fixtures/shapes.cc', import.meta.url));
const workplace = mkdtempSync(join(tmpdir(), 'ilp-gate-debug-'));
afterAll(() => rmSync(workplace, { recursive: true }));

let directory = '';
beforeEach(() => {
  directory = mkdtempSync(join(workplace, 'case-'));
});

const run = (tool: string, ...args: string[]) => execFileSync(tool, args, { cwd: directory, stdio: 'pipe' });

/** `elsewhere`: files of the global folder, by path. */
function load(name: string, elsewhere: Readonly<Record<string, string>> = {}): Image {
  const path = join(directory, name);
  const read = (wanted: string) => imageTools.readDebugFile(elsewhere[wanted] ?? wanted);
  return withDebugFiles(parseImage(name, new Uint8Array(readFileSync(path))), path, read);
}

/** Everything that debug information tells of a program's own code. */
function knowledge(image: Image): readonly string[] {
  const lines = lineTable(image, imageTools.inflate);
  const inlined = inlinedCalls(image, imageTools);
  const text = image.sections.find(({ name }) => name === '.text')!;
  const result: string[] = [];
  for (let at = text.address; at < text.address + text.size; at += 5)
    result.push(JSON.stringify([lines.lookup(at), inlined.at(at)]));
  expect([...lines.problems, ...inlined.problems]).toEqual([]);
  return result;
}

const isAvailable = haveTools('g++', 'objcopy', 'strip', 'dwz');

describe.skipIf(!isAvailable)('a program whose debug information is elsewhere', () => {
  const separate = (): Image => {
    run('g++', '-O2', '-g', '-o', 'whole', SOURCE);
    copyFileSync(join(directory, 'whole'), join(directory, 'program'));
    run('objcopy', '--only-keep-debug', 'program', 'program.debug');
    run('strip', 'program');
    return load('whole');
  };
  const named = ({ functions }: Image) => functions.map(({ name, address, size }) => [name, address, size]);

  it.each(['.', '.debug'])('named by .gnu_debuglink in %s is known as if it were whole', (folder) => {
    const whole = separate();
    expect(load('program').functions.some(({ name }) => name?.includes('geo'))).toBe(false);
    run('objcopy', '--add-gnu-debuglink=program.debug', 'program');
    mkdirSync(join(directory, '.debug'));
    copyFileSync(join(directory, 'program.debug'), join(directory, folder, 'found'));
    rmSync(join(directory, 'program.debug'));
    copyFileSync(join(directory, folder, 'found'), join(directory, folder, 'program.debug'));
    const image = load('program');
    expect(named(image)).toEqual(named(whole));
    const known = knowledge(image);
    expect(known).toEqual(knowledge(whole));
    expect(known.filter((each) => each.includes('shapes.cc')).length).toBeGreaterThan(50);
  });

  it('is found by its build id, too', () => {
    const whole = separate();
    const id = whole.buildId!;
    const path = `/usr/lib/debug/.build-id/${id.slice(0, 2)}/${id.slice(2)}.debug`;
    const image = load('program', { [path]: join(directory, 'program.debug') });
    expect(named(image)).toEqual(named(whole));
    expect(knowledge(image)).toEqual(knowledge(whole));
    const other = load('program', { [path]: '/bin/true' });
    expect(other.debug?.problems).toEqual([`${path} has the debug information of another build`]);
  });

  it('of another build is not taken, and said', () => {
    separate();
    run('objcopy', '--add-gnu-debuglink=program.debug', 'program');
    const changed = readFileSync(join(directory, 'program.debug'));
    changed[changed.length - 1] ^= 1;
    writeFileSync(join(directory, 'program.debug'), changed);
    const image = load('program');
    expect(image.debug).toMatchObject({
      problems: [`${join(directory, 'program.debug')} has the debug information of another build`],
    });
    expect(lineTable(image, imageTools.inflate).problems).toHaveLength(1);
  });

  it('is not looked for where the system has its libraries', () => {
    const image = { ...separate(), sections: [] };
    const asked: string[] = [];
    const read = (path: string) => void asked.push(path);
    for (const folder of ['/lib', '/usr/lib/x86_64-linux-gnu', '/lib64'])
      expect(withDebugFiles(image, `${folder}/libc.so.6`, read)).toBe(image);
    expect(asked).toEqual([]);
    withDebugFiles(image, '/opt/lib/libx.so', read);
    expect(asked).not.toEqual([]);
  });

  it.each(['4', '5'])('shared by dwz in DWARF %s is known as before', (version) => {
    for (const name of ['program', 'other', 'third'])
      run(
        'g++',
        '-O2',
        '-g',
        `-gdwarf-${version}`,
        '-o',
        name,
        SOURCE,
        ...(name === 'program' ? [] : ['-DX']),
      );
    const before = knowledge(load('program'));
    run('dwz', '-m', 'common', 'program', 'other', 'third');
    const image = load('program');
    expect(image.debug?.shared?.path).toBe(join(directory, 'common'));
    expect(knowledge(image)).toEqual(before);
    rmSync(join(directory, 'common'));
    expect(load('program').debug?.problems).toEqual([
      `${join(directory, 'common')}, which the debug information refers to, is not there`,
    ]);
    run('strip', '--strip-debug', '--keep-section=.gnu_debugaltlink', 'program');
    expect(load('program').sections.map(({ name }) => name)).toContain('.gnu_debugaltlink');
    expect(load('program').debug?.problems).toEqual([]);
  });
});

describe('files that a program names', () => {
  it('are regular ones: devices, pipes and folders are not read', () => {
    for (const path of ['/dev/zero', '/dev/stdin', '/proc/self/mem', dirname(SOURCE), '/nowhere', 'a\0b'])
      expect(imageTools.readDebugFile(path)).toBeUndefined();
    expect(imageTools.readDebugFile(SOURCE)?.length).toBeGreaterThan(100);
  });
});

it('the CRC is zlib’s', () => {
  const bytes = Uint8Array.from({ length: 1000 }, (_, i) => i * 7);
  expect(crc32(bytes)).toBe(zlibCrc32(bytes));
  expect(crc32(new TextEncoder().encode('123456789'))).toBe(0xcbf43926);
});
