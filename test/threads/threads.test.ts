import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { afterAll, describe, expect, it } from 'vitest';
import { RUN_CHAIN } from '../../src/base/run-chain.ts';
import { parseImage } from '../../src/elf/parse.ts';
import { CodeSpace } from '../../src/emulator/code/code-space.ts';
import { orOutgrown } from '../../src/emulator/memory/measure-plan.ts';
import { World } from '../../src/emulator/world.ts';
import { hostDisk } from '../../src/host/disk.ts';
import { emptyInput } from '../../src/host/input.ts';
import { frozenDisk } from '../../src/linux/frozen-disk.ts';
import type { EngineLimits } from '../../src/translate/limits.ts';
import { isMissing, Workshop } from '../measure/build.ts';
import { measureFast } from '../measure/fast.ts';
import { commandOf } from '../reference/program.ts';

const textOf = (name: string): string => readFileSync(new URL(`./programs/${name}`, import.meta.url), 'utf8');
const DISK = frozenDisk(hostDisk());

/** What a program prints, in one pass. */
function outputOf(program: string, env: Readonly<Record<string, string>>): string {
  const space = new CodeSpace([]);
  for (;;) {
    let printed = '';
    const output = {
      stdout: (bytes: Uint8Array) => {
        printed += Buffer.from(bytes).toString('latin1');
      },
      stderr: () => {},
    };
    const guest = {
      command: { ...commandOf(program, []), env },
      directory: process.cwd(),
      disk: DISK,
      input: emptyInput(),
      output,
      parseImage,
      isa: 'x86-64' as const,
    };
    const exit = orOutgrown(() => new World({ guest, space, named: [], depth: 0, firstDepth: 0 }).run());
    if (typeof exit === 'object') return printed;
    space.outgrow(exit);
  }
}

/** In one tier alone, in the other, in small pieces with wide lanes. */
const LIMITS: readonly Partial<EngineLimits>[] = [
  { hotEntries: 0x7fff_ffff },
  { hotEntries: 1, warmEntries: 1 },
  { hotEntries: 50, firstSlice: 333, longestSlice: 5000, wideFrom: 2000 },
];

describe.skipIf(isMissing('gcc', 'g++'))('programs with threads', () => {
  const workshop = new Workshop();
  afterAll(() => workshop.remove());
  const QUESTION = { depth: 1, functions: [], chains: [RUN_CHAIN] };

  const programs: readonly (readonly [string, readonly string[], string])[] = [
    ['waiting.c', ['-O2', '-pthread'], 'gcc'],
    ['waiting.c', ['-O1', '-pthread', '-static'], 'gcc'],
    ['locks-and-signals.c', ['-O2', '-pthread'], 'gcc'],
    ['openmp.c', ['-O2', '-fopenmp'], 'gcc'],
    ['standard.cpp', ['-O2', '-pthread', '-xc++'], 'g++'],
  ];
  it.each(programs)('%s %j: the output is that of hardware', (name, flags, compiler) => {
    const program = workshop.compile(textOf(name), flags, compiler);
    const env = { OMP_NUM_THREADS: '3' };
    expect(outputOf(program, env)).toBe(execFileSync(program, { env, encoding: 'latin1' }));
  });

  it('every tier gives the same numbers', () => {
    const program = workshop.compile(textOf('waiting.c'), ['-O2', '-pthread']);
    const [expected, ...others] = [{}, ...LIMITS].map((limits) => {
      const { nameOf: _, ...numbers } = measureFast(program, [], QUESTION, limits);
      return numbers;
    });
    expect(expected.threads).toHaveLength(9);
    for (const other of others) expect(other).toEqual(expected);
  });

  it('threads are measured as wholes, several in a pass, as each is measured with its calls', () => {
    const program = workshop.compile(textOf('many.c'), ['-O2', '-pthread', '-static']);
    const threadsAt = (depth: number) =>
      measureFast(program, ['5'], { ...QUESTION, depth, chains: [] }).threads;
    expect(threadsAt(0)).toHaveLength(6);
    expect(threadsAt(0)).toEqual(threadsAt(1));
  });

  it('of more threads than are measured with their calls, each has its cycles', () => {
    const program = workshop.compile(textOf('many.c'), ['-O2', '-pthread', '-static']);
    const many = measureFast(program, ['65'], { depth: 1, functions: [], chains: [] }).threads!;
    expect(many).toHaveLength(66);
    // The chain takes two cycles an iteration.
    for (const [index, { cycles }] of many.slice(1).entries())
      expect(cycles! - many[1].cycles!).toBe(20 * index);
  });

  it('threads that wait for each other are named with what they wait for', () => {
    const program = workshop.compile(textOf('deadlock.c'), ['-O2', '-pthread']);
    expect(() => outputOf(program, {})).toThrow(
      /^The program waits in futex for something that cannot happen: no other thread wakes it \(the word is at 0x[0-9a-f]+\); another in futex: no other thread wakes it/,
    );
  });
});
