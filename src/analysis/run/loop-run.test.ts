import { expect, test } from 'vitest';
import { block, loopOf } from '../loops/fixtures/loop-of.ts';
import type { ExecutedCode } from './executed.ts';
import { loopRun } from './loop-run.ts';

const executedOften = (
  executions: Readonly<Record<number, number>>,
  taken: Readonly<Record<number, number>> = {},
): ExecutedCode => ({
  at: (address) => executions[address] ?? 0,
  taken: (address) => taken[address] ?? 0,
  jumps: () => [],
  within: () => 0,
});

const CALL = 'e800000000';

test('a loop with its test below is entered each time, and its instructions are those that were executed', () => {
  // call f; dec ecx; jnz 0x10
  const loop = loopOf(0x10, [block(0x10, 0x19, [0x19, 0x10], `${CALL}ffc975f7`)]);
  // Entered 10 times: 4 times the fourth call does not return, 6 times the loop ends behind the third.
  const run = loopRun(loop, [], executedOften({ 16: 34, 21: 30, 23: 30 }, { 23: 24 }));
  expect(run).toMatchObject({ headers: 34, entries: 10, iterations: 34, instructions: 94 });
});

test('a loop with its test on top is left in the middle of its latch', () => {
  // dec ecx; jz 0x30; then call f; nop; jmp 0x10
  const loop = loopOf(0x10, [
    block(0x10, 0x14, [0x14, 0x30], 'ffc9741c'),
    block(0x14, 0x1c, [0x10], `${CALL}90ebf4`),
  ]);
  const run = loopRun(loop, [], executedOften({ 16: 18, 18: 18, 20: 18, 25: 15, 26: 15 }));
  expect(run).toMatchObject({ headers: 18, entries: 3, iterations: 18, instructions: 84 });
});
