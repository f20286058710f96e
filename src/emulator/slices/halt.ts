import type { TagsLedger } from '../memory/tags-ledger.ts';
import { PassOver } from './pass-over.ts';

/** Where a pass pauses: between two slices, so that all the guest's state and all steps are in memory. */
export interface Halt {
  /** What the pass is for, in words. */
  readonly purpose: string;
  /** Instructions executed at which it pauses; Infinity for never. */
  readonly at: number;
  /** Whether it pauses there and nowhere else, or at the first chance from there on, which costs nothing. */
  readonly isExact: boolean;
  /** It has come there. Moves `at` on, or throws PassOver. */
  reached(pass: HaltedPass): void;
}

export interface HaltedPass {
  /** Instructions the guest has retired. */
  readonly executed: number;
  readonly tags: TagsLedger;
}

/** A pass for nothing but what the run does until then. */
export const endAt = (at: number): Halt => ({
  purpose: `up to instruction ${at}`,
  at,
  isExact: false,
  reached() {
    throw new PassOver();
  },
});
