import { Failure } from '../../base/failure.ts';
import { GUEST_END, RECORDS, RECORDS_END, SLOT_RECORD_COUNT } from '../../guest/layout.ts';
import type { CodeReader, Instruction } from '../../x86/decode.ts';
import { liftBlock } from '../../x86/lift/block.ts';
import type { FormReader } from '../../x86/lift/form.ts';
import type { AddressCache } from '../address-cache.ts';
import type { CodePlaces } from '../code-places.ts';
import { NEVER_HOT } from '../hot-entries.ts';
import type { Instruments } from '../instruments.ts';
import { pageOf, pagesIn } from '../pages.ts';
import type { Probes } from '../probes.ts';
import { FAULTS, type ServiceSite, UNSUPPORTED } from '../region-interface.ts';
import type { BlockLog, DecodedBlock, StoredBlocks } from '../stored/stored-blocks.ts';
import { siteOf } from '../support-strings.ts';
import type { Tally } from '../tally.ts';
import type { Handlers } from './handlers.ts';
import { CALLS, type Field, GOES_ON, HEAD, LINK, NO_VARIABLE } from './record.ts';
import type { CommonHandler } from './support.ts';

/** A straight run of instructions as records in memory. */
interface Block {
  readonly number: number;
  readonly address: number;
  readonly end: number;
  /** Where its records are: offsets in memory. */
  readonly at: number;
  /** Its instructions as bytes, as they were when it was decoded. */
  readonly copy: number;
  /** Handler of its second record. */
  readonly entry: number;
  /** Where it is counted how often control came to it. */
  readonly entries: number;
  /** Set when it depends on the top of the x87 stack. */
  readonly top: number | undefined;
  state: 'cold' | 'hot' | 'stale';
  isPutOff: boolean;
  /** Of the region that was made for it. */
  slot: number | undefined;
}

export interface BlocksOptions {
  readonly memory: ArrayBuffer;
  readonly code: CodeReader;
  readonly handlers: Handlers;
  /** The same that note what retires, and whether an instruction needs them: it is a block of its own. */
  readonly preciseHandlers: () => Handlers;
  readonly isPrecise: (address: number) => boolean;
  readonly common: Readonly<Record<CommonHandler, number>>;
  readonly fpuTop: () => number;
  readonly isHooked: (address: number) => boolean;
  readonly entersFunction: (from: number, target: number) => boolean;
  /** A page holds code from now on. */
  readonly onCode: (page: number) => void;
  readonly siteNumber: (site: ServiceSite) => number;
  readonly unsupportedNumber: (text: string) => number;
  /** Whether a slot holds its region, or can again because the code is what it was. */
  readonly hasRegion: (slot: number) => boolean;
  /** Entries until a block deserves the better translation that an earlier run has left; undefined where there is none. */
  readonly entriesUntilStored: (address: number) => number | undefined;
  /** Most instructions of a block. */
  readonly limit: number;
  /** Entries until a block deserves a better translation. */
  readonly hotEntries: number;
  readonly slotRecords: number;
  readonly recordCache: AddressCache;
  readonly places: CodePlaces;
  /** The part of memory for records that is free: shared by all modes of MXCSR. */
  readonly space: RecordSpace;
  readonly within: Instruments['within'];
  /** Counts executions, when somebody asks. */
  readonly tally?: Tally;
  /** Where control may be stopped, and the handler that does so. */
  readonly probes?: Probes;
  readonly probe?: number;
  /** Every entry counts, not those by calls and backward jumps alone. */
  readonly countsAll: boolean;
  /** Whether it is remembered by address and slot where records are. */
  readonly remembers: boolean;
  /** What is decoded is left for later runs. */
  readonly stored?: StoredDecoding;
}

/** Blocks that an earlier run has decoded, and those that this one leaves. */
export interface StoredDecoding {
  readonly before: StoredBlocks | undefined;
  readonly log: BlockLog;
}

/** Memory for records; what is used stays used, so that records which run may be forgotten. */
export class RecordSpace {
  private next = RECORDS;
  private wasted = 0;

  /** Whether it is time to throw all records away, because many are of code that was written over, or few fit in any more. */
  get isWornOut(): boolean {
    return this.wasted >= MOST_WASTED || this.next >= RECORDS_FULL;
  }

  /** So many bytes are in use for nothing: others lead through them, so that they stay. */
  waste(bytes: number): void {
    this.wasted += bytes;
  }

  /** 4-byte aligned. */
  take(bytes: number): number {
    const at = this.next;
    this.next += (bytes + 3) & ~3;
    if (this.next > RECORDS_END)
      throw new Failure(
        'guest',
        'records-exhausted',
        'the program has more code than can be followed (about 5 million instructions)',
      );
    return at;
  }
}

const MOST_WASTED = 0x100_0000;
const RECORDS_FULL = RECORDS + 0.75 * (RECORDS_END - RECORDS);

/** Entries of a block that a region holds, over those of one that none does, until it deserves a region. */
const PUT_OFF = 16;
/** Telling all blocks is worth it for so few entries, over what there were. */
const FEWER = 0.8;
/** Bytes that an instruction's record takes at most. */
const LONGEST_RECORD = 64;

/** Decodes blocks when control first comes to them, and knows which ones there are. */
export class Blocks {
  readonly statistics = { blocks: 0, instructions: 0 };
  private readonly options: BlocksOptions;
  private readonly words: Int32Array;
  private readonly bytes: Uint8Array;
  private readonly blocks: Block[] = [];
  private readonly byAddress = new Map<number, Block>();
  /** Of code that depends on the top of the x87 stack, for other tops than in `byAddress`. */
  private readonly variants = new Map<number, Block>();
  private readonly pages = new Map<number, Block[]>();
  private readonly records: Int32Array;
  private length = 0;
  /** What is being decoded is of no use for other runs: it names what only this one has. */
  private isForThisRun = false;
  private hotEntries: number;

  constructor(options: BlocksOptions) {
    this.options = options;
    this.hotEntries = options.hotEntries;
    this.words = new Int32Array(options.memory);
    this.bytes = new Uint8Array(options.memory);
    this.records = new Int32Array(((options.limit + 4) * LONGEST_RECORD) / 4);
  }

  /** Whether control came to the address so often: links and jumps lead to blocks, which are made for them. */
  isWarm(address: number, entries: number): boolean {
    const block = this.byAddress.get(address);
    return block !== undefined && this.words[block.entries >> 2] >= entries;
  }

  /** The block at an address for the present top of the x87 stack, current. */
  private blockAt(address: number): Block {
    const known = this.byAddress.get(address);
    if (known === undefined) return this.decode(address);
    const block =
      known.top === undefined || known.top === this.options.fpuTop()
        ? known
        : this.variants.get(8 * address + this.options.fpuTop());
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
    return this.blocks[this.words[(head + HEAD.block) >> 2]];
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
    for (const block of this.blocks) {
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
    const known = this.byAddress.get(address);
    const top = this.options.fpuTop();
    const block =
      known?.top === undefined || known.top === top ? known : this.variants.get(8 * address + top);
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
    const block = this.byAddress.get(address);
    if (block?.state !== 'cold' || block.top !== undefined || this.options.isPrecise(address)) return;
    this.makeHot(block.at, slot);
  }

  /** The code at an address has no region any more, or is about to be looked at again. */
  cool(address: number): void {
    const block = this.byAddress.get(address);
    if (block?.state === 'hot') this.makeStale(block);
    if (block?.top === undefined) return;
    for (let top = 0; top < 8; top++) {
      const variant = this.variants.get(8 * address + top);
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

  /** A stale block, if its code is what it was; else one made anew. */
  private renew(block: Block): Block {
    const { words, bytes, options } = this;
    const length = block.end - block.address;
    const now = options.code.bytes(block.address, length);
    if (now.length < length || now.some((byte, i) => bytes[block.copy + i] !== byte))
      return this.decode(block.address);
    words[block.at >> 2] = options.common.count;
    words[(block.at + HEAD.count) >> 2] = options.isPrecise(block.address) ? NEVER_HOT : this.hotEntries;
    words[(block.at + HEAD.size) >> 2] = block.entry;
    block.state = 'cold';
    this.watch(block);
    options.tally?.interpretAgain(block.entries);
    // It deserved a region before: in the next pass that is known from the start.
    if (block.slot !== undefined && options.hasRegion(block.slot)) this.makeHot(block.at, block.slot);
    return block;
  }

  private watch(block: Block): void {
    for (let page = pageOf(block.address); page <= pageOf(block.end - 1); page++) {
      const blocks = this.pages.get(page);
      if (blocks === undefined) {
        this.pages.set(page, [block]);
        this.options.onCode(page);
      } else blocks.push(block);
    }
  }

  // --- decoding

  private put(value: number): void {
    this.records[this.length++] = value;
  }

  private putLink(target: number, from: number): void {
    this.isForThisRun ||= target >= GUEST_END;
    this.put(0);
    this.put(this.options.places.of(target));
    this.put(this.options.places.of(from));
  }

  private decode(address: number): Block {
    return this.options.within('decode', () => this.decodedBefore(address) ?? this.decodeNow(address));
  }

  /** A block as an earlier run has decoded it, where the same code would be decoded in the same way. */
  private decodedBefore(address: number): Block | undefined {
    const { stored, fpuTop, code, isPrecise, isHooked } = this.options;
    const block = stored?.before?.find(address, fpuTop());
    if (block === undefined || isPrecise(address) || isHooked(address) !== block.isHooked) return undefined;
    const now = code.bytes(address, block.code.length);
    if (now.length < block.code.length) return undefined;
    for (let i = 0; i < now.length; i++) if (now[i] !== block.code[i]) return undefined;
    let at = address;
    for (let i = 0; i + 1 < block.lengths.length; i++) {
      at += block.lengths[i];
      if (isHooked(at) || isPrecise(at)) return undefined;
    }
    stored!.log.add(block, false);
    return this.add(block, false);
  }

  private decodeNow(address: number): Block {
    const { options, records } = this;
    const { code, common } = options;
    const isPrecise = options.isPrecise(address);
    const handlers = isPrecise ? options.preciseHandlers() : options.handlers;
    const limit = isPrecise ? 1 : options.limit;
    const { reader } = handlers;
    if (!code.isCurrent(address)) code.forget();
    this.length = 0;
    const topBefore = options.fpuTop();
    let top = topBefore;
    let usesFpu = false;
    let count = 0;
    let at = address;
    /** Places of fields to be filled in once the block's length is known, with the instruction's number. */
    const following: number[] = [];
    const lengths: number[] = [];
    this.isForThisRun = isPrecise || address >= GUEST_END;
    let lastSite = -1;
    let taken: number | undefined;
    for (;;) {
      const instruction = code.decode(at);
      const next = at + instruction.length;
      if (instruction.isInvalid) {
        this.putFault(FAULTS.indexOf(code.ranOut ? 'general-protection' : 'invalid-opcode'), at);
        this.isForThisRun = true;
        at = next;
        break;
      }
      const info = reader.infoOf(instruction);
      usesFpu ||= info.fpu;
      const served = code.serviceOf(instruction, info.treatment);
      if (served !== undefined) {
        this.put(common.service);
        const site = options.siteNumber({ ...served, address: at, next });
        lastSite = siteOf(site);
        this.put(site);
        this.putLink(next, GOES_ON);
        lengths.push(next - at);
        count++;
        at = next;
        break;
      }
      const form = handlers.formOf(instruction, info, top);
      if (form.kind !== 'handled') {
        const number =
          form.kind === 'fault'
            ? FAULTS.indexOf(form.fault)
            : UNSUPPORTED + options.unsupportedNumber(this.describeAt(at, top));
        this.putFault(number, at);
        this.isForThisRun = true;
        at = next;
        break;
      }
      this.isForThisRun ||= code.looksAhead(at);
      this.put(form.slot);
      const { fields } = form;
      for (let i = 0; i < fields.length; i++) {
        const field = fields[i];
        if (field.kind === 'following') {
          following.push(this.length, count);
          this.put(0);
        } else {
          if (field.kind === 'taken') taken = this.length;
          this.putField(field, instruction, at, next, reader);
        }
      }
      lengths.push(next - at);
      count++;
      if (info.fpu) top = form.topAfter;
      at = next;
      if (form.ends) break;
      if (count === limit || options.isHooked(at) || options.isPrecise(at) || options.probes?.has(at)) {
        this.put(common.goTo);
        this.putLink(at, GOES_ON);
        break;
      }
    }
    for (let i = 0; i < following.length; i += 2) records[following[i]] = count - 1 - following[i + 1];
    handlers.flush();

    const isHooked = options.isHooked(address);
    const begin: number[] = [];
    const own = options.places.of(address);
    if (usesFpu) begin.push(common.top, topBefore, own);
    const cell = options.probe === undefined ? undefined : options.probes?.cellOf(address);
    if (cell !== undefined) begin.push(options.probe!, own, cell);
    if (isHooked) begin.push(common.hook, own);
    begin.push(isPrecise ? common.preciseHead : common.head, count, own, 0);
    const entries = begin.length - 1;
    if (options.tally !== undefined) begin.push(0);
    const all = new Int32Array(begin.length + this.length);
    all.set(begin);
    all.set(records.subarray(0, this.length), begin.length);
    const decoded: DecodedBlock = {
      address,
      lengths: Uint8Array.from(lengths),
      top: usesFpu ? topBefore : undefined,
      isHooked,
      words: all,
      entries,
      code: code.decodedBytes(address, at - address),
      lastSite,
    };
    if (!this.isForThisRun) options.stored?.log.add(decoded, true);
    const block = this.add(decoded, isPrecise, taken === undefined ? undefined : begin.length + taken);
    // Not for blocks that are renewed: what was read of their page may be older than the watch.
    code.watch(address);
    return block;
  }

  /** `taken` is where in its words it is counted how often its branch was taken. */
  private add(decoded: DecodedBlock, isPrecise: boolean, taken?: number): Block {
    const { options, words, bytes } = this;
    const { address, lengths, top, code } = decoded;
    const size = HEAD.size + 4 * decoded.words.length;
    const at = options.space.take(size + code.length);
    // What was known of the address is of bytes that are others now, or of another top of the x87 stack.
    if (this.byAddress.get(address)?.state === 'stale') options.space.waste(size + code.length);
    const number = this.blocks.length;
    const own = options.places.of(address);
    const first = at >> 2;
    words.set(
      [options.common.count, isPrecise ? NEVER_HOT : this.entriesUntilHot(address), own, number, 0],
      first,
    );
    words.set(decoded.words, first + HEAD.size / 4);
    bytes.set(code, at + size);
    const place = (word: number) => at + HEAD.size + 4 * word;
    const block: Block = {
      number,
      address,
      end: address + code.length,
      at,
      copy: at + size,
      entry: decoded.words[0],
      entries: place(decoded.entries),
      top,
      state: 'cold',
      isPutOff: false,
      slot: undefined,
    };
    this.blocks.push(block);
    if (top !== undefined) this.variants.set(8 * address + top, block);
    const known = this.byAddress.get(address)?.top;
    if (top === undefined || known === undefined || known === top) this.byAddress.set(address, block);
    this.watch(block);
    options.tally?.interpret({
      address,
      lengths,
      copy: block.copy,
      entries: block.entries,
      serial: 0,
      taken: taken === undefined ? undefined : place(taken),
    });
    this.statistics.blocks++;
    this.statistics.instructions += lengths.length;
    return block;
  }

  private entriesUntilHot(address: number): number {
    return Math.min(this.hotEntries, this.options.entriesUntilStored(address) ?? this.hotEntries);
  }

  /** An unsupported instruction in words. */
  private describeAt(address: number, top: number): string {
    const { code, handlers } = this.options;
    const { terminator } = liftBlock(code, address, { top, mxcsr: handlers.reader.mxcsr, limit: 1 });
    if (terminator.kind !== 'unsupported')
      throw new Error(`a ${terminator.kind} in place of the unsupported`);
    return terminator.text;
  }

  private putFault(number: number, address: number): void {
    this.put(this.options.common.fault);
    this.put(number);
    this.put(this.options.places.of(address));
  }

  private putField(
    field: Field,
    instruction: Instruction,
    at: number,
    next: number,
    { operands }: FormReader,
  ): void {
    switch (field.kind) {
      case 'register':
        return this.put(16 * operands.registers[field.operand]);
      case 'base':
        return this.put(16 * (operands.base < 0 ? NO_VARIABLE : operands.base));
      case 'index':
        return this.put(16 * operands.index);
      case 'scale':
        return this.put(Math.log2(instruction.memoryIndexScale));
      case 'displacement':
        return this.put(Number(BigInt.asIntN(32, instruction.memoryDisplacement)));
      case 'absolute':
        return this.putWide(
          instruction.isIpRelMemoryOperand ? instruction.ipRelMemoryAddress : instruction.memoryDisplacement,
        );
      case 'immediate32':
        return this.put(Number(BigInt.asIntN(32, instruction.immediate(field.operand))));
      case 'immediate64':
        return this.putWide(instruction.immediate(field.operand));
      case 'next':
        return this.putWide(BigInt(next));
      case 'address':
        return this.put(this.options.places.of(at));
      case 'jump':
        this.put(this.options.places.of(at));
        return this.put(0);
      case 'taken':
        this.put(0);
        return this.put(0);
      case 'link': {
        if (field.to === 'next') return this.putLink(next, GOES_ON);
        const isCall = instruction.isCallNear;
        return this.putLink(Number(instruction.nearBranchTarget), isCall ? CALLS : at);
      }
      case 'following':
        throw new Error('filled in later');
    }
  }

  private putWide(value: bigint): void {
    this.put(Number(BigInt.asIntN(32, value)));
    this.put(Number(BigInt.asIntN(32, value >> 32n)));
  }
}
