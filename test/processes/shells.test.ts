import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Failure } from '../../src/base/failure.ts';
import { measureWith } from '../../src/pipeline/measure.ts';
import { oracleMissing } from '../guest/builds.ts';
import { testMeasuring } from '../guest/measuring.ts';
import { requestOf } from '../guest/request.ts';

const measure = measureWith(testMeasuring());
const ENVIRONMENT = { PATH: '/usr/bin:/bin', LC_ALL: 'C' };

/** Runs a command in the emulator; its changes to files are discarded. */
async function emulated(directory: string, [program, ...args]: readonly string[], fuel?: number) {
  const written: Record<'stdout' | 'stderr', string> = { stdout: '', stderr: '' };
  const { exit, profile } = await measure(
    requestOf(program, directory, {
      args,
      env: ENVIRONMENT,
      depth: 0,
      measuresChildren: true,
      ...(fuel !== undefined && { fuel }),
    }),
    {
      stdout: (bytes) => {
        written.stdout += Buffer.from(bytes).toString('latin1');
      },
      stderr: (bytes) => {
        written.stderr += Buffer.from(bytes).toString('latin1');
      },
    },
  );
  return { ...written, status: exit.kind === 'exit' ? exit.status : -1, profile };
}

function native(directory: string, [program, ...args]: readonly string[]) {
  const { status, stdout, stderr } = spawnSync(program, args, {
    cwd: directory,
    env: ENVIRONMENT,
    encoding: 'latin1',
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  return { stdout, stderr, status };
}

const FULL = process.env.FULL === '1';

const SCRIPTS = [
  'yes | head -500 | sort | uniq -c; x=$(echo inner | tr a-z A-Z); echo "<$x>"; (exit 3); echo $?; echo a >&2',
  '(sleep 2; echo later) & for i in 1 2 3; do expr $i \\* $i; done | paste -s -d +; wait; false || echo failed',
  ...(FULL
    ? [
        'seq 1 3000 | sed s/1/one/ | grep one | tail -2 | tr a-z A-Z',
        'cat <<\'end\' | while read line; do echo "$line!"; done\na\nb\nend',
        'trap "echo bye" EXIT; trap "echo caught" USR1; kill -USR1 $$; sh -c "kill -9 \\$\\$"; echo $?; exit 5',
      ]
    : []),
];

describe.skipIf(oracleMissing('dash', 'bash', 'make', 'gcc'))('shells, and what they start', () => {
  let directory = '';
  beforeAll(() => {
    directory = mkdtempSync(join(tmpdir(), 'shells-'));
  });
  afterAll(() => rmSync(directory, { recursive: true }));

  test.skipIf(oracleMissing('git'))('who looks above the working directory by its name', async () => {
    const below = join(directory, 'repository', 'below');
    mkdirSync(below, { recursive: true });
    writeFileSync(join(below, '..', 'beside.txt'), 'found');
    native(join(below, '..'), ['git', 'init', '--quiet']);
    native(join(below, '..'), ['git', 'add', 'beside.txt']);
    for (const command of [
      ['git', 'ls-files', '--full-name', '..'],
      ['bash', '-c', 'cat "$(realpath ../beside.txt)"; cd ..; ls'],
    ]) {
      const { stdout, stderr, status } = await emulated(below, command);
      expect({ stdout, stderr, status }).toEqual(native(below, command));
    }
  });

  test.each(SCRIPTS)('dash and bash: %s', { timeout: 60_000 }, async (script) => {
    for (const shell of ['dash', 'bash']) {
      const command = [shell, '-c', script];
      const { profile, ...ours } = await emulated(directory, command);
      expect([shell, ours]).toEqual([shell, native(directory, command)]);
      expect(profile?.processes?.length ?? 1).toBeGreaterThan(0);
    }
  });

  test('make has gcc compile and link, and runs the result; a script can be the program', {
    timeout: 120_000,
  }, async () => {
    writeFileSync(join(directory, 'hello.c'), '#include <stdio.h>\nint main(void) { puts("built"); }\n');
    writeFileSync(
      join(directory, 'Makefile'),
      'run: hello\n\t@./hello | cat\nhello: hello.o\n\tgcc -o $@ $<\nhello.o: hello.c\n\tgcc -O2 -c $<\n',
    );
    writeFileSync(join(directory, 'go'), '#!/bin/sh -e\nmake "$@"\n', { mode: 0o755 });
    const ours = await emulated(directory, ['./go', '--no-print-directory']);
    expect([ours.status, ours.stderr, ours.stdout]).toEqual([
      0,
      '',
      'gcc -O2 -c hello.c\ngcc -o hello hello.o\nbuilt\n',
    ]);
    const programs = ours.profile!.processes!.map(({ program }) => program);
    for (const name of ['cc1', 'as', 'ld', 'hello', 'make', 'cat']) expect(programs).toContain(name);
    const { total, processes, environment } = ours.profile!;
    expect(total.instructions).toBe(processes!.reduce((sum, { instructions }) => sum + instructions, 0));
    expect(total.cycles).toBe(Math.max(...processes!.map(({ cycles }) => cycles)));
    expect(environment.children).toBe('measure');
    expect(environment.others!.map(({ name }) => name)).toContain('cc1');
  });

  test.skipIf(!FULL)('a fork bomb ends with a message', { timeout: 60_000 }, async () => {
    const bomb = emulated(directory, ['bash', '-c', 'f() { f | f & }; f; wait']);
    await expect(bomb).rejects.toThrow(/more than 64 processes at a time, which is not supported/);
  });

  test('fuel is that of all processes together', { timeout: 60_000 }, async () => {
    const loop = emulated(directory, ['dash', '-c', 'while :; do (:); done'], 3_000_000);
    await expect(loop).rejects.toMatchObject({ code: 'fuel-spent' });
    await expect(loop).rejects.toBeInstanceOf(Failure);
  });
});
