import { FAR_END } from '../guest/far-memory.ts';
import { CODE_CACHE_ENTRY, LARGE_CACHE_BITS } from '../guest/layout.ts';
import { wasUsed } from '../guest/used-places.ts';
import { LARGE_CACHE_FACTOR } from './cached-lookup.ts';
import type { CodeEvents } from './code-events.ts';

/**
 * A direct-mapped cache of what is at an address, which generated code looks up (see cached-lookup.ts). Beside the value there is a second one, 0 until
 * it is told.
 */
export class AddressCache {
  private readonly addresses: BigInt64Array;
  private readonly values: Int32Array;
  private readonly entries: number;

  /** Nothing is known: no entry holds an address that leads to it. Zero would lead to the first. */
  constructor(memory: ArrayBuffer, at: number, entries: number) {
    this.entries = entries;
    this.addresses = new BigInt64Array(memory, at, (entries * CODE_CACHE_ENTRY) / 8);
    this.values = new Int32Array(memory, at, (entries * CODE_CACHE_ENTRY) / 4);
    if (wasUsed(memory, at)) this.addresses.fill(0n);
    this.addresses[0] = -1n;
  }

  set(address: number, value: number): void {
    const entry = this.entryOf(address);
    this.addresses[(CODE_CACHE_ENTRY / 8) * entry] = BigInt(address);
    this.values.set([value, 0], (CODE_CACHE_ENTRY / 4) * entry + 2);
  }

  /** Changes the value, or the second one, of an address if it is there. */
  replace(address: number, value: number, which: 0 | 1 = 0): void {
    const entry = this.entryOf(address);
    if (this.addresses[(CODE_CACHE_ENTRY / 8) * entry] === BigInt(address))
      this.values[(CODE_CACHE_ENTRY / 4) * entry + 2 + which] = value;
  }

  private entryOf(address: number): number {
    return address & (this.entries - 1);
  }
}

/**
 * A second, larger cache of the same kind: a `switch` of 20,000 cases crowds the first one, and to ask JavaScript took a sixth of its time.
 * It holds complements of addresses, so that fresh memory is an empty cache and nobody pays for one that is not used.
 */
export class LargeAddressCache {
  readonly at: number;
  private readonly keys: BigInt64Array;
  private readonly values: Int32Array;

  constructor(memory: ArrayBuffer, at: number) {
    this.at = at;
    const count = 1 + (1 << LARGE_CACHE_BITS);
    this.keys = new BigInt64Array(memory, at, (count * CODE_CACHE_ENTRY) / 8);
    this.values = new Int32Array(memory, at, (count * CODE_CACHE_ENTRY) / 4);
    if (this.values[0] !== 0) this.keys.fill(0n);
    // The complement of this address is what empty entries hold, and nothing is there.
    this.keys[(CODE_CACHE_ENTRY / 8) * entryOf(-1)] = 1n;
  }

  set(address: number, value: number): void {
    const entry = entryOf(address);
    this.values[0] = 1;
    this.keys[(CODE_CACHE_ENTRY / 8) * entry] = ~BigInt(address);
    this.values.set([value, 0], (CODE_CACHE_ENTRY / 4) * entry + 2);
  }

  /** Changes the value, or the second one, of an address if it is there. */
  replace(address: number, value: number, which: 0 | 1 = 0): void {
    const entry = entryOf(address);
    if (this.keys[(CODE_CACHE_ENTRY / 8) * entry] === ~BigInt(address))
      this.values[(CODE_CACHE_ENTRY / 4) * entry + 2 + which] = value;
  }
}

/** The first one tells whether the cache was used. */
const entryOf = (address: number): number =>
  1 + (Math.imul(address, LARGE_CACHE_FACTOR) >>> (32 - LARGE_CACHE_BITS));

/** Where control goes, as a number. Faults where no program can have anything. */
export function codeAddress(address: bigint, events: Pick<CodeEvents, 'pageFault'>): number {
  if (address < 0n || address >= BigInt(FAR_END)) {
    events.pageFault(address, 0);
    throw new Error('a page fault returned');
  }
  return Number(address);
}
