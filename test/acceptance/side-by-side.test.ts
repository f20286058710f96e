import { execFileSync, spawn } from 'node:child_process';
import { copyFileSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { oracleMissing } from '../guest/builds.ts';
import { Product } from './example.ts';

// Targets that are measured at the same time give what they give one after another, however they end and whenever.
const SOURCE = fileURLToPath(new URL('./side-by-side.c', import.meta.url));
const BUILD = 'cc -g -O1 -static -o program program.c';

const TARGETS = {
  long: '{ command: ./program count 400000, functions: [chain] }',
  short: '{ command: ./program count 10 }',
  input: '{ command: ./program read, stdin: input.txt }',
  status: '{ command: ./program exit 3, expect-exit: 3 }',
  wrong: '{ command: ./program exit 4 }',
  crash: '{ command: ./program crash }',
  forever: '{ command: ./program forever }',
  middle: '{ command: ./program count 50000 }',
};
type Name = keyof typeof TARGETS;
const SOUND: readonly Name[] = ['long', 'short', 'input', 'status', 'middle'];
const ALL = Object.keys(TARGETS) as Name[];
/** What takes long comes first or last, and what fails among the others. */
const ORDERS: readonly { readonly order: readonly Name[]; readonly parallel: readonly number[] }[] = [
  { order: ALL, parallel: [3] },
  { order: ['forever', 'wrong', 'short', 'crash', 'long'], parallel: [2, 2, 5] },
];

describe.skipIf(oracleMissing('gcc', 'cc'))('targets side by side', () => {
  let product: Product;
  let directory: string;
  const inDirectory = (name: string): string => join(directory, name);
  const git = (...args: readonly string[]) => execFileSync('git', args, { cwd: directory, stdio: 'pipe' });

  function configure(names: readonly Name[], more = ''): void {
    const targets = names.map((name) => `  - ${TARGETS[name].replace('{', `{ name: ${name},`)}\n`);
    writeFileSync(
      inDirectory('ilp-gate.yml'),
      `build: ${BUILD}\nfuel: 5000000\n${more}targets:\n${targets.join('')}`,
    );
  }

  beforeAll(() => {
    product = new Product();
    directory = mkdtempSync(join(tmpdir(), 'ilp-gate-side-by-side-'));
    copyFileSync(SOURCE, inDirectory('program.c'));
    writeFileSync(inDirectory('input.txt'), 'some text\n'.repeat(1000));
    writeFileSync(inDirectory('.gitignore'), 'program\n');
    configure(SOUND);
    expect(product.run(directory, 'update')).toMatchObject({ status: 0 });
    // Those that fail have a baseline, too: without one they would not be run.
    for (const name of ALL)
      if (!SOUND.includes(name))
        copyFileSync(inDirectory('.ilp-gate/short.json'), inDirectory(`.ilp-gate/${name}.json`));
    git('init', '-q', '-b', 'main');
    git('add', '--all');
    git('-c', 'user.name=A', '-c', 'user.email=a@example.org', 'commit', '-q', '-m', 'All');
    const source = readFileSync(SOURCE, 'utf8');
    writeFileSync(inDirectory('program.c'), `#define LONGER\n${source}`);
  });
  afterAll(() => {
    product?.remove();
    if (directory !== undefined) rmSync(directory, { recursive: true });
  });

  test.each(ORDERS)('give the same report as one after another: $order', ({ order, parallel }) => {
    configure(order);
    const check = (jobs: number, format: string) =>
      product.run(directory, 'check', '--format', format, '--jobs', String(jobs));
    const alone = check(1, 'json');
    const report = JSON.parse(alone.stdout);
    expect(report.targets.map(({ target }: { target: string }) => target)).toEqual(order);
    expect(outcomes(report)).toMatchObject({
      long: 'regression',
      wrong: 'guest-exit',
      crash: 'guest-signal',
      forever: 'fuel-spent',
    });
    expect(alone.status).toBe(3);
    for (const jobs of parallel) expect(check(jobs, 'json')).toEqual(alone);
  });

  test.each(['text', 'markdown'])('give the same report as %s', (format) => {
    configure(['wrong', 'middle']);
    const check = (jobs: string) => product.run(directory, 'check', '--format', format, '--jobs', jobs);
    const alone = check('1');
    expect(alone.stdout).toContain('the longest dependence chain of');
    expect(check('3')).toEqual(alone);
  });

  test('give the same report beside their own merge base', () => {
    configure(['crash', 'long'], 'base: merge-base\n');
    git('update-ref', 'refs/remotes/origin/main', 'HEAD');
    const alone = product.run(directory, 'check', '--format', 'json', '--jobs', '1');
    const report = JSON.parse(alone.stdout);
    expect(outcomes(report)).toEqual({ crash: 'guest-signal', long: 'regression' });
    // Both sides have the chain of the run and of the function.
    const { chains } = report.targets[1];
    expect(chains.slice(0, 2)).toMatchObject([
      { base: { length: expect.any(Number) } },
      { function: 'chain', base: { length: expect.any(Number) } },
    ]);
    expect(product.run(directory, 'check', '--format', 'json', '--jobs', '3')).toEqual(alone);
  });

  test('write the same baselines', () => {
    const baselines = (jobs: number): Record<string, string> => {
      configure(SOUND, `baseline: jobs-${jobs}\n`);
      expect(product.run(directory, 'update', '--jobs', String(jobs))).toMatchObject({ status: 0 });
      return Object.fromEntries(
        SOUND.map((name) => [name, readFileSync(inDirectory(`jobs-${jobs}/${name}.json`), 'utf8')]),
      );
    };
    const alone = baselines(1);
    expect(JSON.parse(alone.long).chains.map((each: { function?: string }) => each.function)).toEqual([
      undefined,
      'chain',
    ]);
    expect(baselines(3)).toEqual(alone);
  });

  test('write no baseline where one fails, and name the first that did', () => {
    configure(['long', 'forever', 'wrong'], 'baseline: none\n');
    const alone = product.run(directory, 'update', '--jobs', '1');
    expect(alone).toMatchObject({ status: 3, stdout: '' });
    expect(alone.stderr).toMatch(/^ilp-gate: forever: the program executed \d+ instructions/m);
    expect(product.run(directory, 'update', '--jobs', '3')).toEqual(alone);
    expect(existsSync(inDirectory('none'))).toBe(false);
  });

  test('end with the process that started them, even when that is killed', async () => {
    writeFileSync(
      inDirectory('ilp-gate.yml'),
      'targets: [{ name: a, command: ./program forever }, { name: b, command: ./program forever }]\n',
    );
    for (const name of ['a', 'b'])
      copyFileSync(inDirectory('.ilp-gate/short.json'), inDirectory(`.ilp-gate/${name}.json`));
    const args = [join(product.directory, 'cli.cjs'), 'check', '--jobs', '2'];
    const parent = spawn(process.execPath, args, { cwd: directory, stdio: 'ignore' });
    let children: readonly number[] = [];
    onTestFinished(() => {
      for (const pid of [parent.pid!, ...children]) if (isRunning(pid)) process.kill(pid, 'SIGKILL');
    });
    children = await until(() => {
      const found = childrenOf(parent.pid!);
      return found.length === 2 ? found : undefined;
    });
    // Far beyond its start: it is in a run that never lets it hear of its parent.
    await until(() => children.every((child) => processorTicks(child) > 150) || undefined);
    parent.kill('SIGKILL');
    await until(() => children.every((child) => !isRunning(child)) || undefined);
  });
});

function outcomes(report: {
  targets: { target: string; outcome: string; failure?: { code: string } }[];
}): Record<string, string> {
  return Object.fromEntries(
    report.targets.map(({ target, outcome, failure }) => [target, failure?.code ?? outcome]),
  );
}

function childrenOf(pid: number): number[] {
  const list = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8');
  return list.split(' ').filter(Boolean).map(Number);
}

/** Time that the process spent, in hundredths of a second (proc(5): utime and stime). */
function processorTicks(pid: number): number {
  const [user, system] = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]!.split(' ').slice(11, 13);
  return Number(user) + Number(system);
}

/** Not gone, nor waiting for whoever inherited it to take note of its end. */
function isRunning(pid: number): boolean {
  const status = `/proc/${pid}/stat`;
  return existsSync(status) && !/\) [ZX] /.test(readFileSync(status, 'utf8'));
}

async function until<T>(found: () => T | undefined): Promise<T> {
  for (;;) {
    const result = found();
    if (result !== undefined) return result;
    await new Promise((later) => setTimeout(later, 20));
  }
}
