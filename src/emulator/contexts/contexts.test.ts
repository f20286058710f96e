import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  CLOCK,
  CONTEXT_OPENS,
  CONTEXT_SLOT,
  FLOOR,
  MAXIMUM,
  MEMORY_PAGES,
  RARE_STEPS,
  STACK_TOP,
  stepOffset,
  valueOffset,
} from '../../guest/layout.ts';
import { GuestMemory } from '../../guest/memory.ts';
import { noteMainStack, STACK_SIZE } from '../../linux/main-stack.ts';
import type { CallRecord } from '../../observation/observation.ts';
import { CodePlaces } from '../../translate/code-places.ts';
import {
  type ContextEvents,
  type ContextFunctions,
  contextFunctions,
} from '../../translate/contexts/functions.ts';
import { exceedsMaximum, isRaised, isRare } from '../../translate/contexts/meters.ts';
import { ENGINE_LIMITS } from '../../translate/limits.ts';
import { type LaneShape, NARROW, WIDE } from '../../translate/steps/lane-shape.ts';
import { LOCATIONS, RSP } from '../../x86/state.ts';
import { NaiveContexts } from '../fixtures/naive-contexts.ts';
import { LanesLedger } from '../memory/lanes-ledger.ts';
import { firstLanes } from '../memory/measure-plan.ts';
import { callRecord, mergeCycles } from './call-tree.ts';
import { type ContextPlan, Contexts } from './contexts.ts';

const LEVELS = 50_000;
const STACK = STACK_TOP - 4096;
const ENTRY = 0x40_1000;
const MAIN = 0x40_2000;
const STUB = 0x40_3000;
const CALLEES = [0x40_4000, 0x40_5000, 0x40_6000];
const LISTED = 7;

/** One memory for all tests: it takes a while to make. The callbacks are those of the run that is on. */
const memory = new WebAssembly.Memory({ initial: MEMORY_PAGES, maximum: MEMORY_PAGES });
const words = new Int32Array(memory.buffer);
const view = new DataView(memory.buffer);
const guestMemory = new GuestMemory(memory.buffer);
let current: Contexts;
const EVENTS: ContextEvents = {
  placeOf: (address) => current.placeOf(address),
  learnCall: (key, target, entry) => current.learnCall(key, target, entry),
  learnJump: (from, target, entry) => current.learnJump(from, target, entry),
  learnHook: (address, entry) => current.learnHook(address, entry),
  leaveOut: (address, entry) => current.leaveOut(address, entry),
  layerOf: (depth) => current.layerOf(depth),
  stackSet: (before, rsp) => current.stackSet(before, rsp),
  startSums: () => current.startSums(),
  endSums: (key) => current.endSums(key),
  takeLog: () => current.takeLog(),
  stackFull: () => current.stackFull(),
  windowOpened: () => current.windowOpened(),
  windowClosed: () => current.windowClosed(),
};
/** Lanes of 64 bits soon cross 2^32. */
const LIMITS = { ...ENGINE_LIMITS, wideStart: 2 ** 32 - 20 };

interface Measuring {
  readonly ledger: LanesLedger;
  readonly opener: ContextFunctions;
}
const measuringWith = (shape: LaneShape): Measuring => ({
  ledger: new LanesLedger(guestMemory, { ...firstLanes(LIMITS), shape }, LIMITS),
  opener: contextFunctions(memory, shape, LISTED, EVENTS),
});
const FOUR_LANES = measuringWith(NARROW);
const TWO_LANES = measuringWith(WIDE);

/** A guest that only does what contexts see: calls, returns, and instructions from one location to another. */
class Guest {
  executed = 0;
  readonly contexts: Contexts;
  private readonly opener: ContextFunctions;
  private readonly shape: LaneShape;
  private readonly steps: Int32Array | Float64Array;

  constructor(plan: Partial<ContextPlan> = {}, { ledger, opener }: Measuring = FOUR_LANES) {
    this.opener = opener;
    this.shape = ledger.shape;
    this.steps = this.shape.view(memory.buffer);
    words.fill(0, 0, 0x1_0000 / 4);
    noteMainStack(guestMemory, { start: STACK_TOP - STACK_SIZE, size: STACK_SIZE });
    ledger.start();
    this.contexts = new Contexts(
      memory.buffer,
      opener,
      {
        entry: ENTRY,
        programEntry: ENTRY,
        root: MAIN,
        depth: -1,
        listsCalls: true,
        firstDepthOf: () => 0,
        lanes: this.shape.lanes,
        layer: 1,
        hasNamed: true,
        laneOfFunction: () => undefined,
        isStub: (address) => address === STUB,
        entersFunction: (_, target) => CALLEES.includes(target) || target === STUB,
        spanOf: () => undefined,
        windowOpened: () => {},
        windowClosed: () => {},
        ...plan,
      },
      new CodePlaces(),
    );
    current = this.contexts;
    this.contexts.start();
  }

  /** An instruction as generated code measures it. */
  retire(source = 0, destination = 1): void {
    view.setBigInt64(CLOCK, BigInt(++this.executed), true);
    if (isRare(destination)) words[RARE_STEPS / 4] = 1;
    const { steps } = this;
    const { lanes } = this.shape;
    const at = (offset: number) => offset / this.shape.laneBytes;
    const [from, to] = [source, destination].map((location) => at(stepOffset(location)));
    for (let lane = 0; lane < lanes; lane++) {
      const maximum = at(MAXIMUM) + lane;
      steps[maximum] = Math.max(steps[maximum], steps[to + lane]);
      const floor = isRaised(source) ? -Infinity : steps[at(FLOOR) + lane];
      steps[to + lane] = Math.max(floor, steps[from + lane]) + this.shape.cycle;
      if (!exceedsMaximum(destination)) steps[maximum] = Math.max(steps[maximum], steps[to + lane]);
    }
  }

  private at(rsp: number): void {
    view.setBigInt64(valueOffset(RSP), BigInt(rsp), true);
  }

  hook(address: number, rsp: number): void {
    this.at(rsp);
    this.opener.enterHooked(address);
  }

  enterMain(): void {
    this.hook(MAIN, STACK);
  }

  /** What generated code asks before it calls, and before it closes. */
  get opens(): boolean {
    return view.getInt32(CONTEXT_OPENS, true) !== 0;
  }

  closesAt(rsp: number): boolean {
    return BigInt(rsp) > view.getBigInt64(CONTEXT_SLOT, true);
  }

  call(target: number, rsp: number): void {
    this.at(rsp);
    this.opener.openByCall(BigInt(target));
  }

  jump(from: number, target: number, rsp: number): void {
    this.at(rsp);
    this.opener.openByJump(from, BigInt(target));
  }

  unwind(rsp: number): void {
    this.at(rsp);
    this.opener.close();
  }

  setStack(before: number, rsp: number): void {
    this.at(rsp);
    this.opener.setStack(BigInt(before));
  }

  finish(): CallRecord {
    this.contexts.finish();
    return callRecord(this.contexts.threads[0].tree);
  }
}

type Event =
  | { readonly kind: 'retire'; readonly count: number; readonly source: number; readonly destination: number }
  | { readonly kind: 'call' | 'linked' | 'tail' | 'linked tail'; readonly callee: number }
  | { readonly kind: 'return'; readonly frames: number }
  | { readonly kind: 'push' }
  | { readonly kind: 'switch'; readonly to: number };

const location = fc.oneof(fc.constantFrom(0, 1, LOCATIONS - 1), fc.nat(LOCATIONS - 1));
const callee = fc.constantFrom(...CALLEES);
const EVENT: fc.Arbitrary<Event> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant('retire' as const),
      count: fc.nat(4),
      source: location,
      destination: location,
    }),
  },
  {
    weight: 6,
    arbitrary: fc.record({ kind: fc.constantFrom('call', 'call', 'linked', 'tail', 'linked tail'), callee }),
  },
  {
    weight: 6,
    arbitrary: fc.record({ kind: fc.constant('return' as const), frames: fc.constantFrom(1, 1, 1, 1, 2, 3) }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('push' as const) }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('switch' as const), to: fc.nat(3) }) },
);

/** Where rsp is at first on the main stack and on those of coroutines, which lie next to each other. */
const BOTTOMS = [STACK, 0x81_0000, 0x80_0000, 0x82_0000];

/** Performs the events in a guest that asks as generated code does, or in the naive account, which needs no asking. */
function follow(events: readonly Event[], naive: NaiveContexts | undefined, guest: Guest | undefined): void {
  let rsp = STACK;
  let stack = 0;
  const left = [...BOTTOMS];
  naive?.open(MAIN, rsp);
  guest?.enterMain();
  for (const event of events) {
    switch (event.kind) {
      case 'retire':
        for (let i = 0; i < event.count; i++) {
          naive?.retire(event.source, event.destination);
          guest?.retire(event.source, event.destination);
        }
        break;
      case 'call':
      case 'linked':
        rsp -= 8;
        naive?.call(event.callee, rsp);
        if (event.kind === 'call') {
          if (guest?.opens) guest.call(event.callee, rsp);
          break;
        }
        if (guest?.opens) {
          guest.call(STUB, rsp);
          // The resolver calls and jumps, too.
          guest.call(CALLEES[0], rsp - 8);
          guest.jump(CALLEES[0], CALLEES[1], rsp - 16);
          guest.jump(STUB, STUB, rsp);
          guest.jump(STUB, event.callee, rsp);
        }
        break;
      case 'tail':
      case 'linked tail':
        naive?.tail(event.callee, rsp, event.kind === 'linked tail');
        if (!guest?.opens) break;
        if (event.kind === 'tail') guest.jump(MAIN, event.callee, rsp);
        else {
          guest.jump(MAIN, STUB, rsp);
          guest.jump(STUB, STUB, rsp);
          guest.jump(STUB, event.callee, rsp);
        }
        break;
      case 'return':
        // Not from main: nothing opens after it.
        rsp = Math.min(rsp + 8 * event.frames, BOTTOMS[stack]);
        naive?.unwind(rsp);
        if (guest?.closesAt(rsp)) guest.unwind(rsp);
        break;
      case 'push':
        rsp -= 8;
        break;
      case 'switch':
        left[stack] = rsp;
        stack = event.to;
        guest?.setStack(rsp, left[stack]);
        rsp = left[stack];
        naive?.goTo(stack);
    }
  }
}

describe('contexts', () => {
  it('nest as deep as the guest recurses', () => {
    const guest = new Guest();
    const [callee] = CALLEES;
    guest.enterMain();
    for (let level = 1; level <= LEVELS; level++) {
      guest.retire();
      guest.call(callee, STACK - 8 * level);
    }
    guest.unwind(STACK + 8);
    let levels = 0;
    for (let at: CallRecord | undefined = guest.finish(); at !== undefined; at = at.calls[0]) {
      expect(at).toMatchObject({ depth: levels, instructions: Math.min(LEVELS, LEVELS + 1 - levels) });
      levels++;
    }
    expect(levels).toBe(LEVELS + 2);
    expect(guest.contexts.threads[0].deepest).toBe(LEVELS + 1);
    // One outermost call, however many are nested in it.
    expect(guest.contexts.functions.get(callee)).toMatchObject({ calls: 1, instructions: LEVELS - 1 });
  });

  it('keep their order and their sums', () => {
    const guest = new Guest();
    guest.enterMain();
    for (const index of [0, 1, 0]) {
      guest.retire();
      guest.call(CALLEES[index], STACK - 8);
      guest.retire();
      guest.unwind(STACK);
    }
    const [main] = guest.finish().calls;
    expect(main.calls.map(({ entry }) => entry)).toEqual([CALLEES[0], CALLEES[1], CALLEES[0]]);
    expect(guest.contexts.functions.get(CALLEES[0])).toMatchObject({ calls: 2, instructions: 2, first: 1 });
  });

  it('are as many as there is place for', () => {
    const guest = new Guest();
    guest.enterMain();
    const callForever = () => {
      // Tail calls take no stack of the guest.
      for (;;) guest.jump(CALLEES[0], CALLEES[1], STACK - 8);
    };
    expect(callForever).toThrow(/more than a million measured calls/);
  });

  it('learn anew what an address is when modules were mapped', () => {
    let isStub = false;
    const guest = new Guest({ isStub: () => isStub });
    guest.enterMain();
    for (const answer of [false, true]) {
      isStub = answer;
      guest.contexts.forgetTargets();
      guest.call(CALLEES[0], STACK - 8);
      guest.unwind(STACK);
    }
    expect(guest.finish().calls[0].calls).toHaveLength(1);
  });

  it('of functions measured by name open where they are entered, but not inside themselves', () => {
    const [callee, other] = CALLEES;
    const guest = new Guest({
      depth: 0,
      firstDepthOf: () => undefined,
      laneOfFunction: (entry) => (entry === callee ? 2 : undefined),
    });
    const lengths = [3, 5, 5, 4];
    for (const length of lengths) {
      guest.hook(callee, STACK - 16);
      guest.hook(other, STACK - 24);
      for (let i = 0; i < length; i++) guest.retire(1, 1);
      guest.hook(callee, STACK - 24);
      guest.unwind(STACK - 8);
      guest.retire(1, 1);
    }
    guest.finish();
    expect([...guest.contexts.functions]).toEqual([
      [
        callee,
        {
          calls: lengths.length,
          instructions: 17,
          cycles: 17,
          first: 0,
          // The earliest of the two longest.
          longest: { index: 1, instructions: 5, cycles: 5, start: 4, end: 9 },
        },
      ],
    ]);
  });

  it.each([
    ['four lanes', FOUR_LANES],
    ['two lanes', TWO_LANES],
  ])('measure with %s what a naive account of every one of them measures', (_, measuring) => {
    const { lanes } = measuring.ledger.shape;
    fc.assert(
      fc.property(
        fc.array(EVENT, { minLength: 1, maxLength: 300, size: 'max' }),
        fc.constantFrom(-1, 1, 2, 3, 6),
        (events, depth) => {
          const naive = new NaiveContexts({
            entry: ENTRY,
            stacks: BOTTOMS.length,
            depth,
            listed: LISTED,
            lanes,
          });
          follow(events, naive, undefined);
          const measuredFrom = (firstDepth: number, layer: number) => {
            const guest = new Guest({ depth, firstDepthOf: () => firstDepth, layer }, measuring);
            follow(events, undefined, guest);
            guest.contexts.finish();
            return guest.contexts;
          };
          const passes = [measuredFrom(0, 1)];
          const [{ deepest, tree }] = passes[0].threads;
          const { layers } = passes[0];
          for (let firstDepth = 0; firstDepth <= deepest; firstDepth += lanes)
            for (let layer = 1; layer <= layers; layer++)
              if (firstDepth + layer > 1) passes.push(measuredFrom(firstDepth, layer));
          for (const pass of passes.slice(1)) mergeCycles(tree, pass.threads[0].tree);
          expect(callRecord(tree)).toEqual(naive.finish());
          const sums = [...passes[0].functions].sort(([a], [b]) => a - b);
          expect(sums).toEqual([...naive.functions].sort(([a], [b]) => a - b));
        },
      ),
      { numRuns: 150 },
    );
  });
});
