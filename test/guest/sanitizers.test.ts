import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { oracleMissing } from './builds.ts';
import { emulate } from './emulate.ts';

const SOURCE = fileURLToPath(new URL('sanitized.c', import.meta.url));
/** LeakSanitizer, at the end, starts a process that shares memory and stops its parent. */
const env = { LC_ALL: 'C', ASAN_OPTIONS: 'detect_leaks=0' };
/** What the sanitizer says of the mistakes that the program makes when it is given a number. */
const REPORTS = [
  ['address', 'heap-use-after-free'],
  ['undefined', 'signed integer overflow: 3 + 2147483647'],
  ['thread', 'heap-use-after-free'],
] as const;

/** Their shadow memory is a part of terabytes that they reserve. */
describe.skipIf(oracleMissing('gcc'))('programs built with sanitizers', () => {
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'ilp-gate-sanitizers-'));
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  it.each(REPORTS)(
    'do with -fsanitize=%s what they do natively',
    async (sanitizer, report) => {
      const program = join(folder, sanitizer);
      const flags = ['-g', '-O1', '-w', '-pthread', `-fsanitize=${sanitizer}`];
      execFileSync('gcc', [...flags, '-o', program, SOURCE]);
      const args = ['3'];
      const native = spawnSync(program, args, { env, encoding: 'latin1' });
      const here = await emulate({ program, args, env, directory: folder });
      expect(here.stdout).toBe(native.stdout);
      expect(here.exit).toBe(native.signal === null ? `exit ${native.status}` : 'signal 6');
      for (const { stderr } of [here, native]) expect(stderr).toContain(report);
    },
    300_000,
  );

  it('say how to leave out the search for leaks, which is not supported', async () => {
    const program = join(folder, 'leak');
    execFileSync('gcc', ['-O1', '-w', '-pthread', '-fsanitize=leak', '-o', program, SOURCE]);
    await expect(emulate({ program, args: [], env: {}, directory: folder })).rejects.toThrow(
      'detect_leaks=0',
    );
  }, 300_000);
});
