import { RUN_CHAIN } from '../../src/base/run-chain.ts';
import { randomCombination } from './combinations.ts';
import { compare, LIMITS } from './compare.ts';
import { randomCoroutines } from './random-coroutines.ts';
import { describeRandom, seedsOf } from './random-programs.ts';

const NAMES = ['f0', 'f1', 'body1', 'go', 'leap'];

describeRandom(
  'random programs of coroutines measure the same in generated code and in the reference',
  seedsOf('MEASURE_COROUTINE_SEEDS', 8),
  ['gcc'],
  (random, workshop, seed) => {
    const program = workshop.assemble(randomCoroutines(random));
    const question = {
      depth: random.pick([-1, 0, 1, 2, 3, 4]),
      functions: NAMES.filter(() => random.chance(3)),
      chains: [RUN_CHAIN, random.pick(NAMES)],
    };
    const limits = [{}, LIMITS[seed % LIMITS.length], randomCombination(random)];
    compare(program, question, limits);
  },
);
