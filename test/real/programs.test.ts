import { spawnSync } from 'node:child_process';
import { accessSync, chmodSync, constants, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { isAbsolute, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DEFAULT_PATH } from '../../src/linux/loader.ts';
import { oracleMissing } from '../guest/builds.ts';
import { LIBRARIES } from '../guest/counts.ts';
import { emulate } from '../guest/emulate.ts';
import type { Result } from '../guest/invocation.ts';
import { isQemuMissing, QemuCounter } from '../guest/qemu.ts';
import { Stepper } from '../guest/stepper.ts';
import { hasFeatures } from '../x86/native/features.ts';
import { commands } from './commands.ts';
import { COUNTED, QEMU_APART, STEPPED, tolerance } from './counts.ts';

const ALL = process.env.FULL === '1';
/** How much larger the inputs are than they need be for a first verdict. */
const SIZE = ALL ? 6 : 1;
const timeout = ALL ? 1_800_000 : 120_000;

function isMissing(program: string): boolean {
  try {
    if (isAbsolute(program)) accessSync(program, constants.X_OK);
    return false;
  } catch (problem) {
    if (process.env.REQUIRE_ORACLES === '1') throw problem;
    return true;
  }
}

/** Debian's programs with the libraries they are linked to, on inputs that run millions of instructions. */
describe('programs as Debian ships them', () => {
  // Not where TMPDIR says: with a longer path busybox's shell takes four instructions fewer in each round of its loop in QEMU.
  const root = mkdtempSync('/tmp/ilp-gate-real-');
  const stepper = oracleMissing('gcc') ? undefined : new Stepper(root);
  const hasCounters =
    hasFeatures('avx2', 'bmi2', 'fma', 'f16c', 'movbe', 'abm') && stepper?.canCount() === true;
  const qemu = isQemuMissing() ? undefined : new QemuCounter(root);
  let number = 0;
  beforeAll(() => {
    expect(process.platform).toBe('linux');
  });
  afterAll(() => rmSync(root, { recursive: true }));

  for (const [name, { command, input, env: own, needs, large }] of Object.entries(commands(SIZE))) {
    const [program, ...args] = command;
    const skipped = (large === true && !ALL) || [program, ...(needs ?? [])].some(isMissing);
    const { env: same, stepped, apart, inQemu } = COUNTED[name] ?? {};
    const env = { ...LIBRARIES, LD_BIND_NOW: '1', ...same, ...own };

    /** Each side has its own files, under paths of the same length. */
    const directoryOf = (side: 'native' | 'guests' | 'stepped' | 'qemus'): string => {
      const directory = join(root, `${number}-${side.slice(0, 6)}`);
      mkdirSync(directory);
      chmodSync(directory, 0o777);
      for (const file of ['input', 'input.c']) writeFileSync(join(directory, file), input);
      return directory;
    };

    let emulated: Result | undefined;
    const isCountable = !skipped && isAbsolute(program);
    it.skipIf(skipped)(
      `${name} writes the same bytes and ends with the same status`,
      { timeout },
      async () => {
        number++;
        const native = spawnSync(program, args, {
          cwd: directoryOf('native'),
          env: { LC_ALL: 'C', PATH: DEFAULT_PATH, ...env },
          input,
          maxBuffer: 2 ** 28,
        });
        const directory = directoryOf('guests');
        const stdin = join(directory, 'input');
        emulated = await emulate({ program, args, env, directory, stdin, isa: 'x86-64-v3' });
        expect(emulated.stderr).toBe(native.stderr.toString('latin1'));
        expect(emulated.exit).toBe(`exit ${native.status}`);
        expect(emulated.stdout === native.stdout.toString('latin1')).toBe(true);
        expect(emulated.stdout.length).toBeGreaterThan(0);
      },
    );

    const within = apart === undefined ? 'as' : `within ${apart.instructions} of what`;
    const because = apart === undefined ? '' : ` (${apart.because})`;
    it.skipIf(!isCountable || !hasCounters)(
      `${name} executes ${within} the processor counts${because}`,
      { timeout },
      async () => {
        if (emulated === undefined) throw new Error('it was not emulated');
        const directory = directoryOf('stepped');
        const stdin = join(directory, 'input');
        const invocation = { program, args, env, directory, stdin, isa: 'x86-64-v3' } as const;
        const counted = await stepper!.runCounted(invocation, stepped ?? STEPPED);
        const { instructions } = emulated;
        const difference = counted.instructions - instructions;
        if (process.env.SHOW_COUNTS === '1') console.log(name, instructions, difference);
        expect(counted.stdout === emulated.stdout).toBe(true);
        expect(difference).toBeLessThan((apart?.instructions ?? 0) + tolerance(instructions));
        // What never happened cannot be counted.
        expect(difference).toBeGreaterThanOrEqual(-(apart?.instructions ?? 0));
      },
    );

    const apartInQemu = (inQemu ?? apart?.instructions ?? 0) + QEMU_APART;
    it.skipIf(!isCountable || qemu === undefined)(
      `${name} executes within ${apartInQemu} of what QEMU counts${because}`,
      { timeout },
      () => {
        if (emulated === undefined) throw new Error('it was not emulated');
        const directory = directoryOf('qemus');
        const stdin = join(directory, 'input');
        const counted = qemu!.run({ program, args, env, directory, stdin, isa: 'x86-64-v3' });
        const { instructions } = emulated;
        const difference = counted.instructions - instructions;
        if (process.env.SHOW_COUNTS === '1') console.log(name, instructions, difference, 'in QEMU');
        expect(counted.exit).toBe(emulated.exit);
        expect(counted.stdout === emulated.stdout).toBe(true);
        expect(Math.abs(difference)).toBeLessThan(apartInQemu);
      },
    );
  }
});
