import { afterAll, describe, it } from 'vitest';
import { RUN_CHAIN } from '../../src/base/run-chain.ts';
import { isMissing, Workshop } from './build.ts';
import { randomCombination } from './combinations.ts';
import { compare, LIMITS } from './compare.ts';
import { Random } from './random.ts';
import { randomProgram } from './random-assembly.ts';

const FIRST = Number(process.env.MEASURE_FIRST_SEED ?? 1);
const COUNT = Number(process.env.MEASURE_SEEDS ?? 45);
const NAMES = ['f0', 'f1', 'f2', 'f3', 'f4', 'plunge', 'popper', 'cleaner'];

describe.skipIf(isMissing('gcc'))(
  'random programs measure the same in generated code and in the reference',
  () => {
    const workshop = new Workshop();
    afterAll(() => workshop.remove());

    for (let seed = FIRST; seed < FIRST + COUNT; seed++) {
      it(`seed ${seed}`, () => {
        const random = new Random(seed);
        // Every third program has AVX.
        const program = workshop.assemble(randomProgram(random, seed % 3 === 0));
        const question = {
          depth: random.pick([-1, -1, 0, 1, 2, 3, 4, 7]),
          functions: NAMES.filter(() => random.chance(2)),
          chains: [RUN_CHAIN, 'main', random.pick(NAMES)],
        };
        compare(program, question, [LIMITS[seed % LIMITS.length], randomCombination(random)]);
      });
    }
  },
);
