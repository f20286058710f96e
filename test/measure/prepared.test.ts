import { readFileSync } from 'node:fs';
import { afterAll, describe, expect, it } from 'vitest';
import { formsOf } from '../../scripts/prepare-handlers.ts';
import { RUN_CHAIN } from '../../src/base/run-chain.ts';
import type { HandlerLibrary } from '../../src/emulator/ports.ts';
import { ENGINE_LIMITS, type EngineLimits } from '../../src/translate/limits.ts';
import { ENCODINGS, handlersFor } from '../guest/measuring.ts';
import { isMissing, Workshop } from './build.ts';
import { measureFast } from './fast.ts';
import { Random } from './random.ts';
import { randomProgram } from './random-assembly.ts';

const BARE = ['-ffreestanding', '-fno-builtin', '-fno-stack-protector', '-nostdlib', '-static'];

/** For the limits; with the keys of those that were placed in a table. */
function prepare(limits: Partial<EngineLimits>): { library: HandlerLibrary; placed: string[] } {
  const library = handlersFor({ ...ENGINE_LIMITS, ...limits });
  const placed: string[] = [];
  return {
    placed,
    library: (key) => {
      const made = library(key);
      if (made === undefined) return undefined;
      const module = () => {
        placed.push(key);
        return made.module();
      };
      return { ...made, module };
    },
  };
}

it('usual forms are different ones', () => {
  expect(new Set(formsOf(ENCODINGS)).size).toBe(ENCODINGS.length);
});

describe.skipIf(isMissing('gcc'))('prepared handlers measure as those do that are made on the way', () => {
  const workshop = new Workshop();
  afterAll(() => workshop.remove());
  const question = { depth: 3, functions: ['f1', 'plunge'], chains: [RUN_CHAIN, 'f2'] };

  for (const limits of [{}, { hotEntries: 0x7fff_ffff }, { hotEntries: 2, warmEntries: 1, firstSlice: 20 }]) {
    const prepared = prepare(limits);
    for (let seed = 2001; seed <= 2006; seed++)
      it(`random program ${seed} ${JSON.stringify(limits)}`, () => {
        const program = workshop.assemble(randomProgram(new Random(seed)));
        const [expected, found] = [undefined, prepared.library].map((each) => {
          const run = measureFast(program, [], question, limits, undefined, false, undefined, each);
          return { ...run, nameOf: undefined };
        });
        expect(found).toEqual(expected);
        expect(prepared.placed.length).toBeGreaterThan(0);
      });
  }

  it('a C program with its library', () => {
    const program = workshop.compile(readFileSync(new URL('programs/mixed.c', import.meta.url), 'utf8'), [
      '-O2',
    ]);
    const prepared = prepare({});
    const [expected, found] = [undefined, prepared.library].map((each) => {
      const run = measureFast(program, [], question, {}, undefined, false, undefined, each);
      return { ...run, nameOf: undefined };
    });
    expect(found).toEqual(expected);
    expect(prepared.placed.length).toBeGreaterThan(0);
  });

  it.each([
    ['threads', '../threads/programs/waiting.c', ['-O2', '-pthread'], 3],
    // For its chains there are none.
    ['far memory', 'programs/far.c', [...BARE, '-O2'], 2],
  ] as const)('%s', (_what, source, flags, sets) => {
    const program = workshop.compile(readFileSync(new URL(source, import.meta.url), 'utf8'), flags);
    const prepared = prepare({});
    const asked = { depth: 2, functions: ['main'], chains: [RUN_CHAIN] };
    const [expected, found] = [undefined, prepared.library].map((each) => {
      const run = measureFast(program, [], asked, {}, undefined, false, undefined, each);
      return { ...run, nameOf: undefined };
    });
    expect(found).toEqual(expected);
    expect(new Set(prepared.placed).size).toBe(sets);
  });

  it("begin with threads and far memory where there is Go's runtime", () => {
    const source = readFileSync(new URL('../threads/programs/waiting.c', import.meta.url), 'utf8');
    const section = '__attribute__((used, section(".gopclntab"))) static const char table[] = "";\n';
    const runs = [source, section + source].map((text) => {
      const program = workshop.compile(text, ['-O2', '-pthread']);
      const prepared = prepare({});
      const { functions } = measureFast(
        program,
        [],
        { depth: 2, functions: [], chains: [] },
        {},
        undefined,
        false,
        undefined,
        prepared.library,
      );
      return { cycles: functions.map(({ cycles }) => cycles), sets: new Set(prepared.placed).size };
    });
    expect(runs[1].cycles).toEqual(runs[0].cycles);
    expect(runs.map(({ sets }) => sets)).toEqual([2, 1]);
  });

  it('are left aside where code is to do more, or to be made for something else', () => {
    const program = workshop.assemble(randomProgram(new Random(2007)));
    const prepared = prepare({});
    measureFast(program, [], question, {}, undefined, true, undefined, prepared.library);
    // Not the first pass, which counts; those for functions and chains do not.
    const after = prepared.placed.length;
    measureFast(
      program,
      [],
      { ...question, functions: [], chains: [] },
      { longestSlice: 77 },
      undefined,
      false,
      undefined,
      prepared.library,
    );
    expect(prepared.placed).toHaveLength(after);
    measureFast(
      program,
      [],
      { ...question, functions: [], chains: [] },
      {},
      undefined,
      true,
      undefined,
      prepared.library,
    );
    expect(prepared.placed).toHaveLength(after);
  });
});
