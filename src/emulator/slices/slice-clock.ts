import { CLOCK, FUEL, TAG_CLOCK } from '../../guest/layout.ts';

/**
 * Where the guest is in its run, in instructions: the words of memory that generated code counts with. CLOCK is the count at
 * which the slice ends, FUEL what is left of it, at most once below 0; TAG_CLOCK is CLOCK as the measurement of tags counts.
 */
export class SliceClock {
  private readonly view: DataView;

  constructor(view: DataView) {
    this.view = view;
  }

  /** Instructions the guest has retired. */
  get executed(): number {
    return this.number(CLOCK) - this.number(FUEL);
  }

  /** Instructions left in the slice. */
  get left(): number {
    return this.number(FUEL);
  }

  /** The next slice has so many instructions. */
  start(instructions: number): void {
    const { executed } = this;
    this.view.setBigInt64(CLOCK, BigInt(executed + instructions), true);
    this.view.setBigInt64(FUEL, BigInt(instructions), true);
  }

  /** The slice ends so many instructions sooner. */
  spend(instructions: number): void {
    for (const word of [FUEL, CLOCK, TAG_CLOCK]) this.add(word, -instructions);
  }

  /** The slice is over. */
  end(): void {
    const { executed } = this;
    this.view.setBigInt64(CLOCK, BigInt(executed - 1), true);
    this.view.setBigInt64(FUEL, -1n, true);
  }

  /** So many instructions more have retired than were counted. */
  count(instructions: number): void {
    this.add(FUEL, -instructions);
  }

  /** What was left when an instruction began that did not retire. */
  goBackTo(left: bigint): void {
    this.view.setBigInt64(FUEL, left, true);
  }

  /** In halves: a big integer would have to be made of it first. */
  private number(word: number): number {
    return this.view.getUint32(word, true) + 0x1_0000_0000 * this.view.getInt32(word + 4, true);
  }

  private add(word: number, instructions: number): void {
    this.view.setBigInt64(word, this.view.getBigInt64(word, true) + BigInt(instructions), true);
  }
}
