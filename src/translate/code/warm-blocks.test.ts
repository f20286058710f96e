import { expect, it } from 'vitest';
import { ENGINE_LIMITS } from '../limits.ts';
import { WarmBlocks } from './warm-blocks.ts';

const { warmEntries, crowdedEntries } = ENGINE_LIMITS;
const SLOT = 7;
const OTHER = 8;

function warmBlocks(entries: Readonly<Record<number, number>>, isSame = true): WarmBlocks {
  return new WarmBlocks(ENGINE_LIMITS, {
    hasEntered: (address, times) => (entries[address] ?? 0) >= times,
    isSame: () => isSame,
  });
}

it('takes blocks that were entered often', () => {
  const warm = warmBlocks({ 1: warmEntries, 2: warmEntries - 1 });
  expect([1, 2, 3].map((address) => warm.isWarm(address, SLOT))).toEqual([true, false, false]);
});

it('takes fewer into a crowded region, and no fewer into others', () => {
  const warm = warmBlocks({ 1: crowdedEntries, 2: crowdedEntries - 1 });
  warm.crowd(SLOT);
  expect([1, 2].map((address) => warm.isWarm(address, SLOT))).toEqual([true, false]);
  expect([1, 2].map((address) => warm.isWarm(address, OTHER))).toEqual([true, true]);
});

it('keeps in a region that becomes crowded what it has, of which the interpreter counts no more entries', () => {
  const warm = warmBlocks({ 1: warmEntries, 2: warmEntries });
  warm.hold(SLOT, [1]);
  warm.crowd(SLOT);
  expect([1, 2].map((address) => warm.isWarm(address, SLOT))).toEqual([true, false]);
  warm.crowd(OTHER);
  expect(warm.isWarm(1, OTHER)).toBe(false);
});

it.each([true, false])('takes what an earlier run found warm where the code is the same: %s', (isSame) => {
  const warm = warmBlocks({}, isSame);
  warm.expect({ start: 1, bytes: new Uint8Array(4) });
  warm.crowd(SLOT);
  expect(warm.isWarm(1, SLOT)).toBe(isSame);
});

it('wants no more what a region refused, though that is warm, unless it is made anew without it in reach', () => {
  const warm = warmBlocks({ 1: warmEntries, 2: warmEntries, 3: 0 });
  warm.hold(SLOT, [1], [1, 2, 3]);
  expect([1, 2, 3].map((address) => warm.isWanted(address, SLOT))).toEqual([true, false, false]);
  expect(warm.isWanted(2, OTHER)).toBe(true);
  warm.hold(SLOT, [1]);
  expect(warm.isWanted(2, SLOT)).toBe(true);
});
