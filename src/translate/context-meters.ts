import {
  FLOOR,
  LANE_BOUNDS,
  LANE_CYCLES,
  MAXIMUM,
  stepOffset,
  WINDOW_END,
  WINDOW_START,
} from '../guest/layout.ts';
import type { FunctionBuilder } from '../wasm/function.ts';
import { CF, GPR, LOCATIONS, OF, VARIABLES, YMM_HIGH, ZR } from '../x86/state.ts';
import type { LaneShape } from './lane-shape.ts';

/** How a kind of measurement begins and ends a context; code for support-contexts.ts. */
export interface ContextMeter {
  /** The context that the lane in an i32 local measures begins; an i64 local has the instructions executed. */
  open(f: FunctionBuilder, lane: number, executed: number): void;
  /** Pushes the cycles (i64) of the lane's context, which ends. */
  close(f: FunctionBuilder, lane: number, executed: number): void;
}

const RAISED = new Set([...GPR, CF, OF, ZR].map((variable) => VARIABLES[variable].location));

/**
 * Whether a location's step is raised to the floor when a context opens. Those of vector registers, x87 slots and the
 * like are raised where code loads them instead: calls seldom use them, and there are more of them than of all others
 * (measured: 240 -> 215 cycles of the host for a call of a small function).
 */
export const isRaised = (location: number): boolean => RAISED.has(location);

const COVERED = new Set([...YMM_HIGH, CF, OF, ZR].map((variable) => VARIABLES[variable].location));

/**
 * Whether a location's step may lie above MAXIMUM and the steps of all others at a block's end, so that the largest must
 * be looked for there too. Others' steps are brought into MAXIMUM where they are made, unless a later instruction of the block
 * or another location has them: those of flags, which mostly a branch reads at once or a register shares, so that code which
 * overwrites them need not look at them (7 % of perl's host instructions), and those of vector registers' high halves, which are seldom
 * alone: programs without AVX do not pay for sixteen more locations.
 */
export const exceedsMaximum = (location: number): boolean => !COVERED.has(location);

/** Lanes: see translate/lanes.ts. */
export const laneMeter = (shape: LaneShape): ContextMeter => ({
  /**
   * The floor becomes a number that no step of the lane exceeds, and steps are raised to it. The largest step would
   * be such a number, but must be looked for; since an instruction adds at most 1 to it, what it was when the slice began
   * plus the instructions since then is one as well (LanesLedger.startSlice).
   */
  open(f, lane, executed) {
    const raised = f.local('v128');
    f.i32(0);
    f.memory('v128.load', LANE_BOUNDS);
    shape.pushCount(f, executed);
    f.op(shape.add);
    // 0 in the other lanes is below every step.
    shape.pushMask(f, lane);
    f.op('v128.and');
    f.set(raised);
    const raise = (offset: number) => {
      f.i32(0);
      f.i32(0);
      f.memory('v128.load', offset);
      f.get(raised);
      f.op(shape.max);
      f.memory('v128.store', offset);
    };
    raise(FLOOR);
    raise(MAXIMUM);
    for (let location = 0; location < LOCATIONS; location++)
      if (isRaised(location)) raise(stepOffset(location));
  },

  close(f, lane) {
    // Several maxima side by side: each waits for the one before it.
    const maxima = Array.from({ length: 4 }, () => f.local('v128'));
    for (const maximum of maxima) {
      f.i32(0);
      f.memory('v128.load', MAXIMUM);
      f.set(maximum);
    }
    for (let location = 0; location < LOCATIONS; location++) {
      if (!exceedsMaximum(location)) continue;
      const maximum = maxima[location % maxima.length];
      f.get(maximum);
      f.i32(0);
      f.memory('v128.load', stepOffset(location));
      f.op(shape.max);
      f.set(maximum);
    }
    f.i32(0);
    maxima.forEach((maximum, i) => {
      f.get(maximum);
      if (i > 0) f.op(shape.max);
    });
    f.i32(0);
    f.memory('v128.load', FLOOR);
    f.op(shape.sub);
    f.memory('v128.store', LANE_CYCLES);
    shape.pushDifference(f, lane, LANE_CYCLES);
  },
});

/** Tags follow one context: JavaScript hears of the one that is sought, and of no other. */
export function tagMeter(events: {
  readonly windowOpened: number;
  readonly windowClosed: number;
}): ContextMeter {
  const callAt = (f: FunctionBuilder, word: number, executed: number, event: number) => {
    f.get(executed);
    f.i32(0);
    f.memory('i64.load', word);
    f.op('i64.eq');
    f.if();
    f.call(event);
    f.end();
  };
  return {
    open: (f, _lane, executed) => callAt(f, WINDOW_START, executed, events.windowOpened),
    close(f, _lane, executed) {
      callAt(f, WINDOW_END, executed, events.windowClosed);
      f.i64(0n);
    },
  };
}
