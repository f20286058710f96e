import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ISA_LEVELS, type IsaLevel } from '../../src/base/isa-level.ts';
import { measureWith } from '../../src/pipeline/measure.ts';
import { processorFacts } from '../../src/x86/features.ts';
import { hasFeatures } from '../x86/native/features.ts';
import { oracleMissing } from './builds.ts';
import { LIBRARIES } from './counts.ts';
import { emulate } from './emulate.ts';
import { testMeasuring } from './measuring.ts';
import { requestOf, SILENT } from './request.ts';
import { Stepper } from './stepper.ts';

const LINKER = '/lib64/ld-linux-x86-64.so.2';

const isMissing = oracleMissing('gcc', LINKER) || !hasFeatures('avx2', 'bmi2', 'fma', 'f16c');

describe.skipIf(isMissing)('the level of the processor that a program sees', () => {
  const root = mkdtempSync(join(tmpdir(), 'ilp-gate-levels-'));
  const directory = join(root, 'directory');
  const dynamic = join(root, 'dynamic');
  const fixed = join(root, 'static');
  const wide = join(root, 'wide');
  const modelled = join(root, 'model');
  let stepper: Stepper;

  beforeAll(() => {
    mkdirSync(directory);
    stepper = new Stepper(root);
    const source = fileURLToPath(new URL('./levels.c', import.meta.url));
    const compile = (...flags: string[]) => execFileSync('gcc', ['-O3', '-fno-builtin', ...flags, source]);
    compile('-o', dynamic);
    compile('-static', '-o', fixed);
    compile('-march=x86-64-v3', '-o', wide);
    const model = fileURLToPath(new URL('./model.c', import.meta.url));
    execFileSync('gcc', ['-O2', '-o', modelled, model]);
  });
  afterAll(() => rmSync(root, { recursive: true }));

  it.each([
    ['x86-64', []],
    ['x86-64-v2', ['x86-64-v2']],
    ['x86-64-v3', ['x86-64-v3', 'x86-64-v2']],
  ] as const)('%s: the dynamic linker recognises %j', async (isa, expected) => {
    const { stdout } = await emulate({ program: LINKER, args: ['--help'], env: {}, directory, isa });
    const supported = [...stdout.matchAll(/^ {2}(x86-64-v\d) \(supported, searched\)/gm)];
    expect(supported.map(([, level]) => level)).toEqual(expected);
  });

  // The library is single-stepped for seconds; FULL=1 takes the level between these, too.
  const levels = ISA_LEVELS.filter((isa) => process.env.FULL === '1' || isa !== 'x86-64-v2');
  it.each(levels)('%s: a C library chooses what it chooses on a processor of that level', async (isa) => {
    // Bound at once: the linker's stub saves registers in an area of our size, which the host's own may exceed.
    const env = { ...LIBRARIES, LD_BIND_NOW: '1' };
    const invocation = { program: dynamic, args: [], env, directory, isa };
    expect(await emulate(invocation)).toEqual(await stepper.run(invocation));
  });

  it.each([
    ['x86-64', '__strlen_sse2', '__strspn_generic'],
    ['x86-64-v2', '__strlen_sse2', '__strspn_sse42'],
    ['x86-64-v3', '__strlen_avx2', '__strspn_sse42'],
  ] as const)('%s: among them %s and %s', async (isa, ...expected) => {
    const { functions } = await measured(fixed, isa, directory);
    const names = new Set(functions.filter((name) => /^__str(len|c?spn)_/.test(name)));
    expect([...names]).toEqual(expect.arrayContaining(expected));
    expect([...names].some((name) => name.endsWith('_avx2'))).toBe(isa === 'x86-64-v3');
  });

  it.each([
    ['x86-64', 'older', '15', '4'],
    ['x86-64-v2', 'nehalem', '6', '26'],
    ['x86-64-v3', 'haswell', '6', '60'],
  ] as const)('%s: libraries that go by its model take it for %s', async (isa, name, family, model) => {
    const { stdout } = await emulate({ program: modelled, args: [], env: {}, directory, isa });
    expect(stdout).toBe(`${name}\n`);
    const { stdout: cpuInfo } = await emulate({
      program: '/bin/cat',
      args: ['/proc/cpuinfo'],
      env: {},
      directory,
      isa,
    });
    expect(/^cpu family\t: (.*)$/m.exec(cpuInfo)?.[1]).toBe(family);
    expect(/^model\t\t: (.*)$/m.exec(cpuInfo)?.[1]).toBe(model);
  });

  it.each(ISA_LEVELS)('%s: /proc/cpuinfo lists what CPUID has', async (isa) => {
    const { stdout } = await emulate({
      program: '/bin/cat',
      args: ['/proc/cpuinfo'],
      env: LIBRARIES,
      directory,
      isa,
    });
    expect(/^flags\s*: (.*)$/m.exec(stdout)?.[1]).toBe(processorFacts(isa).flags);
  });

  it.each(ISA_LEVELS)(
    '%s: a handler finds clean vector registers and gives all of theirs back',
    async (isa) => {
      const program = join(root, 'signal-vectors');
      execFileSync('gcc', [
        '-O1',
        '-o',
        program,
        fileURLToPath(new URL('./signal-vectors.c', import.meta.url)),
      ]);
      const { stdout } = await emulate({ program, args: [], env: LIBRARIES, directory, isa });
      expect(stdout).toBe(execFileSync(program, { encoding: 'utf8' }));
    },
  );

  it('a program for a higher level runs, with a note that names an instruction, the level and what to write', async () => {
    const { notes, exit } = await measured(wide, 'x86-64', directory);
    expect(exit).toEqual({ kind: 'exit', status: 0 });
    expect(notes).toEqual([
      expect.stringMatching(
        /^the program executes instructions of x86-64-v3 \(\w+ at .*\/wide\+0x[0-9a-f]+\), which a processor of x86-64 does not have; .* set "isa: x86-64-v3" in the configuration or give --isa x86-64-v3$/,
      ),
    ]);
    expect((await measured(wide, 'x86-64-v3', directory)).notes).toEqual([]);
    expect((await measured(fixed, 'x86-64', directory)).notes).toEqual([]);
  });
});

async function measured(program: string, isa: IsaLevel, directory: string) {
  const measure = measureWith(testMeasuring());
  const { profile, notes, exit } = await measure(
    requestOf(program, directory, { env: LIBRARIES, isa, depth: 6 }),
    SILENT,
  );
  return { exit, notes, functions: profile?.functions.map(({ name }) => name) ?? [] };
}
