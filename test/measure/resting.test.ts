import { readFileSync } from 'node:fs';
import { afterAll, describe, expect, it } from 'vitest';
import { RUN_CHAIN } from '../../src/base/run-chain.ts';
import type { EngineLimits } from '../../src/translate/limits.ts';
import { isMissing, Workshop } from './build.ts';
import { COMBINATIONS } from './combinations.ts';
import { compare, fewerPauses, LIMITS } from './compare.ts';
import { statisticsOf } from './look.ts';

const source = readFileSync(new URL('programs/resting.c', import.meta.url), 'utf8');
const FLAGS = ['-ffreestanding', '-fno-builtin', '-fno-stack-protector', '-nostdlib', '-static'];

/** Pages get tables, become bytewise and rest soon. */
const SOON = {
  hotEntries: 4,
  warmEntries: 1,
  firstSlice: 300,
  longestSlice: 1000,
  firstSweep: 1,
  byteCells: 0,
  splitGranules: 0,
  bytewisePages: 0,
  restingPages: 0,
  restingSlices: 1,
};

const RESTING: readonly Partial<EngineLimits>[] = [
  {},
  // Bytes of bytewise pages are in line.
  { manyUnaligned: 0, unalignedSlices: 1 },
  { manyUnaligned: 0, unalignedSlices: 1, restingPages: -1 },
  { restingPages: 1, restingSlices: 3 },
  { without: ['bytewise pages'], restingPages: -1 },
  { without: ['asking chases'] },
  { rebaseFrom: 3000, keptCycles: 800 },
  { bytePages: 0, stepMemory: 0 },
  { farFrom: 1, manyFar: 0, restingPages: -1 },
  { byteCells: 64, splitGranules: 200 },
];

describe.skipIf(isMissing('gcc'))('bytes that nothing is stored to for a while', () => {
  const workshop = new Workshop();
  afterAll(() => workshop.remove());

  for (const level of ['-O1', '-O2'])
    it(`are measured as the reference does, at ${level}`, () => {
      const few = [...LIMITS, ...COMBINATIONS].filter((_, i) => i % 11 === 2);
      const resting = RESTING.map((limits) => ({ ...SOON, ...limits }));
      compare(
        workshop.compile(source, [level, ...FLAGS]),
        { depth: 3, functions: ['walk'], chains: [RUN_CHAIN] },
        [...resting, ...few].map(fewerPauses),
      );
    });

  it('are asked for by regions that are made anew for it, unless they are large', () => {
    const program = workshop.compile(source, ['-O2', ...FLAGS]);
    const anew = (limits: Partial<EngineLimits>): number =>
      statisticsOf(program, { ...SOON, ...limits }).passes[0].code.anew;
    const without = anew({ without: ['resting bytes'] });
    expect(anew({})).toBeGreaterThan(without);
    expect(anew({ restingPages: 2 })).toBe(without);
    expect(anew({ restingRegion: 4 })).toBe(without);
  });
});
