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
 * take the time, Lua seeds its hashes with addresses.
 */
const COMMANDS: readonly (readonly [program: string, ...args: string[]])[] = [
  ['/usr/bin/sha256sum', 'input'],
  // Left alone, it sizes its buffer by the machine's free memory.
  ['/usr/bin/sort', '-S', '1M', 'input'],
  ['/usr/bin/mawk', '{ count[$1] += NF } END { for (word in count) print word, count[word] }', 'input'],
  ['/usr/bin/bc', '-lq', 'sums'],
];

describe.skipIf(oracleMissing('gcc', ...COMMANDS.map(([program]) => program)))(
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

    it.each(COMMANDS)(
      '%s prints, returns and counts as on the processor, its libraries included',
      async (...command) => {
        const [program, ...args] = command;
        const invocation = { program, args, env: LIBRARIES, directory };
        const [emulated, expected] = await Promise.all([emulate(invocation), stepper.run(invocation)]);
        expect(emulated).toEqual(expected);
      },
    );
  },
);
