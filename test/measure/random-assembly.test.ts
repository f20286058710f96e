import { RUN_CHAIN } from '../../src/base/run-chain.ts';
import { randomCombination } from './combinations.ts';
import { compare, LIMITS } from './compare.ts';
import { randomProgram } from './random-assembly.ts';
import { describeRandom, seedsOf } from './random-programs.ts';

const NAMES = ['f0', 'f1', 'f2', 'f3', 'f4', 'plunge', 'popper', 'cleaner'];

describeRandom(
  'random programs measure the same in generated code and in the reference',
  seedsOf('MEASURE_SEEDS', 45),
  ['gcc'],
  (random, workshop, seed) => {
    // Every third program has AVX.
    const program = workshop.assemble(randomProgram(random, seed % 3 === 0));
    const question = {
      depth: random.pick([-1, -1, 0, 1, 2, 3, 4, 7]),
      functions: NAMES.filter(() => random.chance(2)),
      chains: [RUN_CHAIN, 'main', random.pick(NAMES)],
    };
    compare(program, question, [LIMITS[seed % LIMITS.length], randomCombination(random)]);
  },
);
