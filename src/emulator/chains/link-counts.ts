import type { Address } from '../../base/brand.ts';
import type { ChainRecord } from '../../observation/observation.ts';
import type { Producers } from '../memory/producers.ts';

interface Links {
  count: number;
  /** The number of the first of them: chains go from smaller numbers to larger ones. */
  first: number;
}

/** The links of a chain, by the place of their instructions (translate/code-places.ts). They may be read in any order. */
export class LinkCounts {
  private readonly links = new Map<number, Links>();
  /** How many links were read. */
  total = 0;

  /** Reads links backwards from an instruction on, while they are after `floor`. Gives the one before them; 0 for none. */
  read(producers: Producers, from: number, floor: number): number {
    return producers.follow(from, floor, this.hear);
  }

  private readonly hear = (place: number, count: number, first: number): void => {
    this.total += count;
    const known = this.links.get(place);
    if (known === undefined) {
      this.links.set(place, { count, first });
      return;
    }
    known.count += count;
    known.first = Math.min(known.first, first);
  };

  /** Takes over those of another part. */
  add({ links }: LinkCounts): void {
    for (const [place, { count, first }] of links) this.hear(place, count, first);
  }

  clear(): void {
    this.links.clear();
    this.total = 0;
  }

  /** In the order in which the chain first comes to the addresses. */
  inOrder(addressOf: (place: number) => number): ChainRecord['links'] {
    return [...this.links]
      .sort(([, a], [, b]) => a.first - b.first)
      .map(([place, { count }]) => ({ address: addressOf(place) as Address, count }));
  }
}
