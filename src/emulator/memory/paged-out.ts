import { PAGE_SIZE } from '../../guest/layout.ts';
import type { StepEntry } from '../../translate/steps/step-entry.ts';

/** Granules of a page. */
const GRANULES = PAGE_SIZE / 4;
/** 32-bit words of a bit for each. */
const BIT_WORDS = GRANULES / 32;
/** What 16 bits tell apart. */
const SMALL = 0x1_0000;

/** Loads from a page that is used: who looks here and there has no use for the others of its steps. */
const USED = 3;

/** Changes steps, which are words from an index up to another. */
export type ChangeSteps = (words: Int32Array, first: number, end: number) => void;

/** A page's steps, as short as they can be. */
interface PackedPage {
  /** A bit for each granule: whether its bytes have steps of their own. */
  readonly bits: Int32Array;
  /** How many have. */
  readonly mixed: number;
  /**
   * The steps of one granule after the other, one or four of each: as they are, or, by 16-bit words, what each word of them has more than its least one in the
   * page. Who fills an array gives neighbours steps that are close to each other.
   */
  readonly data: Int32Array | Uint16Array;
  /** The least ones; undefined where steps are as they are. */
  readonly least: readonly number[] | undefined;
  /** How many of the changes it has seen. */
  readonly changes: number;
  /** Loads of some of them. */
  loads: number;
}

/** A page as it lies in the memory: the index of the first word of its entries, and of the table of its bytes' steps if it has one. */
interface PagePlace {
  readonly first: number;
  readonly table: number | undefined;
}

const ALL_MIXED = new Int32Array(BIT_WORDS).fill(-1);

/**
 * Steps of pages whose bytes have steps of their own, out of the memory: a program that stores single bytes to more of it than the pool has room for (ByteSteps)
 * goes on with those that it has used last. Such a page looks as if it had never been accessed (shadow-memory.ts), and whoever accesses it asks.
 *
 * 800 MB that a loop fills byte by byte take 3.2 GB of steps with one lane of 32 bits; packed, half of that.
 */
export class PagedOut {
  private readonly pages = new Map<number, PackedPage>();
  private readonly words: Int32Array;
  private readonly entry: StepEntry;
  /** What has happened to all steps while there were pages here, in order. */
  private changes: ChangeSteps[] = [];
  /** Words of a step. */
  private readonly size: number;
  /** Steps of one page. */
  private readonly steps: Int32Array<ArrayBuffer>;

  constructor(words: Int32Array, entry: StepEntry) {
    this.words = words;
    this.entry = entry;
    this.size = 2 ** (entry.bits - 2);
    this.steps = new Int32Array(PAGE_SIZE * this.size);
  }

  get isEmpty(): boolean {
    return this.pages.size === 0;
  }

  has(page: number): boolean {
    return this.pages.has(page);
  }

  /** Whether the page is loaded from again and again. */
  isUsed(page: number): boolean {
    return (this.pages.get(page)?.loads ?? 0) >= USED;
  }

  drop(page: number): boolean {
    return this.pages.delete(page);
  }

  /** Drops those from a page up to another; tells how many these were. */
  dropRange(first: number, end: number): number {
    const { pages } = this;
    const before = pages.size;
    if (pages.size < end - first) {
      for (const page of pages.keys()) if (page >= first && page < end) pages.delete(page);
    } else for (let page = first; page < end; page++) pages.delete(page);
    return before - pages.size;
  }

  move(from: number, to: number): void {
    const packed = this.pages.get(from);
    if (packed === undefined) return;
    this.pages.delete(from);
    this.pages.set(to, packed);
  }

  copyFrom(other: PagedOut): void {
    for (const [page, packed] of other.pages) this.pages.set(page, { ...packed });
    this.changes = [...other.changes];
  }

  /** All steps change. */
  change(how: ChangeSteps): void {
    if (!this.isEmpty) this.changes.push(how);
  }

  /** Takes a page's steps. */
  put(page: number, place: PagePlace): void {
    const bits = this.mixedOf(place.first);
    const mixed = bitsBefore(bits, GRANULES);
    if (mixed === GRANULES && place.table !== undefined) {
      const steps = this.words.subarray(place.table, place.table + this.steps.length);
      this.keep(page, ALL_MIXED, mixed, steps);
    } else this.keep(page, bits, mixed, this.gather(bits, place.first));
  }

  private keep(page: number, bits: Int32Array, mixed: number, steps: Int32Array): void {
    const changes = this.changes.length;
    this.pages.set(page, { bits, mixed, ...pack(steps, this.size), changes, loads: 0 });
  }

  private mixedOf(first: number): Int32Array {
    const { words, entry, size } = this;
    const bits = new Int32Array(BIT_WORDS);
    for (let granule = 0; granule < GRANULES; granule++)
      if (!entry.isSingle(words, first + size * granule)) bits[granule >> 5] |= 1 << (granule & 31);
    return bits;
  }

  /** One granule's steps after the other's. */
  private gather(bits: Int32Array, first: number): Int32Array {
    const { words, entry, size, steps } = this;
    let count = 0;
    for (let granule = 0; granule < GRANULES; granule++) {
      const at = first + size * granule;
      const isMixed = isSet(bits, granule);
      const from = isMixed ? entry.placeIn(words, at) / 4 : at;
      const length = isMixed ? 4 * size : size;
      for (let word = 0; word < length; word++) steps[count + word] = words[from + word];
      count += length;
    }
    return steps.subarray(0, count);
  }

  /** Puts some of the page's steps, from one up to another, at the beginning of `steps`. */
  private unpack({ data, least, changes }: PackedPage, from: number, to: number): void {
    const { size, steps } = this;
    const start = size * from;
    const count = size * to - start;
    if (least === undefined) for (let at = 0; at < count; at++) steps[at] = data[start + at];
    else
      for (const [word, base] of least.entries())
        for (let at = word; at < count; at += size) steps[at] = base + data[start + at];
    for (let i = changes; i < this.changes.length; i++) this.changes[i](steps, 0, count);
  }

  /** How many granules of the page have steps of their bytes. */
  mixed(page: number): number {
    return this.pages.get(page)!.mixed;
  }

  /**
   * Gives the page's steps back, whose entries begin at an index of words: `placeOf` tells where those of a granule's bytes are to be, which have one step by then.
   */
  restore(page: number, first: number, placeOf: (granule: number) => number): void {
    const packed = this.pages.get(page)!;
    this.pages.delete(page);
    this.unpack(packed, 0, packed.data.length / this.size);
    const { words, entry, size, steps } = this;
    const { bits } = packed;
    for (let granule = 0, from = 0; granule < GRANULES; granule++) {
      for (let word = 0; word < size; word++) words[first + size * granule + word] = steps[from + word];
      from += isSet(bits, granule) ? 4 * size : size;
    }
    for (let granule = 0, from = 0; granule < GRANULES; granule++) {
      if (isSet(bits, granule)) {
        const place = placeOf(granule);
        for (let word = 0; word < 4 * size; word++) words[place / 4 + word] = steps[from + word];
        entry.setMixed(words, first + size * granule, place);
        from += 4 * size;
      } else from += size;
    }
    if (this.isEmpty) this.changes = [];
  }

  /** Visits the steps of the page's bytes from one up to another, which are words from an index on. */
  eachStep(page: number, start: number, end: number, visit: (words: Int32Array, at: number) => void): void {
    const packed = this.pages.get(page)!;
    const { bits } = packed;
    const first = start >> 2;
    const beyond = Math.ceil(end / 4);
    const before = first + 3 * bitsBefore(bits, first);
    this.unpack(packed, before, beyond + 3 * bitsBefore(bits, beyond));
    for (let granule = first, at = 0; granule < beyond; granule++) {
      const isMixed = isSet(bits, granule);
      for (let byte = 0; byte < (isMixed ? 4 : 1); byte++, at += this.size) {
        const address = 4 * granule + byte;
        if (!isMixed || (address >= start && address < end)) visit(this.steps, at);
      }
    }
    packed.loads++;
  }

  /** Visits the steps of one page after the other. */
  eachPage(visit: (steps: Int32Array<ArrayBuffer>, count: number) => void): void {
    for (const packed of this.pages.values()) {
      this.unpack(packed, 0, packed.data.length / this.size);
      visit(this.steps, packed.data.length);
    }
  }
}

function pack(steps: Int32Array, size: number): Pick<PackedPage, 'data' | 'least'> {
  const least: number[] = [];
  for (let word = 0; word < size; word++) {
    let low = steps[word];
    let high = low;
    for (let at = word; at < steps.length; at += size) {
      const step = steps[at];
      if (step < low) low = step;
      else if (step > high) high = step;
    }
    if (high - low >= SMALL) return { data: steps.slice(), least: undefined };
    least.push(low);
  }
  const data = new Uint16Array(steps.length);
  for (const [word, base] of least.entries())
    for (let at = word; at < steps.length; at += size) data[at] = steps[at] - base;
  return { data, least };
}

const isSet = (bits: Int32Array, granule: number): boolean =>
  ((bits[granule >> 5] >> (granule & 31)) & 1) !== 0;

/** How many of the bits before one are set. */
function bitsBefore(bits: Int32Array, end: number): number {
  let count = 0;
  for (let word = 0; 32 * word < end; word++) {
    const rest = end - 32 * word;
    count += population(rest < 32 ? bits[word] & ((1 << rest) - 1) : bits[word]);
  }
  return count;
}

/** Bits of a word: by pairs, by fours, by eights (Warren, Hacker's Delight, 5-1). */
function population(word: number): number {
  const pairs = word - ((word >>> 1) & 0x5555_5555);
  const fours = (pairs & 0x3333_3333) + ((pairs >>> 2) & 0x3333_3333);
  return Math.imul((fours + (fours >>> 4)) & 0x0f0f_0f0f, 0x0101_0101) >>> 24;
}
