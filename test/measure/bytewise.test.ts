import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { afterAll, describe, expect, it } from 'vitest';
import { RUN_CHAIN } from '../../src/base/run-chain.ts';
import { isMissing, Workshop } from './build.ts';
import { COMBINATIONS } from './combinations.ts';
import { compare, fewerPauses, LIMITS } from './compare.ts';

const source = readFileSync(new URL('programs/bytewise.c', import.meta.url), 'utf8');
const FLAGS = ['-ffreestanding', '-fno-builtin', '-fno-stack-protector', '-nostdlib', '-static'];

/** Pages become bytewise soon, and code finds that in line, in each kind of lanes. */
const BYTEWISE = [
  {},
  { wideFrom: 2 },
  { bytePages: 0, stepMemory: 0 },
  { bytePages: 0, stepMemory: 0, wideFrom: 2 },
  { window: 0x1_0000, bytePages: 1, stepMemory: 0 },
  { firstSweep: 1, without: ['asking chases'] as const },
  { firstSweep: 1, restingPages: 0, restingSlices: 1 },
  { firstSweep: 1, restingPages: -1, restingSlices: 1, manyUnaligned: 80_000 },
  { rebaseFrom: 3000, keptCycles: 800 },
  { farFrom: 1, manyFar: 0 },
  { hotEntries: 0x7fff_ffff },
  { byteCells: 64 },
  { byteCells: 128, bytePages: 0, stepMemory: 0, wideFrom: 2 },
  { byteCells: 256, window: 0x1_0000, bytePages: 1, stepMemory: 0 },
].map((limits) => ({
  hotEntries: 2,
  warmEntries: 1,
  firstSlice: 60,
  longestSlice: 200,
  // All regions in which a slice ends.
  manyUnaligned: 0,
  unalignedSlices: 1,
  byteCells: 0,
  splitGranules: 0,
  bytewisePages: 0,
  ...limits,
}));

describe.skipIf(isMissing('gcc'))('pages of single bytes', () => {
  const workshop = new Workshop();
  afterAll(() => workshop.remove());

  for (const level of ['-O1', '-O2'])
    it(`are measured as the reference does, at ${level}`, () => {
      const program = workshop.compile(source, [level, ...FLAGS]);
      const question = {
        depth: 3,
        functions: ['use', 'all', 'chained'],
        chains: [RUN_CHAIN, 'all', 'chained'],
      };
      const few = [...LIMITS, ...COMBINATIONS].filter((_, i) => i % 11 === 1);
      const { naive } = compare(program, question, [...BYTEWISE, ...few].map(fewerPauses));
      expect(spawnSync(program).status).not.toBeNull();
      expect(naive.stdout).toBe('');
    });
});
