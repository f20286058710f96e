import { does, type EngineLimits } from '../limits.ts';
import type { CodePiece } from '../stored/stored-code.ts';

/** What is known of code. */
export interface WarmBlocksHost {
  /** Whether the interpreter entered the block at an address so often, of the code that is there now. */
  readonly hasEntered: (address: number, times: number) => boolean;
  /** Whether memory holds these bytes now. */
  readonly isSame: (piece: CodePiece) => boolean;
}

/** Which blocks control came to often enough for them to be part of a region. */
export class WarmBlocks {
  private readonly limits: EngineLimits;
  private readonly host: WarmBlocksHost;
  /** Slots in whose regions there is no room for all that is warm. */
  private readonly crowded = new Set<number>();
  /** By slot: what its region has. The interpreter does not see how often that is entered. */
  private readonly held = new Map<number, ReadonlySet<number>>();
  /** By slot: warm blocks that its region could not take in when it was made. */
  private readonly refused = new Map<number, ReadonlySet<number>>();
  /** By address, blocks of regions that an earlier run has made: they were warm then. */
  private readonly before = new Map<number, CodePiece>();

  constructor(limits: EngineLimits, host: WarmBlocksHost) {
    this.limits = limits;
    this.host = host;
  }

  /** Of the slot's region. */
  isWarm(address: number, slot: number): boolean {
    if (!does(this.limits, 'warm blocks')) return true;
    const known = this.before.get(address);
    if (known !== undefined && this.host.isSame(known)) return true;
    const { warmEntries, crowdedEntries } = this.limits;
    if (!this.isCrowded(slot)) return this.host.hasEntered(address, warmEntries);
    return this.held.get(slot)?.has(address) === true || this.host.hasEntered(address, crowdedEntries);
  }

  /** Whether the slot's region, made anew, may take in a block that it lacks. */
  isWanted(address: number, slot: number): boolean {
    return this.refused.get(slot)?.has(address) !== true && this.isWarm(address, slot);
  }

  /** A region was made of blocks at these addresses: made anew, it keeps them. Of the others that it could have gone on to, it refused those that are warm. */
  hold(slot: number, blocks: readonly number[], others: readonly number[] = []): void {
    const held = new Set(blocks);
    this.held.set(slot, held);
    this.refused.set(slot, new Set(others.filter((other) => !held.has(other) && this.isWarm(other, slot))));
  }

  isCrowded(slot: number): boolean {
    return this.crowded.has(slot);
  }

  /** The slot's region takes only what is entered most often from now on. */
  crowd(slot: number): void {
    this.crowded.add(slot);
  }

  /** An earlier run has found the block warm. */
  expect(block: CodePiece): void {
    this.before.set(block.start, block);
  }
}
