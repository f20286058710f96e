import { FAR_END } from '../guest/far-memory.ts';
import { CODE_CACHE_ENTRY } from '../guest/layout.ts';
import type { CodeEvents } from './code-events.ts';

/** A direct-mapped cache of what is at an address, which generated code looks up (see cached-lookup.ts). */
export class AddressCache {
  private readonly addresses: BigInt64Array;
  private readonly values: Int32Array;
  private readonly entries: number;

  /** Nothing is known: no entry holds an address that leads to it. All ones would lead to the last. */
  constructor(memory: ArrayBuffer, at: number, entries: number) {
    this.entries = entries;
    this.addresses = new BigInt64Array(memory, at, (entries * CODE_CACHE_ENTRY) / 8);
    this.values = new Int32Array(memory, at, (entries * CODE_CACHE_ENTRY) / 4);
    this.addresses.fill(-1n);
    this.addresses[this.addresses.length - CODE_CACHE_ENTRY / 8] = 0n;
  }

  set(address: number, value: number): void {
    const entry = address & (this.entries - 1);
    this.addresses[(CODE_CACHE_ENTRY / 8) * entry] = BigInt(address);
    this.values[(CODE_CACHE_ENTRY / 4) * entry + 2] = value;
  }
}

/** Where control goes, as a number. Faults where no program can have anything. */
export function codeAddress(address: bigint, events: Pick<CodeEvents, 'pageFault'>): number {
  if (address < 0n || address >= BigInt(FAR_END)) {
    events.pageFault(address, 0);
    throw new Error('a page fault returned');
  }
  return Number(address);
}
