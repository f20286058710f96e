import { readFileSync } from 'node:fs';
import { afterAll, describe, expect, it } from 'vitest';
import { RUN_CHAIN } from '../../src/base/run-chain.ts';
import { isMissing, Workshop } from './build.ts';
import { compare, LIMITS } from './compare.ts';

const source = (name: string) => readFileSync(new URL(`programs/${name}.c`, import.meta.url), 'utf8');
const LEVELS = ['-O0', '-O2', '-O3'];
/** Regions become hot before all their cases were seen, and are translated anew when more come up. */
const LEARNING = [
  { hotEntries: 2, warmEntries: 1 },
  { hotEntries: 20, warmEntries: 1, firstSlice: 50, longestSlice: 300 },
  { hotEntries: 5, warmEntries: 1, hotInstructions: 60 },
];
/** Slices end in bytecode loops all the time, so that they are entered at whatever comes next. */
const ENTERING = [1, 20, 90].map((slice) => ({
  hotEntries: 3,
  warmEntries: 0,
  firstSlice: slice,
  longestSlice: slice,
}));
const FREESTANDING = ['-DFREESTANDING', '-ffreestanding', '-fno-stack-protector', '-nostdlib', '-static'];

describe.skipIf(isMissing('gcc'))(
  'compiled programs measure the same in generated code and in the reference',
  () => {
    const workshop = new Workshop();
    afterAll(() => workshop.remove());

    // Without optimisation programs take the longest, and these two the longest of all: with FULL.
    const all = process.env.FULL === '1';
    const optimised = all ? LEVELS : LEVELS.slice(1);
    for (const level of optimised)
      it(`without a library at ${level}`, () => {
        const program = workshop.compile(source('mixed'), [level, ...FREESTANDING]);
        const functions = ['sort', 'crc', 'ackermann', 'add', 'partition'];
        const chains = [RUN_CHAIN, 'main', 'sort', 'horner', 'chase', 'state_machine'];
        const { measured } = compare(program, { depth: 4, functions, chains }, [
          ...LIMITS.slice(2, 5),
          LIMITS[9],
        ]);
        compare(program, { depth: 9, functions: [], chains: ['ackermann'] });
        const names = measured.functions.map(({ entry }) => measured.nameOf(entry));
        expect(names).toEqual(expect.arrayContaining(['main', 'sort', 'crc', 'ackermann']));
      });

    for (const [at, level] of optimised.entries())
      it(`with indirect jumps at ${level}, in regions that learn where they lead`, () => {
        const program = workshop.compile(source('jumps'), [level, ...FREESTANDING]);
        const functions = ['by_switch', 'by_goto', 'twice', 'finish'];
        const chains = [RUN_CHAIN, 'by_goto'];
        const others = [...LEARNING, ...ENTERING].filter((_, i) => all || i % 2 === at);
        compare(program, { depth: 3, functions, chains }, [{}, ...others]);
      });

    it('with glibc, static and position-independent', () => {
      const program = workshop.compile(source('mixed'), ['-O2', '-static-pie']);
      compare(program, { depth: 2, functions: ['fold'], chains: ['fold'] }, [LIMITS[5], LIMITS[9]]);
    });

    for (const level of LEVELS)
      it.skipIf(isMissing('musl-gcc'))(`with musl, static, at ${level}`, () => {
        const program = workshop.compile(source('library'), [level, '-static'], 'musl-gcc');
        const functions = ['deep', 'longjmp', 'vfprintf', 'strlen', 'ascending', 'total'];
        const { measured } = compare(program, { depth: 3, functions, chains: [RUN_CHAIN, 'main', 'deep'] }, [
          LIMITS[1],
        ]);
        expect(measured.stdout).toContain('chiepsilonetalambdaomegatau 27');
      });

    it('with glibc, static', () => {
      const program = workshop.compile(source('library'), ['-O2', '-static']);
      const functions = ['deep', 'qsort', 'printf', 'malloc', 'memmove', 'strcmp'];
      const { measured } = compare(program, { depth: 3, functions, chains: ['main'] });
      expect(measured.status).toBe(7);
    });

    it('with glibc, linked dynamically: a stub’s function is a call though it has no symbol, in regions too', () => {
      // The C library's own strlen for a processor is no symbol of it.
      const text =
        '#include <string.h>\nint main(int n, char **v) { int s = 0; for (int i = 0; i < 60; i++) s += strlen(v[0] + (s & 1)); return s & 1; }';
      const program = workshop.compile(text, ['-O2', '-fno-builtin', '-Wl,-z,now']);
      const limits = [
        { hotEntries: 8, warmEntries: 1 },
        { hotEntries: 1, warmEntries: 1, firstSlice: 50 },
        { hotEntries: 0x7fff_ffff },
      ];
      const { measured } = compare(program, { depth: 2, functions: [], chains: [] }, limits);
      expect(measured.run.calls[0].calls).toHaveLength(60);
    });

    for (const [binding, flag] of [
      ['lazily', '-Wl,-z,lazy'],
      ['at once', '-Wl,-z,now'],
    ])
      it(`with glibc, linked dynamically and bound ${binding}: stubs and the resolver open no context`, () => {
        const program = workshop.compile(source('library'), ['-O2', flag]);
        const { measured } = compare(program, { depth: 2, functions: ['printf', 'qsort'], chains: ['main'] });
        const [main] = measured.run.calls;
        expect(measured.nameOf(main.entry)).toBe('main');
        const called = main.calls.map(({ entry }) => measured.nameOf(entry) ?? 'a function without a name');
        expect(called).toEqual(
          expect.arrayContaining(['qsort', 'malloc', 'printf', 'free', 'realloc', 'deep']),
        );
      });
  },
);
