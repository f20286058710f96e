import { execFileSync, spawnSync } from 'node:child_process';
import { constants } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { FULL_STACK, GIVEN_ENVIRONMENT } from '../../src/report/remedies.ts';
import { oracleMissing } from '../guest/builds.ts';
import { CommandLine } from './command.ts';

const SOURCE = fileURLToPath(new URL('./crash.c', import.meta.url));

/** Which the host's processor and kernel decide. */
const DEATHS = [
  'null read',
  'null write',
  'write to constant',
  'jump to 0',
  'jump to data',
  'high address',
  'impossible address',
  'stack overflow',
  'abort',
  'division by zero',
  'quotient too large',
  'ud2',
  'int3',
  'hlt',
  'raise',
  'killed',
  'broken pipe',
] as const;

/** What the kernel refuses, or what works, is no death. */
const LIVES = ['unknown system call', 'fork'] as const;

const REFUSALS = {
  'vector instruction': [
    [],
    /^ilp-gate: the program uses an instruction that is not supported: vaddpd \(.*62 f1 f5 48 58 d0\), which needs AVX-512F; build with -mno-avx512f or -march=x86-64-v3\n {2}Report/,
  ],
  'no end': [
    ['--fuel', '100000'],
    /^ilp-gate: the program executed 1000\d\d instructions .* limit is 100000\n {2}If/,
  ],
} as const;

/** What is said behind the signal. */
const reasonOf = (way: string): string =>
  way === 'stack overflow'
    ? `, its stack of 8 MiB being full; no profile is written\n  ${FULL_STACK}\n`
    : `; no profile is written\n  ${GIVEN_ENVIRONMENT}\n`;

describe.skipIf(oracleMissing('gcc'))('a program that does not end well', () => {
  let command: CommandLine;
  let program: string;
  beforeAll(() => {
    command = new CommandLine();
    program = join(command.directory, 'crash');
    execFileSync('gcc', ['-std=gnu11', '-O0', '-w', '-static', '-o', program, SOURCE], { stdio: 'ignore' });
  });
  afterAll(() => command.remove());

  it.each(DEATHS)('%s is the signal that it is on the processor, after the same output', (way) => {
    const native = spawnSync(program, [way], { encoding: 'utf8' });
    const signal = native.signal!;
    expect(command.measure([], './crash', way)).toEqual({
      status: 128 + constants.signals[signal],
      stdout: native.stdout,
      stderr: `ilp-gate: ./crash died by signal ${constants.signals[signal]} (${signal})${reasonOf(way)}`,
      isUntouched: true,
      left: [],
    });
  });

  it.each(LIVES)('%s ends with the status that it has on the processor', (way) => {
    const { status, stdout } = spawnSync(program, [way], { encoding: 'utf8' });
    expect(command.measure([], './crash', way)).toMatchObject({
      status,
      stdout,
      isUntouched: false,
      left: [],
    });
  });

  it.each(Object.entries(REFUSALS))(
    '%s ends the run with status 126 and a message',
    (way, [options, message]) => {
      expect(command.measure(options, './crash', way)).toEqual({
        status: 126,
        stdout: 'before\n',
        stderr: expect.stringMatching(message),
        isUntouched: true,
        left: [],
      });
    },
  );
});
