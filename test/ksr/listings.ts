import { readFileSync } from 'node:fs';
import type { Counts } from '../../src/analysis/macs/ksr/executions.ts';
import { readListing } from '../../src/ksr/listing.ts';
import { findLoops, type KsrLoop, type KsrLoops } from '../../src/ksr/loops.ts';
import { boundListing, type ListingBounds, type ListingLoop } from '../../src/pipeline/ksr.ts';

export function listing(name: string): string {
  return readFileSync(new URL(`listings/${name}`, import.meta.url), 'utf8');
}

export function loopsOf(name: string): KsrLoops & { readonly named: (label: string) => KsrLoop } {
  const found = findLoops(readListing(listing(name), name));
  return { ...found, named: (label) => found.loops.find((loop) => loop.label === label)! };
}

export async function boundsOf(
  name: string,
  counts?: Counts,
): Promise<ListingBounds & { readonly named: (label: string) => ListingLoop }> {
  const { bounds } = await boundListing(listing(name), name, counts === undefined ? {} : { counts });
  return { ...bounds, named: (label) => bounds.loops.find((loop) => loop.label === label)! };
}
