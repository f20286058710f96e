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
} from '../guest/layout.ts';
import type { GuestMemory } from '../guest/memory.ts';
import type { Range, ServiceEffects } from '../x86/service.ts';
import { LOCATIONS } from '../x86/state.ts';
import type { Ledger } from './ledger.ts';
import { stepIndex32 } from './state.ts';

const LANES = 4;
/** The step of what was never written, and the first floor; see translate/support-lanes.ts. */
const ORIGIN = 1;
/** Every byte step of a page: 16 bytes each. */
const BYTE_PAGE_SIZE = 16 * PAGE_SIZE;
/** Steps are 32-bit; what one slice can add stays below the difference to 2^31. */
const STEP_LIMIT = 0x7000_0000;

/** Steps of four contexts at once, in the memory that generated code uses (translate/lanes.ts describes it). */
export class LanesLedger implements Ledger {
  private readonly words: Int32Array;
  private nextBytePage = (BYTE_PAGE_POOL + 0xffff) & ~0xffff;
  private readonly freeBytePages: number[] = [];
  private readonly guest: GuestMemory;
  private readonly rebaseFrom: number;

  constructor(guest: GuestMemory, rebaseFrom: number) {
    this.guest = guest;
    this.rebaseFrom = rebaseFrom;
    this.words = new Int32Array(guest.buffer);
    this.nextBytePage >>>= 0;
  }

  start(): void {
    this.words.fill(ORIGIN, FLOOR / 4, FLOOR / 4 + LANES);
    this.words.fill(ORIGIN, MAXIMUM / 4, MAXIMUM / 4 + LANES);
    this.words.fill(ORIGIN, LANE_BOUNDS / 4, LANE_BOUNDS / 4 + LANES);
    this.words.fill(ORIGIN, stepIndex32(0), stepIndex32(LOCATIONS));
  }

  // --- contexts

  /** A slice begins: whatever opens in it finds a floor without looking for the largest step. */
  startSlice(executed: number): void {
    for (let lane = 0; lane < LANES; lane++)
      this.words[LANE_BOUNDS / 4 + lane] = (this.maximum(lane) - executed) | 0;
  }

  private maximum(lane: number): number {
    let largest = this.words[MAXIMUM / 4 + lane];
    for (let l = 0; l < LOCATIONS; l++) largest = Math.max(largest, this.words[stepIndex32(l) + lane]);
    return largest;
  }

  /** Whether `rebase` has something to do. */
  wantsRebase(): boolean {
    for (let lane = 0; lane < LANES; lane++) if (this.maximum(lane) >= this.rebaseFrom) return true;
    return false;
  }

  /**
   * Between slices, when all state is in memory: brings lanes down that have grown large. What is at or below a lane's
   * floor counts as cycle 0 of its context, so subtracting the floor from everything above it changes no cycle.
   * Throws Failure when one context alone has too many cycles for 32 bits.
   */
  rebase(): void {
    const { words } = this;
    for (let lane = 0; lane < LANES; lane++) {
      if (this.maximum(lane) < this.rebaseFrom) continue;
      const floor = words[FLOOR / 4 + lane];
      if (floor > ORIGIN) this.lower(lane, floor - ORIGIN);
      if (this.maximum(lane) < STEP_LIMIT) continue;
      throw new Failure(
        'guest',
        'cycles-overflow',
        'a measured call has a dependence chain of more than 1.8e9 cycles, which is not supported yet',
      );
    }
  }

  private lower(lane: number, by: number): void {
    const { words } = this;
    words.fill(0, quietAt(0), quietAt(GUEST_END / PAGE_SIZE));
    const lowered = (step: number) => (step - by > ORIGIN ? step - by : ORIGIN);
    for (let page = 0; page < GUEST_END / PAGE_SIZE; page++) {
      if (!this.guest.hasShadow(page)) continue;
      const start = (SHADOW + 4 * page * PAGE_SIZE) / 4;
      for (let at = start; at < start + PAGE_SIZE; at += LANES)
        if (words[at] > 0) words[at + lane] = lowered(words[at + lane]);
      const bytes = words[BYTE_PAGES / 4 + page] >>> 0;
      if (bytes === 0) continue;
      for (let at = bytes / 4; at < (bytes + BYTE_PAGE_SIZE) / 4; at += LANES)
        words[at + lane] = lowered(words[at + lane]);
    }
    for (let l = 0; l < LOCATIONS; l++) words[stepIndex32(l) + lane] = lowered(words[stepIndex32(l) + lane]);
    words[MAXIMUM / 4 + lane] = lowered(words[MAXIMUM / 4 + lane]);
    words[FLOOR / 4 + lane] = lowered(words[FLOOR / 4 + lane]);
  }

  // --- services

  apply(effects: ServiceEffects): void {
    const { words } = this;
    const step = [0, 1, 2, 3].map((lane) => words[FLOOR / 4 + lane]);
    const raise = (at: number) => {
      for (let lane = 0; lane < LANES; lane++)
        if (words[at + lane] > step[lane]) step[lane] = words[at + lane];
    };
    for (const location of effects.sources) raise(stepIndex32(location));
    for (const range of effects.loads) this.eachStep(range, raise);
    for (let lane = 0; lane < LANES; lane++) step[lane]++;
    const put = (at: number) => {
      for (let lane = 0; lane < LANES; lane++) words[at + lane] = step[lane];
    };
    for (const range of effects.stores) this.storeRange(range, put);
    for (const location of effects.destinations) {
      // The overwritten step may be the largest so far.
      const at = stepIndex32(location);
      this.fold((lane) => words[at + lane]);
      put(at);
    }
    this.fold((lane) => step[lane]);
  }

  private fold(step: (lane: number) => number): void {
    for (let lane = 0; lane < LANES; lane++) {
      const at = MAXIMUM / 4 + lane;
      if (step(lane) > this.words[at]) this.words[at] = step(lane);
    }
  }

  private eachStep(range: Range, visit: (at: number) => void): void {
    const end = range.address + range.length;
    for (let address = range.address; address < end; ) {
      const granule = this.granule(address);
      if (this.words[granule] < 0) {
        visit(this.byteStep(address));
        address++;
        continue;
      }
      if (this.words[granule] > 0) visit(granule);
      address = (address & ~3) + 4;
    }
  }

  private storeRange(range: Range, put: (at: number) => void): void {
    const end = range.address + range.length;
    for (let page = range.address >>> 12; page <= (end - 1) >>> 12 && range.length > 0; page++)
      this.preparePage(page);
    for (let address = range.address; address < end; ) {
      const granule = this.granule(address);
      if ((address & 3) === 0 && end - address >= 4) {
        put(granule);
        address += 4;
        continue;
      }
      this.split(address);
      put(this.byteStep(address));
      address++;
    }
  }

  /** From now on the bytes of the granule have steps of their own. */
  private split(address: number): void {
    const { words } = this;
    const granule = this.granule(address);
    if (words[granule] < 0) return;
    const page = address >>> 12;
    if (words[BYTE_PAGES / 4 + page] === 0) this.addBytePage(page);
    const first = this.byteStep(address & ~3);
    for (let byte = 0; byte < 4; byte++)
      for (let lane = 0; lane < LANES; lane++) words[first + 4 * byte + lane] = words[granule + lane];
    words.fill(-1, granule, granule + LANES);
    words[granule + 1] = 4 * first;
  }

  private granule(address: number): number {
    return SHADOW / 4 + (address & ~3);
  }

  private byteStep(address: number): number {
    const page = this.words[BYTE_PAGES / 4 + (address >>> 12)] >>> 0;
    return page / 4 + LANES * (address & (PAGE_SIZE - 1));
  }

  // --- pages

  /** Whether the page's largest steps are known and hold. */
  isQuiet(page: number): boolean {
    return this.words.subarray(quietAt(page), quietAt(page) + LANES).some((word) => word !== 0);
  }

  preparePage(page: number): void {
    this.words.fill(0, quietAt(page), quietAt(page) + LANES);
    const start = (SHADOW + 4 * page * PAGE_SIZE) / 4;
    if (this.guest.hasShadow(page)) return;
    this.guest.noteShadow(page);
    this.words.fill(ORIGIN, start, start + PAGE_SIZE);
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
      this.words.fill(0, quietAt(page), quietAt(page) + LANES);
      const shadow = (SHADOW + 4 * page * PAGE_SIZE) / 4;
      this.words.fill(0, shadow, shadow + PAGE_SIZE);
      const bytes = this.words[BYTE_PAGES / 4 + page] >>> 0;
      if (bytes !== 0) this.freeBytePages.push(bytes);
      this.words[BYTE_PAGES / 4 + page] = 0;
    }
  }
}

const quietAt = (page: number): number => QUIET_PAGES / 4 + LANES * page;
