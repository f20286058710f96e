import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { main } from '../../src/cli/main.ts';
import type { CliPorts } from '../../src/cli/ports.ts';
import { runBuild } from '../../src/host/build.ts';
import { codeFiles } from '../../src/host/code-files.ts';
import { files } from '../../src/host/files.ts';
import { readGrammar } from '../../src/host/grammars.ts';
import { readSource } from '../../src/host/sources.ts';
import { quietly, serially } from '../../src/pipeline/quietly.ts';
import { NO_PAINT } from '../../src/report/ports.ts';
import { measureHere } from '../../src/worker/engine.ts';
import { oracleMissing } from '../guest/builds.ts';
import { fuzz } from './fuzz.ts';

const SOURCE =
  'double s(double *a, int n) { double t = 0; for (int i = 0; i < n; i++) t += a[i]; return t; }\n';
/** Small enough to be run, with a loop that is bounded. */
const PROGRAM = `${SOURCE}double a[50]; int main(void) { return (int)s(a, 50); }\n`;

const CONFIG = 'targets:\n  - { name: one, command: ./program, functions: [s] }\n';

const COMMANDS = ['measure', 'check', 'update', 'diff', 'bounds', 'machines', 'chek', ''];
const OPTIONS = [
  ...[
    '--function',
    '--depth',
    '--chain',
    '--isa',
    '--children',
    '--machine',
    '--fuel',
    '--env',
    '--json',
    '--html',
  ],
  ...[
    '--config',
    '--target',
    '--jobs',
    '--format',
    '--output',
    '--blocks',
    '--unroll',
    '--counts',
    '--engine-stats',
  ],
  ...['--help', '--version', '-x', '--', '--depth=2', '--json=-', '--machine=zen4', '--no-such'],
];
const VALUES = [
  ...[
    'program',
    './program',
    'source.c',
    'object.o',
    'blocks.csv',
    'good.yml',

    'listing.s',
    'mine.json',
  ],
  ...[
    'missing',
    'folder',
    'folder/x.json',
    '.',
    '/',
    '',
    '-',
    'run',
    's',
    'main',
    'one',
    'two',
    'text',
    'markdown',
    'json',
    'html',
  ],
  ...[
    'skylake',
    'ksr1',
    'zen9',
    'x86-64-v3',
    'i486',
    'measure',
    'ignore',
    '0',
    '-1',
    '3',
    '1e9',
    '1e400',
    '9007199254740993',
    'NaN',
  ],
  ...['A=b', '=b', 'A', 'L1=4', 'L1=', '\u001b[31m', '\ud800', 'x'.repeat(5000), '__proto__', 'L\0'],
];

/** What a configuration says in one place, beside what is good. */
const ODD = [
  ...['"a\\0b"', '../../up', '"a/b"', '"."', '".."', '""', `"${'n'.repeat(300)}"`, '"\\e[31m"'].map(
    (name) => `target name: ${name}`,
  ),
  ...['"./program \\0"', '"\\0"', '[./program, "\\0"]', 'folder', '.', '""', '[""]', 'source.c'].map(
    (each) => `target command: ${each}`,
  ),
  ...['"\\0"', 'folder', 'missing', '/dev/null', '../..', '""'].map((each) => `target stdin: ${each}`),
  ...['{ "A\\0": b }', '{ A: "\\0" }', '{ "A=B": c }', '{ "": c }'].map((each) => `target env: ${each}`),
  ...['"b\\0"', '/proc/none', 'source.c', '""'].map((each) => `baseline: ${each}`),
  ...['"./m\\0.json"', 'folder/', './mine.json', './source.c.json', 'zen9'].map((each) => `machine: ${each}`),
  ...['"true \\0"', '"\\0"', '"kill -9 $$"', '"exit 7"', '""'].map((each) => `build: ${each}`),
];

function inTarget(line: string): Readonly<Record<string, string>> {
  const [, key, value] = /^target (\w+): (.*)$/.exec(line) ?? [];
  return key === undefined ? {} : { [key]: value };
}

/** Whatever is written there, it is no mistake of ours. */
describe.skipIf(oracleMissing('gcc'))('a command line', () => {
  const directory = mkdtempSync(join(tmpdir(), 'ilp-gate-command-line-'));
  afterAll(() => rmSync(directory, { recursive: true }));
  beforeAll(() => {
    const write = (name: string, text: string) => writeFileSync(join(directory, name), text);
    mkdirSync(join(directory, 'folder'));
    write('source.c', SOURCE);
    write('program.c', PROGRAM);
    write('good.yml', CONFIG);
    write('ilp-gate.yml', CONFIG);
    write('blocks.csv', '4801d8,100\n90\n');
    write('listing.s', '.L1: finop\n cxnop\n');
    write('mine.json', '{"format":"ilp-gate/machine"}');
    const compile = (...flags: string[]) => execFileSync('gcc', ['-O1', '-g', ...flags], { cwd: directory });
    compile('-nostartfiles', '-nostdlib', '-static', '-emain', '-o', 'program', 'program.c');
    compile('-c', '-o', 'object.o', 'source.c');
  });

  async function run(argv: readonly string[]): Promise<{ readonly status: number; readonly said: string }> {
    let said = '';
    const hear = (data: string | Uint8Array): void => {
      said += Buffer.from(data).toString();
    };
    const ports: CliPorts = {
      // It has no system call to exit with: the fuel ends it where it does not fault.
      measure: (options) => (request, sinks) =>
        measureHere(options)(
          { fuel: 20_000, ...request, writes: 'discard', stdin: { kind: 'empty' } },
          sinks,
        ),
      measureAll: () => serially(quietly(measureHere())),
      files,
      code: codeFiles,
      build: runBuild,
      atMergeBase: (where, work) => work(where),
      readGrammar,
      readSource,
      terminal: {
        stdout: hear,
        stderr: hear,
        stdoutPaint: NO_PAINT,
        stderrPaint: NO_PAINT,
        watched: false,
        width: 80,
      },
      workingDirectory: directory,
      version: '1.2.3',
    };
    return { status: await main(argv, ports), said };
  }

  const word = fc.oneof(fc.constantFrom(...OPTIONS), fc.constantFrom(...VALUES), fc.string({ maxLength: 6 }));
  const pair = fc.tuple(fc.constantFrom(...OPTIONS), fc.constantFrom(...VALUES));
  const line = fc
    .tuple(
      fc.constantFrom(...COMMANDS),
      fc.array(
        fc.oneof(
          pair,
          word.map((each) => [each]),
        ),
        { maxLength: 4 },
      ),
    )
    .map(([command, words]) => [command, ...words.flat()])
    // Files are written there only; perf and this machine's counters are not asked for.
    .filter((words) => !words.some((each) => each.startsWith('/') && each.length > 1));

  it.each(ODD)('with a configuration that says %s is done or refused, in words', async (line) => {
    const target = { name: '"one"', command: './program', stdin: 'source.c', ...inTarget(line) };
    const top = line.startsWith('target ') ? '' : line;
    const text = Object.entries(target).map(([key, value]) => `${key}: ${value}`);
    writeFileSync(join(directory, 'one.yml'), `targets: [{ ${text.join(', ')} }]\n${top}\n`);
    for (const command of ['update', 'check']) {
      const { said } = await run([command, '--config', 'one.yml']);
      expect(said).not.toMatch(/mistake in ilp-gate/);
      expect(said).not.toBe('');
    }
  });

  it('is done or refused with a message and a status', async () => {
    const statuses = new Set<number>();
    await fuzz(line, 150, async (argv) => {
      const { status, said } = await run(argv);
      if (/mistake in ilp-gate|at .*\.ts:\d+/.test(said)) throw new Error(said);
      if (!Number.isInteger(status) || status < 0 || status > 255) throw new Error(`status ${status}`);
      if (status !== 0 && said === '') throw new Error(`status ${status} without a word`);
      statuses.add(status);
    });
    expect([...statuses]).toEqual(expect.arrayContaining([0, 2, 125]));
    expect(readdirSync(join(directory, '..')).filter((name) => name === 'up.json')).toEqual([]);
  });
});
