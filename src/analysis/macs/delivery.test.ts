import { describe, expect, test } from 'vitest';
import { builtInMachine } from '../../machines/catalog.ts';
import { decodeBlock } from '../../x86/block.ts';
import { bodyOf } from './body.ts';
import { replayBound } from './front-end-bound.ts';

const zen5 = await builtInMachine('zen5');

/** `lea 1(%rcx),%r8` and `movaps %xmm1,%xmm9` in turn, of 4 bytes each, then add, cmp and jne, of 4, 3 and 2. */
function loopOf(count: number) {
  const body = Array.from({ length: count }, (_, i) => (i % 2 === 0 ? '448d4101' : '440f28c9')).join('');
  return decodeBlock(Buffer.from(`${body}4883c0084839c275f0`, 'hex'));
}

/** Cycles that the cache of decoded instructions needs where the loop begins at this offset from a line. */
function cyclesAt(count: number, offset: number): number {
  const { instructions } = loopOf(count);
  let at = offset;
  const addresses = instructions.map(({ length }) => {
    at += length;
    return at - length;
  });
  return replayBound(bodyOf(instructions, zen5, undefined, addresses), zen5);
}

/**
 * Measured with perf's cycles:u on an AMD EPYC of family 26: cycles an iteration at offsets 0, 4, ... 60. Those that the width
 * of renaming explains are less than what is here; nothing was below.
 */
describe('delivery from lines of code, as Zen 5 was measured', () => {
  test.each([
    [5, [1, 1, 1, 1, 1, 1, 1, 1, 1, 2, 1, 1, 1, 1, 1, 1]],
    [8, [1, 1, 1, 1, 1, 1, 2, 2, 2, 2, 1, 1, 1, 1, 1, 1]],
    [9, [1, 1, 1, 1, 1, 2, 2, 2, 2, 2, 1, 1, 1, 1, 1, 1]],
    [10, [1, 1, 1, 1, 2, 2, 2, 2, 2, 2, 1, 1, 1, 1, 1, 1]],
  ])('a loop of %i instructions and three', (count, cycles) => {
    expect(cycles.map((_, at) => cyclesAt(count, 4 * at))).toEqual(cycles);
  });

  test('without addresses only its taken branch ends a cycle', () => {
    const { instructions } = loopOf(10);
    expect(replayBound(bodyOf(instructions, zen5), zen5)).toBe(1);
  });

  test('a body that begins in the middle of a line goes on from its own end', () => {
    const { instructions } = loopOf(10);
    const addresses = instructions.map((_, i) => 4 * i);
    const [rotated, places] = [
      [...instructions.slice(2), ...instructions.slice(0, 2)],
      [...addresses.slice(2), ...addresses.slice(0, 2)],
    ];
    const body = bodyOf(rotated, zen5, new Set([rotated.length - 3]), places);
    // Twelve in one line, of which ten come before the branch.
    expect(body.breaks).toEqual([10]);
  });
});
