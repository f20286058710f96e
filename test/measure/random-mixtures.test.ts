import { execFileSync } from 'node:child_process';
import { RUN_CHAIN } from '../../src/base/run-chain.ts';
import { compare, fewerPauses, LIMITS } from './compare.ts';
import { FUNCTIONS, randomMixture } from './random-mixtures.ts';
import { describeRandom, seedsOf } from './random-programs.ts';

/** Each of them is tested by itself as well; what they do together has been wrong where nobody looked. */
describeRandom(
  'random programs of threads, coroutines, signals and functions that share a name measure the same in generated code and in the reference',
  seedsOf('MEASURE_MIXTURE_SEEDS', 8),
  ['gcc', 'objcopy'],
  (random, workshop, seed) => {
    const level = random.pick(['-O0', '-O1', '-O2']);
    const program = workshop.compile(randomMixture(random), [level, '-static', '-pthread', '-w']);
    const renamed = FUNCTIONS.filter(() => random.chance(2));
    // It refuses to give one name twice at a time.
    for (const name of renamed) execFileSync('objcopy', ['--redefine-sym', `${name}=f`, program]);
    const names = [...FUNCTIONS.map((name) => (renamed.includes(name) ? 'f' : name)), 'resume', 'all'];
    const question = {
      depth: random.pick([1, 2, 3, 3, 4, 6, -1]),
      functions: [...new Set(names.filter(() => random.chance(2)))],
      chains: random.chance(2) ? [] : [RUN_CHAIN, ...new Set(names.filter(() => random.chance(4)))],
    };
    compare(program, question, [{}, LIMITS[seed % LIMITS.length]].map(fewerPauses));
  },
);
