import { Failure } from '../base/failure.ts';
import { Extents } from './extents.ts';
import { FIRST_FRAME, FreeFrames } from './free-frames.ts';
import { FAR_CACHE, FAR_CACHE_ENTRIES, GUEST_END, PAGE_SIZE } from './layout.ts';

/** A mapping of far addresses. */
interface Extent extends Mapping {
  readonly start: number;
  readonly end: number;
}

interface Mapping {
  readonly permissions: number;
  /** What it shows, if other mappings show the same: then they have the same frames. */
  readonly shared?: SharedPages;
  /** What its pages show until they get a frame. */
  readonly shown?: ShownBytes;
}

/** Bytes of a file, the first of which is at an address. */
interface ShownBytes {
  readonly content: Uint8Array;
  readonly start: number;
}

/** Pages that several mappings show, as long as one of them is there. */
interface SharedPages {
  readonly frames: Map<number, number>;
  /** An address of a mapping less this is the place in what it shows. */
  readonly start: number;
}

/** A frame that several pages may have. */
interface Sharing {
  /** Those that have been accessed. */
  readonly pages: Set<number>;
  /** Where it is noted, and under which number. */
  readonly frames: Map<number, number>;
  readonly place: number;
}

/** What far memory does with the pages that are memory offsets. */
export interface Frames {
  /** Whether neither a mapping nor a far page has the page. */
  isFree(frame: number): boolean;
  /** The page is a far page's from now on, with these permissions; it is zero. */
  take(frame: number, permissions: number): void;
  /** The page, which was just taken, holds these bytes. */
  fill(frame: number, bytes: Uint8Array): void;
  protect(frame: number, permissions: number): void;
  /** Contents and everything that is known of them go elsewhere. */
  move(from: number, to: number): void;
  /** A page at an address that had a frame is gone. */
  unmap(address: number): void;
  /** The page belongs to nobody, and is zero again. */
  release(frame: number): void;
}

/**
 * Addresses that are no memory offsets, from GUEST_END to 2^47: reservations of terabytes, and what does not fit below. They cost what is
 * touched of them: a far page gets a frame, a free page below GUEST_END, when it is first accessed.
 *
 * An access sees contiguous bytes: where it crosses far pages whose frames do not follow each other, the frames move. So frames are handed out
 * with room behind them for what will be touched next, and nothing may keep where a far page is, except for FAR_CACHE, where generated
 * code looks it up: an i64 (number of the far page) and two words (its memory offset, and whether it may be written).
 * Two mappings may show the same: then their pages have one frame, so that a store through one is seen through the other at once, with
 * its steps. Pages below GUEST_END that are shared in this way are far pages, too (see GuestMemory.share).
 */
export class FarMemory {
  private readonly extents = new Extents<Extent>();
  private readonly frames = new Map<number, number>();
  private readonly pages = new Map<number, number>();
  /** Of frames that several pages may have. */
  private readonly sharings = new Map<number, Sharing>();
  /** The frames of what is shared. */
  private shown = new Map<object, Map<number, number>>();
  /** FAR_CACHE. */
  private readonly pageNumbers: BigInt64Array;
  private readonly places: Int32Array;
  private readonly owner: Frames;
  private readonly free: FreeFrames;

  constructor(buffer: ArrayBuffer, owner: Frames) {
    this.pageNumbers = new BigInt64Array(buffer, FAR_CACHE, 2 * FAR_CACHE_ENTRIES);
    this.places = new Int32Array(buffer, FAR_CACHE, 4 * FAR_CACHE_ENTRIES);
    this.owner = owner;
    this.free = new FreeFrames(owner);
  }

  permissions(address: number): number {
    return this.extents.at(address)?.permissions ?? 0;
  }

  isMapped(address: number): boolean {
    return this.extents.at(address) !== undefined;
  }

  /** Whether other mappings may show the same. */
  isShared(address: number): boolean {
    return this.extents.at(address)?.shared !== undefined;
  }

  allows(start: number, end: number, wanted: number): boolean {
    return this.extents.cover(start, end, ({ permissions }) => (permissions & wanted) === wanted);
  }

  map(start: number, end: number, permissions: number, shared?: SharedPages): void {
    this.unmap(start, end);
    this.extents.insert({ start, end, permissions, ...(shared && { shared }) });
  }

  /** Whether `share` has been told that already. */
  private isShown(start: number, end: number, frames: Map<number, number>, offset: number): boolean {
    return this.extents.cover(
      start,
      end,
      ({ shared }) => shared?.frames === frames && shared.start === start - offset,
    );
  }

  /** What is mapped in a range is shared from now on; its frames are the first, where others have none. */
  share(start: number, end: number, shown: object, offset: number): void {
    const frames = this.shown.get(shown) ?? new Map<number, number>();
    this.shown.set(shown, frames);
    if (this.isShown(start, end, frames, offset)) return;
    const shared = { frames, start: start - offset };
    for (const extent of this.extents.cut(start, end)) this.extents.insert({ ...extent, shared });
    for (const page of this.touched(start, end)) {
      const frame = this.frames.get(page)!;
      const place = page * PAGE_SIZE - shared.start;
      const known = shared.frames.get(place);
      if (known === undefined) {
        this.note(frame, shared.frames, place);
        this.put(page, frame);
      } else if (known !== frame) {
        this.drop(page);
        this.put(page, known);
      }
      this.protectFrame(this.frames.get(page)!);
    }
  }

  /** A page that is in memory at another place, as a frame, becomes a far page. */
  adopt(page: number, from: number): void {
    const frame = this.freeFrame(page, 0, 0);
    this.owner.move(from, frame);
    this.put(page, frame);
  }

  /** See GuestMemory.map. What several mappings show in the same frames cannot be shown so. */
  show(start: number, end: number, content: Uint8Array): boolean {
    const shown = { content, start };
    const extents = this.extents.cut(start, end);
    const isPossible =
      extents.every(({ shared }) => shared === undefined) && this.touched(start, end).length === 0;
    for (const extent of extents) this.extents.insert(isPossible ? { ...extent, shown } : extent);
    return isPossible;
  }

  /** What a page shows that has no frame yet, from an address on to the page's end. */
  shownAt(address: number): Uint8Array | undefined {
    const shown = this.extents.at(address)?.shown;
    if (shown === undefined) return undefined;
    const place = address - shown.start;
    return shown.content.subarray(place, place + PAGE_SIZE - (address % PAGE_SIZE));
  }

  unmap(start: number, end: number): void {
    this.extents.cut(start, end);
    for (const page of this.touched(start, end)) this.drop(page);
  }

  /** The page has no frame any more; its frame stays where it is shared with a mapping. */
  private drop(page: number): void {
    const frame = this.frames.get(page)!;
    this.frames.delete(page);
    this.forgetPlace(page);
    this.owner.unmap(page * PAGE_SIZE);
    const sharing = this.sharings.get(frame);
    if (sharing !== undefined) {
      sharing.pages.delete(page);
      const next = sharing.pages.values().next().value ?? this.otherPage(sharing);
      if (next !== undefined) {
        this.put(next, frame);
        return this.protectFrame(frame);
      }
      this.sharings.delete(frame);
      sharing.frames.delete(sharing.place);
    }
    this.pages.delete(frame);
    this.owner.release(frame);
    this.free.noteFreed();
  }

  /** A page that shows what the frame holds and has not been accessed. */
  private otherPage({ frames, place }: Sharing): number | undefined {
    for (const { start, end, shared } of this.extents) {
      if (shared?.frames !== frames) continue;
      const address = place + shared.start;
      if (address >= start && address < end) return address / PAGE_SIZE;
    }
    return undefined;
  }

  /** The frame is to be shared. */
  private note(frame: number, frames: Map<number, number>, place: number): void {
    frames.set(place, frame);
    this.sharings.set(frame, { pages: new Set(), frames, place });
  }

  /** Of mapped addresses. */
  protect(start: number, end: number, permissions: number): void {
    for (const extent of this.extents.cut(start, end)) this.extents.insert({ ...extent, permissions });
    for (const page of this.touched(start, end)) {
      this.forgetPlace(page);
      this.protectFrame(this.frames.get(page)!);
    }
  }

  /** A frame allows what one of its pages does: which of them does is asked before its place is given. */
  private protectFrame(frame: number): void {
    const pages = this.sharings.get(frame)?.pages ?? [this.pages.get(frame)!];
    let permissions = 0;
    for (const page of pages) permissions |= this.permissions(page * PAGE_SIZE);
    this.owner.protect(frame, permissions);
  }

  /** Far pages in the range that have frames, in order. */
  touched(start: number, end: number): readonly number[] {
    const first = start / PAGE_SIZE;
    const last = end / PAGE_SIZE;
    if (last - first > this.frames.size)
      return [...this.frames.keys()].filter((page) => page >= first && page < last).sort((a, b) => a - b);
    const pages: number[] = [];
    for (let page = first; page < last; page++) if (this.frames.has(page)) pages.push(page);
    return pages;
  }

  /** All is as in the beginning. */
  reset(): void {
    this.unmap(0, FAR_END);
    this.shown.clear();
    this.free.beginAgain();
  }

  /** All is as in another memory, whose frames are at the same places. */
  copyFrom(other: FarMemory): void {
    const copies = new Map([...other.shown.values()].map((frames) => [frames, new Map(frames)]));
    this.shown = new Map([...other.shown].map(([shown, frames]) => [shown, copies.get(frames)!]));
    this.extents.copyFrom(other.extents, (extent) => {
      if (extent.shared === undefined) return extent;
      const { frames, start } = extent.shared;
      return { ...extent, shared: { frames: copies.get(frames)!, start } };
    });
    this.frames.clear();
    this.pages.clear();
    this.sharings.clear();
    for (const [frame, { pages, frames, place }] of other.sharings)
      this.sharings.set(frame, { pages: new Set(pages), frames: copies.get(frames)!, place });
    for (const [page, frame] of other.frames) this.put(page, frame);
    for (const [frame, page] of other.pages) this.pages.set(frame, page);
    this.free.copyFrom(other.free);
  }

  /** The address whose page has the frame at a memory offset, if there is one. */
  addressOf(offset: number): number | undefined {
    const page = this.pages.get(Math.floor(offset / PAGE_SIZE));
    return page === undefined ? undefined : page * PAGE_SIZE + (offset % PAGE_SIZE);
  }

  /** All addresses whose pages have the frame at a memory offset. */
  addressesOf(offset: number): readonly number[] {
    const frame = Math.floor(offset / PAGE_SIZE);
    const owner = this.pages.get(frame);
    const pages = this.sharings.get(frame)?.pages ?? (owner === undefined ? [] : [owner]);
    return [...pages].map((page) => page * PAGE_SIZE + (offset % PAGE_SIZE));
  }

  /** The other addresses of pages in a range. */
  otherPages(start: number, end: number): readonly number[] {
    if (this.sharings.size === 0) return [];
    return this.touched(start - (start % PAGE_SIZE), Math.ceil(end / PAGE_SIZE) * PAGE_SIZE)
      .flatMap((page) => [...(this.sharings.get(this.frames.get(page)!)?.pages ?? [])])
      .map((page) => page * PAGE_SIZE);
  }

  /** Memory offset of a byte, if its page holds anything. */
  peek(address: number): number | undefined {
    const frame = this.knownFrame(Math.floor(address / PAGE_SIZE));
    return frame === undefined ? undefined : frame * PAGE_SIZE + (address % PAGE_SIZE);
  }

  /** Memory offset of mapped far bytes; earlier ones of bytes beside these hold no longer. Throws Failure `guest-memory-exhausted` when nothing is left. */
  offsetOf(address: number, length: number): number {
    const first = Math.floor(address / PAGE_SIZE);
    const last = Math.floor((address + Math.max(length, 1) - 1) / PAGE_SIZE);
    for (let page = first; page <= last; page++) this.frameOf(page);
    if (!this.isContiguous(first, last)) this.gather(first, last);
    return this.frames.get(first)! * PAGE_SIZE + (address % PAGE_SIZE);
  }

  /** Generated code may look up where the page at a far address is, which has a frame and allows it. */
  noteOffset(address: number, isWrite: boolean): void {
    const page = Math.floor(address / PAGE_SIZE);
    const entry = cacheEntry(page);
    const mayBeWritten = isWrite || (this.isCached(page) && this.places[entry + MAY_BE_WRITTEN] === 1);
    this.pageNumbers[entry / 2] = BigInt(page);
    this.places[entry + PLACE] = this.frames.get(page)! * PAGE_SIZE;
    this.places[entry + MAY_BE_WRITTEN] = mayBeWritten ? 1 : 0;
  }

  private forgetPlace(page: number): void {
    if (this.isCached(page)) this.pageNumbers[cacheEntry(page) / 2] = 0n;
  }

  private isCached(page: number): boolean {
    return this.pageNumbers[cacheEntry(page) / 2] === BigInt(page);
  }

  private isContiguous(first: number, last: number): boolean {
    const frame = this.frames.get(first)!;
    for (let page = first + 1; page <= last; page++)
      if (this.frames.get(page) !== frame + page - first) return false;
    return true;
  }

  private frameOf(page: number): number {
    let frame = this.knownFrame(page);
    if (frame === undefined) {
      frame = this.freeFrame(page, 0, 0);
      const shared = this.extents.at(page * PAGE_SIZE)?.shared;
      if (shared !== undefined) this.note(frame, shared.frames, page * PAGE_SIZE - shared.start);
      const shown = this.shownAt(page * PAGE_SIZE);
      this.put(page, frame);
      this.owner.take(frame, this.permissions(page * PAGE_SIZE));
      if (shown !== undefined) this.owner.fill(frame, shown);
    }
    return frame;
  }

  /** The page's frame, if it has one or shares one. */
  private knownFrame(page: number): number | undefined {
    const own = this.frames.get(page);
    if (own !== undefined) return own;
    const shared = this.extents.at(page * PAGE_SIZE)?.shared;
    const frame = shared?.frames.get(page * PAGE_SIZE - shared.start);
    if (frame !== undefined) {
      this.put(page, frame);
      this.protectFrame(frame);
    }
    return frame;
  }

  private put(page: number, frame: number): void {
    this.frames.set(page, frame);
    this.pages.set(frame, page);
    this.sharings.get(frame)?.pages.add(page);
  }

  /** The frame behind that of the page before, or before that of the page behind (stacks), if it is free. Frames in [low, high) are not wanted. */
  private freeFrame(page: number, low: number, high: number): number {
    const { owner } = this;
    const isGood = (frame: number) => owner.isFree(frame) && (frame < low || frame >= high);
    const before = this.frames.get(page - 1);
    if (before !== undefined && before + 1 < GUEST_END / PAGE_SIZE && isGood(before + 1)) return before + 1;
    const behind = this.frames.get(page + 1);
    if (behind !== undefined && behind - 1 >= FIRST_FRAME && isGood(behind - 1)) return behind - 1;
    const frame = this.free.next(isGood);
    if (frame === undefined) throw exhausted();
    return frame;
  }

  /** Pages below GUEST_END are free now. */
  noteFreed(): void {
    this.free.noteFreed();
  }

  /** These frames, all that there are in a range, are wanted for something else. */
  evict(frames: readonly number[], start: number, end: number): void {
    for (const frame of frames) {
      const page = this.pages.get(frame)!;
      this.moveTo(page, this.freeFrame(page, start / PAGE_SIZE, end / PAGE_SIZE));
    }
  }

  private moveTo(page: number, to: number): void {
    const from = this.frames.get(page)!;
    const sharing = this.sharings.get(from);
    this.owner.move(from, to);
    this.pages.delete(from);
    if (sharing !== undefined) {
      this.sharings.delete(from);
      this.sharings.set(to, sharing);
      sharing.frames.set(sharing.place, to);
    }
    for (const each of sharing?.pages ?? [page]) {
      this.forgetPlace(each);
      this.put(each, to);
    }
    this.free.noteFreed();
  }

  /**
   * Moves frames so that those of the pages follow each other, together with the frames that follow them, and others that they
   * follow, already: else the next access across pages would part them again. Where frames are shared only those that are
   * wanted move: others may have to follow each other in another order.
   */
  private gather(first: number, last: number): void {
    let low = first;
    let high = last;
    const isShared = (page: number) => this.sharings.has(this.frames.get(page)!);
    const follows = (page: number, next: number) =>
      this.frames.has(page) && this.frames.has(next) && !isShared(page) && !isShared(next)
        ? this.isContiguous(page, next)
        : false;
    while (follows(low - 1, low)) low--;
    while (follows(high, high + 1)) high++;
    const count = high - low + 1;
    const frames = new Set(Array.from({ length: count }, (_, i) => this.frames.get(low + i)));
    if (frames.size < count) throw sharedTwice(low * PAGE_SIZE);
    const to = this.roomFor(count);
    for (let page = low; page <= high; page++) this.moveTo(page, to + page - low);
  }

  /** So many free frames in a row, in the middle of free ones if there are any: what is gathered may grow at both ends. */
  private roomFor(count: number): number {
    for (const times of [3, 2, 1]) {
      const start = this.free.inARow(times * count);
      if (start !== undefined) return start + Math.floor(((times - 1) * count) / 2);
    }
    throw exhausted();
  }
}

/** Words of an entry of FAR_CACHE behind the page's number, which has 35 bits. */
export const PLACE = 2;
export const MAY_BE_WRITTEN = 3;

/**
 * A page's entry is the product's upper bits: heaps of threads begin at multiples of 64 MiB. (When it was the number's lower bits, and a page's
 * entry for stores the next page's for loads, four threads of pigz missed half of what they looked up.)
 */
export const FAR_CACHE_FACTOR = 0x9e37_79b1 | 0;
export const FAR_CACHE_SHIFT = 32 - Math.log2(FAR_CACHE_ENTRIES);

/** Index of its first word. */
const cacheEntry = (page: number): number => 4 * (Math.imul(page, FAR_CACHE_FACTOR) >>> FAR_CACHE_SHIFT);

/** x86-64 gives programs 47 bits of address. */
export const FAR_END = 2 ** 47;

function sharedTwice(address: number): Failure {
  const at = `0x${address.toString(16)}`;
  return new Failure(
    'guest',
    'shared-page-twice',
    `one access at ${at} goes across pages that show the same page of a file, which is not supported`,
    { address: at },
  );
}

function exhausted(): Failure {
  return new Failure(
    'guest',
    'guest-memory-exhausted',
    'the program touches more memory than a measured program can have (about 1.1 GB)',
  );
}
