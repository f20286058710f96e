import { describe, expect, test } from 'vitest';
import { hasNativeOracle } from '../native/runner.ts';
import { differential } from './run.ts';
import { differentialSequences } from './sequences.ts';

/** Millions: `npm run differential -- --cases 1000000`. Another draw: ILP_GATE_SEED=7. */
const CASES = Number(process.env.ILP_GATE_CASES ?? 12) * 1500;
const SEED = Number(process.env.ILP_GATE_SEED ?? 1);

describe.skipIf(!hasNativeOracle())('every form of every instruction that we execute', () => {
  const { groups, divergences, missing } = differential({ cases: CASES, seed: SEED });
  const cases = [...groups.values()].reduce((sum, group) => sum + group.cases, 0);

  test(`does in both tiers what the host does (${cases} cases, seed ${SEED})`, () => {
    expect(divergences.slice(0, 10)).toEqual([]);
    expect(cases).toBeGreaterThan(CASES * 0.9);
  });

  test('has cases', () => {
    expect(missing.map(({ name }) => name)).toEqual([]);
  });
});

describe.skipIf(!hasNativeOracle())('sequences of instructions', () => {
  test(`end in both tiers as on the host (seed ${SEED})`, () => {
    const { cases, divergences } = differentialSequences(CASES / 6, SEED);
    expect(divergences.slice(0, 10)).toEqual([]);
    expect(cases).toBe(CASES / 6);
  });
});
