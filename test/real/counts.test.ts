import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { oracleMissing } from '../guest/builds.ts';
import { LIBRARIES } from '../guest/counts.ts';
import { emulate } from '../guest/emulate.ts';
import { Stepper } from '../guest/stepper.ts';
import { text } from './inputs.ts';

/**
 * Those that look at nothing but their input. The others do: sed's libselinux reads /proc/filesystems, gawk and sqlite3
 * take the time, Lua seeds its hashes with addresses, zstd counts processors in /proc/cpuinfo, git asks each directory above its own.
 */
const COMMANDS: readonly (readonly [program: string, ...args: string[]])[] = [
  ['/usr/bin/sha256sum', 'input'],
  // Left alone, it sizes its buffer by the machine's free memory.
  ['/usr/bin/sort', '-S', '1M', 'input'],
];
/** The same of more, a million or two of instructions each: on demand, for every step takes 4 to 30 microseconds. */
const MORE: typeof COMMANDS = [
  ['/usr/bin/mawk', '{ count[$1] += NF } END { for (word in count) print word, count[word] }', 'input'],
  ['/usr/bin/bc', '-lq', 'sums'],
  ['/bin/busybox', 'md5sum', 'input'],
  ['/bin/busybox', 'awk', '{ count[$1] += NF } END { for (word in count) print word, count[word] }', 'input'],
  ['/usr/bin/wc', 'input'],
  ['/usr/bin/od', '-A', 'x', '-t', 'x1z', 'input'],
  ['/usr/bin/gzip', '-nc', 'input'],
  ['/usr/bin/bzip2', '-c', 'input'],
  ['/usr/bin/xz', '-T1', '-0', '-c', 'input'],
  ['/usr/bin/lz4', '-q', '-c', 'input'],
  ['/usr/bin/openssl', 'dgst', '-sha256', 'input'],
  [
    '/usr/bin/perl',
    '-ne',
    '$count{$1}++ while /(\\w+)/g; END { print map { "$_ $count{$_}\\n" } sort keys %count }',
    'input',
  ],
];
/** Makes both sides take the same way. */
const SAME = { PERL_HASH_SEED: '0', OPENSSL_ia32cap: '0:0' };

const commands = process.env.FULL === '1' ? [...COMMANDS, ...MORE] : COMMANDS;

/** Single-stepping openssl's 10 million instructions takes minutes. */
const timeout = 1_200_000;

describe.skipIf(oracleMissing('gcc', ...commands.map(([program]) => program)))(
  'programs as Debian ships them',
  () => {
    const root = mkdtempSync(join(tmpdir(), 'ilp-gate-real-counts-'));
    const directory = join(root, 'directory');
    let stepper: Stepper;
    beforeAll(() => {
      mkdirSync(directory);
      writeFileSync(join(directory, 'input'), text(40));
      writeFileSync(join(directory, 'sums'), 'scale = 12\n4 * a(1)\n2 ^ 100\nquit\n');
      stepper = new Stepper(root);
    });
    afterAll(() => rmSync(root, { recursive: true }));

    it.each(commands)(
      '%s prints, returns and counts as on the processor, its libraries included',
      { timeout },
      async (...command) => {
        const [program, ...args] = command;
        const invocation = { program, args, env: { ...LIBRARIES, ...SAME }, directory };
        const [emulated, expected] = await Promise.all([emulate(invocation), stepper.runAsGuest(invocation)]);
        expect(emulated).toEqual(expected);
      },
    );
  },
);
