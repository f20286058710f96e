import { GUEST_END, PAGE_SIZE, SHADOW } from '../../guest/layout.ts';
import { type GuestMemory, SHADOWED } from '../../guest/memory.ts';
import type { EngineLimits } from '../../translate/limits.ts';
import type { StepEntry } from '../../translate/steps/step-entry.ts';
import type { Range } from '../../x86/service.ts';
import { ByteSteps } from './byte-steps.ts';
import { type ByteRoom, byteRoom, type MeasurePlan, Outgrown } from './measure-plan.ts';

/** Steps of guest memory as seen from outside generated code; translate/steps/step-entry.ts describes what it holds. */
export class ShadowMemory {
  private readonly guest: GuestMemory;
  private readonly entry: StepEntry;
  private readonly words: Int32Array;
  private readonly bytes: ByteSteps;
  /** Entries of pages that may not be read, which generated code is not to find. */
  private readonly hidden = new Map<number, Int32Array<ArrayBuffer>>();
  private readonly room: ByteRoom;
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
    const { entry, words } = this;
    const start = this.guest.offsetOf(guestAddress, length);
    const end = Math.min(start + length, entry.end);
    for (let address = start; address < end; ) {
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
    for (let page = start >>> 12; page <= (end - 1) >>> 12; page++) {
      this.endBytewise(page);
      this.onStore(page);
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

  private checkRoom(): void {
    const { room, pages, bytes } = this;
    const memory = bytes.tableSize * bytes.tables + (bytes.tableSize / 4) * pages;
    if (bytes.tables > room.always && memory > room.memory) throw new Outgrown('bytes');
  }

  /** The page holds a new mapping, or none: nothing is known of it. */
  forget(page: number): void {
    const { first, end } = this.stepsOf(page);
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
  }

  /** What is known of a page is known of another from now on, of which nothing is known. */
  move(from: number, to: number): void {
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
