import { Failure } from '../base/failure.ts';
import {
  BYTE_PAGE_POOL,
  BYTE_PAGES,
  FLOOR,
  GUEST_END,
  LANE_BOUNDS,
  MAXIMUM,
  MEMORY_END,
  PAGE_SIZE,
  QUIET_PAGES,
  SHADOW,
  stepOffset,
} from '../guest/layout.ts';
import type { GuestMemory } from '../guest/memory.ts';
import type { LaneShape } from '../translate/lane-shape.ts';
import { ADDRESS_WORD, TELLING_WORD } from '../translate/lanes-memory.ts';
import type { EngineLimits } from '../translate/limits.ts';
import type { Range, ServiceEffects } from '../x86/service.ts';
import { LOCATIONS } from '../x86/state.ts';
import type { Ledger } from './ledger.ts';

/** Every byte step of a page: 16 bytes each. */
const BYTE_PAGE_SIZE = 16 * PAGE_SIZE;

/** A context has too many cycles for 32-bit lanes: the run is to begin anew with 64-bit ones. */
export class LanesFull extends Error {}

/** Steps of several contexts at once, in the memory that generated code uses (translate/lanes.ts describes it). */
export class LanesLedger implements Ledger {
  readonly shape: LaneShape;
  /** Memory as lanes of steps, and as words. */
  private readonly steps: Int32Array | Float64Array;
  private readonly words: Int32Array;
  private nextBytePage = (BYTE_PAGE_POOL + 0xffff) & ~0xffff;
  private readonly freeBytePages: number[] = [];
  private readonly guest: GuestMemory;
  private readonly limits: EngineLimits;

  constructor(guest: GuestMemory, shape: LaneShape, limits: EngineLimits) {
    this.guest = guest;
    this.shape = shape;
    this.limits = limits;
    this.steps = shape.view(guest.buffer);
    this.words = new Int32Array(guest.buffer);
    this.nextBytePage >>>= 0;
  }

  start(): void {
    const { steps, limits, shape } = this;
    const first = shape.origin + (shape.lanes === 2 ? limits.wideStart : 0);
    for (const [offset, count] of [
      [FLOOR, 1],
      [MAXIMUM, 1],
      [LANE_BOUNDS, 1],
      [stepOffset(0), LOCATIONS],
    ])
      steps.fill(first, this.at(offset), this.at(offset + 16 * count));
  }

  /** Index in `steps` of the first lane of the step at a byte offset. */
  private at(offset: number): number {
    return (offset / 16) * this.shape.lanes;
  }

  // --- contexts

  /** A slice begins: whatever opens in it finds a floor without looking for the largest step. */
  startSlice(executed: number): void {
    const { steps, shape } = this;
    const bounds = this.at(LANE_BOUNDS);
    for (let lane = 0; lane < shape.lanes; lane++) {
      steps[bounds + lane] = this.maximum(lane);
      shape.lower(this.guest.view, LANE_BOUNDS + (16 / shape.lanes) * lane, executed);
    }
  }

  private maximum(lane: number): number {
    let largest = this.steps[this.at(MAXIMUM) + lane];
    for (let l = 0; l < LOCATIONS; l++)
      largest = Math.max(largest, this.steps[this.at(stepOffset(l)) + lane]);
    return largest;
  }

  /** Whether `rebase` has something to do. */
  wantsRebase(): boolean {
    const { limits, shape } = this;
    if (shape.lanes === 2) return false;
    const from = Math.min(limits.rebaseFrom, limits.wideFrom);
    for (let lane = 0; lane < shape.lanes; lane++) if (this.maximum(lane) >= from) return true;
    return false;
  }

  /**
   * Between slices, when all state is in memory: brings lanes down that have grown large. What is at or below a lane's
   * floor counts as cycle 0 of its context, so subtracting the floor from everything above it changes no cycle.
   * Throws LanesFull when one context alone has too many cycles.
   */
  rebase(): void {
    const { steps, limits, shape } = this;
    if (shape.lanes === 2) return;
    for (let lane = 0; lane < shape.lanes; lane++) {
      if (this.maximum(lane) >= limits.rebaseFrom) {
        const floor = steps[this.at(FLOOR) + lane];
        if (floor > shape.origin) this.lower(lane, floor - shape.origin);
      }
      if (this.maximum(lane) >= limits.wideFrom) throw new LanesFull();
    }
  }

  private lower(lane: number, by: number): void {
    const { words, steps, shape } = this;
    words.fill(0, quietAt(0), quietAt(GUEST_END / PAGE_SIZE));
    const lower = (at: number) => {
      steps[at + lane] = Math.max(shape.origin, steps[at + lane] - by);
    };
    for (let page = 0; page < GUEST_END / PAGE_SIZE; page++) {
      if (!this.guest.hasShadow(page)) continue;
      const shadow = SHADOW + 4 * page * PAGE_SIZE;
      for (let granule = shadow; granule < shadow + 4 * PAGE_SIZE; granule += 16)
        if (words[granule / 4 + TELLING_WORD] > 0) lower(this.at(granule));
      const bytes = words[BYTE_PAGES / 4 + page] >>> 0;
      if (bytes === 0) continue;
      for (let byte = bytes; byte < bytes + BYTE_PAGE_SIZE; byte += 16) lower(this.at(byte));
    }
    for (let l = 0; l < LOCATIONS; l++) lower(this.at(stepOffset(l)));
    lower(this.at(MAXIMUM));
    lower(this.at(FLOOR));
  }

  // --- services

  apply(effects: ServiceEffects): void {
    const { steps } = this;
    const { lanes } = this.shape;
    const floor = this.at(FLOOR);
    const step = [...steps.subarray(floor, floor + lanes)];
    const raise = (offset: number) => {
      const at = this.at(offset);
      for (let lane = 0; lane < lanes; lane++) step[lane] = Math.max(step[lane], steps[at + lane]);
    };
    for (const location of effects.sources) raise(stepOffset(location));
    for (const range of effects.loads) this.eachStep(range, raise);
    for (let lane = 0; lane < lanes; lane++) step[lane]++;
    const put = (offset: number) => steps.set(step, this.at(offset));
    for (const range of effects.stores) this.storeRange(range, put);
    for (const location of effects.destinations) {
      // The overwritten step may be the largest so far.
      const at = this.at(stepOffset(location));
      this.fold(steps.subarray(at, at + lanes));
      put(stepOffset(location));
    }
    this.fold(step);
  }

  private fold(step: ArrayLike<number>): void {
    const maximum = this.at(MAXIMUM);
    for (let lane = 0; lane < this.shape.lanes; lane++)
      this.steps[maximum + lane] = Math.max(this.steps[maximum + lane], step[lane]);
  }

  private eachStep(range: Range, visit: (offset: number) => void): void {
    const end = range.address + range.length;
    for (let address = range.address; address < end; ) {
      const granule = this.granule(address);
      const telling = this.words[granule / 4 + TELLING_WORD];
      if (telling < 0) {
        visit(this.byteStep(address));
        address++;
        continue;
      }
      if (telling > 0) visit(granule);
      address = (address & ~3) + 4;
    }
  }

  private storeRange(range: Range, put: (offset: number) => void): void {
    const end = range.address + range.length;
    for (let page = range.address >>> 12; page <= (end - 1) >>> 12 && range.length > 0; page++)
      this.preparePage(page);
    for (let address = range.address; address < end; ) {
      const whole = (end - address) & ~3;
      if ((address & 3) === 0 && whole > 0) {
        this.putAll(this.granule(address), whole / 4, put);
        address += whole;
        continue;
      }
      this.split(address);
      put(this.byteStep(address));
      address++;
    }
  }

  /** Neighbouring granules: system calls write many at once. */
  private putAll(first: number, granules: number, put: (offset: number) => void): void {
    put(first);
    const start = first / 4;
    for (let done = 1; done < granules; ) {
      const more = Math.min(done, granules - done);
      this.words.copyWithin(start + 4 * done, start, start + 4 * more);
      done += more;
    }
  }

  /** From now on the bytes of the granule have steps of their own. */
  private split(address: number): void {
    const { words } = this;
    const granule = this.granule(address);
    if (words[granule / 4 + TELLING_WORD] < 0) return;
    const page = address >>> 12;
    if (words[BYTE_PAGES / 4 + page] === 0) this.addBytePage(page);
    const first = this.byteStep(address & ~3);
    for (let byte = 0; byte < 4; byte++) words.copyWithin(first / 4 + 4 * byte, granule / 4, granule / 4 + 4);
    words.fill(-1, granule / 4, granule / 4 + 4);
    words[granule / 4 + ADDRESS_WORD] = first;
  }

  /** Byte offset of the granule's step. */
  private granule(address: number): number {
    return SHADOW + 4 * (address & ~3);
  }

  /** Byte offset of the byte's own step. */
  private byteStep(address: number): number {
    const page = this.words[BYTE_PAGES / 4 + (address >>> 12)] >>> 0;
    return page + 16 * (address & (PAGE_SIZE - 1));
  }

  // --- pages

  /** Whether the page's largest steps are known and hold. */
  isQuiet(page: number): boolean {
    return this.words.subarray(quietAt(page), quietAt(page + 1)).some((word) => word !== 0);
  }

  preparePage(page: number): void {
    this.words.fill(0, quietAt(page), quietAt(page + 1));
    const shadow = SHADOW + 4 * page * PAGE_SIZE;
    if (this.guest.hasShadow(page)) return;
    this.guest.noteShadow(page);
    this.steps.fill(this.shape.origin, this.at(shadow), this.at(shadow + 4 * PAGE_SIZE));
  }

  addBytePage(page: number): void {
    let at = this.freeBytePages.pop();
    if (at === undefined) {
      at = this.nextBytePage;
      this.nextBytePage += BYTE_PAGE_SIZE;
      if (this.nextBytePage > MEMORY_END)
        throw new Failure(
          'guest',
          'shadow-exhausted',
          'the program writes single bytes to more memory than can be followed (about 130 MB)',
        );
    }
    this.words[BYTE_PAGES / 4 + page] = at | 0;
  }

  forget(start: number, end: number): void {
    for (let page = start / PAGE_SIZE; page < end / PAGE_SIZE; page++) {
      if (!this.guest.hasShadow(page)) continue;
      this.words.fill(0, quietAt(page), quietAt(page + 1));
      const shadow = (SHADOW + 4 * page * PAGE_SIZE) / 4;
      this.words.fill(0, shadow, shadow + PAGE_SIZE);
      const bytes = this.words[BYTE_PAGES / 4 + page] >>> 0;
      if (bytes !== 0) this.freeBytePages.push(bytes);
      this.words[BYTE_PAGES / 4 + page] = 0;
    }
  }
}

const quietAt = (page: number): number => (QUIET_PAGES + 16 * page) / 4;
