import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

/** The command line as a process of its own, around a measurement that is always the same. */
const SCRIPT = `
import { startCli } from ${JSON.stringify(new URL('start.ts', import.meta.url).pathname)};
import { quietly, serially } from ${JSON.stringify(new URL('../pipeline/quietly.ts', import.meta.url).pathname)};
const total = { instructions: 10, cycles: 5, ilp: 2 };
const environment = { tool: '1', rules: 1, isa: 'x86-64', program: { name: 'p', sha256: '', loaded: '' }, libraries: [], compilers: [] };
const measure = async ({ program, args, target }, sinks) => {
    for (let i = 0; i < Number(args[0] ?? 1); i += 1) sinks.stdout(Buffer.from('0123456789'.repeat(1000) + '\\n'));
    const named = target === undefined ? {} : { target };
    return {
      exit: { kind: 'exit', status: 0 },
      profile: { format: 'ilp-gate/profile', version: 1, ...named, command: [program], total, functions: [], calls: [], chains: [], environment },
      notes: [],
    };
};
startCli({ version: '0', measure: () => measure, measureAll: () => serially(quietly(measure)) });
`;

let directory: string;
beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), 'ilp-gate-cli-'));
  writeFileSync(join(directory, 'cli.ts'), SCRIPT);
  writeFileSync(
    join(directory, 'ilp-gate.yml'),
    'build: echo built; touch made\ntargets: [{ name: one, command: ./p }]\n',
  );
});
afterAll(() => rmSync(directory, { recursive: true, force: true }));

const NODE = ['--no-warnings', '--experimental-strip-types'];
const run = (...args: string[]) =>
  spawnSync(process.execPath, [...NODE, 'cli.ts', ...args], { cwd: directory, encoding: 'utf8' });

describe.skipIf(Number(process.versions.node.split('.')[0]) < 22)('the command line as a process', () => {
  it('builds with the shell, its output on stderr, and leaves stdout to the report', () => {
    const update = run('update');
    expect(update).toMatchObject({ status: 0, stderr: 'built\n' });
    expect(update.stdout).toContain('.ilp-gate/one.json  created');
    expect(run('check', '--format', 'json').stdout).toMatch(/^\{\n {2}"format": "ilp-gate\/verdict"/);
  });

  it('fails with the build, by the command it was', () => {
    writeFileSync(join(directory, 'broken.yml'), 'build: exit 7\ntargets: [{ name: one, command: ./p }]\n');
    expect(run('check', '--config', 'broken.yml')).toMatchObject({
      status: 2,
      stderr: expect.stringMatching(/^ilp-gate: the build command "exit 7" exited with status 7\n/),
    });
  });

  it('says so where the working directory has been removed', () => {
    const gone = mkdtempSync(join(directory, 'gone-'));
    const command = `rmdir ${gone}; exec ${process.execPath} ${NODE.join(' ')} ${join(directory, 'cli.ts')} measure -- ./p`;
    expect(spawnSync('sh', ['-c', command], { cwd: gone, encoding: 'utf8' })).toMatchObject({
      status: 125,
      stdout: '',
      stderr: expect.stringMatching(/^ilp-gate: The working directory has been removed/),
    });
  });

  it('does not mind a reader that goes away', async () => {
    const child = spawn(process.execPath, [...NODE, 'cli.ts', 'measure', '--', './p', '500'], {
      cwd: directory,
    });
    let stderr = '';
    child.stderr.on('data', (data) => {
      stderr += data;
    });
    child.stdout.once('data', () => child.stdout.destroy());
    const status = await new Promise((done) => child.on('close', done));
    expect(status).toBe(0);
    expect(stderr).toContain('whole run');
    expect(stderr).not.toContain('EPIPE');
  });

  it('writes no colour and no progress into a pipe', () => {
    expect(run('measure', '--', './p').stderr).not.toContain('\u001b');
  });
});
