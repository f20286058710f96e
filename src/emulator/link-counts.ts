import type { Address } from '../base/brand.ts';
import type { ChainRecord } from '../observation/observation.ts';
import type { TagsLedger } from './tags-ledger.ts';

interface Count {
  count: number;
  /** The first instruction of the chain that is there: chains go from smaller numbers to larger ones. */
  first: number;
}

/** The links of a chain, by the address of their instructions. They may be read in any order. */
export class LinkCounts {
  private readonly counts = new Map<Address, Count>();
  /** How many links were read. */
  total = 0;

  /** Reads links backwards from an instruction on, while they are after `floor`. Gives the one before them; 0 for none. */
  read(tags: TagsLedger, from: number, floor: number): number {
    const byPlace = new Map<number, Count>();
    let next = from;
    for (; next > floor; next = tags.producerOf(next)) {
      const place = tags.placeOf(next);
      let known = byPlace.get(place);
      if (known === undefined) {
        known = this.countAt(tags.addressOf(place) as Address);
        byPlace.set(place, known);
      }
      known.count++;
      if (next < known.first) known.first = next;
      this.total++;
    }
    return next;
  }

  private countAt(address: Address): Count {
    let known = this.counts.get(address);
    if (known === undefined) {
      known = { count: 0, first: Infinity };
      this.counts.set(address, known);
    }
    return known;
  }

  /** In the order in which the chain first comes to the addresses. */
  inOrder(): ChainRecord['links'] {
    const links = [...this.counts].sort((a, b) => a[1].first - b[1].first);
    return links.map(([address, { count }]) => ({ address, count }));
  }
}
