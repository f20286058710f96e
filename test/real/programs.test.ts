import { spawnSync } from 'node:child_process';
import { accessSync, constants, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DEFAULT_PATH } from '../../src/linux/loader.ts';
import { emulate } from '../guest/emulate.ts';
import { AWK, LUA, PI_DIGITS, SQL, text } from './inputs.ts';

/** How much larger the inputs are than they need be for a first verdict. */
const SIZE = process.env.FULL === '1' ? 6 : 1;

interface Case {
  readonly command: readonly [program: string, ...args: string[]];
  /** The input's content; it is also the file `input`. */
  readonly input: string;
}

const CASES: Readonly<Record<string, Case>> = {
  sha256sum: { command: ['/usr/bin/sha256sum', 'input'], input: text(12_000 * SIZE) },
  sort: { command: ['/usr/bin/sort', 'input'], input: text(6000 * SIZE) },
  'sort by number, unique': { command: ['/usr/bin/sort', '-u', '-k3,3n', '-k1r'], input: text(1500 * SIZE) },
  gzip: { command: ['/usr/bin/gzip', '-c'], input: text(3000 * SIZE) },
  bc: { command: ['/usr/bin/bc', '-lq'], input: PI_DIGITS.replace('300', String(300 * SIZE)) },
  sed: {
    command: ['/usr/bin/sed', '-E', '-n', 's/(ba|ke)+([a-z]*) ([0-9]+)$/\\3 <\\2>/; /mo/!p; $=', 'input'],
    input: text(1200 * SIZE),
  },
  gawk: { command: ['/usr/bin/gawk', AWK, 'input'], input: text(3000 * SIZE) },
  mawk: { command: ['/usr/bin/mawk', AWK], input: text(4000 * SIZE) },
  bzip2: { command: ['/usr/bin/bzip2', '-c', 'input'], input: text(1000 * SIZE) },
  'lua5.4': { command: ['/usr/bin/lua5.4', '-', 'x'], input: LUA.replace('fib(20)', `fib(${17 + SIZE})`) },
  sqlite3: {
    command: ['/usr/bin/sqlite3', '-batch', ':memory:'],
    input: SQL.replace('3000', String(1000 * SIZE)),
  },
};

function isMissing(program: string): boolean {
  try {
    accessSync(program, constants.X_OK);
    return false;
  } catch (problem) {
    if (process.env.REQUIRE_ORACLES === '1') throw problem;
    return true;
  }
}

/** Debian's programs with the libraries they are linked to, on inputs that run millions of instructions. */
describe('programs as Debian ships them', () => {
  const directory = mkdtempSync(join(tmpdir(), 'ilp-gate-real-'));
  let number = 0;
  beforeAll(() => {
    expect(process.platform).toBe('linux');
  });
  afterAll(() => rmSync(directory, { recursive: true }));

  for (const [name, { command, input }] of Object.entries(CASES)) {
    const [program, ...args] = command;
    it.skipIf(isMissing(program))(`${name} writes the same bytes and ends with the same status`, async () => {
      const file = join(directory, 'input');
      writeFileSync(file, input);
      const native = spawnSync(program, args, {
        cwd: directory,
        env: { LC_ALL: 'C', PATH: DEFAULT_PATH },
        input,
        maxBuffer: 2 ** 28,
      });
      const emulated = await emulate({ program, args, env: {}, directory, stdin: file });
      expect(emulated.stderr).toBe(native.stderr.toString('latin1'));
      expect(emulated.exit).toBe(`exit ${native.status}`);
      expect(emulated.stdout === native.stdout.toString('latin1')).toBe(true);
      expect(emulated.instructions).toBeGreaterThan(1_000_000);
      if (process.env.SHOW_COUNTS === '1') console.log(++number, name, emulated.instructions);
    });
  }
});
