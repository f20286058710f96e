import { type EngineLimits, OPTIMISATIONS } from '../../src/translate/limits.ts';
import type { Random } from './random.ts';

/** Sizes under which all kinds of code are made soon, and left often. */
const SIZES: readonly Partial<EngineLimits>[] = [
  {
    hotEntries: 1,
    warmEntries: 1,
    largeRegion: 3,
    manyUnaligned: 1,
    unalignedSlices: 1,
    firstSlice: 20,
    longestSlice: 50,
    firstSweep: 1,
    restingPages: -1,
    restingSlices: 1,
    byteCells: 0,
    splitGranules: 1,
    bytewisePages: 0,
  },
  {
    hotEntries: 3,
    warmEntries: 1,
    manyUnaligned: 0,
    unalignedSlices: 1,
    manyFar: 0,
    firstSlice: 100,
    longestSlice: 100,
    firstSweep: 1,
    restingPages: -1,
    restingSlices: 2,
    rebaseFrom: 1,
    keptCycles: 200,
    byteCells: 64,
    splitGranules: 0,
    bytewisePages: 1,
  },
  {
    hotEntries: 2,
    warmEntries: 1,
    mostWarmBlocks: 3,
    crowdedEntries: 8,
    largeRegion: 20,
    firstSlice: 10,
    longestSlice: 300,
    wideFrom: 2,
    byteCells: 0,
    splitGranules: 3,
    bytewisePages: 0,
  },
  { hotEntries: 0x7fff_ffff, firstSlice: 30, longestSlice: 200, blockInstructions: 5 },
];

/** One level for each factor: of SIZES, and of each optimisation (0 made, 1 left out). */
type Row = readonly number[];

const LEVELS = [SIZES.length, ...OPTIMISATIONS.map(() => 2)];

/**
 * Rows in which every two factors take all pairs of their levels: an error that two optimisations make together shows in
 * one of them. Greedy: each row begins with a pair that is missing and takes, factor by factor, the level that completes
 * most of those that are.
 */
export function coveringRows(levels: readonly number[]): Row[] {
  const missing = new Set<string>();
  const name = (a: number, x: number, b: number, y: number) =>
    a < b ? `${a} ${x} ${b} ${y}` : `${b} ${y} ${a} ${x}`;
  for (let a = 0; a < levels.length; a++)
    for (let b = a + 1; b < levels.length; b++)
      for (let x = 0; x < levels[a]; x++) for (let y = 0; y < levels[b]; y++) missing.add(name(a, x, b, y));
  const rows: Row[] = [];
  while (missing.size > 0) {
    const [first] = missing;
    const [a, x, b, y] = first.split(' ').map(Number);
    const row = new Map([
      [a, x],
      [b, y],
    ]);
    for (let factor = 0; factor < levels.length; factor++) {
      if (row.has(factor)) continue;
      const completed = (level: number) =>
        [...row].filter(([other, at]) => missing.has(name(factor, level, other, at))).length;
      let best = 0;
      for (let level = 1; level < levels[factor]; level++)
        if (completed(level) > completed(best)) best = level;
      row.set(factor, best);
    }
    const chosen = levels.map((_, factor) => row.get(factor)!);
    for (let i = 0; i < chosen.length; i++)
      for (let j = i + 1; j < chosen.length; j++) missing.delete(name(i, chosen[i], j, chosen[j]));
    rows.push(chosen);
  }
  return rows;
}

const limitsOf = ([size, ...left]: Row): Partial<EngineLimits> => ({
  ...SIZES[size],
  without: OPTIMISATIONS.filter((_, i) => left[i] === 1),
});

/** Every two optimisations are made and left out together, each way, and each with each of SIZES. */
export const COMBINATIONS: readonly Partial<EngineLimits>[] = coveringRows(LEVELS).map(limitsOf);

/** Each optimisation left out alone, and all of them. */
export const LEFT_OUT: readonly Partial<EngineLimits>[] = [
  ...OPTIMISATIONS.map((optimisation) => ({ ...SIZES[0], without: [optimisation] })),
  { ...SIZES[0], without: OPTIMISATIONS },
];

export function randomCombination(random: Random): Partial<EngineLimits> {
  return limitsOf(LEVELS.map((count) => random.below(count)));
}
