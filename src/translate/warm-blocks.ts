import { does, type EngineLimits } from './limits.ts';

/** Which blocks control came to often enough for them to be part of a region. */
export class WarmBlocks {
  private readonly limits: EngineLimits;
  private readonly hasEntered: (address: number, times: number) => boolean;
  /** Slots in whose regions there is no room for all that is warm. */
  private readonly crowded = new Set<number>();
  /** Blocks of regions that an earlier run has made: they were warm then. */
  private readonly before = new Set<number>();

  /** `hasEntered` tells whether the interpreter entered the block at an address so often. */
  constructor(limits: EngineLimits, hasEntered: (address: number, times: number) => boolean) {
    this.limits = limits;
    this.hasEntered = hasEntered;
  }

  /** Of the slot's region. */
  isWarm(address: number, slot: number): boolean {
    if (!does(this.limits, 'warm blocks') || this.before.has(address)) return true;
    const { warmEntries, crowdedEntries } = this.limits;
    return this.hasEntered(address, this.isCrowded(slot) ? crowdedEntries : warmEntries);
  }

  isCrowded(slot: number): boolean {
    return this.crowded.has(slot);
  }

  /** The slot's region takes only what is entered most often from now on. */
  crowd(slot: number): void {
    this.crowded.add(slot);
  }

  /** An earlier run has found the block warm. */
  expect(address: number): void {
    this.before.add(address);
  }
}
