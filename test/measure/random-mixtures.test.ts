import { execFileSync } from 'node:child_process';
import { afterAll, describe, it } from 'vitest';
import { isMissing, Workshop } from './build.ts';
import { compare, LIMITS } from './compare.ts';
import { Random } from './random.ts';
import { FUNCTIONS, randomMixture } from './random-mixtures.ts';

const FIRST = Number(process.env.MEASURE_FIRST_SEED ?? 1);
const COUNT = Number(process.env.MEASURE_MIXTURE_SEEDS ?? 8);

/** Each of them is tested by itself as well; what they do together has been wrong where nobody looked. */
describe.skipIf(isMissing('gcc', 'objcopy'))(
  'random programs of threads, coroutines, signals and functions that share a name measure the same in generated code and in the reference',
  () => {
    const workshop = new Workshop();
    afterAll(() => workshop.remove());

    for (let seed = FIRST; seed < FIRST + COUNT; seed++) {
      it(`seed ${seed}`, () => {
        const random = new Random(seed);
        const level = random.pick(['-O0', '-O1', '-O2']);
        const program = workshop.compile(randomMixture(random), [level, '-static', '-pthread', '-w']);
        const renamed = FUNCTIONS.filter(() => random.chance(2));
        // It refuses to give one name twice at a time.
        for (const name of renamed) execFileSync('objcopy', ['--redefine-sym', `${name}=f`, program]);
        const names = [...FUNCTIONS.map((name) => (renamed.includes(name) ? 'f' : name)), 'resume', 'all'];
        const question = {
          depth: random.pick([1, 2, 3, 3, 4, 6, -1]),
          functions: [...new Set(names.filter(() => random.chance(2)))],
          chains: [],
        };
        compare(program, question, [{}, LIMITS[seed % LIMITS.length]]);
      });
    }
  },
);
