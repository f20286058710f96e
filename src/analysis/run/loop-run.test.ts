import { expect, test } from 'vitest';
import { decodeCode } from '../../x86/block.ts';
import { NOTHING } from '../loops/counts.ts';
import type { LoopBlock, MachineLoop } from '../loops/machine-loop.ts';
import { NOT_UNROLLED } from '../loops/unroll.ts';
import type { ExecutedCode } from './executed.ts';
import { loopRun } from './loop-run.ts';

function block(start: number, end: number, successors: number[], code: readonly number[]): LoopBlock {
  return { start, end, instructions: decodeCode(Uint8Array.from(code), start), successors, counts: NOTHING };
}

function loopOf(blocks: readonly LoopBlock[], address: number, latches: readonly number[]): MachineLoop {
  return {
    function: 'f',
    functionStart: 0,
    address,
    latches,
    outer: undefined,
    depth: 1,
    innermost: true,
    blocks,
    before: () => [],
    areas: [],
    counts: NOTHING,
    unrolling: NOT_UNROLLED,
    frame: false,
    notes: [],
  };
}

const executedOften = (
  executions: Readonly<Record<number, number>>,
  taken: Readonly<Record<number, number>> = {},
): ExecutedCode => ({
  at: (address) => executions[address] ?? 0,
  taken: (address) => taken[address] ?? 0,
  jumps: () => [],
  within: () => 0,
});

const CALL = [0xe8, 0, 0, 0, 0];

test('a loop with its test below is entered each time, and its instructions are those that were executed', () => {
  // call f; dec ecx; jnz 0x10
  const loop = loopOf([block(0x10, 0x19, [0x19, 0x10], [...CALL, 0xff, 0xc9, 0x75, 0xf7])], 0x10, [0x10]);
  // Entered 10 times: 4 times the fourth call does not return, 6 times the loop ends behind the third.
  const run = loopRun(loop, [], executedOften({ 16: 34, 21: 30, 23: 30 }, { 23: 24 }));
  expect(run).toMatchObject({ headers: 34, entries: 10, iterations: 34, instructions: 94 });
});

test('a loop with its test on top is left in the middle of its latch', () => {
  // dec ecx; jz 0x30; then call f; nop; jmp 0x10
  const loop = loopOf(
    [
      block(0x10, 0x14, [0x14, 0x30], [0xff, 0xc9, 0x74, 0x1c]),
      block(0x14, 0x1c, [0x10], [...CALL, 0x90, 0xeb, 0xf4]),
    ],
    0x10,
    [0x14],
  );
  const run = loopRun(loop, [], executedOften({ 16: 18, 18: 18, 20: 18, 25: 15, 26: 15 }));
  expect(run).toMatchObject({ headers: 18, entries: 3, iterations: 18, instructions: 84 });
});
