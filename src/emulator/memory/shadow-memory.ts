import {
  BYTEWISE_WAITING,
  BYTEWISE_WANTED,
  GUEST_END,
  PAGE_SIZE,
  RECALLED_STEP,
  SHADOW,
} from '../../guest/layout.ts';
import { FAST_STORE, type GuestMemory, READ, SHADOWED } from '../../guest/memory.ts';
import type { EngineLimits } from '../../translate/limits.ts';
import type { StepEntry } from '../../translate/steps/step-entry.ts';
import type { Range } from '../../x86/service.ts';
import { ByteSteps } from './byte-steps.ts';
import { type ByteRoom, byteRoom, type MeasurePlan, Outgrown } from './measure-plan.ts';
import { PagedOut } from './paged-out.ts';

/** Where pages go out: of all tables of steps of bytes, what is free when a slice begins, what loads may take of that, and what is free when some have gone. */
const FREE = 1 / 8;
const FREE_FOR_LOADS = 1 / 64;
const FREED = 3 / 16;
/** Tables that are free in any case when a slice begins, twice as many when pages have gone: a loop's round may need some. */
const LEAST_FREE = 8;

/** Steps of guest memory as seen from outside generated code; translate/steps/step-entry.ts describes what it holds. */
export class ShadowMemory {
  private readonly guest: GuestMemory;
  private readonly entry: StepEntry;
  private readonly words: Int32Array;
  private readonly bytes: ByteSteps;
  /** Entries of pages that may not be read, which generated code is not to find. */
  private readonly hidden = new Map<number, Int32Array<ArrayBuffer>>();
  private readonly room: ByteRoom;
  /** Steps of pages that are not in the memory; undefined where all are. */
  readonly out: PagedOut | undefined;
  private pages = 0;
  /** Prepares a page for what `storeRange` stores. */
  private readonly onStore: (page: number) => void;

  constructor(
    guest: GuestMemory,
    entry: StepEntry,
    plan: MeasurePlan,
    limits: EngineLimits,
    onStore: (page: number) => void,
  ) {
    this.onStore = onStore;
    this.guest = guest;
    this.entry = entry;
    this.words = new Int32Array(guest.buffer);
    this.bytes = new ByteSteps(this.words, entry, plan.pool, limits);
    this.room = byteRoom(plan, limits);
    this.out = plan.pagesOut ? new PagedOut(this.words, entry) : undefined;
  }

  /** Byte offset of the step of the granule at an address. */
  private granule(address: number): number {
    return SHADOW + (address & ~3) * 2 ** (this.entry.bits - 2);
  }

  /** Byte offset of the byte's own step, where its granule has some. */
  private byteStep(address: number): number {
    return this.entry.placeIn(this.words, this.granule(address) / 4) + ((address & 3) << this.entry.bits);
  }

  /** Words may be stored to the page as well from now on. */
  private endBytewise(page: number): void {
    if (this.guest.bytePages.areAllApart(page)) this.guest.allowFastStores(page * PAGE_SIZE);
  }

  /** Byte offset of a byte's step; undefined where nothing is known. `address` is a memory offset. */
  placeOf(address: number): number | undefined {
    const { entry, words } = this;
    const granule = this.granule(address);
    if (address >= entry.end || entry.isUnknown(words, granule / 4)) return undefined;
    return entry.isSingle(words, granule / 4) ? granule : this.byteStep(address);
  }

  /** Visits the byte offsets of the steps of a range's bytes. */
  eachStep({ address: guestAddress, length }: Range, visit: (offset: number) => void): void {
    if (length === 0) return;
    const { entry } = this;
    const start = this.guest.offsetOf(guestAddress, length);
    this.eachStepAt(start, Math.min(start + length, entry.end), visit);
  }

  /** The same of memory offsets. */
  private eachStepAt(start: number, end: number, visit: (offset: number) => void): void {
    const { entry, words, out } = this;
    for (let address = start; address < end; ) {
      const page = address >>> 12;
      if (out?.has(page) === true) {
        const next = Math.min((page + 1) * PAGE_SIZE, end);
        this.eachStepOut(out, page, { start: address, end: next }, visit);
        address = next;
        continue;
      }
      const granule = this.granule(address);
      const at = granule / 4;
      if (entry.isSingle(words, at)) visit(granule);
      else if (!entry.isUnknown(words, at)) {
        visit(this.byteStep(address));
        address++;
        continue;
      }
      address = (address & ~3) + 4;
    }
  }

  /** Calls `put` with the byte offset of each step that is to be written so that the range's bytes have it. */
  storeRange({ address: guestAddress, length }: Range, put: (offset: number) => void): void {
    if (length === 0) return;
    const start = this.guest.offsetOf(guestAddress, length);
    const end = start + length;
    const unreadable: number[] = [];
    for (let page = start >>> 12; page <= (end - 1) >>> 12; page++) {
      if (page * PAGE_SIZE >= start && (page + 1) * PAGE_SIZE <= end) this.dropOut(page);
      this.endBytewise(page);
      this.onStore(page);
      // The kernel moves pages that nobody can read.
      if (this.guest.has(page, READ)) continue;
      this.setReadable(page, true);
      unreadable.push(page);
    }
    for (let address = start; address < end; ) {
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
    for (const page of unreadable) this.setReadable(page, false);
  }

  /** Neighbouring granules: system calls write many at once. */
  private putAll(first: number, granules: number, put: (offset: number) => void): void {
    put(first);
    const start = first / 4;
    const size = 2 ** (this.entry.bits - 2);
    for (let done = 1; done < granules; ) {
      const more = Math.min(done, granules - done);
      this.words.copyWithin(start + size * done, start, start + size * more);
      done += more;
    }
  }

  /** From now on the bytes of the granule have steps of their own. */
  private split(address: number): void {
    const { words, entry, bytes } = this;
    const granule = this.granule(address) / 4;
    if (!entry.isSingle(words, granule)) return;
    const page = address >>> 12;
    if (!bytes.hasRoom(page)) this.addBytes(page);
    const place = bytes.take(address);
    const size = 2 ** (entry.bits - 2);
    for (let byte = 0; byte < 4; byte++) words.copyWithin(place / 4 + size * byte, granule, granule + size);
    entry.setMixed(words, granule, place);
  }

  /** Word indices of a page's steps. */
  private stepsOf(page: number): { readonly first: number; readonly end: number } {
    const first = this.granule(page * PAGE_SIZE) / 4;
    return { first, end: first + PAGE_SIZE * 2 ** (this.entry.bits - 4) };
  }

  /** Throws Outgrown where the page is beyond the plan's end, or takes too much beside the steps of bytes. */
  preparePage(page: number): void {
    if (this.guest.has(page, SHADOWED)) return;
    if (page * PAGE_SIZE >= this.entry.end) throw new Outgrown('addresses');
    if (this.out?.has(page) === true) return this.pageIn(this.out, page);
    this.guest.noteShadow(page);
    this.pages++;
    this.checkRoom();
    this.clear(page);
  }

  /** What was written to the page counts as never written. */
  clear(page: number): void {
    this.endBytewise(page);
    const hidden = this.hidden.get(page);
    if (hidden !== undefined) return this.entry.setOrigin(hidden, 0, hidden.length);
    const { first, end } = this.stepsOf(page);
    this.entry.setOrigin(this.words, first, end);
  }

  get hiddenEntries(): Iterable<Int32Array<ArrayBuffer>> {
    return this.hidden.values();
  }

  /** Who finds a page's steps reads it without asking: as long as it may not be read, nothing is known of it. */
  setReadable(page: number, isReadable: boolean): void {
    const { words, hidden } = this;
    const { first, end } = this.stepsOf(page);
    if (!isReadable) {
      hidden.set(page, words.slice(first, end));
      words.fill(0, first, end);
      return;
    }
    const entries = hidden.get(page);
    if (entries === undefined) return;
    words.set(entries, first);
    hidden.delete(page);
  }

  /** Visits the first word and the end of a page's entries, and of its bytes' steps where it has some. */
  eachTableOf(page: number, visit: (first: number, end: number) => void): void {
    const { first, end } = this.stepsOf(page);
    visit(first, end);
    this.bytes.eachPart(page, visit);
  }

  /** Makes room for more steps of single bytes of the page. Throws Outgrown when there are too many. */
  addBytes(page: number): void {
    const { first, end } = this.stepsOf(page);
    this.bytes.add(page, this.hidden.get(page) ?? this.words.subarray(first, end));
    this.checkRoom();
  }

  /** Between slices: the pages become bytewise of which generated code wanted that (translate/support/byte-pages.ts), where they still can. */
  makeBytewise(): void {
    const { words, guest, bytes } = this;
    const count = words[BYTEWISE_WAITING / 4];
    if (count === 0) return;
    words[BYTEWISE_WAITING / 4] = 0;
    for (const page of words.subarray(BYTEWISE_WANTED / 4, BYTEWISE_WANTED / 4 + count)) {
      if (!guest.has(page, FAST_STORE) || !guest.bytePages.canBecomeBytewise(page)) continue;
      const { first, end } = this.stepsOf(page);
      bytes.setApart(page, words.subarray(first, end));
      guest.denyFastStores(page);
      guest.bytePages.becomeBytewise(page);
    }
  }

  private checkRoom(): void {
    const { room, pages, bytes } = this;
    const memory = bytes.tableSize * bytes.tables + (bytes.tableSize / 4) * pages;
    if (bytes.tables > room.always && memory > room.memory) throw new Outgrown('bytes');
  }

  /** The page holds a new mapping, or none: nothing is known of it. */
  forget(page: number): void {
    const { first, end } = this.stepsOf(page);
    this.pages--;
    this.words.fill(0, first, end);
    this.hidden.delete(page);
    this.bytes.forget(page);
  }

  /** Nothing is known: from now on everything is known that another one knows, of memory that has been copied. */
  copyFrom(other: ShadowMemory): void {
    const { words } = this;
    const pages: number[] = [];
    other.guest.eachPage(SHADOWED, 0, GUEST_END, (page) => {
      const { first, end } = this.stepsOf(page);
      words.set(other.words.subarray(first, end), first);
      this.guest.noteShadow(page);
      pages.push(page);
      const hidden = other.hidden.get(page);
      if (hidden !== undefined) this.hidden.set(page, hidden.slice());
    });
    this.pages = other.pages;
    this.bytes.copyFrom(other.bytes, pages);
    if (other.out !== undefined) this.out?.copyFrom(other.out);
  }

  // --- pages that are out of the memory

  /** Whether steps of some of the bytes are. */
  isOut(place: number, size: number): boolean {
    const { out } = this;
    if (out === undefined || out.isEmpty) return false;
    for (let page = place >>> 12; page <= (place + size - 1) >>> 12; page++) if (out.has(page)) return true;
    return false;
  }

  /** Visits the steps of bytes some of which are; their pages come in where there is room. */
  recall(place: number, size: number, visit: (offset: number) => void): void {
    const { out, bytes } = this;
    this.eachStepAt(place, Math.min(place + size, this.entry.end), visit);
    for (let page = place >>> 12; page <= (place + size - 1) >>> 12; page++)
      if (
        out?.isUsed(page) === true &&
        bytes.room > Math.max(LEAST_FREE, bytes.capacity * (FREE - FREE_FOR_LOADS))
      )
        this.pageIn(out, page);
  }

  private eachStepOut(
    out: PagedOut,
    page: number,
    { start, end }: { readonly start: number; readonly end: number },
    visit: (offset: number) => void,
  ): void {
    const { words, entry } = this;
    const size = 2 ** (entry.bits - 2);
    out.eachStep(page, start - page * PAGE_SIZE, end - page * PAGE_SIZE, (steps, at) => {
      for (let word = 0; word < size; word++) words[RECALLED_STEP / 4 + word] = steps[at + word];
      visit(RECALLED_STEP);
    });
  }

  private pageIn(out: PagedOut, page: number): void {
    const { guest, bytes } = this;
    guest.noteShadow(page);
    bytes.addMany(page, out.mixed(page));
    out.restore(page, this.stepsOf(page).first, (granule) => {
      if (!bytes.hasRoom(page)) this.addBytes(page);
      return bytes.take(page * PAGE_SIZE + 4 * granule);
    });
    if (!guest.has(page, READ)) this.setReadable(page, false);
  }

  /** All of the page is about to be stored to. */
  private dropOut(page: number): void {
    if (this.out?.drop(page) === true) this.pages--;
  }

  /** Steps of pages in a range that are out of the memory are forgotten. */
  dropOutRange(start: number, end: number): void {
    if (this.out !== undefined) this.pages -= this.out.dropRange(start / PAGE_SIZE, end / PAGE_SIZE);
  }

  /** Whether steps of bytes may need more room in a slice than there is: `makeRoom` is to make some. */
  get lacksRoom(): boolean {
    const { out, bytes } = this;
    return out !== undefined && bytes.room < Math.max(LEAST_FREE, bytes.capacity * FREE);
  }

  /**
   * Instructions that a slice may have: no code looks whether there is room. One that stores bytes to another page each time may take a table for each; few have
   * more such stores than instructions.
   */
  get mostInstructions(): number {
    const { out, bytes } = this;
    if (out === undefined) return Number.POSITIVE_INFINITY;
    return Math.max(1, Math.floor(bytes.room - bytes.capacity * FREE_FOR_LOADS));
  }

  /** Between slices, when no code has found places: the pages that have had steps of bytes for longest go out. `wake` is done for each before. */
  makeRoom(wake: (page: number) => void): void {
    const { out, bytes, guest, words } = this;
    if (out === undefined) return;
    if (!this.lacksRoom) return;
    while (bytes.room < Math.max(2 * LEAST_FREE, bytes.capacity * FREED)) {
      const page = bytes.oldest((one) => guest.has(one, READ) && !this.hidden.has(one));
      if (page === undefined) return;
      wake(page);
      const { first, end } = this.stepsOf(page);
      const table = bytes.tableOf(page);
      out.put(page, { first, table: table && table / 4 });
      words.fill(0, first, end);
      bytes.forget(page);
      guest.forgetShadow(page);
    }
  }

  /** What is known of a page is known of another from now on, of which nothing is known. */
  move(from: number, to: number): void {
    this.out?.move(from, to);
    if (!this.guest.has(from, SHADOWED)) return;
    if (to * PAGE_SIZE >= this.entry.end) throw new Outgrown('addresses');
    const { words } = this;
    const { first, end } = this.stepsOf(from);
    words.copyWithin(this.stepsOf(to).first, first, end);
    words.fill(0, first, end);
    const hidden = this.hidden.get(from);
    this.hidden.delete(from);
    if (hidden !== undefined) this.hidden.set(to, hidden);
    this.bytes.move(from, to);
  }
}
