import { afterAll, describe, it } from 'vitest';
import { RUN_CHAIN } from '../../src/base/run-chain.ts';
import { isMissing, Workshop } from './build.ts';
import { randomCombination } from './combinations.ts';
import { compare, LIMITS } from './compare.ts';
import { Random } from './random.ts';
import { randomCoroutines } from './random-coroutines.ts';

const FIRST = Number(process.env.MEASURE_FIRST_SEED ?? 1);
const COUNT = Number(process.env.MEASURE_COROUTINE_SEEDS ?? 8);
const NAMES = ['f0', 'f1', 'body1', 'go', 'leap'];

describe.skipIf(isMissing('gcc'))(
  'random programs of coroutines measure the same in generated code and in the reference',
  () => {
    const workshop = new Workshop();
    afterAll(() => workshop.remove());

    for (let seed = FIRST; seed < FIRST + COUNT; seed++) {
      it(`seed ${seed}`, () => {
        const random = new Random(seed);
        const program = workshop.assemble(randomCoroutines(random));
        const question = {
          depth: random.pick([-1, 0, 1, 2, 3, 4]),
          functions: NAMES.filter(() => random.chance(3)),
          chains: [RUN_CHAIN, random.pick(NAMES)],
        };
        const limits = [{}, LIMITS[seed % LIMITS.length], randomCombination(random)];
        compare(program, question, limits);
      });
    }
  },
);
