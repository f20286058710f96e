import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { BUILDS, compile } from '../corpus/builds.ts';
import { casesOf, type Language } from '../corpus/cases.ts';
import { oracleMissing } from '../guest/builds.ts';
import { holdings, type Program, runAll } from './soak.ts';

/** Thousands on demand: SOAK=3000. */
const RUNS = Number(process.env.SOAK ?? 60);

/** Programs that differ in what the emulator must let go of: memory, files, threads, processes, code, failures. */
const PROGRAMS: readonly (readonly [Language, string])[] = [
  ['c', 'malloc-patterns'],
  ['c', 'self-modifying'],
  ['c', 'stdio-files'],
  ['c', 'threads-condition'],
  ['c', 'fork-pipe'],
  ['c', 'signal-unhandled'],
  ['cpp', 'exceptions-basic'],
];

const MEGABYTE = 2 ** 20;

describe.skipIf(oracleMissing('gcc', 'g++'))('many runs in one process', () => {
  const root = mkdtempSync(join(tmpdir(), 'ilp-gate-soak-'));
  afterAll(() => rmSync(root, { recursive: true }));

  it('leave nothing behind: no memory, no descriptor, no child, no file', {
    timeout: 3_600_000,
  }, async () => {
    const directory = join(root, 'directory');
    mkdirSync(directory);
    const programs: Program[] = [];
    for (const [language, name] of PROGRAMS) {
      const program = casesOf(language).find((each) => each.name === name)!;
      programs.push({
        path: await compile(program, BUILDS[language].find((way) => way.name === 'O1')!, root),
      });
    }
    // The fuel is spent in the midst of it; this is no program.
    programs.push({ path: programs[0].path, fuel: 500_000 });
    writeFileSync(join(root, 'text'), 'neither a script nor a program\n', { mode: 0o755 });
    programs.push({ path: join(root, 'text') });

    // Twice: what is made once and kept, caches of the engine's own compiler included, is there then.
    const first = await runAll(programs, 2 * programs.length, directory);
    const before = await holdings();
    const temporary = readdirSync(tmpdir()).length;
    const again = await runAll(programs, RUNS, directory);
    const after = await holdings();

    expect(again).toEqual(first);
    expect(after.children).toBe(before.children);
    expect(after.descriptors).toBe(before.descriptors);
    expect(readdirSync(directory)).toEqual([]);
    expect(readdirSync(tmpdir()).length).toBeLessThanOrEqual(temporary);
    const growth = (part: 'heap' | 'external' | 'resident'): number =>
      (after[part] - before[part]) / MEGABYTE;
    if (process.env.SOAK !== undefined)
      console.log(
        `${RUNS} runs: heap ${growth('heap').toFixed(1)} MiB, external ${growth('external').toFixed(1)} MiB, ` +
          `resident ${growth('resident').toFixed(1)} MiB (${(after.resident / MEGABYTE).toFixed(0)} MiB)`,
      );
    // Counters, compiled expressions and the like may grow for a while, but not with the runs.
    expect(growth('heap')).toBeLessThan(8);
    expect(growth('external')).toBeLessThan(1);
    expect(growth('resident')).toBeLessThan(200);
  });
});
