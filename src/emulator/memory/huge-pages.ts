import { GUEST_END, PAGE_SIZE, SHADOW } from '../../guest/layout.ts';
import { STACK_SIZE } from '../../linux/main-stack.ts';
import type { HostPages } from '../ports.ts';

/** Of x86-64's second level of page tables. */
const HUGE = 0x20_0000;
const PAGES_IN_HUGE = HUGE / PAGE_SIZE;

/** Guest pages with steps after which huge ones pay: to ask for them takes 3 ms, most of it to load what can ask. */
const FROM_PAGES = 256;
/** Bytes that are mapped at once, to be written, of which so many are expected to be touched: in whatever order, so that it is to be known before. */
const FROM_MAPPED = 4 * 2 ** 20;
/** Instructions after which the log of a chain is sure to take some megabytes. */
const FROM_LOGGED = 1_000_000;
/** Huge pages end where they take more bytes than this that nothing lies in, and a quarter of what something does. */
const MOST_WASTED = 96 * 2 ** 20;
const MOST_WASTED_SHARE = 1 / 4;

/**
 * Huge pages of steps that another thread touches at once, as many behind one that is first touched: who fills memory touches every second pair, and the other core
 * the pairs between. Where the host has to find the memory first, a huge page takes it 4 ms. Later pieces are larger, for the host takes few.
 */
const PIECE = 2;
const LARGE_PIECE = 8;
const LARGE_FROM = 32;

type State = 'not yet' | 'wanted' | 'over';

/**
 * Whether a memory is to come in pages of 2 MiB instead of 4 KiB, which Linux gives to those who ask (madvise(2), MADV_HUGEPAGE). A page of the guest has four
 * of steps, and each of the five is a fault of the host when it is first touched: less than 1.5 µs where 65,000 of them took under 0.1 s, 11 to 13 where a
 * hypervisor hears of each (0.3 for its part of a huge page, on the same machine). There a hash table of 32 MB takes 0.47 of the time that it takes without, a list of 64 MB
 * 0.67, sort 0.84, perl 0.92 (docs/engine.md, "Huge pages").
 *
 * A program that touches a page here and there would take 2 MiB for each. So it is counted what of the huge pages is used, and where too little is there are none
 * from then on. Depends on the guest alone, but for whether the host has any.
 */
export class HugePages {
  private readonly host: Pick<HostPages, 'advise' | 'populate'>;
  /** Whether the guest may store to a page. */
  private readonly isWritable: (page: number) => boolean;
  private readonly memory: ArrayBuffer;
  private readonly stepBytes: number;
  private readonly stepsInHuge: number;
  /** By page of the guest; by huge page of the guest, and of the steps: whether something was touched. */
  private readonly seen = new Uint8Array(GUEST_END / PAGE_SIZE);
  private readonly guestBlocks: Uint8Array;
  private readonly stepBlocks: Uint8Array;
  private pages = 0;
  private pieces = 0;
  private blocks = 0;
  private state: State = 'not yet';

  /** A step takes 2^bits bytes. */
  constructor(
    memory: ArrayBuffer,
    bits: number,
    host: Pick<HostPages, 'advise' | 'populate'>,
    isWritable: (page: number) => boolean,
  ) {
    this.memory = memory;
    this.host = host;
    this.isWritable = isWritable;
    this.stepBytes = PAGE_SIZE * 2 ** (bits - 2);
    this.stepsInHuge = HUGE / this.stepBytes;
    this.guestBlocks = new Uint8Array(this.seen.length / PAGES_IN_HUGE);
    this.stepBlocks = new Uint8Array(this.seen.length / this.stepsInHuge);
  }

  /** A page of the guest comes to have steps. */
  touch(page: number): void {
    if (this.state === 'over' || this.seen[page] !== 0) return;
    this.seen[page] = 1;
    this.pages++;
    this.take(this.guestBlocks, Math.floor(page / PAGES_IN_HUGE));
    const block = Math.floor(page / this.stepsInHuge);
    if (this.take(this.stepBlocks, block) && this.state === 'wanted') this.populateBehind(block);
    if (this.wasted > MOST_WASTED + MOST_WASTED_SHARE * this.used) this.become('over');
    else if (this.pages >= FROM_PAGES) this.become('wanted');
  }

  /** The guest has so many more bytes to write to. */
  map(bytes: number): void {
    // A stack is there as a whole, and hardly touched.
    if (this.state === 'not yet' && bytes >= FROM_MAPPED && bytes !== STACK_SIZE) this.become('wanted');
  }

  /** So many instructions have been logged. */
  logged(instructions: number): void {
    if (this.state === 'not yet' && instructions >= FROM_LOGGED) this.become('wanted');
  }

  /** Whether it is new. */
  private take(blocks: Uint8Array, block: number): boolean {
    if (blocks[block] !== 0) return false;
    blocks[block] = 1;
    this.blocks++;
    return true;
  }

  /** Another thread touches some, if the guest may come to all of them and has touched none. */
  private populateBehind(block: number): void {
    const size = this.pieces < LARGE_FROM ? PIECE : LARGE_PIECE;
    const first = block + size;
    const firstPage = first * this.stepsInHuge;
    if (!this.isWritable(firstPage) || !this.isWritable(firstPage + size * this.stepsInHuge - 1)) return;
    if (this.stepBlocks.subarray(first, first + size).includes(1)) return;
    if (!this.host.populate(this.memory, SHADOW + first * HUGE, size * HUGE)) return;
    for (let each = first; each < first + size; each++) this.take(this.stepBlocks, each);
    this.pieces++;
  }

  private get used(): number {
    return this.pages * (PAGE_SIZE + this.stepBytes);
  }

  private get wasted(): number {
    return this.blocks * HUGE - this.used;
  }

  private become(state: State): void {
    if (this.state === state) return;
    const wasWanted = this.state === 'wanted';
    this.state = state;
    if (state === 'wanted' || wasWanted) this.host.advise(this.memory, state === 'wanted');
  }
}
