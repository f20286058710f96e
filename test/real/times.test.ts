import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { DEFAULT_PATH } from '../../src/linux/loader.ts';
import { oracleMissing } from '../guest/builds.ts';
import { emulate } from '../guest/emulate.ts';

const PYTHON = '/usr/bin/python3';
const directory = mkdtempSync(join(tmpdir(), 'ilp-gate-times-'));
afterAll(() => rmSync(directory, { recursive: true }));

/** The compiled modules that were taken, and what was compiled anew; without the one whose source is a link to /etc. */
function modules(told: string): readonly string[] {
  return told
    .split('\n')
    .filter((line) => /^# (.* matches |code object from .*\.py'$|wrote )/.test(line))
    .filter((line) => !line.includes('sitecustomize'));
}

it.skipIf(oracleMissing(PYTHON))(
  "Python takes Debian's compiled modules, as it does on this machine",
  { timeout: 60_000 },
  async () => {
    const args = ['-v', '-c', 'import json, re'];
    const env = { PYTHONDONTWRITEBYTECODE: '1' };
    const native = spawnSync(PYTHON, args, {
      cwd: directory,
      env: { LC_ALL: 'C', PATH: DEFAULT_PATH, ...env },
      encoding: 'latin1',
    });
    const emulated = await emulate({ program: PYTHON, args, env, directory, isa: 'x86-64-v3' });
    expect(modules(emulated.stderr)).toEqual(modules(native.stderr));
    expect(modules(native.stderr).length).toBeGreaterThan(10);
  },
);
