import { readFileSync } from 'node:fs';
import { afterAll, describe, expect, it } from 'vitest';
import { ENGINE_LIMITS } from '../../src/translate/limits.ts';
import { isMissing, Workshop } from '../measure/build.ts';
import { randomCombination } from '../measure/combinations.ts';
import { Random } from '../measure/random.ts';
import { randomProgram } from '../measure/random-assembly.ts';
import { commandOf } from '../reference/program.ts';
import { type LockstepOptions, lockstep } from './lockstep.ts';

const source = (name: string) =>
  readFileSync(new URL(`../measure/programs/${name}.c`, import.meta.url), 'utf8');
const FREESTANDING = ['-DFREESTANDING', '-ffreestanding', '-fno-stack-protector', '-nostdlib', '-static'];

/** LOCKSTEP_SEEDS=1000 takes so many random programs, LOCKSTEP_FIRST_SEED=100000 from this seed on. */
const FIRST = Number(process.env.LOCKSTEP_FIRST_SEED ?? 1);
const COUNT = Number(process.env.LOCKSTEP_SEEDS ?? 24);

/** Slices that grow, so that a long run is compared often while code is new. */
const growing = (least: number) => (n: number) => Math.floor(least * 1.1 ** n);

describe.skipIf(isMissing('gcc'))('translated code and the interpreter agree after every slice', () => {
  const workshop = new Workshop();
  afterAll(() => workshop.remove());

  const run = (program: string, options: Partial<LockstepOptions> = {}) => {
    const outcome = lockstep({
      command: commandOf(program, []),
      directory: process.cwd(),
      kind: 'lanes',
      depth: 3,
      limits: {},
      slice: growing(10),
      ...options,
    });
    if (outcome.kind === 'different') {
      const { difference, from, to, address } = outcome;
      throw new Error(
        `${difference.what}: ${difference.values.join(' and ')}, between instructions ${from} and ${to}, from 0x${address.toString(16)} on`,
      );
    }
    return outcome;
  };

  for (const kind of ['lanes', 'tags'] as const)
    for (const name of ['mixed', 'jumps'])
      for (const level of ['-O0', '-O2'])
        it(`${name}.c at ${level}, with ${kind}`, () => {
          const program = workshop.compile(source(name), [level, ...FREESTANDING]);
          const often = run(program, { kind });
          expect(often.slices).toBeGreaterThan(50);
          expect(often.regions).toBeGreaterThan(30);
          // Larger regions: they hold what was reached by then.
          expect(
            run(program, { kind, limits: { hotEntries: 30, warmEntries: 1 }, slice: growing(1000) }).regions,
          ).toBeGreaterThan(5);
        });

  it('library.c with glibc, static', () => {
    const program = workshop.compile(source('library'), ['-O2', '-static']);
    const { stdout } = run(program, { limits: { hotEntries: 3, warmEntries: 1 }, slice: growing(100) });
    expect(stdout).toContain('chiepsilonetalambdaomegatau 27');
  });

  it('library.c with glibc, linked dynamically, calls of any depth', () => {
    const program = workshop.compile(source('library'), ['-O2', '-Wl,-z,now']);
    run(program, { limits: { hotEntries: 3, warmEntries: 1 }, depth: -1, slice: growing(100) });
    run(program, { limits: { hotEntries: 3, warmEntries: 1 }, depth: -1, slice: growing(100), kind: 'tags' });
  });

  it('random programs, with random optimisations left out', { timeout: 36_000_000 }, () => {
    let slices = 0;
    let regions = 0;
    for (let seed = FIRST; seed < FIRST + COUNT; seed++) {
      const random = new Random(seed);
      // Every third program has AVX, every other follows chains.
      const program = workshop.assemble(randomProgram(random, seed % 3 === 0));
      const limits = randomCombination(random);
      const sizes = Array.from({ length: 20 }, () => random.below(50));
      try {
        const outcome = run(program, {
          kind: seed % 2 === 0 ? 'tags' : 'lanes',
          slice: (n) => sizes[n % sizes.length],
          depth: random.below(6),
          // What is forgotten depends on where slices end, though no cycles of contexts do.
          limits: { ...limits, hotEntries: 1, warmEntries: 1, keptCycles: ENGINE_LIMITS.keptCycles },
        });
        slices += outcome.slices;
        regions += outcome.regions;
      } catch (problem) {
        throw new Error(`seed ${seed}: ${problem}`, { cause: problem });
      }
    }
    expect(slices).toBeGreaterThan(200);
    expect(regions).toBeGreaterThan(100);
  });
});
