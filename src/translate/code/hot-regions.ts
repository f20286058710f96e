import { does, type EngineLimits } from '../limits.ts';
import type { InstalledRegions } from './installed.ts';
import type { Slots } from './slots.ts';
import type { Telling } from './telling.ts';

/**
 * For all small regions so many times as many slices are to have many unaligned accesses as for one region: sort and zstd have phases with as many as for one, and
 * making 21 regions anew for such a phase took 8 % of sort's first run.
 */
const LASTING = 3;

interface HotRegion {
  /** Slices that ended in it. */
  slices: number;
  /** Ways out to blocks that it lacks, taken since it was translated... */
  misses: number;
  /** ...of which some were new: it is translated anew once there are `patience` of them. */
  hasNews: boolean;
  patience: number;
  /** By how many more slices ended in it with many unaligned accesses than with few, 0 at least; and whether these are in line for it. */
  unalignedSlices: number;
  isUnaligned: boolean;
  /** Whether bytes of bytewise pages are (support/byte-pages.ts). */
  isBytewise: boolean;
  /** Slices that ended in it since many bytes have been resting, and whether its loads of bytes ask whether their page is quiet. */
  restingSlices: number;
  asksForBytes: boolean;
  /** Instructions. */
  size: number;
  /** There is no room for more in it. */
  isFull: boolean;
}

interface MadeRegion {
  /** Instructions. */
  readonly size: number;
  /** A limit has cut it off. */
  readonly isFull: boolean;
  /** Unaligned accesses are in line for it. */
  readonly isUnaligned: boolean;
  /** All its loads of bytes ask whether their page is quiet. */
  readonly asksForBytes: boolean;
}

/** Which regions there are, what they hold, and when one is worth translating anew. */
export class HotRegions {
  private readonly slots: Slots;
  private readonly installed: InstalledRegions;
  private readonly limits: EngineLimits;
  private readonly telling: Telling;
  private readonly translate: (slot: number) => void;
  private readonly postpones: () => boolean;
  private readonly postponed = new Set<number>();
  /** By slot. */
  private readonly regions = new Map<number, HotRegion>();
  /** By address of a block: the whole region that holds it, and the region that was left for it last. */
  private readonly holders = new Map<number, number>();
  private readonly lackedBy = new Map<number, number>();
  /** By address: the region that is entered there, by its slot, and how many instructions it has. */
  private readonly waysIn = new Map<number, { readonly region: number; readonly size: number }>();
  /** Whether unaligned accesses are in line for all small regions; undefined until it is decided. */
  private areSmallUnaligned: boolean | undefined;
  /** How many were translated anew. */
  renewed = 0;

  constructor(
    slots: Slots,
    installed: InstalledRegions,
    limits: EngineLimits,
    telling: Telling,
    translate: (slot: number) => void,
    /** Whether a region that is left is made anew later. */
    postpones: () => boolean,
  ) {
    this.slots = slots;
    this.installed = installed;
    this.limits = limits;
    this.telling = telling;
    this.translate = translate;
    this.postpones = postpones;
  }

  has(slot: number): boolean {
    return this.regions.has(slot);
  }

  /** There is a region for a slot, of blocks at these addresses, and it can be entered through others as well. */
  add(
    slot: number,
    blocks: readonly number[],
    entries: readonly number[],
    { size, isFull, isUnaligned, asksForBytes }: MadeRegion,
  ): void {
    const { limits, slots } = this;
    const known = this.regions.get(slot);
    const patience = Math.max(limits.patience * size, 2 * (known?.patience ?? 0));
    if (known === undefined)
      this.regions.set(slot, {
        slices: 0,
        misses: 0,
        hasNews: false,
        patience,
        unalignedSlices: 0,
        isUnaligned,
        isBytewise: false,
        restingSlices: 0,
        asksForBytes,
        size,
        isFull,
      });
    else Object.assign(known, { patience, size, isFull, asksForBytes });
    // In one that is cut off, the next loop may be far away.
    if (!isFull) for (const address of blocks) this.holders.set(address, slot);
    for (const entry of [slot, ...entries]) this.waysIn.set(slots.addressOf(entry), { region: slot, size });
  }

  /** A region was left for a block that it lacks, the last of several times. */
  noteLack(slot: number, target: number, isNew: boolean): void {
    if (this.regions.get(slot)?.isFull === false) this.lackedBy.set(target, slot);
    this.noteMisses(slot, isNew);
  }

  /** A hot region that keeps being left for code it does not hold is translated anew, with what is known by now. */
  noteMisses(slot: number, isNew: boolean): void {
    const region = this.regions.get(slot);
    const takesMore = region?.isFull === false;
    const misses = this.telling.hear(isNew && takesMore);
    if (!takesMore) return;
    region.misses += misses;
    region.hasNews ||= isNew;
    if (!region.hasNews || region.misses < region.patience) return;
    if (this.postpones()) this.postponed.add(slot);
    else this.renew(slot, region);
  }

  /** Of a region of so many instructions. */
  isUnaligned(slot: number, size: number): boolean {
    return (
      this.regions.get(slot)?.isUnaligned === true ||
      (this.areSmallUnaligned === true && size <= this.limits.smallRegion)
    );
  }

  isBytewise(slot: number): boolean {
    return this.regions.get(slot)?.isBytewise === true;
  }

  asksForBytes(slot: number): boolean {
    return this.regions.get(slot)?.asksForBytes === true;
  }

  /** Whether loads of bytes may ask in a region of so many instructions. */
  mayAskForBytes(size: number): boolean {
    return does(this.limits, 'resting bytes') && size <= this.limits.restingRegion;
  }

  /** A slice ends in the region, while many bytes with steps of their own are in quiet pages. */
  noteResting(slot: number): void {
    const region = this.regions.get(slot);
    if (region === undefined || region.asksForBytes || !this.mayAskForBytes(region.size)) return;
    if (++region.restingSlices < this.limits.restingSlices) return;
    region.restingSlices = 0;
    this.renewSoon(slot, region);
  }

  /** A slice ends in the region, with many unaligned accesses or few. */
  noteUnaligned(slot: number, areMany: boolean, areBytewise: boolean): void {
    const region = this.regions.get(slot);
    // In a large one, code that is longer costs more than it saves.
    if (region === undefined || region.size > this.limits.largeRegion) return;
    const isDone = region.isUnaligned && (region.isBytewise || !areBytewise);
    if (isDone && this.areSmallUnaligned !== undefined) return;
    region.unalignedSlices = Math.max(0, region.unalignedSlices + (areMany ? 1 : -1));
    if (region.unalignedSlices < this.limits.unalignedSlices * (isDone ? LASTING : 1)) return;
    region.unalignedSlices = 0;
    if (isDone) return this.decideOnSmall();
    region.isUnaligned = true;
    region.isBytewise = areBytewise;
    this.renewSoon(slot, region);
  }

  /** Slices end in loops. What these call may have the accesses, such as a copy of a few bytes: which of it is not known. */
  private decideOnSmall(): void {
    const { fewRegions, smallRegion } = this.limits;
    const small = [...this.regions].filter(
      ([, { size, isUnaligned }]) => size <= smallRegion && !isUnaligned,
    );
    this.areSmallUnaligned = small.length <= fewRegions;
    if (!this.areSmallUnaligned) return;
    for (const [slot, region] of small) {
      region.isUnaligned = true;
      this.renewSoon(slot, region);
    }
  }

  private renewSoon(slot: number, region: HotRegion): void {
    // The new code is to be optimised as soon as the old one was.
    region.slices = 0;
    if (this.postpones()) this.postponed.add(slot);
    else this.renew(slot, region);
  }

  renewPostponed(): void {
    for (const slot of this.postponed) this.renew(slot, this.regions.get(slot)!);
    this.postponed.clear();
  }

  private renew(slot: number, region: HotRegion): void {
    this.translate(slot);
    this.renewed++;
    region.misses = 0;
    region.hasNews = false;
  }

  /**
   * A block has become hot. When a region was left for it, that region takes it in: one of its own would be another copy
   * of most of the function. Not at once, because V8 takes long to compile a large one again.
   */
  takeIn(address: number): boolean {
    const slot = this.lackedBy.get(address);
    if (slot === undefined) return false;
    const region = this.regions.get(slot);
    if (region === undefined || !this.installed.holds(slot)) return false;
    if (region.misses < region.patience / 4) return true;
    this.lackedBy.delete(address);
    this.renew(slot, region);
    return true;
  }

  /**
   * Whether another large region can be entered there. A region that begins elsewhere in the same function goes there
   * instead of being another copy of it: seven copies of sqlite3's bytecode loop were three quarters of all that was compiled.
   */
  isWayIntoAnother(address: number, slot: number): boolean {
    const way = this.waysIn.get(address);
    return (
      does(this.limits, 'one copy') &&
      way !== undefined &&
      way.region !== slot &&
      way.size > this.limits.largeRegion &&
      this.isEntered(address)
    );
  }

  /** Whether a region holds the block: whoever comes to it is soon in that region's next loop, or has left the function. */
  isHeld(address: number): boolean {
    const slot = this.holders.get(address);
    if (slot === undefined || this.slots.addressOf(slot) === address || !this.installed.holds(slot))
      return false;
    // Not where it can be entered: then it is, at once.
    return !this.isEntered(address);
  }

  private isEntered(address: number): boolean {
    const slot = this.slots.find(address);
    return slot !== undefined && this.installed.holds(slot);
  }

  /**
   * V8 enters a function's optimised code only when the function is entered anew, so a region leaves at the end of its
   * first slice, its second, fourth, eighth: sooner or later the optimised code is there.
   */
  isToLeave(slot: number): boolean {
    const region = this.regions.get(slot);
    if (region === undefined) return false;
    region.slices++;
    return (region.slices & (region.slices - 1)) === 0;
  }
}
