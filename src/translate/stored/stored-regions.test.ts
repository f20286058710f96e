import { expect, it } from 'vitest';
import { BlockLog } from '../interpreter/stored-blocks.ts';
import { NO_HANDLERS } from '../interpreter/stored-handlers.ts';
import type { StoredCode, StoredRegion, StoredSlot } from './stored-code.ts';
import { StoredRegions } from './stored-regions.ts';

const region = (slot: number): StoredRegion => ({
  slots: [slot],
  size: 10,
  lastSlot: slot,
  lastSite: -1,
  unused: 0,
  record: () => {
    throw new Error('nobody asks');
  },
  code: new Uint8Array(),
  bytes: new Uint8Array(),
  module: () => new WebAssembly.Module(new Uint8Array()),
  isOptimised: true,
});

/** A run that finds `before`, uses what it finds in slots, and makes regions in new slots behind all others. */
function run(before: StoredCode | undefined, used: readonly number[], made: number): StoredCode {
  const regions = new StoredRegions(before);
  for (const slot of used) regions.use(regions.take(slot)!);
  const slots: StoredSlot[] = [...(before?.slots ?? [])];
  for (let i = 0; i < made; i++) {
    regions.add(slots.length, region(slots.length));
    slots.push([0x1000 + slots.length, null]);
  }
  return regions.leave(slots, [], [], 0, NO_HANDLERS, new BlockLog());
}

const slotsOf = ({ regions }: StoredCode) => regions.map(({ slots }) => slots[0]);

it('what a run leaves is what it used and made, and for eight runs what it did without', () => {
  let code = run(undefined, [], 3);
  expect(slotsOf(code)).toEqual([0, 1, 2]);
  code = run(code, [1], 1);
  expect(slotsOf(code).sort()).toEqual([0, 1, 2, 3]);
  for (let i = 0; i < 7; i++) code = run(code, [1], 0);
  expect(slotsOf(code).sort()).toEqual([0, 1, 2, 3]);
  code = run(code, [1], 0);
  expect(slotsOf(code).sort()).toEqual([1, 3]);
  // The slots stay what they were, as far as they are named.
  expect(code.slots.length).toBe(4);
});

it('slots do not become more for ever where a program is built anew again and again', () => {
  let code: StoredCode | undefined;
  let most = 0;
  let fresh = 0;
  for (let build = 0; build < 200; build++) {
    code = run(code, [], 50);
    most = Math.max(most, code.slots.length);
    if (code.regions.length === 0) {
      fresh++;
      // That is news for whoever keeps it.
      expect(code.newBlocks).toBe(1);
    }
  }
  expect(fresh).toBeGreaterThan(3);
  expect(most).toBeLessThan(50 * 60);
});

it('nothing is left where each of many runs has made handlers', () => {
  const left = (modules: number): StoredCode => {
    const regions = new StoredRegions(undefined);
    regions.add(0, region(0));
    const handlers = { ...NO_HANDLERS, modules: Array.from({ length: modules }, () => new Uint8Array()) };
    return regions.leave([[0x1000, null]], [], [], 0, handlers, new BlockLog());
  };
  expect(left(32).regions.length).toBe(1);
  expect(left(33)).toMatchObject({ regions: [], slots: [], handlers: NO_HANDLERS, newBlocks: 1 });
});
