import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { Failure } from '../../src/base/failure.ts';
import { oracleMissing } from '../guest/builds.ts';
import { emulate } from '../guest/emulate.ts';
import { fuzz } from './fuzz.ts';

/** Unlike a shell it runs nothing else where the kernel refuses. */
const EXECUTE = `
import os, sys
try: os.execve(sys.argv[1], sys.argv[1:], {})
except OSError as error: sys.stderr.write(f"errno {error.errno}")
`;

/** What the first line of a script may be made of; the kernel looks at 256 bytes. */
const blank = fc.constantFrom('', ' ', '\t', '  ', ' \t ');
const name = fc.constantFrom(
  '/bin/echo',
  '/bin/echo',
  '/bin/echo',
  '/bin/printf',
  '/no/such',
  '/',
  'echo',
  '/bin/echo\0x',
  '',
);
const word = fc.oneof(
  fc.constantFrom('', '-n', 'a b', 'x\0y', '\r', '#', '\x80\xff', '\\t'),
  fc.nat(300).map((length) => 'y'.repeat(length)),
);
const end = fc.constantFrom('\n', '', '\r\n', '\0\n', ' \n', '\nrest\n');
const slashes = fc.oneof({ weight: 6, arbitrary: fc.constant(0) }, { weight: 1, arbitrary: fc.nat(260) });
const script = fc
  .tuple(blank, slashes, name, blank, word, blank, word, end)
  .map(([first, more, ...rest]) => `#!${first}${'/'.repeat(more)}${rest.join('')}`);

describe.skipIf(oracleMissing('python3'))('the first line of a script', () => {
  const directory = mkdtempSync(join(tmpdir(), 'ilp-gate-scripts-'));
  afterAll(() => rmSync(directory, { recursive: true }));
  const path = join(directory, 'script');

  it('is taken as the kernel takes it', async () => {
    let executed = 0;
    await fuzz(script, 40, async (text) => {
      writeFileSync(path, text, { mode: 0o755, encoding: 'latin1' });
      const native = spawnSync('python3', ['-c', EXECUTE, path, 'one', 'two'], { encoding: 'latin1' });
      const refused = /^errno \d+$/.test(native.stderr);
      const ours = await emulate({ program: path, args: ['one', 'two'], env: {}, directory }).catch(
        (problem) => {
          if (!(problem instanceof Failure)) throw problem;
          return undefined;
        },
      );
      if (!refused) executed++;
      // Where the kernel refuses it, so do we.
      expect(ours && { stdout: ours.stdout, exit: ours.exit }).toEqual(
        refused ? undefined : { stdout: native.stdout, exit: `exit ${native.status}` },
      );
    });
    expect(executed).toBeGreaterThan(10);
  });
});
