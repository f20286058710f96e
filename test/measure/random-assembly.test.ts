import { afterAll, describe, expect, it } from 'vitest';
import type { EngineLimits } from '../../src/translate/limits.ts';
import { answer } from '../reference/observe.ts';
import { runProgram } from '../reference/program.ts';
import { isMissing, Workshop } from './build.ts';
import { measureFast } from './fast.ts';
import { Random } from './random.ts';
import { randomProgram } from './random-assembly.ts';

/** Sizes that take every path out of generated code: after one instruction, in small pieces, without optimised pieces. */
const LIMITS: readonly Partial<EngineLimits>[] = [
  {},
  { firstSlice: 1, longestSlice: 1 },
  { firstSlice: 7, longestSlice: 7, coldInstructions: 3, hotEntries: 2, hotInstructions: 11 },
  { hotEntries: 1 },
  { hostStack: 1500, hotEntries: 3, coldInstructions: 9 },
  { firstSlice: 100, longestSlice: 100, hotEntries: 2, logEntries: 1024 },
];

const FIRST = Number(process.env.MEASURE_FIRST_SEED ?? 1);
const COUNT = Number(process.env.MEASURE_SEEDS ?? 60);
const NAMES = ['f0', 'f1', 'f2', 'f3', 'f4', 'plunge', 'popper', 'cleaner'];

describe.skipIf(isMissing('gcc'))('random programs measure the same in generated code and in the reference', () => {
  const workshop = new Workshop();
  afterAll(() => workshop.remove());

  for (let seed = FIRST; seed < FIRST + COUNT; seed++) {
    it(`seed ${seed}`, () => {
      const random = new Random(seed);
      const program = workshop.assemble(randomProgram(random));
      const question = {
        depth: random.pick([-1, -1, 0, 1, 2, 3, 4, 7]),
        functions: NAMES.filter(() => random.chance(2)),
        chains: ['run', 'main', random.pick(NAMES)],
      };
      const run = runProgram(program, [], 300_000);
      const expected = answer(run, question);
      const measured = measureFast(program, [], question, LIMITS[seed % LIMITS.length]);
      expect(measured.run).toEqual(expected.run);
      expect(measured.functions).toEqual(expected.functions);
      expect(measured.chains).toEqual(expected.chains);
      expect(measured.status).toBe(run.status);
    });
  }
});
