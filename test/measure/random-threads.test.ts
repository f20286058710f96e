import { RUN_CHAIN } from '../../src/base/run-chain.ts';
import { randomCombination } from './combinations.ts';
import { compare, LIMITS } from './compare.ts';
import { describeRandom, seedsOf } from './random-programs.ts';
import { randomThreads } from './random-threads.ts';

/** In 215 a stretch of a chain's log ends where a thread ends and all others wait. */
const SEEDS = new Set([...seedsOf('MEASURE_THREAD_SEEDS', 10), 215]);
const NAMES = ['f0', 'f1', 'f2', 'thread0', 'join'];

describeRandom(
  'random programs with threads measure the same in generated code and in the reference',
  SEEDS,
  ['gcc'],
  (random, workshop, seed) => {
    const program = workshop.assemble(randomThreads(random));
    const question = {
      depth: random.pick([-1, 0, 1, 2, 3]),
      functions: NAMES.filter(() => random.chance(3)),
      chains: [RUN_CHAIN, random.pick(NAMES)],
    };
    const quantum = random.pick([undefined, 1, 7, 50, 333]);
    const limits = [{}, LIMITS[seed % LIMITS.length], randomCombination(random)];
    compare(program, question, limits, [], quantum);
  },
);
