import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Build, compile, oracleMissing, titleOf } from './builds.ts';
import { emulate } from './emulate.ts';
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

/** Declares a test for each program: output, exit status and instruction count are the processor's. */
export function describeCounts(build: Build, names: readonly string[]): void {
  describe.skipIf(oracleMissing('gcc', build.compiler))(titleOf(build), () => {
    const root = mkdtempSync(join(tmpdir(), 'ilp-gate-guest-'));
    // Both run at the same time, and some programs write files: each has a working directory of its own.
    const directories = { emulated: join(root, 'emulated'), native: join(root, 'native') };
    let stepper: Stepper;
    let programs: ReadonlyMap<string, string>;
    beforeAll(async () => {
      for (const directory of Object.values(directories)) mkdirSync(directory);
      stepper = new Stepper(root);
      programs = await compile(build, names, root);
    });
    afterAll(() => rmSync(root, { recursive: true }));

    it.each(names)('%s prints, returns and counts as on the processor', async (name) => {
      const invocation = {
        program: programs.get(name)!,
        args: ARGUMENTS[name] ?? [],
        env: { ...(build.linking === 'dynamic' ? LIBRARIES : {}), ...ENVIRONMENT[name] },
      };
      const native = stepper.run({ ...invocation, directory: directories.native });
      const emulated = await emulate({ ...invocation, directory: directories.emulated });
      const expected = await native;
      expect(emulated).toEqual(expected);
    });
  });
}
