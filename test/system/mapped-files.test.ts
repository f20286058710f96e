import { execFileSync, spawnSync } from 'node:child_process';
import {
  appendFileSync,
  closeSync,
  copyFileSync,
  ftruncateSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';
import { nativeCalls } from '../../src/host/native-calls.ts';
import { measureWith } from '../../src/pipeline/measure.ts';
import type { MeasureRequest } from '../../src/pipeline/request.ts';
import { oracleMissing } from '../guest/builds.ts';
import { emulate } from '../guest/emulate.ts';
import { testMeasuring } from '../guest/measuring.ts';

const SOURCE = fileURLToPath(new URL('mapped-files.c', import.meta.url));

/** Large enough to be mapped by the host; its last page is not full. */
const DATA = Buffer.from(
  Int32Array.from({ length: 300_000 }, (_, i) => Math.imul(i, 0x9e37_79b1)).buffer,
).subarray(0, 1_200_000 - 123);

/** Of which there is no room where a guest's pages are memory's: 3 GB with little in them. */
const LARGE = 3 * 2 ** 30 - 1;

describe.skipIf(oracleMissing('gcc') || nativeCalls() === undefined)('files that are mapped', () => {
  const folder = mkdtempSync(join(tmpdir(), 'ilp-gate-mapped-'));
  afterAll(() => rmSync(folder, { recursive: true }));

  it('show what Linux shows, and other than that only what was stored', async () => {
    const program = join(folder, 'program');
    execFileSync('gcc', ['-O1', '-w', '-o', program, SOURCE]);
    const [ours, hosts] = ['ours', 'hosts'].map((side) => {
      const at = join(folder, side);
      mkdirSync(at);
      for (const name of ['data', 'written', 'shortened', 'appended', 'emptied', 'renamed'])
        writeFileSync(join(at, name), DATA);
      const large = openSync(join(at, 'large'), 'w');
      ftruncateSync(large, LARGE);
      writeSync(large, 'across pages', 5 * 4096 - 3);
      writeSync(large, 'end.', LARGE - 5);
      closeSync(large);
      return at;
    });
    const native = spawnSync(program, [], { cwd: hosts, encoding: 'latin1', timeout: 60_000 });
    expect(native).toMatchObject({ status: 0, stderr: '' });
    const here = await emulate({ program, args: [], env: {}, directory: ours });
    expect(here).toMatchObject({ stdout: native.stdout, exit: 'exit 0' });
  }, 120_000);

  it('end the measurement where somebody writes to one meanwhile', async () => {
    const program = join(folder, 'large');
    const source = 'int puts(const char *); int main(void) { return puts("here") < 0; }';
    execFileSync('gcc', ['-x', 'c', '-', '-static', '-o', program], { input: source });
    writeFileSync(program, Buffer.concat([readFileSync(program), Buffer.alloc(2 ** 20)]));
    const request: MeasureRequest = {
      program,
      args: [],
      env: {},
      workingDirectory: folder,
      stdin: { kind: 'empty' },
      isa: 'x86-64',
      depth: 0,
      listsCalls: false,
      functions: [],
      chains: [],
      writes: 'discard',
      sourceRoot: folder,
    };
    const measure = measureWith(testMeasuring());
    const silent = { stdout: () => {}, stderr: () => {} };
    await expect(measure(request, silent)).resolves.toMatchObject({ exit: { kind: 'exit', status: 0 } });
    const writing = { ...silent, stdout: () => appendFileSync(program, '!') };
    const failure = { kind: 'environment', code: 'file-changed', facts: { path: program } };
    await expect(measure(request, writing)).rejects.toMatchObject(failure);
    // The same file as standard input of another program.
    const copy = join(folder, 'copy');
    copyFileSync(program, copy);
    const reading: MeasureRequest = { ...request, program: copy, stdin: { kind: 'file', path: program } };
    await expect(measure(reading, silent)).resolves.toMatchObject({ exit: { kind: 'exit', status: 0 } });
    const ofInput = { ...failure, facts: { path: 'standard input' } };
    await expect(measure(reading, writing)).rejects.toMatchObject(ofInput);
  });
});
