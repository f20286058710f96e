import { LANE_COSTS } from '../../guest/layout.ts';
import type { FunctionBuilder } from '../../wasm/function.ts';

/**
 * How a step is divided into lanes, each the cycle in a context of its own. In locals and in the state area a step has 16
 * bytes; in shadow memory it has as many as its lanes take.
 *
 * In every shape the sign of a step's second 32-bit word is the same, whatever the cycle, or of its only one: shadow memory tells by it
 * what it holds (translate/steps/step-entry.ts).
 */
export interface LaneShape {
  /** Contexts at once. */
  readonly lanes: 4 | 2 | 1;
  /** Of a step in shadow memory: it takes 2^bits bytes. */
  readonly bits: 4 | 3 | 2;
  readonly laneBytes: 4 | 8;
  /** The step of what was never written; no floor is below it. */
  readonly origin: number;
  /**
   * What a step grows by in a cycle. Where that is 2, the lowest bit tells whether the step is exact: 0 in what stands for any step below
   * those that are kept (LanesLedger.rebase), and in what follows from it. The larger of two steps has its own bit, and of equal ones the
   * exact one is larger, so that nothing else has to look after it.
   */
  readonly cycle: 1 | 2;
  /** Instructions on two steps. Nothing but a step's distance from a floor means anything, so offsets are added to steps. */
  readonly add: string;
  readonly sub: string;
  readonly max: string;
  /** Whether pages are kept quiet (quiet-pages.ts): not in runs so long that they are measured with fewer lanes. */
  readonly hasQuietPages: boolean;
  pushOrigin(f: FunctionBuilder): void;
  /** Pushes what is below the origin, and stays below whatever a block adds to it. */
  pushNone(f: FunctionBuilder): void;
  /** Pushes a number of cycles, to be added to a step or subtracted from it. */
  pushOffset(f: FunctionBuilder, cycles: number): void;
  /** The type of a lane by itself. */
  readonly lane: 'i32' | 'i64';
  /**
   * Leaves of a step in all lanes only that in one lane, and less than any step in the others, given the lane's mask: 32-bit words that
   * are `inside` in the lane and `outside` elsewhere (LANE_MASKS).
   */
  readonly isolate: { readonly op: string; readonly inside: number; readonly outside: number };
  /** Subtracts cycles from one lane at a byte offset as `sub` does, even if no step is as low as what remains. */
  lower(memory: DataView, offset: number, cycles: number): void;
  /** Memory as steps: lane k of the step at a byte offset is element offset / laneBytes + k. */
  view(buffer: ArrayBuffer): Int32Array | Float64Array;
}

/** What of it tells how a step lies in shadow memory. */
export type StepShape = Pick<
  LaneShape,
  'bits' | 'laneBytes' | 'max' | 'origin' | 'pushOrigin' | 'pushNone' | 'view'
>;

/** More than a block's expressions add to a step or subtract from it. */
const ROOM = 2 ** 19;
const NO_STEP = -(2 ** 31) + ROOM;

/**
 * Four lanes of 32 bits, for calls of whose 2^30 - 2^19 last cycles all steps are known. All steps are negative, so that fresh memory, which holds zeros,
 * and what shadow memory has instead of steps are above them: one look at the largest of a load's entries tells whether they were steps
 * (when that took minima beside the maxima, a matrix product took 9 % more time, perl 5 %).
 */
export const NARROW: LaneShape = {
  lanes: 4,
  bits: 4,
  laneBytes: 4,
  origin: NO_STEP + ROOM + 1,
  cycle: 2,
  add: 'i32x4.add',
  sub: 'i32x4.sub',
  max: 'i32x4.max_s',
  hasQuietPages: true,
  pushOrigin(f) {
    f.i32(NARROW.origin);
    f.op('i32x4.splat');
  },
  pushNone(f) {
    f.i32(NO_STEP);
    f.op('i32x4.splat');
  },
  pushOffset(f, cycles) {
    f.i32(NARROW.cycle * cycles);
    f.op('i32x4.splat');
  },
  lane: 'i32',
  isolate: { op: 'i32x4.min_s', inside: 0x7fff_ffff, outside: NO_STEP },
  lower: (memory, offset, cycles) =>
    memory.setInt32(offset, memory.getInt32(offset, true) - NARROW.cycle * cycles, true),
  view: (buffer) => new Int32Array(buffer),
};

/** The bits of the double 2^52. */
const TWO_TO_52 = 0x4330_0000_0000_0000n;

/**
 * Two lanes of 64 bits, for any call: 2^52 cycles take days, even of nothing but additions (17e9 instructions a second).
 *
 * A step n is the double 2^52 + n. From there to 2^53 doubles are the integers, and their bits, read as integers, count up
 * by one. So a step is raised by adding to the bits, which is faster than adding doubles; and the larger of two steps is
 * one instruction on doubles, while WebAssembly has no maximum of 64-bit integers. Measured on six kernels, over 32-bit
 * lanes: 5 to 18 % more time; with integer comparison and selection as the maximum 40 to 100 %.
 */
export const WIDE: LaneShape = {
  lanes: 2,
  bits: 4,
  laneBytes: 8,
  origin: 2 ** 52 + 1,
  cycle: 1,
  add: 'i64x2.add',
  sub: 'i64x2.sub',
  max: 'f64x2.pmax',
  hasQuietPages: false,
  pushOrigin(f) {
    f.i64(TWO_TO_52 + 1n);
    f.op('i64x2.splat');
  },
  pushNone: (f) => f.v128(0n, 0n),
  pushOffset(f, cycles) {
    f.i64(BigInt(cycles));
    f.op('i64x2.splat');
  },
  lane: 'i64',
  isolate: { op: 'v128.and', inside: -1, outside: 0 },
  lower: (memory, offset, cycles) =>
    memory.setBigInt64(offset, memory.getBigInt64(offset, true) - BigInt(cycles), true),
  view: (buffer) => new Float64Array(buffer),
};

/**
 * The same in half the shadow memory, for programs that touch much of it: two lanes of 32 bits and one of 64. In locals and
 * in the state area the rest of the 16 bytes means nothing.
 */
export const COMPACT: LaneShape = { ...NARROW, lanes: 2, bits: 3 };
export const COMPACT_WIDE: LaneShape = { ...WIDE, lanes: 1, bits: 3 };

/** In a quarter of it: one lane of 32 bits. */
export const SINGLE: LaneShape = { ...NARROW, lanes: 1, bits: 2 };

/**
 * The same where lanes belong to threads: in a lane of another thread an instruction passes on what its sources have, and
 * costs nothing (rule 9). Expressions of steps stay what they are, for c = max(sources + k) where every k is 0.
 */
export const ownedLanes = (shape: LaneShape): LaneShape => ({
  ...shape,
  pushOffset(f, cycles) {
    shape.pushOffset(f, cycles);
    f.i32(0);
    f.memory('v128.load', LANE_COSTS);
    f.op('v128.and');
  },
});
