import type { Address } from '../base/brand.ts';
import type { ChainRecord } from '../observation/observation.ts';
import type { TagsLedger } from './tags-ledger.ts';

/** How many places are found without a map. A power of two. */
const RECENT = 1 << 14;
const NONE = -1;

/** The links of a chain, by the address of their instructions. They may be read in any order. */
export class LinkCounts {
  /** Addresses by index, and the other way round. */
  private readonly addresses: Address[] = [];
  private readonly indices = new Map<Address, number>();
  /** By index: links there, and the first of them: chains go from smaller numbers to larger ones. */
  private readonly counts: number[] = [];
  private readonly firsts: number[] = [];
  /** Places by their low bits, and their indices, for a chain comes to few places again and again. */
  private readonly places = new Int32Array(RECENT);
  private readonly recent = new Int32Array(RECENT).fill(NONE);
  /** How many links were read. */
  total = 0;

  /** Reads links backwards from an instruction on, while they are after `floor`. Gives the one before them; 0 for none. */
  read(tags: TagsLedger, from: number, floor: number): number {
    const { counts, firsts } = this;
    let next = from;
    let read = 0;
    for (; next > floor; next = tags.producerOf(next)) {
      const index = this.indexOf(tags.placeOf(next), tags);
      counts[index]++;
      if (next < firsts[index]) firsts[index] = next;
      read++;
    }
    this.total += read;
    return next;
  }

  private indexOf(place: number, tags: TagsLedger): number {
    const at = place & (RECENT - 1);
    const recent = this.recent[at];
    if (recent !== NONE && this.places[at] === place) return recent;
    const index = this.indexAt(tags.addressOf(place) as Address);
    this.places[at] = place;
    this.recent[at] = index;
    return index;
  }

  private indexAt(address: Address): number {
    const known = this.indices.get(address);
    if (known !== undefined) return known;
    const index = this.addresses.push(address) - 1;
    this.indices.set(address, index);
    this.counts.push(0);
    this.firsts.push(Number.POSITIVE_INFINITY);
    return index;
  }

  /** In the order in which the chain first comes to the addresses. */
  inOrder(): ChainRecord['links'] {
    const { addresses, counts, firsts } = this;
    return addresses
      .map((address, index) => ({ address, count: counts[index], first: firsts[index] }))
      .sort((a, b) => a.first - b.first)
      .map(({ address, count }) => ({ address, count }));
  }
}
