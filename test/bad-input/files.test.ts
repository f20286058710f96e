import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { oracleMissing } from '../guest/builds.ts';
import { CommandLine } from './command.ts';

const SOURCE = fileURLToPath(new URL('./crash.c', import.meta.url));

/** Offsets of the ELF header (gABI). */
const CLASS = 4;
const ENCODING = 5;
const TYPE = 16;
const MACHINE = 18;

interface BadFile {
  readonly make: (files: { readonly good: Buffer; readonly dynamic: Buffer }) => Uint8Array | string;
  readonly mode?: number;
  readonly message: RegExp;
}

const patched = (
  bytes: Buffer,
  ...changes: readonly (readonly [offset: number, value: number])[]
): Buffer => {
  const copy = Buffer.from(bytes);
  for (const [offset, value] of changes) copy[offset] = value;
  return copy;
};

const FILES: Readonly<Record<string, BadFile>> = {
  empty: { make: () => '', message: /is empty/ },
  text: { make: () => 'hello\n', message: /is not an ELF file: it starts with the text "hello\\n"/ },
  'a script for nobody': {
    make: () => '#!/no/such\nexit 0\n',
    message: /cannot be run: it is a script, and what its first line names cannot be executed/,
  },
  'for 32-bit': {
    make: ({ good }) => patched(good, [CLASS, 1], [MACHINE, 3]),
    message: /32-bit/,
  },
  'for another machine': {
    make: ({ good }) => patched(good, [MACHINE, 0xb7]),
    message: /is a program for 64-bit Arm \(AArch64\), not x86-64/,
  },
  'big-endian': { make: ({ good }) => patched(good, [ENCODING, 2]), message: /big-endian/ },
  'an object file': { make: ({ good }) => patched(good, [TYPE, 1]), message: /object file .*link it first/ },
  'a core dump': { make: ({ good }) => patched(good, [TYPE, 4]), message: /core/ },
  'without its dynamic linker': {
    make: ({ dynamic }) => dynamic.toString('latin1').replace('ld-linux-x86-64.so.2', 'ld-linux-x86-64.so.9'),
    message: /needs the dynamic linker \/lib64\/ld-linux-x86-64.so.9, which is not there/,
  },
  'not executable': { make: ({ good }) => good, mode: 0o644, message: /is not executable/ },
  ...Object.fromEntries(
    [1, 3, 20, 63, 64, 200, 1000, 10_000, 100_000].map((length) => [
      `cut after ${length} bytes`,
      {
        make: ({ good }: { readonly good: Buffer }) => good.subarray(0, length),
        message: length < 4 ? /is not an ELF file/ : /is truncated: .* but the file ends at 0x/,
      },
    ]),
  ),
};

describe.skipIf(oracleMissing('gcc'))('a file that is not a program for us', () => {
  let command: CommandLine;
  let good: Buffer;
  let dynamic: Buffer;
  const compiled = (...flags: readonly string[]): Buffer => {
    const output = join(command.directory, 'good');
    execFileSync('gcc', ['-std=gnu11', '-O0', '-w', ...flags, '-o', output, SOURCE], { stdio: 'ignore' });
    return readFileSync(output);
  };
  beforeAll(() => {
    command = new CommandLine();
    good = compiled('-static');
    dynamic = compiled();
  });
  afterAll(() => command.remove());

  it.each(Object.entries(FILES))('%s is said so, with status 126', (_, { make, mode = 0o755, message }) => {
    const path = join(command.directory, 'bad');
    const bytes = make({ good, dynamic });
    writeFileSync(path, typeof bytes === 'string' ? Buffer.from(bytes, 'latin1') : bytes);
    chmodSync(path, mode);
    expect(command.measure([], './bad')).toEqual({
      status: 126,
      stdout: '',
      stderr: expect.stringMatching(new RegExp(`^ilp-gate: .*\\./bad .*${message.source}`)),
      isUntouched: true,
      left: [],
    });
  });

  it('a directory, a missing file and a name that is nowhere on PATH are said so, with status 126', () => {
    mkdirSync(join(command.directory, 'folder'));
    const outcome = (...words: readonly string[]) => command.measure([], ...words);
    expect(outcome('./folder')).toMatchObject({
      status: 126,
      stderr: expect.stringMatching(/is a directory/),
    });
    expect(outcome('./missing')).toMatchObject({
      status: 126,
      stderr: expect.stringMatching(/no program \.\/missing/),
    });
    expect(outcome('no-such-name')).toMatchObject({
      status: 126,
      stderr: expect.stringMatching(/on PATH \(\/usr/),
    });
    expect(command.measure([])).toMatchObject({
      status: 125,
      stderr: expect.stringMatching(/needs a program/),
    });
  });

  it('a profile that cannot be written is said so, with status 125, after what the program printed', () => {
    writeFileSync(join(command.directory, 'good'), good, { mode: 0o755 });
    expect(command.measure(['--json', 'bad/profile.json'], './good', 'well')).toMatchObject({
      status: 125,
      stdout: 'before\n',
      stderr: expect.stringMatching(
        /ilp-gate: cannot write .*bad\/profile\.json: a part of the path is not a directory/,
      ),
      isUntouched: true,
      left: [],
    });
  });
});
