import { Failure } from '../base/failure.ts';
import { FAR_CACHE, FAR_CACHE_ENTRIES, GUEST_END, MMAP_BASE, MMAP_TOP, PAGE_SIZE } from './layout.ts';

/** A mapping of far addresses. */
interface Extent {
  readonly start: number;
  readonly end: number;
  readonly permissions: number;
}

/** What far memory does with the pages that are memory offsets. */
export interface Frames {
  /** Whether neither a mapping nor a far page has the page. */
  isFree(frame: number): boolean;
  /** The page is a far page's from now on, with these permissions; it is zero. */
  take(frame: number, permissions: number): void;
  protect(frame: number, permissions: number): void;
  /** Contents and everything that is known of them go elsewhere. */
  move(from: number, to: number): void;
  /** The page, of a far page at an address, belongs to nobody, and is zero again. */
  release(frame: number, address: number): void;
}

/**
 * Addresses that are no memory offsets, from GUEST_END to 2^47: reservations of terabytes, and what does not fit below.
 * They cost what is touched of them: a far page gets a frame, a free page below GUEST_END, when it is first accessed.
 *
 * An access sees contiguous bytes: where it crosses far pages whose frames do not follow each other, the frames move. So
 * frames are handed out with room behind them for what will be touched next, and nothing may keep where a far page is,
 * except for FAR_CACHE, where generated code looks it up: pairs of i64 (number of the far page) and i32 (memory offset).
 */
export class FarMemory {
  private extents: Extent[] = [];
  private readonly frames = new Map<number, number>();
  private readonly pages = new Map<number, number>();
  private readonly cache: BigInt64Array;
  private readonly owner: Frames;
  /** How many places were tried in each of AREAS. */
  private readonly tried = AREAS.map(() => 0);
  private hasFreed = false;

  constructor(buffer: ArrayBuffer, owner: Frames) {
    this.cache = new BigInt64Array(buffer, FAR_CACHE, 2 * FAR_CACHE_ENTRIES);
    this.owner = owner;
  }

  /** Index of the first extent that ends behind the address. */
  private find(address: number): number {
    let low = 0;
    let high = this.extents.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.extents[middle].end > address) high = middle;
      else low = middle + 1;
    }
    return low;
  }

  private extentAt(address: number): Extent | undefined {
    const extent = this.extents[this.find(address)];
    return extent !== undefined && extent.start <= address ? extent : undefined;
  }

  permissions(address: number): number {
    return this.extentAt(address)?.permissions ?? 0;
  }

  isMapped(address: number): boolean {
    return this.extentAt(address) !== undefined;
  }

  allows(start: number, end: number, wanted: number): boolean {
    for (let at = start, i = this.find(start); at < end; i++) {
      const extent = this.extents[i];
      if (extent === undefined || extent.start > at || (extent.permissions & wanted) !== wanted) return false;
      at = extent.end;
    }
    return true;
  }

  map(start: number, end: number, permissions: number): void {
    this.unmap(start, end);
    this.insert({ start, end, permissions });
  }

  private insert(extent: Extent): void {
    this.extents.splice(this.find(extent.start), 0, extent);
  }

  unmap(start: number, end: number): void {
    this.cut(start, end);
    for (const page of this.touched(start, end)) {
      const frame = this.frames.get(page)!;
      this.frames.delete(page);
      this.pages.delete(frame);
      this.forgetPlace(page);
      this.owner.release(frame, page * PAGE_SIZE);
      this.hasFreed = true;
    }
  }

  /** Of mapped addresses. */
  protect(start: number, end: number, permissions: number): void {
    this.cut(start, end);
    this.insert({ start, end, permissions });
    for (const page of this.touched(start, end)) this.owner.protect(this.frames.get(page)!, permissions);
  }

  private cut(start: number, end: number): void {
    const first = this.find(start);
    let last = first;
    const kept: Extent[] = [];
    for (; last < this.extents.length && this.extents[last].start < end; last++) {
      const extent = this.extents[last];
      if (extent.start < start) kept.push({ ...extent, end: start });
      if (extent.end > end) kept.push({ ...extent, start: end });
    }
    this.extents.splice(first, last - first, ...kept);
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
    this.unmap(GUEST_END, FAR_END);
    this.tried.fill(0);
  }

  /** All is as in another memory, whose frames are at the same places. */
  copyFrom(other: FarMemory): void {
    this.extents = [...other.extents];
    this.frames.clear();
    this.pages.clear();
    for (const [page, frame] of other.frames) this.put(page, frame);
    this.tried.splice(0, this.tried.length, ...other.tried);
    this.hasFreed = other.hasFreed;
  }

  /** The address whose page has the frame at a memory offset, if there is one. */
  addressOf(offset: number): number | undefined {
    const page = this.pages.get(Math.floor(offset / PAGE_SIZE));
    return page === undefined ? undefined : page * PAGE_SIZE + (offset % PAGE_SIZE);
  }

  /**
   * Memory offset of mapped far bytes. Throws Failure `guest-memory-exhausted` when nothing is left to hold them. Offsets
   * that were given before hold no longer if they are of bytes beside these.
   */
  offsetOf(address: number, length: number): number {
    const first = Math.floor(address / PAGE_SIZE);
    const last = Math.floor((address + Math.max(length, 1) - 1) / PAGE_SIZE);
    for (let page = first; page <= last; page++) this.frameOf(page);
    if (!this.isContiguous(first, last)) this.gather(first, last);
    return this.frames.get(first)! * PAGE_SIZE + (address % PAGE_SIZE);
  }

  /** Generated code may look up where the page at a far address is, which has a frame. */
  noteOffset(address: number): void {
    const page = Math.floor(address / PAGE_SIZE);
    const entry = 2 * (page % FAR_CACHE_ENTRIES);
    this.cache[entry] = BigInt(page);
    this.cache[entry + 1] = BigInt(this.frames.get(page)! * PAGE_SIZE);
  }

  private forgetPlace(page: number): void {
    const entry = 2 * (page % FAR_CACHE_ENTRIES);
    if (this.cache[entry] === BigInt(page)) this.cache[entry] = 0n;
  }

  private isContiguous(first: number, last: number): boolean {
    const frame = this.frames.get(first)!;
    for (let page = first + 1; page <= last; page++)
      if (this.frames.get(page) !== frame + page - first) return false;
    return true;
  }

  private frameOf(page: number): number {
    let frame = this.frames.get(page);
    if (frame === undefined) {
      frame = this.freeFrame(page, 0, 0);
      this.put(page, frame);
      this.owner.take(frame, this.permissions(page * PAGE_SIZE));
    }
    return frame;
  }

  private put(page: number, frame: number): void {
    this.frames.set(page, frame);
    this.pages.set(frame, page);
  }

  /** The frame behind that of the page before, if it is free. Frames in [low, high) are not wanted. */
  private freeFrame(page: number, low: number, high: number): number {
    const { owner } = this;
    const isGood = (frame: number) => owner.isFree(frame) && (frame < low || frame >= high);
    const before = this.frames.get(page - 1);
    if (before !== undefined && before + 1 < GUEST_END / PAGE_SIZE && isGood(before + 1)) return before + 1;
    for (;;) {
      for (const [i, { first, end, bits }] of AREAS.entries())
        while (this.tried[i] < 2 ** bits) {
          const frame = first + reversed(this.tried[i]++, bits);
          if (frame < end && isGood(frame)) return frame;
        }
      if (!this.hasFreed) throw exhausted();
      this.hasFreed = false;
      this.tried.fill(0);
    }
  }

  /** Pages below GUEST_END are free now. */
  noteFreed(): void {
    this.hasFreed = true;
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
    this.forgetPlace(page);
    this.owner.move(from, to);
    this.pages.delete(from);
    this.put(page, to);
    this.hasFreed = true;
  }

  /**
   * Moves frames so that those of the pages follow each other, together with the frames that follow them, and others that they
   * follow, already: else the next access across pages would part them again.
   */
  private gather(first: number, last: number): void {
    let low = first;
    let high = last;
    while (this.frames.get(low - 1) !== undefined && this.isContiguous(low - 1, low)) low--;
    while (this.frames.get(high + 1) !== undefined && this.isContiguous(high, high + 1)) high++;
    const count = high - low + 1;
    const to = this.hole(2 * count) ?? this.hole(count);
    if (to === undefined) throw exhausted();
    for (let page = low; page <= high; page++) this.moveTo(page, to + page - low);
  }

  /** The first of so many free pages in a row. */
  private hole(count: number): number | undefined {
    for (const { first, end } of AREAS) {
      let start = first;
      for (let frame = first; frame < end; frame++) {
        if (!this.owner.isFree(frame)) start = frame + 1;
        else if (frame - start + 1 === count) return start;
      }
    }
    return undefined;
  }
}

/** x86-64 gives programs 47 bits of address. */
export const FAR_END = 2 ** 47;

/**
 * Where frames are looked for: low addresses first, because they cost less to measure (emulator/measure-plan.ts). In an area
 * each new frame is put in the middle of what is between others (the van der Corput sequence), so that all have room to grow.
 */
const AREAS = [
  [MMAP_TOP, 0x2000_0000],
  [0x2000_0000, GUEST_END],
  [MMAP_BASE, MMAP_TOP],
].map(([start, end]) => ({
  first: start / PAGE_SIZE,
  end: end / PAGE_SIZE,
  bits: Math.ceil(Math.log2((end - start) / PAGE_SIZE)),
}));

function reversed(number: number, bits: number): number {
  let result = 0;
  for (let bit = 0; bit < bits; bit++) result |= ((number >> bit) & 1) << (bits - 1 - bit);
  return result;
}

function exhausted(): Failure {
  return new Failure(
    'guest',
    'guest-memory-exhausted',
    'the program touches more memory than a measured program can have (about 1.1 GB)',
  );
}
