import { afterAll, describe, it } from 'vitest';
import { isMissing, Workshop } from './build.ts';
import { Random } from './random.ts';

/** So many seeds as an environment variable says, from MEASURE_FIRST_SEED on. */
export function seedsOf(variable: string, usual: number): readonly number[] {
  const first = Number(process.env.MEASURE_FIRST_SEED ?? 1);
  const count = Number(process.env[variable] ?? usual);
  return Array.from({ length: count }, (_, i) => first + i);
}

/** A test for each seed, with a workshop to make its program in. */
export function describeRandom(
  title: string,
  seeds: Iterable<number>,
  tools: readonly string[],
  test: (random: Random, workshop: Workshop, seed: number) => void,
): void {
  describe.skipIf(isMissing(...tools))(title, () => {
    const workshop = new Workshop();
    afterAll(() => workshop.remove());
    for (const seed of seeds) it(`seed ${seed}`, () => test(new Random(seed), workshop, seed));
  });
}
