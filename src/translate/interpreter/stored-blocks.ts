/**
 * A decoded block: its records and what else is known of it, but for where it is in memory. Its parts lie in arrays that it may share with
 * others: a run takes ten thousands from an earlier one, and views of their own would take most of the time.
 */
export interface DecodedBlock {
  readonly address: number;
  /** Set when it depends on the top of the x87 stack. */
  readonly top: number | undefined;
  /** Entering it opens a context wherever it happens. */
  readonly isHooked: boolean;
  /** It ends behind an instruction that may change the code behind it, if it has one: its code could be written. */
  readonly endsBehindStores: boolean;
  /** Where its records are behind the first one, how many words they take, and in which of these entries are counted. */
  readonly words: Int32Array;
  readonly wordsAt: number;
  readonly wordCount: number;
  readonly entries: number;
  /** Where there are, a byte each, the lengths of its instructions, and its code. */
  readonly bytes: Uint8Array;
  readonly lengthsAt: number;
  readonly count: number;
  readonly codeAt: number;
  readonly size: number;
  /** The highest site that its records name; -1 for none. */
  readonly lastSite: number;
}

/** A block of a log, which `words` is, and where in it. */
export interface StoredBlock extends DecodedBlock {
  readonly at: number;
}

/** Numbers before each block's words: how many words it takes in all, the address, ... */
const HEAD = {
  size: 0,
  address: 1,
  top: 2,
  words: 3,
  entries: 4,
  lengths: 5,
  code: 6,
  lastSite: 7,
  flags: 8,
  all: 9,
};
const NO_TOP = -1;
const HOOKED = 1;
const ENDS_BEHIND_STORES = 2;

const wordsFor = (bytes: number): number => (bytes + 3) >> 2;
const keyOf = (address: number, top: number | undefined): number =>
  top === undefined ? address : -8 * address - top - 1;

/**
 * Blocks as numbers, one behind the other: a run decodes a hundred thousand. Those that it has from an earlier run are only noted, and copied where somebody asks for
 * all: mostly nobody does, since nothing is new (of python3, 0.1 s of 3.8).
 */
export class BlockLog {
  private log = new Int32Array(0x1000);
  private bytes = new Uint8Array(this.log.buffer);
  private length = 0;
  /** Blocks that are in it. */
  private fresh = 0;
  private earlier: Int32Array = new Int32Array();
  /** Which of the earlier run's blocks this one has used: 1 at an eighth of their place, since each takes more than eight words; how many, and their words. */
  private kept = new Uint8Array();
  private keptCount = 0;
  private keptWords = 0;
  lastSite = -1;

  /** A block of the earlier run, of which there is one log, is one of this run. */
  keep({ words, at, lastSite }: StoredBlock): void {
    if (this.earlier !== words) {
      this.earlier = words;
      this.kept = new Uint8Array((words.length >> 3) + 1);
    }
    if (this.kept[at >> 3] === 1) return;
    this.kept[at >> 3] = 1;
    this.keptCount++;
    this.keptWords += words[at + HEAD.size];
    if (lastSite > this.lastSite) this.lastSite = lastSite;
  }

  add(block: DecodedBlock): void {
    const { words, wordsAt, wordCount, bytes: from, lengthsAt, count, codeAt, size } = block;
    const room = HEAD.all + wordCount + wordsFor(count) + wordsFor(size);
    while (this.length + room > this.log.length) this.grow();
    // One by one: this is done for each block, and small arrays take most of the time.
    const { log, bytes, length: at } = this;
    log[at + HEAD.size] = room;
    log[at + HEAD.address] = block.address;
    log[at + HEAD.top] = block.top ?? NO_TOP;
    log[at + HEAD.words] = wordCount;
    log[at + HEAD.entries] = block.entries;
    log[at + HEAD.lengths] = count;
    log[at + HEAD.code] = size;
    log[at + HEAD.lastSite] = block.lastSite;
    log[at + HEAD.flags] = (block.isHooked ? HOOKED : 0) | (block.endsBehindStores ? ENDS_BEHIND_STORES : 0);
    const behind = 4 * (at + HEAD.all + wordCount);
    const toCode = behind + 4 * wordsFor(count);
    for (let i = 0; i < wordCount; i++) log[at + HEAD.all + i] = words[wordsAt + i];
    for (let i = 0; i < count; i++) bytes[behind + i] = from[lengthsAt + i];
    for (let i = 0; i < size; i++) bytes[toCode + i] = from[codeAt + i];
    this.length += room;
    this.fresh++;
    this.lastSite = Math.max(this.lastSite, block.lastSite);
  }

  private grow(): void {
    const larger = new Int32Array(2 * this.log.length);
    larger.set(this.log);
    this.log = larger;
    this.bytes = new Uint8Array(larger.buffer);
  }

  /** All of them; what this run has decoded comes last, so that it counts. */
  words(): Int32Array<ArrayBuffer> {
    const { earlier, kept } = this;
    const all = new Int32Array(this.keptWords + this.length);
    let to = 0;
    for (let at = 0; at < earlier.length; at += earlier[at + HEAD.size]) {
      if (kept[at >> 3] === 0) continue;
      all.set(earlier.subarray(at, at + earlier[at + HEAD.size]), to);
      to += earlier[at + HEAD.size];
    }
    all.set(this.log.subarray(0, this.length), to);
    return all;
  }

  /** The part of the blocks that an earlier run had not left. */
  get newPart(): number {
    return this.fresh === 0 ? 0 : this.fresh / (this.keptCount + this.fresh);
  }
}

/** Finds the blocks of a log. */
export class StoredBlocks {
  private readonly log: Int32Array<ArrayBuffer>;
  private readonly bytes: Uint8Array;
  private readonly places = new Map<number, number>();

  constructor(log: Int32Array<ArrayBuffer>) {
    this.log = log;
    this.bytes = new Uint8Array(log.buffer, log.byteOffset, log.byteLength);
    for (let at = 0; at < log.length; at += log[at + HEAD.size]) {
      const top = log[at + HEAD.top];
      this.places.set(keyOf(log[at + HEAD.address], top === NO_TOP ? undefined : top), at);
    }
  }

  /** The block at an address, whatever the top of the x87 stack, or for this one. */
  find(address: number, top: number): StoredBlock | undefined {
    const at = this.places.get(keyOf(address, undefined)) ?? this.places.get(keyOf(address, top));
    return at === undefined ? undefined : this.at(at);
  }

  private at(at: number): StoredBlock {
    const { log, bytes } = this;
    const top = log[at + HEAD.top];
    const wordsAt = at + HEAD.all;
    const wordCount = log[at + HEAD.words];
    const lengthsAt = 4 * (wordsAt + wordCount);
    const count = log[at + HEAD.lengths];
    return {
      at,
      address: log[at + HEAD.address],
      top: top === NO_TOP ? undefined : top,
      isHooked: (log[at + HEAD.flags] & HOOKED) !== 0,
      endsBehindStores: (log[at + HEAD.flags] & ENDS_BEHIND_STORES) !== 0,
      words: log,
      wordsAt,
      wordCount,
      entries: log[at + HEAD.entries],
      bytes,
      lengthsAt,
      count,
      codeAt: lengthsAt + 4 * wordsFor(count),
      size: log[at + HEAD.code],
      lastSite: log[at + HEAD.lastSite],
    };
  }
}
