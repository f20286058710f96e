import { expect } from 'vitest';
import { RUN_CHAIN } from '../../src/base/run-chain.ts';
import { randomCombination } from './combinations.ts';
import { type Compared, compare, LIMITS } from './compare.ts';
import { Random } from './random.ts';
import { randomCoroutines } from './random-coroutines.ts';
import { movingStacks } from './random-moving-stacks.ts';
import { describeRandom, seedsOf } from './random-programs.ts';

const NAMES = ['f0', 'f1', 'body1', 'go', 'gogo'];

describeRandom(
  'random programs whose stacks move measure as in the reference, and have the calls that they have where no stack moves',
  seedsOf('MEASURE_MOVING_SEEDS', 12),
  ['gcc'],
  (random, workshop, seed) => {
    const text = random.below(2 ** 30);
    const every = random.pick([1, 2, 4] as const);
    const question = {
      depth: random.pick([-1, 0, 1, 2, 3, 4]),
      functions: NAMES.filter(() => random.chance(2)),
      chains: [RUN_CHAIN, random.pick(NAMES)],
    };
    const limits = [{}, LIMITS[seed % LIMITS.length], randomCombination(random)];
    const [moving, staying] = [true, false].map((moves) => {
      const program = workshop.assemble(randomCoroutines(new Random(text), movingStacks(every, moves)));
      return callsOf(compare(program, question, limits));
    });
    expect(moving).toEqual(staying);
  },
);

/** Functions are at the same addresses in both. */
const callsOf = ({ measured }: Compared) => measured.functions.map(({ entry, calls }) => ({ entry, calls }));
