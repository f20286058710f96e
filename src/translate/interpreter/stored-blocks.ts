/** A decoded block: its records and what else is known of it, but for where it is in memory. */
export interface DecodedBlock {
  readonly address: number;
  /** By instruction: its bytes. */
  readonly lengths: Uint8Array;
  /** Set when it depends on the top of the x87 stack. */
  readonly top: number | undefined;
  /** Entering it opens a context wherever it happens. */
  readonly isHooked: boolean;
  /** It ends behind an instruction that may change the code behind it, if it has one: its code could be written. */
  readonly endsBehindStores: boolean;
  /** Its records behind the first one, and where in them entries are counted. */
  readonly words: Int32Array;
  readonly entries: number;
  readonly code: Uint8Array;
  /** The highest site that its records name; -1 for none. */
  readonly lastSite: number;
}

/** A block of a log, and where in it. */
export interface StoredBlock extends DecodedBlock {
  readonly log: Int32Array;
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
  /** Where in the earlier run's log are those that this one has used. */
  private readonly kept = new Set<number>();
  private earlier: Int32Array = new Int32Array();
  lastSite = -1;

  /** A block of the earlier run, of which there is one log, is one of this run. */
  keep({ log, at, lastSite }: StoredBlock): void {
    this.earlier = log;
    this.kept.add(at);
    this.lastSite = Math.max(this.lastSite, lastSite);
  }

  add(block: DecodedBlock): void {
    const { address, lengths, top, isHooked, endsBehindStores, words, entries, code, lastSite } = block;
    const size = HEAD.all + words.length + wordsFor(lengths.length) + wordsFor(code.length);
    while (this.length + size > this.log.length) this.grow();
    // One by one: this is done for each block, and small arrays take most of the time.
    const { log, bytes, length: at } = this;
    log[at + HEAD.size] = size;
    log[at + HEAD.address] = address;
    log[at + HEAD.top] = top ?? NO_TOP;
    log[at + HEAD.words] = words.length;
    log[at + HEAD.entries] = entries;
    log[at + HEAD.lengths] = lengths.length;
    log[at + HEAD.code] = code.length;
    log[at + HEAD.lastSite] = lastSite;
    log[at + HEAD.flags] = (isHooked ? HOOKED : 0) | (endsBehindStores ? ENDS_BEHIND_STORES : 0);
    const behind = at + HEAD.all + words.length;
    const codeAt = 4 * (behind + wordsFor(lengths.length));
    for (let i = 0; i < words.length; i++) log[at + HEAD.all + i] = words[i];
    for (let i = 0; i < lengths.length; i++) bytes[4 * behind + i] = lengths[i];
    for (let i = 0; i < code.length; i++) bytes[codeAt + i] = code[i];
    this.length += size;
    this.fresh++;
    this.lastSite = Math.max(this.lastSite, lastSite);
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
    let size = this.length;
    for (const at of kept) size += earlier[at];
    const all = new Int32Array(size);
    let to = 0;
    for (const at of kept) {
      all.set(earlier.subarray(at, at + earlier[at]), to);
      to += earlier[at];
    }
    all.set(this.log.subarray(0, this.length), to);
    return all;
  }

  /** The part of the blocks that an earlier run had not left. */
  get newPart(): number {
    return this.fresh === 0 ? 0 : this.fresh / (this.kept.size + this.fresh);
  }
}

/** Finds the blocks of a log. */
export class StoredBlocks {
  private readonly log: Int32Array<ArrayBuffer>;
  private readonly places = new Map<number, number>();

  constructor(log: Int32Array<ArrayBuffer>) {
    this.log = log;
    for (let at = 0; at < log.length; at += log[at]) {
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
    const { log } = this;
    const top = log[at + HEAD.top];
    const behind = at + HEAD.all + log[at + HEAD.words];
    const lengths = log[at + HEAD.lengths];
    const start = log.byteOffset + 4 * behind;
    return {
      log,
      at,
      address: log[at + HEAD.address],
      lengths: new Uint8Array(log.buffer, start, lengths),
      top: top === NO_TOP ? undefined : top,
      isHooked: (log[at + HEAD.flags] & HOOKED) !== 0,
      endsBehindStores: (log[at + HEAD.flags] & ENDS_BEHIND_STORES) !== 0,
      words: log.subarray(at + HEAD.all, behind),
      entries: log[at + HEAD.entries],
      code: new Uint8Array(log.buffer, start + 4 * wordsFor(lengths), log[at + HEAD.code]),
      lastSite: log[at + HEAD.lastSite],
    };
  }
}
