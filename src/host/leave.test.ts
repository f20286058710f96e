import { spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const BYTES = 3_000_000;
const SCRIPT = `
import { writeSync } from 'node:fs';
const { execve } = process;
process.execve = function (file, args, env) {
  writeSync(2, 'becomes ' + args.join(' '));
  execve.call(process, file, args, env);
};
const { leaveAtOnce } = await import(${JSON.stringify(new URL('leave.ts', import.meta.url).pathname)});
process.stdout.write('x'.repeat(${BYTES}));
process.exitCode = 3;
leaveAtOnce();
`;

let directory: string;
beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), 'ilp-gate-leave-'));
  writeFileSync(join(directory, 'script.mts'), SCRIPT);
});
afterAll(() => rmSync(directory, { recursive: true, force: true }));

/** What it ends with; its output is read after a while only. */
async function run(...options: string[]): Promise<{ status: unknown; bytes: number; stderr: string }> {
  const { NODE_OPTIONS, NODE_V8_COVERAGE, ...env } = process.env;
  const child = spawn(process.execPath, [...options, 'script.mts'], { cwd: directory, env });
  let bytes = 0;
  let stderr = '';
  child.stderr.on('data', (data) => {
    stderr += data;
  });
  setTimeout(() => child.stdout.on('data', (data) => (bytes += data.length)), 300);
  const status = await new Promise((done) => child.on('close', done));
  return { status, bytes, stderr };
}

describe.skipIf(!('execve' in process))('a process that leaves at once', () => {
  it('ends with its status, when all is written', async () => {
    expect(await run()).toEqual({ status: 3, bytes: BYTES, stderr: 'becomes /bin/sh -c exit 3' });
  });

  it('ends as others do where it is to tell about itself', async () => {
    expect(await run('--cpu-prof')).toEqual({ status: 3, bytes: BYTES, stderr: '' });
    expect(readdirSync(directory).filter((name) => name.endsWith('.cpuprofile'))).toHaveLength(1);
  });
});
