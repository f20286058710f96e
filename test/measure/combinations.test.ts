import { readFileSync } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';
import { afterAll, describe, expect, it } from 'vitest';
import { RUN_CHAIN } from '../../src/base/run-chain.ts';
import type { PassStatistics } from '../../src/emulator/code/statistics.ts';
import { OPTIMISATIONS, type Optimisation } from '../../src/translate/limits.ts';
import { helperFunctions } from '../../src/translate/lowering/helper-functions.ts';
import { hostFuses } from '../../src/translate/lowering/host-fma.ts';
import { isMissing, START, Workshop } from './build.ts';
import { COMBINATIONS, coveringRows, LEFT_OUT } from './combinations.ts';
import { compare } from './compare.ts';
import { modulesOf, statisticsOf } from './look.ts';
import { Random } from './random.ts';
import { randomProgram } from './random-assembly.ts';

describe('covering rows', () => {
  it('hold every pair of levels of every two factors', () => {
    const levels = [4, 2, 3, 2, 2];
    const rows = coveringRows(levels);
    for (let a = 0; a < levels.length; a++)
      for (let b = a + 1; b < levels.length; b++)
        expect(new Set(rows.map((row) => `${row[a]} ${row[b]}`)).size).toBe(levels[a] * levels[b]);
    expect(rows.length).toBeLessThan(20);
  });

  it('leave each optimisation out, and make it', () => {
    for (const optimisation of OPTIMISATIONS) {
      const left = COMBINATIONS.filter(({ without }) => without!.includes(optimisation)).length;
      expect([optimisation, left > 0, left < COMBINATIONS.length]).toEqual([optimisation, true, true]);
    }
  });
});

describe.skipIf(isMissing('gcc'))('no number depends on what the engine does for speed', () => {
  const workshop = new Workshop();
  afterAll(() => workshop.remove());
  const question = { depth: 3, functions: ['f1', 'plunge'], chains: [RUN_CHAIN, 'f2'] };

  // FULL=1 takes one more.
  for (const seed of [1001, 1002, ...(process.env.FULL === '1' ? [1003] : [])])
    it(`random program ${seed}, every pair of optimisations`, () => {
      compare(workshop.assemble(randomProgram(new Random(seed))), question, COMBINATIONS);
    });

  it('each optimisation that is left out changes what the engine does', () => {
    const compiled = (name: string, ...flags: string[]) =>
      workshop.compile(readFileSync(new URL(`programs/${name}.c`, import.meta.url), 'utf8'), [
        '-O2',
        '-DFREESTANDING',
        '-ffreestanding',
        '-fno-stack-protector',
        '-nostdlib',
        '-static',
        ...flags,
      ]);
    const mixed = compiled('mixed');
    const whatHappens = (
      without: readonly Optimisation[],
      { largeRegion = 1, program = mixed, chains = [RUN_CHAIN, 'sort'] } = {},
    ) => {
      let passes: readonly PassStatistics[] = [];
      const limits = {
        hotEntries: 30,
        warmEntries: 2,
        largeRegion,
        manyUnaligned: 1,
        unalignedSlices: 1,
        manyFar: 1,
        firstSlice: 100,
        longestSlice: 1000,
        rebaseFrom: 2000,
        keptCycles: 500,
        restingPages: -1,
        restingSlices: 1,
        wideFrom: 4000,
        without,
      };
      const modules = modulesOf(() => {
        passes = statisticsOf(program, limits, chains).passes;
      });
      // Times are by a clock that counts how often it is asked: they tell of work as well.
      return { passes, modules: modules.map((module) => module.toString('base64')) };
    };
    const usual = whatHappens([]);
    expect(whatHappens([])).toEqual(usual);
    // Lifting and where steps of bytes lie are tested beside their sources; functions of helpers are made once a process; test/regions/goto.s has a bytecode loop.
    const seenElsewhere: readonly Optimisation[] = [
      'lifted blocks',
      'byte cells',
      'helper cases',
      'entered targets',
      'edges in line',
      'calls in line',
      'far in line',
      'host fma',
      'better roots',
    ];
    const small = { largeRegion: 400 };
    for (const each of ['edges in line', 'calls in line'] as const)
      expect(whatHappens([each], small)).not.toEqual(whatHappens([], small));
    const far = { program: compiled('far', '-fno-builtin'), chains: [RUN_CHAIN] };
    expect(whatHappens(['far in line'], far)).not.toEqual(whatHappens([], far));
    const fused = {
      program: workshop.assemble(
        `${START}\nmain: mov ecx, 100\n1: vfmadd231sd xmm0, xmm1, xmm2\nsub ecx, 1\njne 1b\nxor eax, eax\nret`,
      ),
      chains: [RUN_CHAIN],
    };
    expect(isDeepStrictEqual(whatHappens(['host fma'], fused), whatHappens([], fused))).toBe(!hostFuses());
    // The inner loop is entered at its condition and left from its middle (translate/regions/roots.ts).
    const rotated = {
      program: workshop.assemble(
        `${START}
main: mov ecx, 200
1: mov eax, 50
jmp 3f
2: sub eax, 2
test eax, 30
je 4f
3: sub eax, 1
ja 2b
4: sub ecx, 1
jne 1b
xor eax, eax
ret`,
      ),
      chains: [RUN_CHAIN],
    };
    expect(whatHappens(['better roots'], rotated)).not.toEqual(whatHappens([], rotated));
    for (const optimisation of OPTIMISATIONS.filter((each) => !seenElsewhere.includes(each)))
      expect([optimisation, isDeepStrictEqual(whatHappens([optimisation]), usual)]).toEqual([
        optimisation,
        false,
      ]);
    expect(helperFunctions(false)['x87.add']).not.toBe(helperFunctions(true)['x87.add']);
  });

  it('random program 1004, each optimisation left out alone', () => {
    compare(workshop.assemble(randomProgram(new Random(1004))), question, LEFT_OUT);
  });
});
