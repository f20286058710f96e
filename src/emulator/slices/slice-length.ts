import type { CodeSpace } from '../code/code-space.ts';
import type { Tier } from '../code/tiers.ts';

/** What the end of a slice has to do with, in instructions of the process, as far as it is known when the slice begins. */
export interface SliceBounds {
  readonly executed: number;
  /** Where the slice must end, exactly; Infinity if anywhere will do. */
  readonly until: number;
  /** Where the run or the pass is to end, at the first chance; Infinity for never. */
  readonly stops: number;
}

export interface Slice {
  readonly length: number;
  readonly tier: Tier;
}

/**
 * How long slices are, and what code they execute. The usual code overshoots a slice's end by what it executes without looking at
 * the fuel: slices that must end exactly end so far before, and the rest is executed one instruction at a time.
 */
export class SliceLength {
  private readonly space: CodeSpace;
  /** How long slices are by now, where nothing ends them. */
  private wanted = 0;

  constructor(space: CodeSpace) {
    this.space = space;
  }

  /** The next slice: of usual length unless it is said, and of `most` instructions. */
  next(
    instructions: number | undefined,
    tier: Tier,
    { executed, until, stops }: SliceBounds,
    most: number,
  ): Slice {
    const { limits, overshoot, faults } = this.space;
    this.wanted = this.wanted === 0 ? limits.firstSlice : Math.min(2 * this.wanted, limits.longestSlice);
    const rest = until - executed;
    const faultsFrom = faults.startFor(executed);
    const steps = rest <= overshoot || executed >= faultsFrom;
    const untilFaults = faultsFrom > executed ? faultsFrom - executed : Infinity;
    // Of single instructions one is executed when no fuel is left.
    const exact = steps || tier !== 'usual' ? rest - 1 : rest - overshoot;
    const length = Math.min(instructions ?? this.wanted, most, stops - executed, untilFaults, exact);
    return { length: Math.max(0, length), tier: steps && tier === 'usual' ? 'stepping' : tier };
  }

  /** Whether the usual code can go on after a slice, as far as its end is concerned. */
  canGoOn({ executed, until, stops }: SliceBounds): boolean {
    const { overshoot, faults } = this.space;
    return executed < stops && until - executed > overshoot && executed < faults.startFor(executed);
  }

  /** Instructions that a slice which has begun may still have, for it must end elsewhere by now; below 0 if none. */
  left(tier: Tier, { executed, until }: SliceBounds): number {
    const rest = until - executed;
    return tier === 'usual' ? rest - this.space.overshoot : rest - 1;
  }
}
