import { chmodSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Failure } from '../../src/base/failure.ts';
import { oracleMissing } from '../guest/builds.ts';
import { LIBRARIES } from '../guest/counts.ts';
import { emulate } from '../guest/emulate.ts';
import type { Invocation, Result } from '../guest/invocation.ts';
import { runNatively, sameRoutines } from '../guest/native.ts';
import { isQemuMissing, QemuCounter } from '../guest/qemu.ts';
import { Stepper } from '../guest/stepper.ts';
import { type Build, buildsOf, compile } from './builds.ts';
import { type Case, casesOf, type Language } from './cases.ts';
import { Pool } from './pool.ts';
import { UNSUPPORTED } from './unsupported.ts';

/**
 * FULL=1: every program in every build, and every count that single-stepping gets in reasonable time. FULL=builds: every
 * build, with counts of a few.
 */
const { FULL } = process.env;
const ALL = FULL === '1' || FULL === 'builds';
/** CORPUS_PART=3/10 with FULL: the third tenth of these builds, drawn at random but always the same. */
const [PART, PARTS] = (process.env.CORPUS_PART ?? '1/1').split('/').map(Number);
/** Without FULL=1, one run in so many is also single-stepped. */
const STEPPED = 8;
/** Without FULL, one run in so many is also counted by QEMU. */
const IN_QEMU = 4;
/** A hang ends here. No program executes a tenth of it. */
const FUEL = 3e9;
/** Single-stepping makes 50,000 to 200,000 a second. */
const STEPPED_INSTRUCTIONS = FULL === '1' ? 3e6 : ALL ? 4e5 : 1e5;

interface Run {
  readonly program: Case;
  readonly build: Build;
}

/** A number that depends on the name alone and looks random (FNV-1a). */
function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (const character of text) hash = Math.imul(hash ^ character.charCodeAt(0), 0x01000193) >>> 0;
  return (hash ^ (hash >>> 15)) >>> 0;
}

/** Without FULL, every other program, always the same: half of their time is the compilers'. */
const isUsual = ({ name }: Case): boolean => hashOf(`usual ${name}`) % 2 > 0;

/** All builds; or, for each usual program, one of them, always the same. */
function runsOf(language: Language): readonly Run[] {
  return casesOf(language).flatMap((program) => {
    const builds = buildsOf(program);
    const chosen = ALL
      ? builds.filter(({ name }) => hashOf(`part ${program.name} ${name}`) % PARTS === PART - 1)
      : isUsual(program) && builds.length > 0
        ? [builds[hashOf(program.name) % builds.length]]
        : [];
    return chosen.map((build) => ({ program, build }));
  });
}

/** Declares a test for each program of a language: what it writes and how it ends are the processor's. */
export function describeLanguage(language: Language, ...tools: readonly string[]): void {
  const runs = runsOf(language);
  if (runs.length === 0) {
    it.skip(`no program in ${language} is in this part`, () => {});
    return;
  }
  describe.skipIf(oracleMissing(...tools))(`programs in ${language}`, () => {
    for (const program of casesOf(language).filter((each) => buildsOf(each).length === 0))
      it.skip(`${program.name}: this processor is below its level`, () => {});
    const root = mkdtempSync(join(tmpdir(), `ilp-gate-corpus-${language}-`));
    const pool = new Pool(2);
    const compiled = new Map<Run, Promise<string>>();
    const tally = { passed: 0, divergent: 0, stepped: 0, inQemu: 0, unsupported: new Map<string, number>() };
    let stepper: Stepper;
    let qemu: QemuCounter | undefined;
    let directories = 0;
    const freshDirectory = (): string => {
      const directory = join(root, `directory-${directories++}`);
      mkdirSync(directory);
      chmodSync(directory, 0o777);
      return directory;
    };

    /** Compares with the processor and with QEMU, those that can be and some of all. */
    const expectCount = async (
      { program, build }: Run,
      invocation: Omit<Invocation, 'directory'>,
      emulated: Result,
    ): Promise<void> => {
      const { instructions, exit } = emulated;
      const name = `${language}/${program.name} ${build.name}`;
      const steps = !program.uncounted && (FULL === '1' || hashOf(`count ${name}`) % STEPPED === 0);
      if (steps && instructions < STEPPED_INSTRUCTIONS) {
        expect(emulated).toEqual(await stepper.run({ ...invocation, directory: freshDirectory() }));
        tally.stepped++;
      }
      const isForQemu = ALL || hashOf(`QEMU ${name}`) % IN_QEMU === 0;
      if (!isForQemu || qemu === undefined || program.apart === undefined || !exit.startsWith('exit')) return;
      const inQemu = qemu.run({ ...invocation, directory: freshDirectory() });
      // It does not know every instruction: not SHA's, for one.
      if (inQemu.exit === 'signal SIGILL') return;
      expect(Math.abs(inQemu.instructions - instructions)).toBeLessThan(program.apart);
      tally.inQemu++;
    };

    beforeAll(() => {
      stepper = new Stepper(root);
      if (!isQemuMissing()) qemu = new QemuCounter(root);
      for (const run of runs) {
        const program = pool.run(() => compile(run.program, run.build, root));
        // Awaited by the test of this run.
        program.catch(() => {});
        compiled.set(run, program);
      }
    });
    afterAll(() => {
      rmSync(root, { recursive: true });
      const unsupported = [...tally.unsupported].map(
        ([reason, count]) => `, ${count} unsupported: ${reason}`,
      );
      console.log(
        `${language}: ${runs.length} cases of ${new Set(runs.map(({ program }) => program.name)).size} programs, ` +
          `${tally.passed} passed, ${tally.divergent} divergent${unsupported.join('')}; ` +
          `counted by single steps ${tally.stepped}, in QEMU ${tally.inQemu}`,
      );
    });

    it.each(runs.map((run) => [`${run.program.name} (${run.build.name})`, run] as const))(
      '%s does what it does on the processor',
      async (_title, run) => {
        const program = await compiled.get(run)!;
        const name = `${language}/${run.program.name}`;
        const invocation = {
          program,
          args: [],
          env: { ...LIBRARIES, ...sameRoutines(run.build.isa) },
          isa: run.build.isa,
        };
        const missing = UNSUPPORTED[name];
        const native = runNatively({ ...invocation, directory: freshDirectory() });
        const emulated = emulate({ ...invocation, directory: freshDirectory(), fuel: FUEL });
        if (missing !== undefined) {
          tally.unsupported.set(missing.reason, (tally.unsupported.get(missing.reason) ?? 0) + 1);
          // A program that works must leave the table.
          const failure = await emulated.then(
            () => undefined,
            (problem: Failure) => problem.code,
          );
          await native;
          expect(failure).toBe(missing.code);
          return;
        }
        tally.divergent++;
        const { instructions, ...observed } = await emulated;
        expect(observed).toEqual(await native);
        await expectCount(run, invocation, { instructions, ...observed });
        tally.divergent--;
        tally.passed++;
      },
    );
  });
}
