import { spawnSync } from 'node:child_process';
import { accessSync, constants, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { isAbsolute, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DEFAULT_PATH } from '../../src/linux/loader.ts';
import { emulate } from '../guest/emulate.ts';
import { commands } from './commands.ts';

const ALL = process.env.FULL === '1';
/** How much larger the inputs are than they need be for a first verdict. */
const SIZE = ALL ? 6 : 1;
const timeout = ALL ? 1_800_000 : 120_000;

function isMissing(program: string): boolean {
  try {
    if (isAbsolute(program)) accessSync(program, constants.X_OK);
    return false;
  } catch (problem) {
    if (process.env.REQUIRE_ORACLES === '1') throw problem;
    return true;
  }
}

/** Debian's programs with the libraries they are linked to, on inputs that run millions of instructions. */
describe('programs as Debian ships them', () => {
  const root = mkdtempSync(join(tmpdir(), 'ilp-gate-real-'));
  let number = 0;
  beforeAll(() => {
    expect(process.platform).toBe('linux');
  });
  afterAll(() => rmSync(root, { recursive: true }));

  for (const [name, { command, input, env, needs, large }] of Object.entries(commands(SIZE))) {
    const [program, ...args] = command;
    const skipped = (large === true && !ALL) || [program, ...(needs ?? [])].some(isMissing);
    it.skipIf(skipped)(
      `${name} writes the same bytes and ends with the same status`,
      { timeout },
      async () => {
        // Each side has its own files, under paths of the same length.
        const directories = ['native', 'guests'].map((side) => join(root, `${number}-${side}`));
        number++;
        for (const directory of directories) {
          mkdirSync(directory);
          for (const file of ['input', 'input.c']) writeFileSync(join(directory, file), input);
        }
        const [nativeDirectory, directory] = directories;
        const native = spawnSync(program, args, {
          cwd: nativeDirectory,
          env: { LC_ALL: 'C', PATH: DEFAULT_PATH, ...env },
          input,
          maxBuffer: 2 ** 28,
        });
        const emulated = await emulate({
          program,
          args,
          env: env ?? {},
          directory,
          stdin: join(directory, 'input'),
        });
        expect(emulated.stderr).toBe(native.stderr.toString('latin1'));
        expect(emulated.exit).toBe(`exit ${native.status}`);
        expect(emulated.stdout === native.stdout.toString('latin1')).toBe(true);
        expect(emulated.stdout.length).toBeGreaterThan(0);
        if (process.env.SHOW_COUNTS === '1') console.log(number, name, emulated.instructions);
      },
    );
  }
});
