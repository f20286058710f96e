import { Failure } from '../../base/failure.ts';
import {
  GUEST_END,
  LAST_STEP,
  MAXIMUM,
  OFFSET_COUNT,
  OFFSETS,
  RECALLED,
  TAG_CLOCK,
  TAG_COST,
  TAG_NUMBERS,
  WINDOW_END,
  WINDOW_START,
} from '../../guest/layout.ts';
import { type GuestMemory, SHADOWED } from '../../guest/memory.ts';
import type { CodePlaces } from '../../translate/code-places.ts';
import type { EngineLimits } from '../../translate/limits.ts';
import { tagEntry } from '../../translate/steps/step-entry.ts';
import { TAG_CYCLE_0, TAG_ORIGIN } from '../../translate/steps/tag-shape.ts';
import type { Range, ServiceEffects } from '../../x86/service.ts';
import { LOCATIONS } from '../../x86/state.ts';
import { stepIndex64 } from '../machine/state.ts';
import { noteLast } from './last-retired.ts';
import type { HandlerFrame, Ledger, SavedLocation } from './ledger.ts';
import type { LiveValues, LiveVisitor } from './live-values.ts';
import type { TagsPlan } from './measure-plan.ts';
import { ParkedSteps } from './parked-steps.ts';
import { NUMBER_BIAS, Producers } from './producers.ts';
import { ShadowMemory } from './shadow-memory.ts';

const LOW = 0xffff_ffffn;

/** A call that is followed: the instructions executed when it begins and when it ends. */
export interface Window {
  readonly start: number;
  readonly end: number;
}

const NO_WINDOW: Window = { start: -1, end: -1 };

/** Tags of one context and the log of producers, in the memory that generated code uses (translate/measures/tags.ts describes them). */
export class TagsLedger implements Ledger, LiveValues {
  readonly producers: Producers;
  private readonly tags: BigUint64Array;
  /** The same memory. */
  private readonly numbers: Uint32Array;
  private readonly clock: BigInt64Array;
  /** Instructions executed before the window, and until now; set by the run. */
  private readonly executed: () => number;
  private windowStart = 0;
  private isWaiting = false;
  private readonly mostCycles: number;
  private readonly guest: GuestMemory;
  private readonly places: CodePlaces;
  readonly shadow: ShadowMemory;
  readonly parked: ParkedSteps;

  constructor(
    memory: WebAssembly.Memory,
    guest: GuestMemory,
    plan: TagsPlan,
    limits: EngineLimits,
    places: CodePlaces,
    executed: () => number,
  ) {
    this.guest = guest;
    this.places = places;
    this.parked = new ParkedSteps(guest.bytes);
    this.producers = new Producers(memory, plan.log);
    this.tags = new BigUint64Array(guest.buffer);
    this.numbers = new Uint32Array(guest.buffer);
    this.clock = new BigInt64Array(guest.buffer, TAG_CLOCK, 1);
    this.executed = executed;
    const { end, followsFar } = plan;
    const entry = tagEntry({ end, followsFar, isInLine: true });
    this.mostCycles = limits.chainCycles;
    this.shadow = new ShadowMemory(guest, entry, plan, limits, (page) => this.preparePage(page));
  }

  start(): void {
    this.parked.clear();
    this.tags[TAG_COST / 8] = COSTS;
    this.tags[TAG_NUMBERS / 8] = LOW;
    for (let index = 0; index < OFFSET_COUNT; index++)
      this.tags[OFFSETS / 8 + 2 * index] = CYCLE | BigInt(index);
    this.forgetLocations();
    this.windowStart = 0;
    this.isWaiting = false;
    this.tags[MAXIMUM / 8] = 0n;
    this.setWindow(NO_WINDOW);
  }

  /** A window will open later: until then tags mean nothing, but their numbers must not come to 0 after 2^32 instructions. */
  awaitWindow(window: Window): void {
    this.isWaiting = true;
    this.setWindow(window);
  }

  /** Tells the code that opens and closes contexts (translate/contexts/meters.ts). */
  private setWindow({ start, end }: Window): void {
    this.tags[WINDOW_START / 8] = BigInt.asUintN(64, BigInt(start));
    this.tags[WINDOW_END / 8] = BigInt.asUintN(64, BigInt(end));
  }

  /** A slice of this many instructions begins: instruction numbers follow from the fuel that is left. */
  startSlice(fuel: number): void {
    this.producers.closeRound();
    if (this.isWaiting) this.windowStart = this.executed();
    else if (this.isFull) throw tooManyCycles(this.end().cycles, this.mostCycles);
    this.clock[0] = BigInt(this.executed() + fuel - this.windowStart + NUMBER_BIAS);
  }

  /** The window begins now: whatever was written before counts as never written. */
  openWindow(fuelLeft: number): void {
    this.isWaiting = false;
    this.windowStart = this.executed();
    this.clock[0] = BigInt(fuelLeft + NUMBER_BIAS);
    this.forgetTags();
  }

  /** Whether a slice more may have more cycles than tags can tell. */
  private get isFull(): boolean {
    return this.end().cycles > this.mostCycles;
  }

  /** Whether `rebase` has anything to do: the generated code is to be left before, which has tags in locals. */
  wantsRebase(): boolean {
    return this.isWaiting && this.isFull;
  }

  /** Between two slices: what tags tell before a window means nothing, but they must stay such that the larger one can be found. */
  rebase(): void {
    if (this.wantsRebase()) this.forgetTags();
  }

  private forgetTags(): void {
    this.forgetLocations();
    this.guest.eachPage(SHADOWED, 0, GUEST_END, (page) => this.shadow.clear(page));
    this.shadow.dropOutRange(0, GUEST_END);
    this.tags[MAXIMUM / 8] = 0n;
  }

  /** What any location has counts as never written. */
  private forgetLocations(): void {
    for (let location = 0; location < LOCATIONS; location++) this.tags[stepIndex64(location)] = TAG_ORIGIN;
    this.tags[LAST_STEP / 8] = TAG_ORIGIN;
    for (const steps of this.parked) {
      const tags = new BigUint64Array(steps.buffer, steps.byteOffset, steps.length / 8);
      for (let at = 0; at < tags.length; at += 2) tags[at] = TAG_ORIGIN;
    }
  }

  /** The chain's length and the number of its last instruction: the first one with c = C; 0 for none. */
  end(): { readonly cycles: number; readonly instruction: number } {
    const largest = this.tags[MAXIMUM / 8];
    if (largest === 0n) return { cycles: 0, instruction: 0 };
    return {
      cycles: Number((largest >> 32n) - TAG_CYCLE_0),
      instruction: Number((largest & LOW) ^ LOW) - NUMBER_BIAS,
    };
  }

  /** The number of the last instruction executed. */
  get newest(): number {
    return this.executed() - this.windowStart;
  }

  addressOf(place: number): number {
    return this.places.addressOf(place);
  }

  eachLive(visit: LiveVisitor): void {
    const { numbers, parked } = this;
    const ofLocations = 2 * stepIndex64(0);
    visit(numbers, ofLocations, ofLocations + 4 * LOCATIONS, 4, NUMBER_BIAS);
    visit(numbers, LAST_STEP / 4, LAST_STEP / 4 + 1, 1, NUMBER_BIAS);
    visit(Uint32Array.of(this.end().instruction), 0, 1, 1, 0);
    for (const steps of parked) {
      const words = new Uint32Array(steps.buffer, steps.byteOffset, steps.length / 4);
      visit(words, 0, words.length, 4, NUMBER_BIAS);
    }
    for (const words of this.shadow.hiddenEntries)
      visit(new Uint32Array(words.buffer), 0, words.length, 2, NUMBER_BIAS);
    // Entries that tell of their bytes' steps are no numbers of instructions; who takes them for such does no harm.
    this.guest.eachPage(SHADOWED, 0, GUEST_END, (page) =>
      this.shadow.eachTableOf(page, (first, end) => visit(numbers, first, end, 2, NUMBER_BIAS)),
    );
    this.shadow.out?.eachPage(({ buffer }, count) =>
      visit(new Uint32Array(buffer), 0, count, 2, NUMBER_BIAS),
    );
  }

  apply(effects: ServiceEffects, address: number): void {
    const { tags } = this;
    let producer = TAG_ORIGIN;
    const raise = (offset: number) => {
      producer = larger(producer, tags[offset / 8]);
    };
    for (const location of effects.sources) raise(8 * stepIndex64(location));
    for (const range of effects.loads) this.shadow.eachStep(range, raise);
    // The instruction is already off the fuel.
    const number = BigInt(this.executed() - this.windowStart + NUMBER_BIAS) & LOW;
    const own = (((producer >> 32n) + 1n) << 32n) | number;
    const tag = tags[TAG_COST / 8] === COSTS ? own : producer;
    this.producers.log(Number(number), Number(producer & LOW), this.places.of(address));
    for (const range of effects.stores)
      this.shadow.storeRange(range, (offset) => {
        tags[offset / 8] = tag;
      });
    for (const location of effects.destinations) tags[stepIndex64(location)] = tag;
    tags[MAXIMUM / 8] = larger(tags[MAXIMUM / 8], tag ^ LOW);
    tags[LAST_STEP / 8] = tag;
    noteLast(this.guest.view);
  }

  private putAll(range: Range, tag: bigint): void {
    this.shadow.storeRange(range, (offset) => {
      this.tags[offset / 8] = tag;
    });
  }

  enterHandler({ saved, written, set }: HandlerFrame): void {
    const { tags } = this;
    const last = tags[LAST_STEP / 8];
    for (const range of written) this.putAll(range, last);
    for (const { location, range } of saved) this.putAll(range, tags[stepIndex64(location)]);
    for (const location of set) tags[stepIndex64(location)] = last;
  }

  leaveHandler(saved: readonly SavedLocation[]): void {
    const { tags } = this;
    for (const { location, range } of saved) {
      let tag = TAG_ORIGIN;
      this.shadow.eachStep(range, (offset) => {
        tag = larger(tag, tags[offset / 8]);
      });
      tags[stepIndex64(location)] = tag;
    }
  }

  // --- threads

  /** Whether what is executed from now on counts. */
  count(counts: boolean): void {
    this.tags[TAG_COST / 8] = counts ? COSTS : 0n;
  }

  park(): Uint8Array {
    return this.parked.park();
  }

  preparePage(page: number): void {
    this.shadow.preparePage(page);
  }

  addBytes(page: number): void {
    this.shadow.addBytes(page);
  }

  recall(place: number, size: number): number {
    const { shadow, tags } = this;
    if (!shadow.isOut(place, size)) return 0;
    tags[RECALLED / 8] = TAG_ORIGIN;
    shadow.recall(place, size, (offset) => {
      tags[RECALLED / 8] = larger(tags[RECALLED / 8], tags[offset / 8]);
    });
    return RECALLED;
  }

  makeRoom(): void {
    this.shadow.makeRoom(() => {});
  }

  forget(start: number, end: number): void {
    this.guest.eachPage(SHADOWED, start, end, (page) => this.shadow.forget(page));
    this.shadow.dropOutRange(start, end);
  }

  move(from: number, to: number): void {
    this.shadow.move(from, to);
  }

  setReadable(page: number, isReadable: boolean): void {
    this.shadow.setReadable(page, isReadable);
  }
}

const CYCLE = 1n << 32n;
const COSTS = 2n ** 64n - 1n;

function tooManyCycles(cycles: number, most: number): Failure {
  return new Failure(
    'guest',
    'chain-too-long',
    `a chain cannot be followed: it has ${cycles} cycles by now, and ${most} at most can be told`,
    { cycles: most },
  );
}

const larger = (a: bigint, b: bigint): bigint => (a > b ? a : b);
