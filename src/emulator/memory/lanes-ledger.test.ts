import { expect, it } from 'vitest';
import {
  CONTEXT_FUNCTIONS,
  CONTEXT_STACK,
  CONTEXT_TOP,
  FLOOR,
  LANE_CYCLES,
  MAXIMUM,
  MEMORY_PAGES,
  SHADOW,
  stepOffset,
} from '../../guest/layout.ts';
import { GuestMemory, READ, WRITE } from '../../guest/memory.ts';
import { type ContextEvents, contextFunctions } from '../../translate/contexts/functions.ts';
import { NO_SLOT, UNLISTED_EDGE } from '../../translate/contexts/records.ts';
import { ENGINE_LIMITS, type EngineLimits } from '../../translate/limits.ts';
import { NARROW } from '../../translate/steps/lane-shape.ts';
import { LOCATIONS } from '../../x86/state.ts';
import { LanesLedger } from './lanes-ledger.ts';
import { firstLanes, Outgrown } from './measure-plan.ts';

const PAGE = 0x40_0000;
const LANE = 1;

/** Only what has been met before opens here. */
const unheard = () => {
  throw new Error('JavaScript was asked');
};
const NO_EVENTS: ContextEvents = {
  placeOf: unheard,
  learnCall: unheard,
  learnJump: unheard,
  learnHook: unheard,
  leaveOut: unheard,
  layerOf: unheard,
  stackSet: unheard,
  startSums: unheard,
  endSums: unheard,
  takeLog: unheard,
  stackFull: unheard,
  windowOpened: unheard,
  windowClosed: unheard,
};

function ledgerWith(limits: Partial<EngineLimits>, pagesOut = false) {
  const memory = new WebAssembly.Memory({ initial: MEMORY_PAGES, maximum: MEMORY_PAGES });
  const guest = new GuestMemory(memory.buffer);
  guest.map(PAGE, PAGE + 4096, READ | WRITE);
  const plan = { ...firstLanes(ENGINE_LIMITS), pagesOut };
  const ledger = new LanesLedger(guest, plan, { ...ENGINE_LIMITS, ...limits });
  ledger.start();
  ledger.preparePage(PAGE / 4096);
  const words = new Int32Array(memory.buffer);
  const memoryStep = (address: number) => SHADOW / 4 + address + LANE;
  const registerStep = (location: number) => stepOffset(location) / 4 + LANE;
  const opener = contextFunctions(memory, NARROW, 0, NO_EVENTS);
  words[CONTEXT_TOP / 4] = CONTEXT_STACK;
  /** A context begins that the lane measures. */
  const open = (lane: number) => {
    ledger.startSlice(0);
    opener.push(CONTEXT_FUNCTIONS, UNLISTED_EDGE, NO_SLOT, 0, lane);
  };
  /** C of the lane's context so far. */
  const cycles = (lane: number) => {
    const steps = Array.from({ length: LOCATIONS }, (_, l) => words[stepOffset(l) / 4 + lane]);
    return (Math.max(words[MAXIMUM / 4 + lane], ...steps) - words[FLOOR / 4 + lane]) / NARROW.cycle;
  };
  return { guest, ledger, words, memoryStep, registerStep, opener, open, cycles };
}

it('a lane is brought down by its floor: cycles above it stay apart, what lies below becomes cycle 0', () => {
  const { ledger, words, memoryStep, registerStep, open, cycles } = ledgerWith({ rebaseFrom: 1000 });
  const { origin } = NARROW;
  words[memoryStep(PAGE)] = origin + 700;
  words[registerStep(0)] = origin + 900;
  open(LANE);
  expect(cycles(LANE)).toBe(0);
  words[memoryStep(PAGE + 4)] = origin + 905;
  words[registerStep(1)] = origin + 1100;
  words[MAXIMUM / 4 + LANE] = origin + 950;
  expect(cycles(LANE)).toBe(100);

  ledger.rebase();

  const floor = words[FLOOR / 4 + LANE];
  expect(cycles(LANE)).toBe(100);
  expect(words[registerStep(1)] - floor).toBe(200);
  expect(words[memoryStep(PAGE + 4)] - floor).toBe(5);
  expect(words[memoryStep(PAGE)]).toBe(floor);
  expect(words[registerStep(0)]).toBe(floor);
  expect(floor).toBe(origin);
});

it('what is out of the memory is brought down with the rest, and can be moved', () => {
  // There is never enough room.
  const { ledger, words, memoryStep, registerStep, open } = ledgerWith(
    { rebaseFrom: 1000, byteTables: 8 },
    true,
  );
  const { origin } = NARROW;
  words[registerStep(0)] = origin + 900;
  open(LANE);
  words[registerStep(1)] = origin + 1100;
  ledger.shadow.storeRange({ address: PAGE + 5, length: 1 }, (offset) => {
    words[offset / 4 + LANE] = origin + 905;
  });
  expect(ledger.recall(PAGE + 5, 1)).toBe(0);
  expect(ledger.shadow.lacksRoom).toBe(true);
  ledger.makeRoom();
  expect([words[memoryStep(PAGE + 4)], words[memoryStep(PAGE)]]).toEqual([0, 0]);
  const stepOf = (address: number) => words[ledger.recall(address, 1) / 4 + LANE];
  expect(stepOf(PAGE + 5)).toBe(origin + 905);
  ledger.rebase();
  const floor = words[FLOOR / 4 + LANE];
  expect([stepOf(PAGE + 5) - floor, stepOf(PAGE + 4), stepOf(PAGE + 8)]).toEqual([5, origin, origin]);
  ledger.move(PAGE / 4096, PAGE / 4096 + 3);
  expect(ledger.recall(PAGE + 5, 1)).toBe(0);
  expect(stepOf(PAGE + 3 * 4096 + 5) - floor).toBe(5);
  ledger.forget(PAGE + 3 * 4096, PAGE + 4 * 4096);
  expect(ledger.recall(PAGE + 3 * 4096 + 5, 1)).toBe(0);
});

it('what was out of the memory and comes in where it may not be read is there when it may', () => {
  const { guest, ledger, words, memoryStep } = ledgerWith({ byteTables: 8 }, true);
  const step = NARROW.origin + 905;
  ledger.shadow.storeRange({ address: PAGE + 5, length: 1 }, (offset) => {
    words[offset / 4 + LANE] = step;
  });
  ledger.makeRoom();
  guest.protect(PAGE, PAGE + 4096, 0);
  ledger.preparePage(PAGE / 4096);
  expect(ledger.recall(PAGE + 5, 1)).toBe(0);
  expect(words[memoryStep(PAGE + 4)]).toBe(0);
  guest.protect(PAGE, PAGE + 4096, READ | WRITE);
  ledger.setReadable(PAGE / 4096, true);
  expect(words[ledger.shadow.placeOf(PAGE + 5)! / 4 + LANE]).toBe(step);
});

it('pages that are mapped no more take no room from those that are', () => {
  const tableSize = 0x1_0000;
  const { guest, ledger } = ledgerWith({ bytePages: 0, stepMemory: tableSize + 8 * (tableSize / 4) });
  ledger.shadow.storeRange({ address: PAGE + 5, length: 1 }, () => {});
  const use = (page: number) => {
    const start = PAGE + 4096 * page;
    guest.map(start, start + 4096, READ | WRITE);
    ledger.preparePage(start / 4096);
    return start;
  };
  for (let page = 1; page < 40; page++) {
    const start = use(page);
    ledger.forget(start, start + 4096);
    guest.unmap(start, start + 4096);
  }
  for (let page = 1; page < 8; page++) use(page);
  expect(() => use(8)).toThrow(Outgrown);
});

it('what may not be read is brought down with the rest, and is there again when it may', () => {
  const { ledger, words, memoryStep, registerStep, open } = ledgerWith({ rebaseFrom: 1000 });
  const { origin } = NARROW;
  words[registerStep(0)] = origin + 900;
  open(LANE);
  words[memoryStep(PAGE + 4)] = origin + 905;
  words[registerStep(1)] = origin + 1100;
  ledger.setReadable(PAGE / 4096, false);
  expect(words[memoryStep(PAGE + 4)]).toBe(0);
  ledger.rebase();
  expect(words[memoryStep(PAGE + 4)]).toBe(0);
  ledger.setReadable(PAGE / 4096, true);
  expect(words[memoryStep(PAGE + 4)] - words[FLOOR / 4 + LANE]).toBe(5);
});

it('bytes with steps of their own are brought down too, and stay bytes of their own', () => {
  const { ledger, words, open, cycles } = ledgerWith({ rebaseFrom: 1000 });
  open(LANE);
  const load = (address: number) => {
    const before = cycles(LANE);
    ledger.apply({ sources: [], destinations: [], loads: [{ address, length: 1 }], stores: [] });
    return cycles(LANE) - before;
  };
  ledger.apply({ sources: [], destinations: [], loads: [], stores: [{ address: PAGE + 1, length: 1 }] });
  words[MAXIMUM / 4 + LANE] = NARROW.origin + 2000;
  open(LANE);
  // Written before the context began: cycle 0, so the load is in cycle 1 whatever the byte.
  ledger.rebase();
  expect(words[FLOOR / 4 + LANE]).toBe(NARROW.origin);
  expect(load(PAGE + 1)).toBe(1);
  expect(load(PAGE)).toBe(0);
});

/** What the lane's context would close with. */
function closed({ words, cycles }: ReturnType<typeof ledgerWith>, lane: number): number {
  const before = new BigInt64Array(words.buffer)[LANE_CYCLES / 8 + lane];
  return Math.floor(cycles(lane)) + Number(before);
}

it('a long context keeps the steps of its last cycles: all older ones are the one below them, and inexact', () => {
  const parts = ledgerWith({ rebaseFrom: 1000, keptCycles: 100 });
  const { ledger, words, memoryStep, registerStep, open } = parts;
  open(LANE);
  const floor = words[FLOOR / 4 + LANE];
  words[MAXIMUM / 4 + LANE] = floor + 2 * 1000;
  words[registerStep(0)] = floor + 2 * 950;
  words[registerStep(1)] = floor + 2 * 899;
  words[memoryStep(PAGE)] = floor + 2 * 20;
  expect(closed(parts, LANE)).toBe(1000);

  ledger.rebase();

  expect(closed(parts, LANE)).toBe(1000);
  const least = words[FLOOR / 4 + LANE];
  expect(least).toBe(NARROW.origin + 1);
  expect(words[registerStep(0)]).toBe(least + 1 + 2 * 50);
  expect([words[registerStep(1)], words[memoryStep(PAGE)]]).toEqual([least, least]);
  // An instruction without sources depends on what is inexact, and so does what follows it.
  ledger.apply({ sources: [], destinations: [1], loads: [], stores: [] });
  expect(words[registerStep(1)]).toBe(least + 2);
  // Once more: the context is as long as it was, with all that has become of it.
  words[MAXIMUM / 4 + LANE] += 2 * 700;
  ledger.rebase();
  expect(closed(parts, LANE)).toBe(1700);
  expect(words[registerStep(1)]).toBe(words[FLOOR / 4 + LANE]);
});

it('asks for wider lanes where what decides is not exact, in a long context and when it closes', () => {
  const limits = { rebaseFrom: 1000, keptCycles: 100 };
  const long = ledgerWith(limits);
  long.open(LANE);
  long.words[MAXIMUM / 4 + LANE] = NARROW.origin + 1001;
  expect(() => long.ledger.rebase()).toThrow(Outgrown);

  const closing = ledgerWith(limits);
  closing.open(LANE);
  closing.words[MAXIMUM / 4 + LANE] = NARROW.origin + 501;
  closing.ledger.rebase();
  closing.opener.finish(CONTEXT_STACK);
  expect(() => closing.ledger.checkExact()).toThrow(Outgrown);
  expect(() => closing.ledger.rebase()).toThrow(Outgrown);
});

it('without that, one context with more cycles than 32-bit lanes can hold asks for wider ones', () => {
  const { ledger, words, open } = ledgerWith({ rebaseFrom: 1000, without: ['forgotten steps'] });
  open(LANE);
  words[MAXIMUM / 4 + LANE] = NARROW.origin + 0x7900_0000;
  expect(() => ledger.rebase()).toThrow(Outgrown);
});

it('a lane that measures no context at present has no steps worth keeping', () => {
  const { ledger, words } = ledgerWith({ rebaseFrom: 1000, keptCycles: 100 });
  words[MAXIMUM / 4 + LANE] = NARROW.origin + 0x7900_0001;
  ledger.rebase();
  expect(words[MAXIMUM / 4 + LANE]).toBe(NARROW.origin);
});
