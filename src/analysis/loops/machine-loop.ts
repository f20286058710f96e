import type { CodeInstruction } from '../../x86/block.ts';
import type { LoopArea } from './areas.ts';
import type { Before } from './before.ts';
import type { MachineCounts } from './counts.ts';
import type { Unrolling } from './unroll.ts';

/** A basic block of a loop. Addresses are those of the image. */
export interface LoopBlock {
  readonly start: number;
  readonly end: number;
  readonly instructions: readonly CodeInstruction[];
  /** Starts of the blocks that follow it, of the whole function; the one behind it first where it falls through. */
  readonly successors: readonly number[];
  readonly counts: MachineCounts;
}

/** A loop of machine code, without anything that depends on a machine model. Plain data. */
export interface MachineLoop {
  readonly function: string;
  /** Start of its function. */
  readonly functionStart: number;
  /** First instruction of its header: its name within the image. */
  readonly address: number;
  /** Starts of the blocks that jump back to the header. */
  readonly latches: readonly number[];
  /** Header of the nearest loop around it. */
  readonly outer: number | undefined;
  readonly depth: number;
  readonly innermost: boolean;
  /** All of an innermost loop, the residue of an outer one, ascending. */
  readonly blocks: readonly LoopBlock[];
  /** What comes before it, where that may tell which memory its registers point to. */
  readonly before: () => Before;
  /** Of an innermost loop: what its forward branches jump over. */
  readonly areas: readonly LoopArea[];
  /** Every block once. */
  readonly counts: MachineCounts;
  readonly unrolling: Unrolling;
  /** Whether rbp points to the stack frame. */
  readonly frame: boolean;
  readonly notes: readonly string[];
}

/** A cycle with several entries, which has no bounds. */
export interface UnacceptableLoop {
  readonly function: string;
  readonly functionStart: number;
  readonly address: number;
  /** Starts of its blocks. */
  readonly blocks: readonly number[];
}
