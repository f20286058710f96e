import { expect } from 'vitest';
import type { CodeStore } from '../../src/emulator/ports.ts';
import { memoryCodeStore } from '../../src/host/kept/memory-code-store.ts';
import type { EngineLimits } from '../../src/translate/limits.ts';
import { firstError } from '../executions/counts.ts';
import { usualHandlers } from '../guest/measuring.ts';
import { type Answer, answer, type Question } from '../reference/observe.ts';
import { type ProgramRun, runProgram } from '../reference/program.ts';
import { COMBINATIONS } from './combinations.ts';
import { type FastRun, measureFast } from './fast.ts';

/**
 * Sizes that take every path out of generated code: after one instruction, in small pieces, in one tier alone; with wide
 * lanes, too; in steps of half the size, from the start, and from when bytes have steps of
 * their own; with memory at far addresses.
 */
export const LIMITS: readonly Partial<EngineLimits>[] = [
  {},
  { firstSlice: 1, longestSlice: 1 },
  {
    firstSlice: 7,
    longestSlice: 7,
    blockInstructions: 3,
    hotEntries: 2,
    warmEntries: 1,
    patience: 1,
    missesPerTelling: 1,
    vainTellings: 1,
    logEntries: 16,
    logSlots: 64,
    hotInstructions: 11,
    firstSweep: 1,
  },
  {
    hotEntries: 1,
    warmEntries: 1,
    largeRegion: 0,
    rebaseFrom: 1,
    keptCycles: 60,
    firstSlice: 5,
    longestSlice: 40,
    logEntries: 256,
    logSlots: 0x4000,
    lineageEntries: 500,
  },
  { hotEntries: 1, warmEntries: 0, logEntries: 1024 },
  {
    hotEntries: 40,
    leastHotEntries: 2,
    lateFrom: 20,
    translationCost: 0,
    firstSlice: 10,
    longestSlice: 30,
    warmEntries: 1,
  },
  {
    hostStack: 1500,
    hotEntries: 3,
    warmEntries: 2,
    mostWarmBlocks: 3,
    crowdedEntries: 8,
    blockInstructions: 9,
    regionAccesses: 3,
    largeRegion: 10,
  },
  { firstSlice: 100, longestSlice: 100, hotEntries: 2, warmEntries: 1, logEntries: 4096, firstSweep: 1 },
  {
    firstSlice: 20,
    longestSlice: 20,
    hotEntries: 1,
    warmEntries: 1,
    firstSweep: 1,
    entries: 0,
    patience: 0,
    missesPerTelling: 3,
    vainTellings: 2,
  },
  { firstSlice: 1, longestSlice: 30, hotEntries: 2, warmEntries: 1, entries: 2, wideFrom: 3, logEntries: 64 },
  {
    firstSlice: 10,
    longestSlice: 300,
    hotEntries: 3,
    warmEntries: 1,
    wideFrom: 2,
    wideStart: 2 ** 32 - 30,
    firstSweep: 1,
  },
  {
    firstSlice: 3,
    longestSlice: 3,
    hotEntries: 0x7fff_ffff,
    blockInstructions: 1,
    logEntries: 2,
    lineageEntries: 30,
  },
  { hotEntries: 0x7fff_ffff, wideFrom: 2 },
  {
    hotEntries: 2,
    firstSlice: 50,
    window: 0x1_0000,
    firstSweep: 1,
    farFrom: 1,
    manyFar: 0,
    logEntries: 512,
    lineageEntries: 0,
  },
  {
    hotEntries: 3,
    bytePages: 0,
    stepMemory: 0,
    rebaseFrom: 3000,
    keptCycles: 800,
    longestSlice: 50,
    firstSlice: 5,
  },
  {
    hotEntries: 2,
    bytePages: 0,
    stepMemory: 0,
    firstSlice: 30,
    longestSlice: 90,
    blockInstructions: 5,
    farFrom: 1,
    manyFar: 1,
  },
  { hotEntries: 4, bytePages: 1, stepMemory: 0, firstSlice: 10, longestSlice: 40, wideFrom: 60 },
];

/** For programs that touch many pages: where a chain's pass pauses, all steps are looked at. */
export const fewerPauses = (limits: Partial<EngineLimits>): Partial<EngineLimits> => ({
  ...limits,
  ...(limits.logEntries !== undefined && { logEntries: Math.max(4096, limits.logEntries) }),
});

let turn = 0;
let countedTurn = 0;

/**
 * The usual sizes, and in turn three others and two of the combinations of optimisations: a few callers have them all.
 * FULL=1 takes all sizes each time, and three combinations.
 */
export function limitsInTurn(): readonly Partial<EngineLimits>[] {
  const [usual, ...others] = LIMITS;
  const inTurn = <T>(all: readonly T[], count: number): T[] =>
    Array.from({ length: count }, (_, i) => all[(turn * count + i) % all.length]);
  const sizes = process.env.FULL === '1' ? others : inTurn(others, 3);
  const combinations = inTurn(COMBINATIONS, process.env.FULL === '1' ? 3 : 2);
  turn++;
  return [usual, ...sizes, ...combinations];
}

export interface Compared {
  readonly naive: ProgramRun;
  readonly expected: Answer;
  readonly measured: FastRun;
}

/** Measures a program in generated code, with each of the limits, and expects the reference's answer each time. */
export function compare(
  program: string,
  question: Question,
  limits: readonly Partial<EngineLimits>[] = [{}],
  args: readonly string[] = [],
  quantum?: number,
): Compared {
  const naive = runProgram(program, args, 3_000_000, undefined, quantum);
  const expected = answer(naive, question);
  let measured: FastRun | undefined;
  const expectMeasured = (each: Partial<EngineLimits>, counts: boolean, codeStore?: CodeStore) => {
    // Blocks are left to later runs where their handlers are there from the start: made for the usual sizes alone, since that takes long.
    const prepared = codeStore !== undefined && Object.keys(each).length === 0 ? usualHandlers : undefined;
    measured = measureFast(program, args, question, each, undefined, counts, quantum, prepared, codeStore);
    expectSame(measured, expected);
    if (measured.executions !== undefined) expect(firstError(naive, measured.executions)).toBeUndefined();
    expect({ status: measured.status, stdout: measured.stdout }).toEqual({
      status: naive.status,
      stdout: naive.stdout,
    });
  };
  const counted = countedTurn++ % limits.length;
  const stored = countedTurn % limits.length;
  for (const [i, each] of limits.entries()) {
    // One of them in turn counts executions, too; with another the code of one run is used in the next.
    const codeStore = i === stored ? memoryCodeStore() : undefined;
    expectMeasured(each, i === counted, codeStore);
    if (codeStore !== undefined) expectMeasured(each, false, codeStore);
  }
  return { naive, expected, measured: measured! };
}

/** The counts first, because a difference in them says more than the tree. */
export function expectSame(measured: FastRun, expected: Answer): void {
  const { calls: _, rest: __, ...totals } = measured.run;
  expect(totals).toEqual({
    entry: expected.run.entry,
    depth: 0,
    instructions: expected.run.instructions,
    cycles: expected.run.cycles,
  });
  expect(measured.run).toEqual(expected.run);
  expect(measured.threads).toEqual(expected.threads);
  expect(measured.functions).toEqual(expected.functions);
  expect(measured.chains).toEqual(expected.chains);
}
