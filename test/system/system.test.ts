import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { oracleMissing } from '../guest/builds.ts';
import { emulate } from '../guest/emulate.ts';

const FOLDER = fileURLToPath(new URL('programs/', import.meta.url));
const NAMES = readdirSync(FOLDER)
  .filter((file) => file.endsWith('.c'))
  .map((file) => file.slice(0, -2))
  .sort();

/** Programs that use the system in every way that there is say the same here as on the host's own Linux. */
describe.skipIf(oracleMissing('gcc'))('system calls and signals do what Linux does', () => {
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'ilp-gate-system-'));
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  for (const name of NAMES)
    it(name, async () => {
      const program = join(folder, name);
      execFileSync('gcc', ['-O1', '-w', '-pthread', '-o', program, join(FOLDER, `${name}.c`)]);
      const [ours, hosts] = ['ours', 'hosts'].map((side) => join(folder, `${name}-${side}`));
      mkdirSync(ours);
      mkdirSync(hosts);
      const native = spawnSync(program, [], {
        cwd: hosts,
        input: '',
        env: { PATH: '/usr/bin:/bin', LC_ALL: 'C' },
        encoding: 'latin1',
        timeout: 20_000,
      });
      const here = await emulate({ program, args: [], env: {}, directory: ours });
      expect(here.stdout).toBe(native.stdout);
      expect(here.exit).toBe(
        native.signal === null ? `exit ${native.status}` : `signal ${SIGNALS[native.signal]}`,
      );
    }, 180_000);
});

const SIGNALS: Readonly<Record<string, number>> = { SIGABRT: 6, SIGSEGV: 11, SIGTERM: 15 };
