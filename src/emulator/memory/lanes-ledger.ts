import {
  CONTEXT_HELD,
  CONTEXT_TOP,
  FLOOR,
  GUEST_END,
  INEXACT,
  LANE_BOUNDS,
  LANE_COSTS,
  LANE_CYCLES,
  LANE_MASKS,
  LAST_STEP,
  MAXIMUM,
  OFFSET_COUNT,
  OFFSETS,
  QUIET_PAGES,
  RARE_STEPS,
  RECALLED,
  stepOffset,
} from '../../guest/layout.ts';
import { type GuestMemory, SHADOWED } from '../../guest/memory.ts';
import { FRAME, RUN_FRAME } from '../../translate/contexts/records.ts';
import { NO_VARIABLE } from '../../translate/interpreter/record.ts';
import { does, type EngineLimits } from '../../translate/limits.ts';
import type { LaneShape } from '../../translate/steps/lane-shape.ts';
import { laneEntry, TELLING_WORD } from '../../translate/steps/step-entry.ts';
import type { ServiceEffects } from '../../x86/service.ts';
import { LOCATIONS } from '../../x86/state.ts';
import { executedNow, noteLast } from './last-retired.ts';
import type { HandlerFrame, Ledger, SavedLocation } from './ledger.ts';
import { type LanesPlan, Outgrown } from './measure-plan.ts';
import { ParkedSteps } from './parked-steps.ts';
import { ShadowMemory } from './shadow-memory.ts';

/** How a lane's steps become less: by so much, but none less than this. */
interface Lowering {
  readonly by: number;
  readonly least: number;
}

function lowerOne(words: Int32Array, at: number, { by, least }: Lowering): void {
  const lowered = words[at] - by;
  words[at] = lowered > least ? lowered : least;
}

/** Entries in shadow memory that are steps of 32-bit lanes (see translate/steps/step-entry.ts). The 25 million of 100 MB take 0.2 s. */
function lowerEntries(words: Int32Array, first: number, end: number, changes: readonly Lowering[]): void {
  const lanes = changes.length;
  const telling = Math.min(TELLING_WORD, lanes - 1);
  for (let at = first; at < end; at += lanes) {
    if (words[at + telling] >= 0) continue;
    for (let lane = 0; lane < lanes; lane++) lowerOne(words, at + lane, changes[lane]);
  }
}

/** Steps of several contexts at once, in the memory that generated code uses (translate/measures/lanes.ts describes it). */
export class LanesLedger implements Ledger {
  readonly shape: LaneShape;
  /** Memory as lanes of steps, and as words. */
  private readonly steps: Int32Array | Float64Array;
  /** The one at hand, by lane. */
  private readonly step: Int32Array | Float64Array;
  private readonly words: Int32Array;
  private readonly view: DataView;
  readonly shadow: ShadowMemory;
  private readonly guest: GuestMemory;
  private readonly limits: EngineLimits;
  private readonly isWide: boolean;
  /** Of a lane's bytes the logarithm. */
  private readonly laneBits: number;
  private readonly keepsCycles: boolean;
  private hasThreads: boolean;
  /** Whether long contexts keep the steps of their last cycles only. */
  private readonly forgets: boolean;
  /** Whether an instruction of the running thread costs a cycle, by lane. */
  private readonly costs: (0 | 1)[];
  /** What OFFSETS has held, by these: a bit for each lane that counts. */
  private readonly offsets = new Map<number, Int32Array>();
  /** Those at present; -1 before there are any. */
  private counting = -1;
  /** Count of instructions before which no lane can have grown large. */
  private lowUntil = 0;
  readonly parked: ParkedSteps;

  constructor(guest: GuestMemory, plan: LanesPlan, limits: EngineLimits) {
    const { shape, end, followsFar } = plan;
    this.guest = guest;
    this.parked = new ParkedSteps(guest.bytes);
    this.shape = shape;
    this.limits = limits;
    this.isWide = shape.laneBytes === 8;
    this.laneBits = this.isWide ? 3 : 2;
    this.keepsCycles = plan.keepsCycles;
    this.hasThreads = plan.threads;
    this.forgets = does(limits, 'forgotten steps');
    this.steps = shape.view(guest.buffer);
    this.step = this.steps.slice(0, shape.lanes);
    this.words = new Int32Array(guest.buffer);
    this.view = guest.view;
    this.costs = Array.from({ length: shape.lanes }, () => 1);
    const entry = laneEntry(shape, { end, followsFar, isInLine: true });
    this.shadow = new ShadowMemory(guest, entry, plan, limits, (page) => this.preparePage(page));
  }

  start(): void {
    const { steps, limits, shape } = this;
    this.parked.clear();
    this.counting = -1;
    this.lowUntil = 0;
    this.count(() => true);
    this.setMasks();
    const first = shape.origin + (this.isWide ? limits.wideStart : 0);
    for (const [offset, count] of [
      [FLOOR, 1],
      [MAXIMUM, 1],
      [LANE_BOUNDS, 1],
      [LAST_STEP, 1],
      [stepOffset(0), LOCATIONS],
      [stepOffset(NO_VARIABLE), 1],
    ])
      steps.fill(first, this.at(offset), this.at(offset + 16 * count));
  }

  /**
   * The run goes on from where another one is, whose plan is the same and whose memory has been copied: all that it has
   * written counts here as it does there. Only lane 0 goes on; what the others measured begins at cycle 0.
   */
  inherit(other: LanesLedger): void {
    const { steps, shape } = this;
    this.counting = -1;
    this.lowUntil = 0;
    for (const [offset, count] of [
      [MAXIMUM, 1],
      [stepOffset(0), LOCATIONS],
    ]) {
      const from = other.steps.subarray(this.at(offset), this.at(offset + 16 * count));
      steps.set(from, this.at(offset));
    }
    this.shadow.copyFrom(other.shadow);
    steps[this.at(FLOOR)] = other.steps[this.at(FLOOR)];
    this.view.setBigInt64(LANE_CYCLES, other.view.getBigInt64(LANE_CYCLES, true), true);
    for (let lane = 1; lane < shape.lanes; lane++) steps[this.at(FLOOR) + lane] = this.maximum(lane) | 1;
  }

  /** There are threads from now on. */
  meetThreads(): void {
    this.hasThreads = true;
  }

  /** Index in `steps` of the first lane of the step at a byte offset. */
  private at(offset: number): number {
    return offset >>> this.laneBits;
  }

  // --- contexts

  /** A slice begins: whatever opens in it finds a floor without looking for the largest step. */
  startSlice(executed: number): void {
    const { steps, shape } = this;
    this.noteRareSteps();
    const bounds = this.at(LANE_BOUNDS);
    for (let lane = 0; lane < shape.lanes; lane++) {
      steps[bounds + lane] = this.maximum(lane);
      shape.lower(this.guest.view, LANE_BOUNDS + shape.laneBytes * lane, executed);
    }
  }

  private maximum(lane: number): number {
    // At each slice's end; those of code that changes MXCSR's mode or gets signals are short.
    const { steps } = this;
    let largest = steps[this.at(MAXIMUM) + lane];
    const first = this.at(stepOffset(0));
    const beyond = this.at(stepOffset(LOCATIONS));
    const next = this.at(stepOffset(1)) - first;
    for (let i = first + lane; i < beyond; i += next) if (steps[i] > largest) largest = steps[i];
    return largest;
  }

  /** Whether `rebase` has something to do. */
  wantsRebase(): boolean {
    const { limits, shape } = this;
    if (this.isWide) return false;
    if (this.words[INEXACT / 4] !== 0) return true;
    const executed = Number(executedNow(this.view));
    if (executed < this.lowUntil) return false;
    const from = Math.min(limits.rebaseFrom, limits.wideFrom);
    let height = 0;
    for (let lane = 0; lane < shape.lanes; lane++)
      height = Math.max(height, this.maximum(lane) - shape.origin);
    // No lane grows by more than a cycle with an instruction.
    this.lowUntil = executed + Math.max(0, Math.floor((from - height) / shape.cycle));
    return height >= from;
  }

  /**
   * Between slices, when all state is in memory: brings lanes down that have grown large. What is at or below a lane's
   * floor counts as cycle 0 of its context, so subtracting the floor from everything above it changes no cycle.
   *
   * Where one context alone has many cycles, it keeps the steps of the last ones. All others become the step below those, which is not
   * exact and makes inexact what follows from it (LaneShape.cycle). As long as the largest step is exact that changes no cycle
   * either: it was larger than whatever followed from something older. Throws Outgrown where that ends, or 32 bits do not suffice.
   */
  rebase(): void {
    const { limits, shape } = this;
    if (!this.wantsRebase()) return;
    this.checkExact();
    const lanes = Array.from({ length: shape.lanes }, (_, lane) => lane);
    const height = (lane: number) => this.maximum(lane) - shape.origin;
    // All lanes at once, for what takes time is to look at all steps.
    if (lanes.some((lane) => height(lane) >= limits.rebaseFrom))
      this.lower(lanes.map((lane) => this.lowering(lane)));
    if (lanes.some((lane) => height(lane) >= limits.wideFrom)) throw new Outgrown('cycles');
  }

  /** How far the lane can come down. Its floor, and the cycles before what it keeps, are noted for it. */
  private lowering(lane: number): Lowering {
    const { steps, limits, shape, view } = this;
    const largest = this.maximum(lane);
    if (!this.keepsCycles || !this.mayBeOpen(lane)) steps[this.at(FLOOR) + lane] = largest | 1;
    const floor = steps[this.at(FLOOR) + lane];
    // An exact floor becomes the origin, an inexact one the inexact step above it, so that fresh memory is at or below either.
    const from = (floor & 1) !== 0 ? floor : floor - 1;
    const kept = (largest & ~1) - shape.cycle * limits.keptCycles;
    if (!this.forgets || largest - from < limits.rebaseFrom || kept <= floor)
      return { by: from - shape.origin, least: floor - from + shape.origin };
    if ((largest & 1) === 0) throw new Outgrown('cycles');
    const cycles = LANE_CYCLES + 8 * lane;
    const before = BigInt((kept - (floor & ~1)) / shape.cycle);
    view.setBigInt64(cycles, view.getBigInt64(cycles, true) + before, true);
    return { by: kept - shape.origin - 1, least: shape.origin + 1 };
  }

  /** Whether a context may be open that the lane measures: of threads that are not running that is not looked for. */
  private mayBeOpen(lane: number): boolean {
    if (this.hasThreads) return true;
    const { view } = this;
    if ((view.getInt32(CONTEXT_HELD, true) >> lane) & 1) return true;
    const top = view.getInt32(CONTEXT_TOP, true);
    for (let frame = RUN_FRAME; frame <= top; frame += FRAME.size)
      if (view.getInt16(frame + FRAME.lane, true) === lane) return true;
    return false;
  }

  /** Throws Outgrown where a context has closed whose cycles are not known. */
  checkExact(): void {
    if (this.words[INEXACT / 4] !== 0) throw new Outgrown('cycles');
  }

  /** Steps become less, by lane. */
  private lower(changes: readonly Lowering[]): void {
    const { words, shadow } = this;
    this.guest.eachPage(SHADOWED, 0, GUEST_END, (page) => {
      this.wake(page);
      shadow.eachTableOf(page, (first, end) => lowerEntries(words, first, end, changes));
    });
    shadow.out?.change((steps, first, end) => lowerEntries(steps, first, end, changes));
    for (const hidden of shadow.hiddenEntries) lowerEntries(hidden, 0, hidden.length, changes);
    const lowerState = (state: Int32Array, offset: number, count: number) => {
      for (const [lane, change] of changes.entries())
        for (let step = 0; step < count; step++) lowerOne(state, offset / 4 + 4 * step + lane, change);
    };
    lowerState(words, stepOffset(0), LOCATIONS);
    for (const { buffer, byteLength } of this.parked)
      lowerState(new Int32Array(buffer as ArrayBuffer), 0, byteLength / 16);
    for (const offset of [MAXIMUM, LAST_STEP, FLOOR]) lowerState(words, offset, 1);
  }

  // --- services

  apply(effects: ServiceEffects): void {
    const { step, steps, costs, shape } = this;
    const { sources, destinations, loads, stores } = effects;
    // A lane after the other, without a call for each location: programs that live on system calls feel it.
    for (let lane = 0; lane < step.length; lane++) {
      let largest = steps[this.at(FLOOR) + lane];
      for (let i = 0; i < sources.length; i++) {
        const source = steps[this.at(stepOffset(sources[i])) + lane];
        if (source > largest) largest = source;
      }
      step[lane] = largest;
    }
    for (const range of loads) this.shadow.eachStep(range, this.raise);
    for (let lane = 0; lane < step.length; lane++) step[lane] += shape.cycle * costs[lane];
    for (const range of stores) this.shadow.storeRange(range, this.put);
    for (let lane = 0; lane < step.length; lane++) {
      const mine = step[lane];
      const maximum = this.at(MAXIMUM) + lane;
      let largest = mine > steps[maximum] ? mine : steps[maximum];
      for (let i = 0; i < destinations.length; i++) {
        const at = this.at(stepOffset(destinations[i])) + lane;
        // What is overwritten may be the largest so far.
        if (steps[at] > largest) largest = steps[at];
        steps[at] = mine;
      }
      steps[this.at(LAST_STEP) + lane] = mine;
      steps[maximum] = largest;
    }
    this.noteRareSteps();
    noteLast(this.guest.view);
  }

  // --- the step at hand. Nothing is allocated: each signal sets some fifty of them.

  /** It is that at a byte offset. */
  private take(offset: number): void {
    const { step, steps } = this;
    const at = this.at(offset);
    for (let lane = 0; lane < step.length; lane++) step[lane] = steps[at + lane];
  }

  /** It is at least that at a byte offset. */
  private readonly raise = (offset: number): void => {
    const { step, steps } = this;
    const at = this.at(offset);
    for (let lane = 0; lane < step.length; lane++)
      if (steps[at + lane] > step[lane]) step[lane] = steps[at + lane];
  };

  /** That at a byte offset is the one at hand. */
  private readonly put = (offset: number): void => {
    const { step, steps } = this;
    const at = this.at(offset);
    for (let lane = 0; lane < step.length; lane++) steps[at + lane] = step[lane];
  };

  private setLocation(location: number): void {
    // The overwritten step may be the largest so far.
    this.fold(stepOffset(location));
    this.put(stepOffset(location));
    this.noteRareSteps();
  }

  private noteRareSteps(): void {
    this.words[RARE_STEPS / 4] = 1;
  }

  enterHandler({ saved, written, set }: HandlerFrame): void {
    // A context may have opened since, and a register's step is not below the floor.
    const takeLast = () => {
      this.take(FLOOR);
      this.raise(LAST_STEP);
    };
    takeLast();
    for (const range of written) this.shadow.storeRange(range, this.put);
    for (const { location, range } of saved) {
      this.take(stepOffset(location));
      this.shadow.storeRange(range, this.put);
    }
    takeLast();
    for (const location of set) this.setLocation(location);
  }

  leaveHandler(saved: readonly SavedLocation[]): void {
    for (const { location, range } of saved) {
      this.take(FLOOR);
      this.shadow.eachStep(range, this.raise);
      this.setLocation(location);
    }
  }

  private setMasks(): void {
    const { shape, words } = this;
    const { inside, outside } = shape.isolate;
    const size = shape.laneBytes / 4;
    for (let lane = 0; lane < shape.lanes; lane++) {
      const mask = LANE_MASKS / 4 + 4 * lane;
      words.fill(outside, mask, mask + 4).fill(inside, mask + size * lane, mask + size * (lane + 1));
    }
  }

  // --- threads

  /** In which lanes what is executed from now on counts. */
  count(counts: (lane: number) => boolean): void {
    const { costs, shape, words } = this;
    let counting = 0;
    for (let lane = 0; lane < shape.lanes; lane++) if (counts(lane)) counting |= 1 << lane;
    if (counting === this.counting) return;
    this.counting = counting;
    const wordsOfLane = shape.laneBytes / 4;
    words.fill(-1, LANE_COSTS / 4, LANE_COSTS / 4 + 4);
    for (let lane = 0; lane < shape.lanes; lane++) {
      costs[lane] = (counting & (1 << lane)) === 0 ? 0 : 1;
      const at = LANE_COSTS / 4 + wordsOfLane * lane;
      words.fill(-costs[lane], at, at + wordsOfLane);
    }
    words.set(this.offsetsNow(wordsOfLane), OFFSETS / 4);
  }

  /** What OFFSETS holds under the present costs, which threads that take turns come back to. */
  private offsetsNow(wordsOfLane: number): Int32Array {
    const { shape, words, offsets, counting } = this;
    let known = offsets.get(counting);
    if (known === undefined) {
      known = new Int32Array(4 * OFFSET_COUNT);
      for (let at = 0; at < known.length; at += wordsOfLane)
        known[at] = (shape.cycle * (at >> 2)) & words[LANE_COSTS / 4 + (at & 3)];
      offsets.set(counting, known);
    }
    return known;
  }

  park(): Uint8Array {
    const { steps, shape } = this;
    for (let lane = 0; lane < shape.lanes; lane++) steps[this.at(MAXIMUM) + lane] = this.maximum(lane);
    return this.parked.park();
  }

  /** The step at a byte offset counts for the largest one. */
  private fold(offset: number): void {
    const { steps, shape } = this;
    const at = this.at(offset);
    const maximum = this.at(MAXIMUM);
    for (let lane = 0; lane < shape.lanes; lane++)
      if (steps[at + lane] > steps[maximum + lane]) steps[maximum + lane] = steps[at + lane];
  }

  /** The page is not quiet any more. */
  private wake(page: number): void {
    this.words.fill(0, quietAt(page), quietAt(page + 1));
  }

  // --- pages

  /** Whether the page's largest steps are known and hold. */
  isQuiet(page: number): boolean {
    const { words } = this;
    for (let at = quietAt(page); at < quietAt(page + 1); at++) if (words[at] !== 0) return true;
    return false;
  }

  preparePage(page: number): void {
    this.wake(page);
    this.shadow.preparePage(page);
  }

  addBytes(page: number): void {
    this.shadow.addBytes(page);
  }

  recall(place: number, size: number): number {
    const { step, shape, shadow } = this;
    if (!shadow.isOut(place, size)) return 0;
    step.fill(shape.origin);
    shadow.recall(place, size, this.raise);
    this.put(RECALLED);
    return RECALLED;
  }

  makeRoom(): void {
    this.shadow.makeRoom((page) => this.wake(page));
  }

  forget(start: number, end: number): void {
    this.guest.eachPage(SHADOWED, start, end, (page) => {
      this.wake(page);
      this.shadow.forget(page);
    });
    this.shadow.dropOutRange(start, end);
  }

  move(from: number, to: number): void {
    this.wake(from);
    this.shadow.move(from, to);
  }

  setReadable(page: number, isReadable: boolean): void {
    this.wake(page);
    this.shadow.setReadable(page, isReadable);
  }
}

const quietAt = (page: number): number => (QUIET_PAGES + 16 * page) / 4;
