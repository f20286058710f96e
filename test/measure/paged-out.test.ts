import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { afterAll, describe, expect, it } from 'vitest';
import { RUN_CHAIN } from '../../src/base/run-chain.ts';
import { isMissing, Workshop } from './build.ts';
import { COMBINATIONS } from './combinations.ts';
import { compare, fewerPauses, LIMITS } from './compare.ts';
import { measureFast } from './fast.ts';

const source = readFileSync(new URL('programs/paged-out.c', import.meta.url), 'utf8');
const FLAGS = ['-ffreestanding', '-fno-builtin', '-fno-stack-protector', '-nostdlib', '-static'];

/** Pages go out soon, and some are always out. */
const PAGED_OUT = [
  {},
  { byteCells: 0, byteTables: 36 },
  { byteCells: 64, byteTables: 18 },
  { wideFrom: 2 },
  { rebaseFrom: 3000, keptCycles: 800 },
  { splitGranules: 0, bytewisePages: 0, byteCells: 0, byteTables: 36 },
  { firstSweep: 1, restingPages: -1, restingSlices: 1 },
  { farFrom: 1, manyFar: 0 },
  { manyUnaligned: 0, unalignedSlices: 1, byteCells: 0, byteTables: 36 },
  { hotEntries: 0x7fff_ffff },
].map((limits) => ({
  hotEntries: 2,
  warmEntries: 1,
  firstSlice: 20,
  longestSlice: 400,
  byteTables: 18,
  ...limits,
}));

describe.skipIf(isMissing('gcc'))('more pages of bytes than there is room for', () => {
  const workshop = new Workshop();
  afterAll(() => workshop.remove());

  for (const [turn, level] of ['-O1', '-O2'].entries())
    it(`are measured as the reference does, at ${level}`, () => {
      const program = workshop.compile(source, [level, ...FLAGS]);
      const question = {
        depth: 3,
        functions: ['late', 'mix', 'sum', 'all'],
        chains: [RUN_CHAIN, 'late', 'all'],
      };
      // Each with one of the two programs; FULL=1 takes all of them with both.
      const inTurn = (_: unknown, i: number) => process.env.FULL === '1' || i % 2 === turn;
      const few = [...LIMITS, ...COMBINATIONS]
        .filter((_, i) => i % 11 === 2)
        .filter(inTurn)
        .map((limits) => ({ ...limits, byteCells: 0, byteTables: 36 }));
      const { naive } = compare(program, question, [...PAGED_OUT.filter(inTurn), ...few].map(fewerPauses));
      expect(spawnSync(program).status).toBe(naive.status);
    });

  it('belong to each of two processes', () => {
    const program = workshop.compile(source, ['-O1', '-DFORKS', ...FLAGS]);
    const question = { depth: 2, functions: ['late', 'sum', 'all'], chains: [RUN_CHAIN] };
    const [usual, ...others] = [{}, ...PAGED_OUT.slice(0, 3)].map((limits) =>
      measureFast(program, [], question, limits),
    );
    expect(spawnSync(program).status).toBe(usual.status);
    for (const { nameOf: _, ...other } of others) expect(other).toEqual({ ...usual, nameOf: undefined });
  });
});
