import { GUEST_END, MAXIMUM, PAGE_SIZE, SHADOW, TAG_CLOCK, TAG_LOG } from '../guest/layout.ts';
import type { GuestMemory } from '../guest/memory.ts';
import type { ServiceEffects } from '../x86/service.ts';
import { LOCATIONS } from '../x86/state.ts';
import type { Ledger } from './ledger.ts';
import { stepIndex64 } from './state.ts';

const LOW = 0xffff_ffffn;

/** Tags of one context and the log of producers, in the memory that generated code uses (translate/tags.ts describes them). */
export class TagsLedger implements Ledger {
  private readonly tags: BigUint64Array;
  private readonly clock: BigInt64Array;
  /** Instructions executed before the window, and until now; set by the run. */
  private readonly executed: () => number;
  private windowStart = 0;
  private readonly guest: GuestMemory;
  private readonly logEntries: number;

  constructor(guest: GuestMemory, logEntries: number, executed: () => number) {
    this.guest = guest;
    this.logEntries = logEntries;
    this.tags = new BigUint64Array(guest.buffer);
    this.clock = new BigInt64Array(guest.buffer, TAG_CLOCK, 1);
    this.executed = executed;
  }

  start(): void {
    this.windowStart = 0;
  }

  /** A slice of this many instructions begins: instruction numbers follow from the fuel that is left. */
  startSlice(fuel: number): void {
    this.clock[0] = BigInt(this.executed() + fuel - this.windowStart);
  }

  /** The window begins now: whatever was written before counts as never written. */
  openWindow(fuelLeft: number): void {
    this.windowStart = this.executed();
    this.clock[0] = BigInt(fuelLeft);
    this.tags.fill(0n, stepIndex64(0), stepIndex64(LOCATIONS));
    this.forget(0, GUEST_END);
    this.tags[MAXIMUM / 8] = 0n;
  }

  /** The chain's length and the number of its last instruction: the first one with c = C. */
  end(): { readonly cycles: number; readonly instruction: number } {
    const largest = this.tags[MAXIMUM / 8];
    return { cycles: Number(largest >> 32n), instruction: Number((largest & LOW) ^ LOW) };
  }

  /** Address of an instruction of the window and the number of its producer (0 for none), from the ring. */
  logged(instruction: number): { readonly address: number; readonly producer: number } {
    const entry = this.tags[TAG_LOG / 8 + (instruction & (this.logEntries - 1))];
    return { address: Number(entry >> 32n), producer: Number(entry & LOW) };
  }

  apply(effects: ServiceEffects, address: number): void {
    const { tags } = this;
    let producer = 0n;
    for (const location of effects.sources) producer = larger(producer, tags[stepIndex64(location)]);
    for (const range of effects.loads)
      for (let byte = range.address; byte < range.address + range.length; byte++)
        producer = larger(producer, tags[SHADOW / 8 + byte]);
    // The instruction is already off the fuel.
    const number = BigInt(this.executed() - this.windowStart) & LOW;
    const tag = (((producer >> 32n) + 1n) << 32n) | number;
    tags[TAG_LOG / 8 + (Number(number) & (this.logEntries - 1))] =
      (BigInt(address) << 32n) | (producer & LOW);
    for (const range of effects.stores) {
      tags.fill(tag, SHADOW / 8 + range.address, SHADOW / 8 + range.address + range.length);
      for (let page = range.address >>> 12; page <= (range.address + range.length - 1) >>> 12; page++)
        this.guest.noteShadow(page);
    }
    for (const location of effects.destinations) tags[stepIndex64(location)] = tag;
    tags[MAXIMUM / 8] = larger(tags[MAXIMUM / 8], tag ^ LOW);
  }

  preparePage(page: number): void {
    this.guest.noteShadow(page);
  }

  addBytePage(): void {
    throw new Error('tags are kept for every byte');
  }

  forget(start: number, end: number): void {
    for (let page = start / PAGE_SIZE; page < end / PAGE_SIZE; page++)
      if (this.guest.hasShadow(page)) this.clearPage(page);
  }

  private clearPage(page: number): void {
    const first = SHADOW / 8 + page * PAGE_SIZE;
    this.tags.fill(0n, first, first + PAGE_SIZE);
  }
}

const larger = (a: bigint, b: bigint): bigint => (a > b ? a : b);
