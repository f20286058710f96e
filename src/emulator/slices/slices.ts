import { does } from '../../translate/limits.ts';
import type { CodeSpace } from '../code/code-space.ts';
import type { Tier } from '../code/tiers.ts';
import type { Guest } from '../guest.ts';
import type { LanesLedger } from '../memory/lanes-ledger.ts';
import type { TagsLedger } from '../memory/tags-ledger.ts';
import type { Deadlines } from './deadlines.ts';
import type { SliceClock } from './slice-clock.ts';
import { SliceLength } from './slice-length.ts';

interface SliceParts {
  readonly guest: Guest;
  readonly space: CodeSpace;
  readonly lanes: LanesLedger | undefined;
  readonly tags: TagsLedger | undefined;
  readonly clock: SliceClock;
  readonly deadlines: Deadlines;
}

/** Instructions from one telling of progress to the next: a few milliseconds. Threads that take turns have slices of a hundred. */
const PROGRESS = 1_000_000;

/** Slices begin and end here: the stretches of a run for which generated code is left to itself. */
export class Slices {
  /** What code the present one executes. */
  tier: Tier = 'usual';
  private readonly parts: SliceParts;
  private readonly lengths: SliceLength;
  private readonly staysInPlace: boolean;
  private isLeaving = false;
  /** Count of instructions at which progress is told next. */
  private tellAt = 0;

  constructor(parts: SliceParts) {
    this.parts = parts;
    this.lengths = new SliceLength(parts.space);
    this.staysInPlace = does(parts.space.limits, 'slices in place');
  }

  /** The next one begins, of usual length unless it is said. */
  start(instructions: number | undefined, tier: Tier): void {
    const { clock, deadlines, lanes, tags } = this.parts;
    const { bounds } = deadlines;
    const most = (lanes ?? tags)?.shadow.mostInstructions ?? Infinity;
    const slice = this.lengths.next(instructions, tier, bounds, most);
    this.tier = slice.tier;
    clock.start(slice.length);
    lanes?.startSlice(bounds.executed);
    tags?.startSlice(slice.length);
  }

  /**
   * Generated code has come to the end of one. Tells whether it is to be left; else it goes on with the next one: the stack of the host
   * stays as it is, and so do all steps.
   */
  end(): boolean {
    if (this.tier !== 'usual' || this.isLeaving) return true;
    const { space, lanes, tags, deadlines } = this.parts;
    const ledger = lanes ?? tags;
    if (!this.staysInPlace || ledger?.wantsRebase() === true || space.wantsNewCode()) return true;
    if (ledger?.shadow.lacksRoom === true) return true;
    if (space.forks?.hasStopped === true) return true;
    this.look();
    if (!this.lengths.canGoOn(deadlines.bounds)) return true;
    this.start(undefined, 'usual');
    return false;
  }

  /** Between two slices. Throws Failure `fuel-spent`. */
  look(): void {
    const { space, clock, deadlines } = this.parts;
    const { executed } = clock;
    this.tell(executed);
    space.ledger.shadow.makeBytewise();
    space.sweep(executed);
    space.hasten(executed);
    deadlines.check();
  }

  private tell(executed: number): void {
    if (executed < this.tellAt) return;
    const { guest, deadlines } = this.parts;
    this.tellAt = executed + PROGRESS;
    guest.progress?.(executed + deadlines.elsewhere);
  }

  /** Whether one is to end at a certain instruction. */
  isToStop(): boolean {
    return this.parts.deadlines.until < Infinity;
  }

  /**
   * The present one is over: another thread is to run, or control goes on elsewhere. All state is in memory, and generated code, which looks at
   * the fuel behind each system call, is left by its own returns: to throw something through it took 5 µs, most of it for where that came from.
   */
  leave(): void {
    const { clock } = this.parts;
    clock.spend(clock.left + 1);
    this.isLeaving = true;
  }

  /** Whether `leave` was called since this was asked. */
  wasLeft(): boolean {
    const { isLeaving } = this;
    this.isLeaving = false;
    return isLeaving;
  }

  /** The present one is to end in time for what has changed since it began. */
  shorten(): void {
    const { clock, deadlines } = this.parts;
    const most = this.lengths.left(this.tier, deadlines.bounds);
    if (most < 0) this.leave();
    else if (most < clock.left) clock.spend(clock.left - most);
  }

  /** The usual code may overshoot the end by more than it could when the present one began. */
  overshootGrew(): void {
    const { clock } = this.parts;
    if (this.tier === 'usual' && this.isToStop()) clock.spend(clock.left + 1);
  }

  /** A probe ends the present one. */
  probed(): void {
    const { clock, space } = this.parts;
    clock.end();
    space.tracer?.stop();
    const { forks } = space;
    if (forks !== undefined) forks.hasStopped = true;
  }
}
