import { SLOT_RECORD_COUNT } from '../../guest/layout.ts';
import { LONGEST } from '../../x86/decode.ts';
import type { AddressCache } from '../address-cache.ts';
import { NEVER_HOT } from '../hot-entries.ts';
import type { Instruments } from '../instruments.ts';
import { pageOf, pagesIn } from '../pages.ts';
import { BlockDecoder, type DecoderOptions, type FreshBlock } from './block-decoder.ts';
import { type Block, KnownBlocks } from './known-blocks.ts';
import { CALLS, GOES_ON, HEAD, LINK } from './record.ts';
import type { RecordSpace } from './record-space.ts';
import type { DecodedBlock } from './stored-blocks.ts';

export interface BlocksOptions extends DecoderOptions {
  readonly memory: ArrayBuffer;
  readonly entersFunction: (from: number, target: number) => boolean;
  /** A page holds code from now on. */
  readonly onCode: (page: number) => void;
  /** Whether a slot holds its region, or can again because the code is what it was. */
  readonly hasRegion: (slot: number) => boolean;
  /** Entries until a block deserves the better translation that an earlier run has left; undefined where there is none. */
  readonly entriesUntilStored: (address: number) => number | undefined;
  /** Entries until a block deserves a better translation. */
  readonly hotEntries: number;
  readonly slotRecords: number;
  readonly recordCache: AddressCache;
  /** The part of memory for records that is free: shared by all modes of MXCSR. */
  readonly space: RecordSpace;
  readonly within: Instruments['within'];
  /** Every entry counts, not those by calls and backward jumps alone. */
  readonly countsAll: boolean;
  /** Whether it is remembered by address and slot where records are. */
  readonly remembers: boolean;
}

/** Entries of a block that a region holds, over those of one that none does, until it deserves a region. */
const PUT_OFF = 16;
/** Telling all blocks is worth it for so few entries, over what there were. */
const FEWER = 0.8;

/**
 * The records of blocks in memory: put there when control first comes to a block, and changed as it is counted, becomes hot or
 * stale.
 */
export class Blocks {
  readonly statistics = { blocks: 0, instructions: 0 };
  private readonly options: BlocksOptions;
  private readonly words: Int32Array;
  private readonly bytes: Uint8Array;
  private readonly decoder: BlockDecoder;
  private readonly known: KnownBlocks;
  private readonly pages = new Map<number, Block[]>();
  private hotEntries: number;

  constructor(options: BlocksOptions) {
    this.options = options;
    this.hotEntries = options.hotEntries;
    this.words = new Int32Array(options.memory);
    this.bytes = new Uint8Array(options.memory);
    this.decoder = new BlockDecoder(options);
    this.known = new KnownBlocks(options.fpuTop);
  }

  /**
   * Whether control came to the code at the address so often: links and jumps lead to blocks, which are made for them. What was entered
   * there may have been other code: a compiler at run time writes its code anew in each pass, where there are zeros until then. (Regions of
   * 6,000 additions of `al` to memory made V8 take all memory in Java's virtual machine.)
   */
  isWarm(address: number, entries: number): boolean {
    const block = this.known.first(address);
    if (block === undefined || this.words[block.entries >> 2] < entries) return false;
    return block.state !== 'stale' || this.isAsDecoded(block);
  }

  /** The block at an address for the present top of the x87 stack, current. */
  private blockAt(address: number): Block {
    const block = this.known.find(address);
    if (block === undefined) return this.decode(address);
    return block.state === 'stale' ? this.renew(block) : block;
  }

  /** Head of the block at an address, entered there by a jump. */
  recordsAt(address: number): number {
    const { at } = this.blockAt(address);
    if (!this.options.remembers) return at;
    this.options.recordCache.set(address, at);
    return at;
  }

  /** Head of the block that a slot stands for. */
  recordsOfSlot(slot: number, address: number): number {
    const { at } = this.blockAt(address);
    if (slot < SLOT_RECORD_COUNT && this.options.remembers)
      this.words[(this.options.slotRecords >> 2) + slot] = at;
    return at;
  }

  /** For a top that the known block does not have: past its count. */
  variant(address: number): number {
    return this.blockAt(address).at + HEAD.size;
  }

  /** Follows a link for the first time. */
  link(link: number): number {
    const { words, options } = this;
    const place = words[(link + LINK.place) >> 2];
    const target = options.places.addressOf(place);
    const source = words[(link + LINK.from) >> 2];
    const from = source === CALLS || source === GOES_ON ? source : options.places.addressOf(source);
    const { at } = this.blockAt(target);
    const counts = options.countsAll || from === CALLS || (from !== GOES_ON && target <= from);
    let record = counts ? at : at + HEAD.size;
    if (from > CALLS && options.entersFunction(from, target)) {
      const step = options.space.take(16);
      words.set([options.common.jumpEnters, source, place, record], step >> 2);
      record = step;
    }
    words[link >> 2] = record;
    return record;
  }

  /** The block whose first record is there. */
  private blockOf(head: number): Block {
    return this.known.byNumber[this.words[(head + HEAD.block) >> 2]];
  }

  addressOf(head: number): number {
    return this.blockOf(head).address;
  }

  /** From now on a block is hot after fewer entries, if that makes a difference: each block is told. */
  hasten(entries: number): void {
    const { words } = this;
    if (entries > FEWER * this.hotEntries) return;
    const fewer = this.hotEntries - entries;
    this.hotEntries = entries;
    for (const block of this.known.byNumber) {
      if (block.state !== 'cold' || this.options.isPrecise(block.address)) continue;
      const at = (block.at + HEAD.count) >> 2;
      words[at] = Math.max(1, words[at] - (block.isPutOff ? PUT_OFF : 1) * fewer);
    }
  }

  /** The block is not hot after all. */
  countAnew(head: number): void {
    this.words[(head + HEAD.count) >> 2] = this.hotEntries;
  }

  /** The block's one instruction did not retire. */
  uncount(address: number): void {
    const block = this.known.find(address);
    if (block === undefined) return;
    const view = new DataView(this.bytes.buffer);
    view.setBigInt64(block.entries, view.getBigInt64(block.entries, true) - 1n, true);
  }

  /** The first time, the block is hot only after many times as many entries. */
  putOff(head: number): boolean {
    const block = this.blockOf(head);
    if (block.isPutOff) return false;
    block.isPutOff = true;
    this.words[(head + HEAD.count) >> 2] = PUT_OFF * this.hotEntries;
    return true;
  }

  /** From now on whoever enters the block goes to the region in the slot. */
  makeHot(head: number, slot: number): void {
    const { words, options } = this;
    const block = this.blockOf(head);
    words[(head + HEAD.slot) >> 2] = slot;
    words[head >> 2] = options.common.hot;
    words[(head + HEAD.size) >> 2] = options.common.hotEntry;
    block.state = 'hot';
    block.slot = slot;
  }

  /** A region can be entered at an address: whoever comes to the block there goes on in it. */
  enterAt(address: number, slot: number): void {
    const block = this.known.first(address);
    if (block?.state !== 'cold' || block.top !== undefined || this.options.isPrecise(address)) return;
    this.makeHot(block.at, slot);
  }

  /** The code at an address has no region any more, or is about to be looked at again. */
  cool(address: number): void {
    const block = this.known.first(address);
    if (block?.state === 'hot') this.makeStale(block);
    if (block?.top === undefined) return;
    for (let top = 0; top < 8; top++) {
      const variant = this.known.variant(address, top);
      if (variant?.state === 'hot') this.makeStale(variant);
    }
  }

  private makeStale(block: Block): void {
    const { words, options } = this;
    block.state = 'stale';
    words[block.at >> 2] = options.common.stale;
    words[(block.at + HEAD.size) >> 2] = options.common.staleEntry;
  }

  /** Somebody came to a stale block's record, so far behind its first one: where to go on. */
  refresh(head: number, distance: number): number {
    return this.blockAt(this.blockOf(head).address).at + distance;
  }

  /** The bytes of [start, end) may be others from now on. */
  forget(start: number, end: number): void {
    this.options.code.forget();
    for (const page of pagesIn(this.pages, start, end)) {
      const blocks = this.pages.get(page)!;
      this.pages.delete(page);
      for (const block of blocks) if (block.state !== 'stale') this.makeStale(block);
    }
  }

  /** Whether there are bytes of a block in [start, end). */
  holds(start: number, end: number): boolean {
    this.options.code.forget();
    return pagesIn(this.pages, start, end).some((page) =>
      this.pages.get(page)!.some((block) => {
        // Where one faults there may be code from now on.
        const behind = block.faults ? block.end + LONGEST : block.end;
        return block.state !== 'stale' && block.address < end && behind > start;
      }),
    );
  }

  /** The instruction at an address is executed by itself from now on. */
  setApart(address: number): void {
    this.options.code.forget();
    for (const block of this.known.byNumber) {
      if (address < block.address || address >= block.end) continue;
      block.isOutdated = true;
      if (block.state !== 'stale') this.makeStale(block);
    }
  }

  /** A stale block, if its code is what it was; else one made anew. */
  private renew(block: Block): Block {
    const { words, options } = this;
    const { address, end } = block;
    const isOther = !block.endsBehindStores && this.decoder.isVolatile(address, end - address);
    if (block.isOutdated || block.faults || isOther || !this.isAsDecoded(block))
      return this.decode(block.address);
    words[block.at >> 2] = options.common.count;
    words[(block.at + HEAD.count) >> 2] = options.isPrecise(address) ? NEVER_HOT : this.hotEntries;
    words[(block.at + HEAD.size) >> 2] = block.entry;
    block.state = 'cold';
    this.watch(block);
    options.tally?.interpretAgain(block.entries);
    // It deserved a region before: in the next pass that is known from the start.
    if (block.slot !== undefined && options.hasRegion(block.slot)) this.makeHot(block.at, block.slot);
    return block;
  }

  /** Whether its bytes are what they were. */
  private isAsDecoded({ address, end, copy }: Block): boolean {
    return this.options.code.has(address, this.bytes, copy, end - address);
  }

  private watch(block: Block): void {
    const last = block.faults ? block.end : block.end - 1;
    for (let page = pageOf(block.address); page <= pageOf(last); page++) {
      const blocks = this.pages.get(page);
      if (blocks === undefined) this.pages.set(page, [block]);
      else blocks.push(block);
      this.options.onCode(page);
    }
  }

  private decode(address: number): Block {
    return this.options.within('decode', () => {
      const before = this.decoder.decodedBefore(address);
      if (before !== undefined)
        return this.add(before, { isPrecise: false, faults: false, taken: undefined });
      const fresh = this.decoder.decode(address);
      const block = this.add(fresh, fresh);
      // Not for blocks that are renewed: what was read of their page may be older than the watch.
      this.options.code.watch(address);
      return block;
    });
  }

  private add(
    decoded: DecodedBlock,
    { isPrecise, faults, taken }: Pick<FreshBlock, 'isPrecise' | 'faults' | 'taken'>,
  ): Block {
    const { options, words, bytes } = this;
    const { address, top, endsBehindStores, wordsAt, wordCount, lengthsAt, count, codeAt, size } = decoded;
    const room = HEAD.size + 4 * wordCount;
    const at = options.space.take(room + size);
    // What was known of the address is of bytes that are others now, or of another top of the x87 stack.
    if (this.known.first(address)?.state === 'stale') options.space.waste(room + size);
    const number = this.known.byNumber.length;
    const own = options.places.of(address);
    const first = at >> 2;
    words[first] = options.common.count;
    words[first + HEAD.count / 4] = isPrecise ? NEVER_HOT : this.entriesUntilHot(address);
    words[first + HEAD.place / 4] = own;
    words[first + HEAD.block / 4] = number;
    words[first + HEAD.slot / 4] = 0;
    const records = first + HEAD.size / 4;
    for (let i = 0; i < wordCount; i++) words[records + i] = decoded.words[wordsAt + i];
    const copy = at + room;
    for (let i = 0; i < size; i++) bytes[copy + i] = decoded.bytes[codeAt + i];
    const place = (word: number) => at + HEAD.size + 4 * word;
    const block: Block = {
      number,
      address,
      end: address + size,
      at,
      copy,
      entry: decoded.words[wordsAt],
      entries: place(decoded.entries),
      top,
      endsBehindStores,
      faults,
      state: 'cold',
      isOutdated: false,
      isPutOff: false,
      slot: undefined,
    };
    this.known.add(block);
    this.watch(block);
    options.tally?.interpret({
      address,
      lengths: decoded.bytes.slice(lengthsAt, lengthsAt + count),
      copy: block.copy,
      entries: block.entries,
      serial: 0,
      taken: taken === undefined ? undefined : place(taken),
    });
    this.statistics.blocks++;
    this.statistics.instructions += count;
    return block;
  }

  private entriesUntilHot(address: number): number {
    return Math.min(this.hotEntries, this.options.entriesUntilStored(address) ?? this.hotEntries);
  }
}
