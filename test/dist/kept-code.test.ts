import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { unpackCode } from '../../src/host/kept/pack-code.ts';
import { NODES } from '../bundle.ts';

const ROOT = join(import.meta.dirname, '../..');
const CLI = join(ROOT, 'dist/cli.cjs');
const PROGRAM = join(ROOT, 'examples/summation/prebuilt/summation');
const DIGEST_BYTES = 32;

const digestOf = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

const directory = mkdtempSync(join(tmpdir(), 'ilp-gate-kept-'));
afterAll(() => rmSync(directory, { recursive: true }));

// The committed bundle keeps the code of the programs that it measures, for the next process.
describe.each([NODES[0], process.execPath])('code of measured programs, with %s', (node) => {
  const withNode = test.skipIf(!existsSync(node));

  function temporaryDirectory(name: string): string {
    const path = join(directory, `${name}-${[NODES[0], process.execPath].indexOf(node)}`);
    mkdirSync(path);
    return path;
  }

  const start = (temporary: string, n: number, more: readonly string[] = [], cli = CLI) => {
    const json = join(temporary, 'profile.json');
    const args = [cli, 'measure', '--json', json, ...more, '--', PROGRAM, 'Sum2', String(n), 'dU'];
    const { status, stdout, stderr } = spawnSync(node, args, {
      cwd: directory,
      encoding: 'utf8',
      env: { TMPDIR: temporary },
    });
    return { status, stdout, stderr, profile: readFileSync(json, 'utf8') };
  };

  /** The command's file and the program's are one. */
  const keptIn = (temporary: string): readonly string[] => {
    const own = join(temporary, `ilp-gate-${process.getuid?.()}`);
    const files = readdirSync(own)
      .filter((name) => name.startsWith('code-'))
      .map((name) => join(own, name));
    const byNumber = new Map(files.map((file) => [statSync(file).ino, file]));
    expect(files.length).toBeGreaterThan(byNumber.size);
    return [...byNumber.values()];
  };

  const regionsOf = (place: string) => {
    const file = readFileSync(place);
    return unpackCode(new Uint8Array(file).subarray(DIGEST_BYTES)).regions;
  };

  withNode('is named by the file that made it, as whoever loads that in another way finds it', () => {
    const temporary = temporaryDirectory('named');
    start(temporary, 300_000);
    const engine = readFileSync(join(ROOT, 'dist/engine.cjs'));
    const digest = digestOf(engine);
    // Code depends on the translator as well.
    expect(engine.includes(digestOf(readFileSync(join(ROOT, 'dist/translator.cjs'))))).toBe(true);
    const files = readdirSync(join(temporary, `ilp-gate-${process.getuid?.()}`));
    const parts = files.filter((name) => name.startsWith('engine.cjs-'));
    expect(parts.map((name) => name.split('-')[1])).toEqual([digest]);
  });

  withNode('needs neither translator nor decoder', () => {
    const temporary = temporaryDirectory('decoder');
    const withDecoder = start(temporary, 300_000);
    expect(start(temporary, 300_000)).toEqual(withDecoder);
    const copy = join(temporary, 'dist');
    cpSync(join(ROOT, 'dist'), copy, { recursive: true });
    copyFileSync(join(ROOT, 'package.json'), join(temporary, 'package.json'));
    for (const part of ['iced_x86_bg.wasm', 'translator.cjs']) {
      rmSync(join(copy, part));
      expect(start(temporary, 300_000, [], join(copy, 'cli.cjs'))).toEqual(withDecoder);
      expect(start(temporary, 300_001, [], join(copy, 'cli.cjs')).stderr).toContain(part);
    }
  });

  withNode('is kept for the translator as well, which is loaded when V8 has other flags already', () => {
    const temporary = temporaryDirectory('translator');
    const compiled = () => {
      const own = join(temporary, `ilp-gate-${process.getuid?.()}`);
      const parts = readdirSync(own).filter((name) => /^(engine|translator)\.cjs-/.test(name));
      return parts.map((name) => [name.split('-')[0], statSync(join(own, name)).ino]).sort();
    };
    start(temporary, 300_000);
    const first = compiled();
    expect(first.map(([part]) => part)).toEqual(['engine.cjs', 'translator.cjs']);
    // What V8 refused would be kept anew.
    start(temporary, 300_000, ['--isa', 'x86-64']);
    expect(compiled()).toEqual(expect.arrayContaining(first));
  });

  withNode('is kept optimised, used again, and changes nothing', () => {
    const temporary = temporaryDirectory('again');
    const first = start(temporary, 300_000);
    expect(first.status).toBe(0);
    const [place, ...others] = keptIn(temporary);
    expect(others).toEqual([]);
    expect(statSync(place).mode & 0o777).toBe(0o600);
    // With other arguments the program has another file, which begins with what is in this one.
    const longer = start(temporary, 3_000_000);
    const optimised = keptIn(temporary).filter((each) =>
      regionsOf(each).some(({ compiled }) => compiled.length > 0),
    );
    expect(optimised.length).toBeGreaterThan(0);
    const before = keptIn(temporary);
    expect(start(temporary, 3_000_000)).toEqual(longer);
    expect(start(temporary, 300_000)).toEqual(first);
    // What would be translated again would be news, and the files others.
    expect(keptIn(temporary).map((each) => statSync(each).ino)).toEqual(
      before.map((each) => statSync(each).ino),
    );
  });

  withNode('is made anew where the file is damaged', () => {
    const temporary = temporaryDirectory('damaged');
    const first = start(temporary, 300_000);
    const [place] = keptIn(temporary);
    const bytes = readFileSync(place);
    for (const damaged of [
      bytes.map((byte, i) => (i === bytes.length >> 1 ? byte ^ 1 : byte)),
      bytes.subarray(0, bytes.length / 2),
      bytes.subarray(0, 5),
      new Uint8Array(),
    ]) {
      writeFileSync(place, damaged);
      expect(start(temporary, 300_000)).toEqual(first);
      expect(regionsOf(place).length).toBeGreaterThan(0);
    }
  });

  withNode('is kept by the processes that measure for a gate, too, and by one that measures alone', () => {
    const temporary = temporaryDirectory('gate');
    const copy = join(temporary, 'dist');
    cpSync(join(ROOT, 'dist'), copy, { recursive: true });
    copyFileSync(join(ROOT, 'package.json'), join(temporary, 'package.json'));
    const targets = [1, 2].map((n) => `  - { name: sum${n}, command: ${PROGRAM} Sum2 ${n}00000 dU }`);
    writeFileSync(join(temporary, 'ilp-gate.yml'), ['targets:', ...targets, ''].join('\n'));
    const gate = (command: string, ...more: readonly string[]) => {
      const args = [join(copy, 'cli.cjs'), command, ...more];
      const env = { TMPDIR: temporary };
      const { status, stdout, stderr } = spawnSync(node, args, { cwd: temporary, encoding: 'utf8', env });
      return { status, stdout, stderr };
    };
    expect(gate('update')).toMatchObject({ status: 0 });
    for (const jobs of ['1', '2']) {
      const first = gate('check', '--jobs', jobs, '--format', 'json');
      expect(first).toMatchObject({ status: 0 });
      rmSync(join(copy, 'translator.cjs'));
      expect(gate('check', '--jobs', jobs, '--format', 'json')).toEqual(first);
      copyFileSync(join(ROOT, 'dist/translator.cjs'), join(copy, 'translator.cjs'));
    }
  });

  withNode('is apart for measurements that generate other code', () => {
    const temporary = temporaryDirectory('apart');
    for (const more of [[], ['--function', 'Sum2'], ['--isa', 'x86-64']]) start(temporary, 300_000, more);
    // With the function its chain was followed, too.
    expect(keptIn(temporary).length).toBe(3 + 1);
  });
});
