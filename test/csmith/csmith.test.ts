import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { RUN_CHAIN } from '../../src/base/run-chain.ts';
import { BUILDS } from '../corpus/builds.ts';
import { oracleMissing } from '../guest/builds.ts';
import { LIBRARIES } from '../guest/counts.ts';
import { emulate } from '../guest/emulate.ts';
import { runNatively, sameRoutines } from '../guest/native.ts';
import { Stepper } from '../guest/stepper.ts';
import { compare, LIMITS } from '../measure/compare.ts';

/** CSMITH=500 makes so many programs, CSMITH_SEED=2000 from this seed on. Without it there are none. */
const PROGRAMS = Number(process.env.CSMITH ?? 0);
const FIRST = Number(process.env.CSMITH_SEED ?? 1);
/** Some of the programs that csmith makes run for ever. */
const NATIVE_TIME = 400;
/** One program in so many is also single-stepped, and one is compared with the reference. */
const SAMPLE = 10;
const STEPPED_INSTRUCTIONS = 3e6;
const REFERENCE_INSTRUCTIONS = 4e5;

/** One of the builtin functions that csmith uses is not there below x86-64-v2. */
const FLAGS = ['-I/usr/include/csmith', '-w', '-D__builtin_ia32_crc32qi(a,b)=((a)^(b))'];
/** Random C has integers mostly; half of the programs have floating point, too. */
const VARIANTS = [['--float'], [], ['--float', '--inline-function'], ['--builtins', '--no-packed-struct']];

/** Random programs by csmith: each prints a checksum of all its variables. */
describe.skipIf(PROGRAMS === 0 || oracleMissing('csmith', 'gcc', 'clang'))('random C programs', () => {
  const root = mkdtempSync(join(tmpdir(), 'ilp-gate-csmith-'));
  const directory = join(root, 'directory');
  let stepper: Stepper;
  const tally = { run: 0, endless: 0, stepped: 0, referred: 0, instructions: 0 };
  beforeAll(() => {
    mkdirSync(directory);
    stepper = new Stepper(root);
  });
  afterAll(() => {
    rmSync(root, { recursive: true });
    console.log(
      `csmith: ${tally.run} programs with ${tally.instructions} instructions, ${tally.stepped} of them single-stepped, ` +
        `${tally.referred} compared with the reference; ${tally.endless} others do not end soon`,
    );
  });

  const builds = BUILDS.c.filter(({ compiler }) => compiler !== 'musl-gcc');
  const seeds = Array.from({ length: PROGRAMS }, (_, i) => FIRST + i);

  it.each(seeds)('of seed %i does what it does on the processor', { timeout: 120_000 }, async (seed) => {
    const way = builds[seed % builds.length];
    const source = join(root, `${seed}.c`);
    const variant = VARIANTS[(seed >> 2) % VARIANTS.length];
    // It leaves a file in the working directory.
    execFileSync('csmith', ['--seed', String(seed), ...variant, '-o', source], { cwd: root });
    const program = join(root, `${seed}`);
    execFileSync(way.compiler, [...way.flags, ...FLAGS, '-o', program, source, '-lm'], { stdio: 'pipe' });
    if (spawnSync(program, { timeout: NATIVE_TIME }).signal !== null) {
      tally.endless++;
      return;
    }
    const { isa } = way;
    const invocation = { program, args: [], env: { ...LIBRARIES, ...sameRoutines(isa) }, isa, directory };
    const { instructions, ...observed } = await emulate(invocation);
    expect(observed).toEqual(await runNatively(invocation));
    tally.run++;
    tally.instructions += instructions;
    if (seed % SAMPLE === 0 && instructions < STEPPED_INSTRUCTIONS) {
      tally.stepped++;
      expect((await stepper.run(invocation)).instructions).toBe(instructions);
    }
    // -Ofast flushes denormals, which the reference does not know.
    const isKnown = way.name !== 'Ofast' && instructions < REFERENCE_INSTRUCTIONS;
    if (seed % SAMPLE === SAMPLE / 2 && isKnown) {
      tally.referred++;
      const alone = join(root, `${seed}-alone`);
      execFileSync(way.compiler, [...way.flags, ...FLAGS, '-static', '-o', alone, source, '-lm']);
      compare(alone, { depth: 4, functions: ['func_1'], chains: [RUN_CHAIN] }, [
        LIMITS[seed % LIMITS.length],
        LIMITS[(seed + 7) % LIMITS.length],
      ]);
    }
  });
});
