import { chmodSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Build, compile, oracleMissing, titleOf } from './builds.ts';
import { emulate } from './emulate.ts';
import { runNatively, sameRoutines } from './native.ts';
import { isQemuMissing, QemuCounter } from './qemu.ts';
import { Stepper } from './stepper.ts';

/** What a program is given beside the standard environment. */
const ARGUMENTS: Readonly<Record<string, readonly string[]>> = {
  environment: ['one', '', 'with space'],
};
const ENVIRONMENT: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  environment: { COLOUR: 'red' },
};

/** The dynamic linker asks here first, and never for its cache, which guests do not see. */
export const LIBRARIES: Readonly<Record<string, string>> = { LD_LIBRARY_PATH: '/lib/x86_64-linux-gnu' };

/**
 * Programs of more instructions are counted in QEMU, unless FULL=1: a step takes up to 20 µs, where the processor is a virtual one. With all of them
 * stepped, these tests were a tenth of all tests' time.
 */
const STEPPED = process.env.FULL === '1' ? Number.POSITIVE_INFINITY : 50_000;
/** What it shows a program when it begins is described otherwise: caches, and what the kernel tells. Nearly all programs are 14 apart with musl and 429 with glibc. */
const QEMU_APART = 1000;

/** Declares a test for each program: output, exit status and instruction count are the processor's. */
export function describeCounts(build: Build, names: readonly string[]): void {
  describe.skipIf(oracleMissing('gcc', build.compiler))(titleOf(build), () => {
    const root = mkdtempSync(join(tmpdir(), 'ilp-gate-guest-'));
    // Both run at the same time, and some programs write files: each has a working directory of its own.
    const directories = {
      emulated: join(root, 'emulated'),
      native: join(root, 'native'),
      qemu: join(root, 'qemu'),
    };
    let stepper: Stepper;
    let qemu: QemuCounter | undefined;
    let programs: ReadonlyMap<string, string>;
    beforeAll(async () => {
      for (const directory of Object.values(directories)) {
        mkdirSync(directory);
        chmodSync(directory, 0o777);
      }
      stepper = new Stepper(root);
      if (!isQemuMissing()) qemu = new QemuCounter(root);
      programs = await compile(build, names, root);
    });
    afterAll(() => rmSync(root, { recursive: true }));

    it.each(names)('%s prints, returns and counts as on the processor', async (name) => {
      const invocation = {
        program: programs.get(name)!,
        args: ARGUMENTS[name] ?? [],
        env: { ...(build.linking === 'dynamic' ? LIBRARIES : {}), ...ENVIRONMENT[name] },
      };
      const emulated = await emulate({ ...invocation, directory: directories.emulated });
      const native = { ...invocation, directory: directories.native };
      if (qemu === undefined || emulated.instructions <= STEPPED) {
        expect(emulated).toEqual(await stepper.run(native));
        return;
      }
      const { instructions, ...observed } = emulated;
      const env = { ...native.env, ...sameRoutines('x86-64') };
      expect(observed).toEqual(await runNatively({ ...native, env }));
      const counted = qemu.run({ ...invocation, directory: directories.qemu });
      expect(Math.abs(counted.instructions - instructions)).toBeLessThan(QEMU_APART);
    });
  });
}
