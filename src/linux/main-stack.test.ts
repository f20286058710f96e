import { describe, expect, test } from 'vitest';
import { FIRST_GUEST_ADDRESS, PAGE_SIZE, STACK_TOP } from '../guest/layout.ts';
import { READ, WRITE } from '../guest/memory.ts';
import { Guest } from './fixtures/guest.ts';
import { growStack, longestArguments, mainStackOf, mapStack, STACK_GAP, STACK_SIZE } from './main-stack.ts';
import { allRegions } from './region-list.ts';
import { overlapping, protectRegions, removeRegions } from './regions.ts';

const MIB = 1 << 20;
const RLIMIT_STACK = 3;
const START = STACK_TOP - STACK_SIZE;

function guestWith(limit: bigint): Guest {
  const guest = new Guest();
  guest.kernel.state.limits.set(RLIMIT_STACK, { soft: limit, hard: limit });
  mapStack(guest.kernel, new Uint8Array(100), false);
  return guest;
}

const allows = (guest: Guest, address: number): boolean => guest.memory.allows(address, 8, READ | WRITE);
const UNLIMITED = 2n ** 64n - 1n;

describe('the first thread’s stack', () => {
  test('has what its limit says, 8 MiB at most at first', () => {
    for (const [limit, size] of [
      [8n << 20n, STACK_SIZE],
      [UNLIMITED, STACK_SIZE],
      [1n << 20n, MIB],
      [0n, 33 * PAGE_SIZE],
    ] as const) {
      const guest = guestWith(limit);
      expect(mainStackOf(guest.memory)).toEqual({ start: STACK_TOP - size, size });
    }
  });

  test('grows where it is accessed, as far as the limit lets it', () => {
    const guest = guestWith(20n << 20n);
    expect(allows(guest, STACK_TOP - 20 * MIB)).toBe(true);
    expect(mainStackOf(guest.memory)).toEqual({ start: STACK_TOP - 20 * MIB, size: 20 * MIB });
    expect(allows(guest, STACK_TOP - 20 * MIB - 8)).toBe(false);
    expect(allows(guestWith(8n << 20n), START - 8)).toBe(false);
  });

  test('keeps away from other mappings, but for those that nobody may access', () => {
    const guest = guestWith(UNLIMITED);
    const below = START - 4 * MIB;
    expect(guest.call('mmap', below, PAGE_SIZE, 3, 0x32, -1, 0)).toBe(below);
    expect(allows(guest, below + PAGE_SIZE + STACK_GAP - 8)).toBe(false);
    expect(allows(guest, below + PAGE_SIZE + STACK_GAP)).toBe(true);
    expect(guest.call('mprotect', below, PAGE_SIZE, 0)).toBe(0);
    expect(allows(guest, below + PAGE_SIZE)).toBe(true);
  });

  test('never reaches the lowest addresses, nor grows without being there', () => {
    const guest = guestWith(UNLIMITED);
    const { state } = guest.kernel;
    for (const { start, end } of overlapping(guest.kernel, 0, START)) removeRegions(guest.kernel, start, end);
    expect(growStack(guest.kernel, 0)).toBe(false);
    expect(growStack(guest.kernel, FIRST_GUEST_ADDRESS - 1)).toBe(false);
    expect(growStack(guest.kernel, FIRST_GUEST_ADDRESS)).toBe(true);
    removeRegions(guest.kernel, FIRST_GUEST_ADDRESS, STACK_TOP);
    expect(allRegions(state.regions)).toEqual([]);
    expect(growStack(guest.kernel, START)).toBe(false);
  });

  test('is no more accessible where it grows than where it was', () => {
    const guest = guestWith(UNLIMITED);
    protectRegions(guest.kernel, START, START + PAGE_SIZE, 0);
    expect(allows(guest, START - 8)).toBe(false);
    expect(guest.memory.firstWithout(START - 8, 8, READ)).toBe(START - 8);
  });

  test('has room for arguments in a quarter of the limit, within bounds', () => {
    const of = (limit: bigint) => longestArguments(guestWith(limit).kernel.state);
    expect([8n << 20n, 40n << 20n, UNLIMITED, 0n].map(of)).toEqual([2 * MIB, 6 * MIB, 6 * MIB, MIB / 8]);
  });
});
