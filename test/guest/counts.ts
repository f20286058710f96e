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
    const directory = join(root, 'directory');
    let stepper: Stepper;
    let programs: ReadonlyMap<string, string>;
    beforeAll(async () => {
      mkdirSync(directory);
      stepper = new Stepper(root);
      programs = await compile(build, names, root);
    });
    afterAll(() => rmSync(root, { recursive: true }));

    it.each(names)('%s prints, returns and counts as on the processor', async (name) => {
      const invocation = {
        program: programs.get(name)!,
        args: ARGUMENTS[name] ?? [],
        env: { ...(build.linking === 'dynamic' ? LIBRARIES : {}), ...ENVIRONMENT[name] },
        directory,
      };
      const native = stepper.run(invocation);
      const [emulated, expected] = await Promise.all([emulate(invocation), native]);
      expect(emulated).toEqual(expected);
    });
  });
}
