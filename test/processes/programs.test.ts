import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { oracleMissing } from '../guest/builds.ts';
import { emulate } from '../guest/emulate.ts';

const SOURCES = fileURLToPath(new URL('programs/', import.meta.url));
const NAMES = readdirSync(SOURCES)
  .filter((file) => file.endsWith('.c'))
  .map((file) => file.slice(0, -2));

/** KiB that `ulimit -s` could be. */
const mostStack = (): number =>
  Number(
    execFileSync('/bin/sh', ['-c', 'ulimit -H -s'], { encoding: 'latin1' }).replace('unlimited', 'Infinity'),
  );

/** Each says what fork, execve, wait and their kin do, at points where only one process can say something. */
describe.skipIf(oracleMissing('gcc'))('several processes do what they do on this machine', () => {
  let directory = '';
  beforeAll(() => {
    directory = mkdtempSync(join(tmpdir(), 'processes-'));
  });
  afterAll(() => rmSync(directory, { recursive: true }));

  for (const [linking, names] of [
    ['dynamic', NAMES],
    // FULL=1 takes all.
    ['static', process.env.FULL === '1' ? NAMES : ['waits', 'spawns']],
  ] as const)
    test.for(names)(`%s, ${linking}`, { timeout: 60_000 }, async (name, { skip }) => {
      skip(name === 'stacks' && mostStack() < 64 * 1024, 'the stack of this process has a lower limit');
      const program = join(directory, `${name}-${linking}`);
      const flags = linking === 'static' ? ['-static'] : [];
      execFileSync('gcc', ['-std=gnu11', '-O1', '-w', ...flags, '-o', program, join(SOURCES, `${name}.c`)]);
      const native = spawnSync(program, { env: { PATH: '/usr/bin:/bin', LC_ALL: 'C' }, cwd: directory });
      const { exit, stdout, stderr } = await emulate({
        program,
        args: [],
        env: { PATH: '/usr/bin:/bin' },
        directory,
      });
      expect({ exit, stderr, stdout }).toEqual({
        exit: `exit ${native.status}`,
        stderr: native.stderr.toString('latin1'),
        stdout: native.stdout.toString('latin1'),
      });
    });
});
