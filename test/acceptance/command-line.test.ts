import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { EXAMPLE } from '../summation/program.ts';
import { Product } from './example.ts';

// The bundled command line as a process of its own, on the example's prebuilt program: no compiler is needed.
const PROGRAM = join(EXAMPLE, 'prebuilt/summation');
const SUM = [PROGRAM, 'Sum', '1000', 'dU'];

let product: Product;
let directory: string;
beforeAll(() => {
  product = new Product();
});
afterAll(() => product?.remove());
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'ilp-gate-cli-'));
  return () => rmSync(directory, { recursive: true });
});
const run = (...args: readonly string[]) => product.run(directory, ...args);

test('measure hands on output and exit status, and keeps its own words to stderr, without control characters', () => {
  const { status, stdout, stderr } = run('measure', '--', ...SUM);
  expect(status).toBe(0);
  expect(stdout).toMatch(/^-?0x1\.[0-9a-f]+p[+-]\d+\n$/);
  expect(stderr).toContain('whole run');
  expect(stdout + stderr).not.toMatch(/[^\P{Cc}\n]/u);
  expect(run('measure', '--', PROGRAM, 'NoSuch', '1', 'dU')).toMatchObject({ status: 2, stdout: '' });
});

test('with --json - stdout holds the profile and nothing else', () => {
  const { status, stdout, stderr } = run('measure', '--json', '-', '--', ...SUM);
  expect(status).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({ format: 'ilp-gate/profile', command: SUM });
  expect(stderr).toMatch(/^-?0x1\./);
});

test('a run that did not end writes no profile', () => {
  const { status, stderr } = run('measure', '--fuel', '1000', '--json', 'p.json', '--', ...SUM);
  expect({ status, files: readdirSync(directory) }).toEqual({ status: 126, files: [] });
  expect(stderr).toMatch(/the limit is 1,?000\n {2}If it should run that long, raise "fuel"/);
});

test.each([
  [125, ['measure'], 'measure needs a program after "--"'],
  [125, ['measure', '--depth', 'x', '--', PROGRAM], 'It must be a whole number, at least -1.'],
  [126, ['measure', '--', './absent'], 'Build it first, or correct the path.'],
  [2, ['check'], 'Write an ilp-gate.yml'],
  [2, ['check', '--format', 'pdf'], 'Allowed choices are text, markdown, json'],
  [2, ['diff', 'a.json', 'b.json'], 'there is no file a.json'],
] as const)('exit status %i for %j, with what to do', (status, args, words) => {
  const result = run(...args);
  expect(result).toMatchObject({ status, stdout: '' });
  expect(result.stderr).toContain(words);
});

test.each([
  [2, `${PROGRAM} Sum 1000 dU`, 'there is no baseline .ilp-gate/one.json\n  Run "ilp-gate update"'],
  [2, 'oops: [', 'ilp-gate.yml:3:'],
] as const)('check ends with %i for the command %j', (status, command, words) => {
  writeFileSync(join(directory, 'ilp-gate.yml'), `targets:\n  - name: one\n    command: ${command}\n`);
  const result = run('check');
  expect(result.status).toBe(status);
  expect(result.stdout + result.stderr).toContain(words);
});

test('update ends with 3 when a program fails, and leaves the other baselines unwritten', () => {
  const target = (name: string, args: string) => `  - { name: ${name}, command: ${PROGRAM} ${args} }\n`;
  const targets = target('good', 'Sum 10 dU') + target('bad', 'NoSuch 10 dU');
  writeFileSync(join(directory, 'ilp-gate.yml'), `targets:\n${targets}`);
  const { status, stderr } = run('update');
  expect(status).toBe(3);
  expect(stderr).toMatch(
    /^ilp-gate: bad: .* exited with status 2, expected 0\n {2}\| summation: no such algorithm/,
  );
  expect(readdirSync(directory)).toEqual(['ilp-gate.yml']);
});

test('a limit on virtual memory is named as what is in the way', () => {
  const command = [process.execPath, join(product.directory, 'cli.cjs'), 'measure', '--', ...SUM];
  const { status, stderr } = spawnSync('/bin/sh', ['-c', 'ulimit -v 4000000; exec "$@"', 'sh', ...command], {
    encoding: 'utf8',
  });
  expect({ status, stderr }).toEqual({
    status: 125,
    stderr:
      'ilp-gate: the 4 GiB of address space that a measurement reserves are not to be had\n' +
      '  Raise the limit on virtual memory ("ulimit -v"): only what the program touches takes memory.\n',
  });
});

test('an interrupted update leaves no file behind', async () => {
  const long = `${PROGRAM} AccSum 1000000 dC`;
  writeFileSync(
    join(directory, 'ilp-gate.yml'),
    `build: touch started\ntargets:\n  - { name: one, command: ${long} }\n`,
  );
  const child = spawn(process.execPath, [join(product.directory, 'cli.cjs'), 'update'], { cwd: directory });
  const ended = new Promise((done) => child.on('close', (_status, signal) => done(signal)));
  while (!existsSync(join(directory, 'started'))) await new Promise((later) => setTimeout(later, 20));
  await new Promise((later) => setTimeout(later, 200));
  child.kill('SIGINT');
  expect(await ended).toBe('SIGINT');
  expect(readdirSync(directory).sort()).toEqual(['ilp-gate.yml', 'started']);
});
