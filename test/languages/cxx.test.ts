import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { RUN_CHAIN } from '../../src/base/run-chain.ts';
import { measureWith } from '../../src/pipeline/measure.ts';
import type { Measurement } from '../../src/pipeline/request.ts';
import type { Profile } from '../../src/profile/profile.ts';
import { writeProfile } from '../../src/profile/write.ts';
import { oracleMissing } from '../guest/builds.ts';
import { emulate } from '../guest/emulate.ts';
import { testMeasuring } from '../guest/measuring.ts';
import { requestOf, SILENT } from '../guest/request.ts';
import { Stepper } from '../guest/stepper.ts';
import { compare } from '../measure/compare.ts';

const SOURCE = fileURLToPath(new URL('../../src/elf/fixtures/shapes.cc', import.meta.url));
const measure = measureWith(testMeasuring());

describe.skipIf(oracleMissing('g++', 'gcc', 'strip', 'objcopy'))('a program of C++ that throws', () => {
  const directory = mkdtempSync(join(tmpdir(), 'ilp-gate-cxx-'));
  afterAll(() => rmSync(directory, { recursive: true }));
  const run = (tool: string, ...args: string[]) =>
    execFileSync(tool, args, { cwd: directory, stdio: 'pipe' });
  const at = (name: string) => join(directory, name);

  const measured = (name: string, functions: readonly string[] = []): Promise<Measurement> =>
    measure(
      requestOf(at(name), directory, {
        depth: 3,
        functions,
        chains: functions.length > 0 ? functions : [RUN_CHAIN],
      }),
      SILENT,
    );

  let whole: Profile;
  beforeAll(async () => {
    run('g++', '-O2', '-g', '-o', 'program', SOURCE);
    whole = (await measured('program')).profile!;
  });

  it('prints what it prints on the processor; FULL=1: and counts the instructions that it executes there', async () => {
    run('g++', '-O1', '-static', '-o', 'static', SOURCE);
    const invocation = { program: at('static'), args: [], env: {}, directory };
    const ours = await emulate(invocation);
    expect(ours.stdout).toBe(execFileSync(at('static'), { encoding: 'latin1' }));
    // Eleven million single steps take a minute.
    if (process.env.FULL === '1') expect(ours).toEqual(await new Stepper(directory).run(invocation));
  });

  it('closes the calls that an exception leaves: who catches is called by who catches', () => {
    const main = whole.calls.find((call) => call.function === 'main')!;
    const sum = main.calls.find((call) => call.function === 'geo::sum(int)')!;
    const names = sum.calls.map((call) => call.function);
    const throws = ['__cxa_allocate_exception', '__cxa_throw', '__cxa_begin_catch', '__cxa_end_catch'];
    expect(names).toEqual([...throws, ...throws, ...throws]);
    expect(main.calls.at(-2)?.function).toBe('printf');
  });

  // The reference takes half a minute for it.
  it.skipIf(process.env.FULL !== '1')('measures as the reference does', () => {
    run('g++', '-O2', '-static', '-o', 'static', SOURCE);
    const functions = ['_ZN3geo3sumEi', '__cxa_throw', '__cxa_begin_catch'];
    const { measured: found } = compare(at('static'), { depth: 3, functions, chains: functions.slice(0, 1) });
    const throwing = found.functions.find(({ entry }) => found.nameOf(entry) === '__cxa_throw');
    expect(throwing?.calls).toBe(3);
  });

  it('names its functions as the source does', () => {
    const names = whole.functions.map(({ name }) => name);
    expect(names).toEqual(
      expect.arrayContaining(['main', 'geo::sum(int)', 'geo::sum(double)', '__cxa_throw']),
    );
    expect(
      names.some((name) => /^geo::sort<int, largest\(int\*, int\)::\{lambda\(int, int\)#1\}>/.test(name)),
    ).toBe(true);
    expect(names.filter((name) => name.startsWith('_Z'))).toEqual([]);
  });

  it('has its functions found by symbol, by name, and by name without parameters', async () => {
    const wanted = ['_ZN3geo3sumEi', 'geo::sum(int)', 'geo::sum', 'geo::su', 'sum'];
    const { profile, uncalled } = await measured('program', wanted);
    expect(uncalled).toEqual(['geo::su', 'sum']);
    const chains = profile!.chains.map((chain) => chain.function);
    // The last name stands for both; each has one chain.
    expect(chains.sort()).toEqual(['geo::sum(double)', 'geo::sum(int)']);
    const { notes } = await measured('program', ['geo::sum']);
    expect(notes).toEqual([]);
  });

  it('tells into what the code of its chains was inlined', async () => {
    const { profile } = await measured('program', ['geo::sum(int)']);
    const links = profile!.chains[0].links.filter(({ inlined }) => inlined !== undefined);
    const found = links.flatMap(({ inlined = [] }) => inlined.map((each) => each.function));
    expect(new Set(found)).toEqual(new Set(['geo::checked']));
    for (const { inlined } of links) expect(inlined![0]).toMatchObject({ line: 31 });
  });

  const functionsOf = ({ functions }: Profile) =>
    functions.map(({ name, calls, instructions, cycles }) => [name, calls, instructions, cycles]);

  it('measures the same without symbols; functions that have no name have their address', async () => {
    copyFileSync(at('program'), at('stripped'));
    run('strip', 'stripped');
    const { profile } = await measured('stripped');
    const place = (name: string): string => (/^(geo|largest|operator)|::/.test(name) ? '' : name);
    const known = functionsOf(whole).map(([name, ...counts]) => [place(String(name)), ...counts]);
    const found = functionsOf(profile!).map(([name, ...counts]) => [
      String(name).replace(/^stripped\+.*|^operator .*/, ''),
      ...counts,
    ]);
    const sorted = (rows: readonly (readonly unknown[])[]) => rows.map((row) => row.join()).sort();
    expect(sorted(found)).toEqual(sorted(known));
    const [unnamed] = profile!.functions.filter(({ name }) => name.startsWith('stripped+'));
    const again = await measured('stripped', [unnamed.name]);
    expect(again.uncalled).toEqual([]);
    expect(again.profile!.chains[0].function).toBe(unnamed.name);
  });

  it('has the same profile where its debug information is in another file', async () => {
    copyFileSync(at('program'), at('whole'));
    run('objcopy', '--only-keep-debug', 'program', 'program.debug');
    run('strip', 'program');
    run('objcopy', '--add-gnu-debuglink=program.debug', 'program');
    const { profile, notes } = await measured('program');
    expect(notes).toEqual([]);
    const apart = { ...profile!, environment: whole.environment };
    expect(writeProfile(apart)).toBe(writeProfile(whole));
    copyFileSync(at('whole'), at('program'));
  });
});
