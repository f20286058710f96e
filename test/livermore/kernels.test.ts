import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { checksumOf } from './kernels.ts';

const EXAMPLE = fileURLToPath(new URL('../../examples/livermore', import.meta.url));
const KERNELS = Array.from({ length: 12 }, (_, i) => i + 1);

const has = (...tools: readonly string[]): boolean =>
  tools.every((tool) => spawnSync(tool, ['--version']).status === 0);
const hasC = has('gcc', 'make');
if (!hasC && process.env.REQUIRE_ORACLES === '1') throw new Error('gcc or make is missing');
const fortran = ['gfortran', 'gfortran-12'].find((tool) => has(tool));
if (fortran === undefined && process.env.REQUIRE_ORACLES === '1') throw new Error('gfortran is missing');

let directory: string;
beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), 'livermore-'));
});
afterAll(() => rmSync(directory, { recursive: true }));

function make(...what: readonly string[]): void {
  execFileSync('make', ['-s', '-C', EXAMPLE, `BUILD=${directory}`, ...what]);
}

function printed(build: string, kernel: number, repetitions: number): number {
  const program = join(directory, build, 'livermore');
  const text = execFileSync(program, [String(kernel), String(repetitions)], { encoding: 'utf8' });
  return Number(text.slice(text.indexOf(':') + 1));
}

describe.skipIf(!hasC)('the Livermore kernels in C', () => {
  beforeAll(() => make());

  test.each(['o2', 'o3'])('%s: every sum is that of the published formula, to the last bit', (build) => {
    for (const repetitions of [1, 3])
      expect(KERNELS.map((kernel) => printed(build, kernel, repetitions))).toEqual(
        KERNELS.map((kernel) => checksumOf(kernel, repetitions)),
      );
  });

  test.each([[], ['0'], ['13'], ['1', '0'], ['1', 'x'], ['1', '1', '1']])('refuse %j', (...args) => {
    const { status, stderr } = spawnSync(join(directory, 'o2/livermore'), args, { encoding: 'utf8' });
    expect(status).toBe(2);
    expect(stderr).toContain('usage: livermore KERNEL [REPETITIONS]');
  });
});

describe.skipIf(!hasC || fortran === undefined)('the Livermore kernels in Fortran', () => {
  beforeAll(() => make('fortran', `FC=${fortran}`));

  test.each(['fortran-o2', 'fortran-o3'])('%s: every sum is that of the published formula', (build) => {
    expect(KERNELS.map((kernel) => printed(build, kernel, 2))).toEqual(
      KERNELS.map((kernel) => checksumOf(kernel, 2)),
    );
  });
});
