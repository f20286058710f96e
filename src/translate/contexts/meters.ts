import {
  FLOOR,
  FUEL,
  INEXACT,
  LANE_BOUNDS,
  LANE_CYCLES,
  LANE_MASKS,
  LARGEST_STEP,
  MAXIMUM,
  RARE_STEPS,
  stepOffset,
  valueOffset,
  WINDOW_END,
  WINDOW_START,
} from '../../guest/layout.ts';
import type { FunctionBuilder } from '../../wasm/function.ts';
import { CF, GPR, LOCATIONS, locationOf, OF, RSP, VARIABLES, YMM_HIGH, ZR } from '../../x86/state.ts';
import type { LaneShape } from '../steps/lane-shape.ts';
import { pushWord, setWord } from './record-code.ts';
import { LEAF } from './records.ts';

/** Locals in which a region carries what is in the state area else. */
export interface Carried {
  readonly rsp: number;
  readonly fuel: number;
  readonly rspStep: number;
  readonly maximum: number;
}

/** How a kind of measurement begins and ends a context; code for contexts/functions.ts. */
export interface ContextMeter {
  /** The context that the lane in an i32 local measures begins; an i64 local has the instructions executed. */
  open(f: FunctionBuilder, lane: number, executed: number, carried?: Carried): void;
  /** Pushes the cycles (i64) of the lane's context, which ends. */
  close(f: FunctionBuilder, lane: number, executed: number, carried?: Carried): void;
}

/** The steps of registers in the state area rise to the floor: an open context that was opened by a call in line goes on elsewhere. */
export function emitRaiseSteps(f: FunctionBuilder, shape: LaneShape): void {
  for (const offset of placesOf(all.filter(isRaised), undefined)) {
    f.i32(0);
    f.i32(0);
    f.memory('v128.load', offset);
    f.i32(0);
    f.memory('v128.load', FLOOR);
    f.op(shape.max);
    f.memory('v128.store', offset);
  }
}

const RAISED = new Set(GPR.map((variable) => VARIABLES[variable].location));

/**
 * Whether a location's step is raised to the floor when a context opens. Those of flags, vector registers, x87 slots and the
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

const GENERAL = new Set(GPR.map((variable) => VARIABLES[variable].location));

/**
 * Whether RARE_STEPS tells of a location that its step may exceed MAXIMUM: calls seldom use them, and there are two of them for each
 * general register, so that who looks for the largest step asks for them all at once (60 of 800 host instructions of a
 * call of a small function). Regions tell when they write such a step to memory; interpreted code brings what it writes into MAXIMUM.
 */
export const isRare = (location: number): boolean => exceedsMaximum(location) && !GENERAL.has(location);

const all = Array.from({ length: LOCATIONS }, (_, location) => location);
const RARE = all.filter(isRare);
const COMMON = all.filter((location) => exceedsMaximum(location) && !isRare(location));

/** Where the steps of locations are that no local has. */
const placesOf = (locations: readonly number[], carried: Carried | undefined): number[] =>
  locations.filter((location) => carried === undefined || location !== locationOf(RSP)).map(stepOffset);

function pushMaximumOf(f: FunctionBuilder, shape: LaneShape, offsets: readonly number[]): void {
  offsets.forEach((offset, i) => {
    f.i32(0);
    f.memory('v128.load', offset);
    if (i > 0) f.op(shape.max);
  });
}

/** The steps of a region's rarer locations were written to memory. */
export function noteRareSteps(f: FunctionBuilder): void {
  setWord(f, 'i32', RARE_STEPS, () => f.i32(1));
}

/** Brings what RARE_STEPS tells of into MAXIMUM, which a local may hold. */
function foldRareSteps(f: FunctionBuilder, shape: LaneShape, maximum?: number): void {
  const rare = RARE.map(stepOffset);
  pushWord(f, 'i32', RARE_STEPS);
  f.if(undefined, 'unlikely');
  setWord(f, 'i32', RARE_STEPS, () => f.i32(0));
  if (maximum === undefined) {
    f.i32(0);
    pushMaximumOf(f, shape, [MAXIMUM, ...rare]);
    f.memory('v128.store', MAXIMUM);
  } else {
    f.get(maximum);
    pushMaximumOf(f, shape, rare);
    f.op(shape.max);
    f.set(maximum);
  }
  f.end();
}

/** Brings the steps of all locations into MAXIMUM, which interpreted code relies on. */
export function emitRaiseMaximum(f: FunctionBuilder, shape: LaneShape): void {
  foldRareSteps(f, shape);
  f.i32(0);
  pushMaximumOf(f, shape, [MAXIMUM, ...COMMON.map(stepOffset)]);
  f.memory('v128.store', MAXIMUM);
}

/** What steps of a context that opens in a lane are raised to, in a local; the other lanes have the lowest steps. */
export function raisedTo(f: FunctionBuilder, shape: LaneShape, lane: number, executed: number): number {
  const raised = f.local('v128');
  pushPlaceOfLane(f, shape, lane);
  f.memory(`${shape.lane}.load`, LANE_BOUNDS);
  f.get(executed);
  if (shape.lane === 'i32') f.op('i32.wrap_i64');
  if (shape.cycle === 2) {
    f.i32(1);
    f.op('i32.shl');
  }
  f.op(`${shape.lane}.add`);
  if (shape.cycle === 2) {
    // All steps are below it, exact or not.
    f.i32(1);
    f.op('i32.or');
  }
  // Whole steps: to store the one lane takes a third of the instructions, but who then loads the step waits until that is in the cache.
  f.op(shape.lane === 'i32' ? 'i32x4.splat' : 'i64x2.splat');
  f.get(lane);
  f.i32(4);
  f.op('i32.shl');
  f.memory('v128.load', LANE_MASKS);
  f.op(shape.isolate.op);
  f.set(raised);
  return raised;
}

/** Lanes: see translate/measures/lanes.ts. */
export const laneMeter = (shape: LaneShape): ContextMeter => ({
  /**
   * The floor becomes a number that no step of the lane exceeds, and steps are raised to it. The largest step would
   * be such a number, but must be looked for; since an instruction adds at most 1 to it, what it was when the slice began
   * plus the instructions since then is one as well (LanesLedger.startSlice).
   */
  open(f, lane, executed, carried) {
    const raised = raisedTo(f, shape, lane, executed);
    startCycles(f, shape, lane);
    for (const local of carried === undefined ? [] : [carried.rspStep, carried.maximum]) {
      f.get(local);
      f.get(raised);
      f.op(shape.max);
      f.set(local);
    }
    const others = placesOf(all.filter(isRaised), carried);
    for (const offset of carried === undefined ? [FLOOR, MAXIMUM, ...others] : [FLOOR, ...others]) {
      f.i32(0);
      f.i32(0);
      f.memory('v128.load', offset);
      f.get(raised);
      f.op(shape.max);
      f.memory('v128.store', offset);
    }
  },

  close(f, lane, _executed, carried) {
    foldRareSteps(f, shape, carried?.maximum);
    f.i32(0);
    if (carried === undefined) pushMaximumOf(f, shape, [MAXIMUM]);
    else {
      f.get(carried.rspStep);
      f.get(carried.maximum);
      f.op(shape.max);
    }
    // Several maxima side by side: each waits for the one before it.
    const offsets = placesOf(COMMON, carried);
    for (let i = 0; i < MAXIMA; i++) {
      pushMaximumOf(
        f,
        shape,
        offsets.filter((_, n) => n % MAXIMA === i),
      );
      f.op(shape.max);
    }
    f.memory('v128.store', LARGEST_STEP);
    pushCycles(f, shape, () => pushPlaceOfLane(f, shape, lane), LARGEST_STEP, FLOOR);
    if (shape.cycle === 2) {
      pushPlaceOfCycles(f, lane);
      f.memory('i64.load', LANE_CYCLES);
      f.op('i64.add');
    }
  },
});

/** Pushes the cycles (i64) from the floor to the largest step, which are so far behind the place of the lane. */
function pushCycles(
  f: FunctionBuilder,
  shape: LaneShape,
  pushPlace: () => void,
  largestAt: number,
  floorAt: number,
): void {
  const at = f.local('i32');
  pushPlace();
  f.tee(at);
  f.memory(`${shape.lane}.load`, largestAt);
  if (shape.cycle === 2) {
    const largest = f.local('i32');
    f.tee(largest);
    f.i32(1);
    f.op('i32.and');
    f.op('i32.eqz');
    f.if(undefined, 'unlikely');
    setWord(f, 'i32', INEXACT, () => f.i32(1));
    f.end();
    f.get(largest);
  }
  f.get(at);
  f.memory(`${shape.lane}.load`, floorAt);
  f.op(`${shape.lane}.sub`);
  if (shape.lane === 'i32') f.op('i64.extend_i32_s');
  if (shape.cycle === 2) {
    f.i64(1n);
    f.op('i64.shr_s');
  }
}

/** Pushes the cycles (i64) of the lane's context that a record of LEAF has: it had none before its floor. */
export function pushLeafCycles(f: FunctionBuilder, shape: LaneShape, lane: number, record: number): void {
  const pushPlace = () => {
    pushPlaceOfLane(f, shape, lane);
    f.get(record);
    f.op('i32.add');
  };
  pushCycles(f, shape, pushPlace, LEAF.largest, LEAF.floor);
}

/** The lane's context has no cycles before its floor. */
export function startCycles(f: FunctionBuilder, shape: LaneShape, lane: number): void {
  if (shape.cycle !== 2) return;
  pushPlaceOfCycles(f, lane);
  f.i64(0n);
  f.memory('i64.store', LANE_CYCLES);
}

const MAXIMA = 4;

/** Pushes where in a step the lane is whose number an i32 local has. */
function pushPlaceOfLane(f: FunctionBuilder, shape: LaneShape, lane: number): void {
  f.get(lane);
  f.i32(shape.laneBytes === 8 ? 3 : 2);
  f.op('i32.shl');
}

/** Pushes where the word of LANE_CYCLES is, from there on, of the lane whose number an i32 local has. */
function pushPlaceOfCycles(f: FunctionBuilder, lane: number): void {
  f.get(lane);
  f.i32(3);
  f.op('i32.shl');
}

/** Tags follow one context: JavaScript hears of the one that is sought, and of no other. */
export function tagMeter(events: {
  readonly windowOpened: number;
  readonly windowClosed: number;
}): ContextMeter {
  const callAt = (f: FunctionBuilder, word: number, executed: number, event: number, carried?: Carried) => {
    f.get(executed);
    f.i32(0);
    f.memory('i64.load', word);
    f.op('i64.eq');
    f.if(undefined, 'unlikely');
    // JavaScript looks at all of the state.
    if (carried !== undefined)
      for (const [type, at, local] of [
        ['i64', valueOffset(RSP), carried.rsp],
        ['i64', FUEL, carried.fuel],
        ['v128', stepOffset(locationOf(RSP)), carried.rspStep],
        ['v128', MAXIMUM, carried.maximum],
      ] as const)
        setWord(f, type, at, () => f.get(local));
    f.call(event);
    f.end();
  };
  return {
    open: (f, _lane, executed, carried) => callAt(f, WINDOW_START, executed, events.windowOpened, carried),
    close(f, _lane, executed, carried) {
      callAt(f, WINDOW_END, executed, events.windowClosed, carried);
      f.i64(0n);
    },
  };
}
