import type { FunctionBuilder } from '../../wasm/function.ts';
import { COMPACT_WIDE, type StepShape } from './lane-shape.ts';

/**
 * A tag: cycle << 32 | number of the writing instruction in the window. Cycles count from this one, so that every tag is the bits of a positive double that is
 * neither subnormal nor infinite, as far as 2^31 - 2^21 cycles go; the larger of two tags is then one instruction on doubles.
 */
export const TAG_CYCLE_0 = 0x0010_0000n;

/** Most cycles that tags have where a slice begins, with room for those of the slice: it has a few million instructions (EngineLimits.longestSlice). */
export const MOST_TAG_CYCLES = 0x7ff0_0000 - Number(TAG_CYCLE_0) - 0x100_0000;

/** Cycle 0, written by no instruction: the first one of a window has the number 2. */
export const TAG_ORIGIN = (TAG_CYCLE_0 << 32n) | 1n;

const pushOrigin = (f: FunctionBuilder): void => f.v128(TAG_ORIGIN, 0n);

/** What shadow memory holds of tags: 8 bytes, as of one lane of 64 bits. In locals and in the state area zeros follow. */
export const TAG_SHAPE: StepShape = {
  ...COMPACT_WIDE,
  origin: new Float64Array(BigInt64Array.of(TAG_ORIGIN).buffer)[0],
  pushOrigin,
  /** No tag is below it. */
  pushNone: pushOrigin,
};
