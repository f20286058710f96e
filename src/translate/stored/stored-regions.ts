import type { BlockLog } from '../interpreter/stored-blocks.ts';
import { NO_HANDLERS, type StoredHandlers } from '../interpreter/stored-handlers.ts';
import type { ServiceSite } from '../region-interface.ts';
import type { StoredCode, StoredRegion, StoredSlot } from './stored-code.ts';

/** Runs that may do without a region until it is let go. */
const LONGEST_UNUSED = 8;

/**
 * Numbers of what is let go are not used again, so that slots and tables of a program that is built anew again and again would become ever
 * more: where so many regions were made for each that is left, the next run begins without any. Each run that makes handlers leaves them in one
 * more module.
 */
const MOST_MADE = 4;
const ALWAYS_MADE = 100;
const MOST_MODULES = 32;

const NOTHING: StoredCode = {
  slots: [],
  sites: [],
  unsupported: [],
  tablesEnd: 0,
  regions: [],
  made: 0,
  handlers: NO_HANDLERS,
  blocks: () => new Int32Array(),
  newBlocks: 1,
};

/** The regions that an earlier run left, and those that this one leaves. */
export class StoredRegions {
  /** By slot: those that were not asked for so far. */
  private readonly waiting = new Map<number, StoredRegion>();
  private readonly used = new Map<number, StoredRegion>();
  private made: number;

  constructor(before: StoredCode | undefined) {
    this.made = before?.made ?? 0;
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

  /** A region of an earlier run is in use. */
  use(region: StoredRegion): void {
    this.used.set(region.slots[0], region);
  }

  /** A region was made, in place of the one that its slot had before; undefined where no other run can use it. */
  add(slot: number, region: StoredRegion | undefined): void {
    this.made++;
    if (region === undefined) this.used.delete(slot);
    else this.used.set(slot, region);
  }

  /** What to leave for later runs. */
  leave(
    slots: readonly StoredSlot[],
    sites: readonly ServiceSite[],
    unsupported: readonly string[],
    tablesEnd: number,
    handlers: StoredHandlers,
    blocks: BlockLog,
  ): StoredCode {
    const unused = [...new Set(this.waiting.values())]
      .filter(({ slots: [own], unused }) => !this.used.has(own) && unused < LONGEST_UNUSED)
      .map((region) => ({ ...region, unused: region.unused + 1 }));
    const regions = [...this.used.values(), ...unused];
    if (this.made > MOST_MADE * regions.length + ALWAYS_MADE) return NOTHING;
    if (handlers.modules.length > MOST_MODULES) return NOTHING;
    const last = (number: (region: StoredRegion) => number) =>
      regions.reduce((most, region) => Math.max(most, number(region)), -1);
    return {
      slots: slots.slice(
        0,
        Math.max(
          last(({ lastSlot }) => lastSlot),
          handlers.lastSlot,
        ) + 1,
      ),
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
      made: this.made,
      handlers,
      blocks: () => blocks.words(),
      newBlocks: blocks.newPart,
    };
  }
}
