import type { ServiceSite } from '../region-interface.ts';
import type { BlockLog } from './stored-blocks.ts';
import type { StoredCode, StoredRegion, StoredSlot } from './stored-code.ts';

/** Runs that may do without a region until it is let go. */
const LONGEST_UNUSED = 8;

/** The regions that an earlier run left, and those that this one leaves. */
export class StoredRegions {
  /** By slot: those that were not asked for so far. */
  private readonly waiting = new Map<number, StoredRegion>();
  private readonly used = new Map<number, StoredRegion>();

  constructor(before: StoredCode | undefined) {
    for (const region of before?.regions ?? [])
      for (const slot of region.slots) this.waiting.set(slot, region);
  }

  /** The region that was made for a slot, or can be entered through it. It is given once, whether it is used then or not. */
  take(slot: number): StoredRegion | undefined {
    const region = this.waiting.get(slot);
    for (const each of region?.slots ?? []) this.waiting.delete(each);
    return region;
  }

  /** The same, as long as nobody has taken it. */
  find(slot: number): StoredRegion | undefined {
    return this.waiting.get(slot);
  }

  /** A region is in use: in place of the one that its slot had before. */
  use(region: StoredRegion): void {
    this.used.set(region.slots[0], region);
  }

  /** What to leave for later runs. */
  leave(
    slots: readonly StoredSlot[],
    sites: readonly ServiceSite[],
    unsupported: readonly string[],
    tablesEnd: number,
    blocks: BlockLog,
  ): StoredCode {
    const unused = [...new Set(this.waiting.values())]
      .filter(({ slots: [own], unused }) => !this.used.has(own) && unused < LONGEST_UNUSED)
      .map((region) => ({ ...region, unused: region.unused + 1 }));
    const regions = [...this.used.values(), ...unused];
    const last = (number: (region: StoredRegion) => number) =>
      regions.reduce((most, region) => Math.max(most, number(region)), -1);
    return {
      slots: slots.slice(0, last(({ lastSlot }) => lastSlot) + 1),
      sites: sites.slice(
        0,
        Math.max(
          last(({ lastSite }) => lastSite),
          blocks.lastSite,
        ) + 1,
      ),
      unsupported: [...unsupported],
      tablesEnd,
      regions,
      blocks: blocks.words,
      newBlocks: blocks.newPart,
    };
  }
}
