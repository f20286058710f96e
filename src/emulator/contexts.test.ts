import { describe, expect, it } from 'vitest';
import type { CallRecord } from '../observation/observation.ts';
import { Contexts, callRecord } from './contexts.ts';

const LEVELS = 50_000;
const STACK = 0x0fff_0000;

/** Contexts of a guest that only counts instructions; each call is one. */
function contexts() {
  let executed = 0;
  const meter = { open: () => {}, cycles: () => 1 };
  const plan = { depth: -1, laneOfDepth: () => 0, laneOfFunction: () => undefined };
  const made = new Contexts(plan, meter, 0x1000, () => executed);
  return { made, retire: () => executed++ };
}

describe('contexts', () => {
  it('nest as deep as the guest recurses', () => {
    const { made, retire } = contexts();
    made.root(0x2000, BigInt(STACK));
    for (let level = 1; level <= LEVELS; level++) {
      retire();
      made.call(0x3000, BigInt(STACK - 8 * level), false);
    }
    made.unwind(BigInt(STACK + 8));
    made.finish();
    let levels = 0;
    for (let at: CallRecord | undefined = callRecord(made.run); at !== undefined; at = at.calls[0]) {
      expect(at).toMatchObject({ depth: levels, instructions: Math.min(LEVELS, LEVELS + 1 - levels) });
      levels++;
    }
    expect(levels).toBe(LEVELS + 2);
    // One outermost call, however many are nested in it.
    expect(made.functions.get(0x3000)).toMatchObject({ calls: 1, instructions: LEVELS - 1 });
  });

  it('keep their order and their sums', () => {
    const { made, retire } = contexts();
    made.root(0x2000, BigInt(STACK));
    for (const callee of [0x3000, 0x4000, 0x3000]) {
      retire();
      made.call(callee, BigInt(STACK - 8), false);
      retire();
      made.unwind(BigInt(STACK));
    }
    made.finish();
    const [main] = callRecord(made.run).calls;
    expect(main.calls.map(({ entry }) => entry)).toEqual([0x3000, 0x4000, 0x3000]);
    expect(made.functions.get(0x3000)).toMatchObject({ calls: 2, instructions: 2, first: 1 });
  });
});
