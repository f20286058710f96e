import { UNTOLD_MISSES } from '../../guest/layout.ts';

interface TellingLimits {
  readonly missesPerTelling: number;
  readonly vainTellings: number;
}

/** Where nothing new is told, the next telling is put off up to so many times as long. */
const LONGEST = 32;

/**
 * How often JavaScript is told that regions are left for what they lack (support/misses.ts): the less often, the longer nothing was new. A
 * `switch` of 20,000 cases, too many for any region, was told of a quarter of a million times in 4 s, which took 0.5.
 */
export class Telling {
  private readonly untold: Int32Array;
  private readonly limits: TellingLimits;
  private vain = 0;
  private factor = 1;

  constructor(memory: ArrayBufferLike, limits: TellingLimits) {
    this.untold = new Int32Array(memory, UNTOLD_MISSES, 1);
    this.limits = limits;
  }

  /** A miss was told; gives how many it stands for. */
  hear(isNew: boolean): number {
    const { missesPerTelling, vainTellings } = this.limits;
    const told = this.factor * missesPerTelling;
    if (isNew) {
      this.vain = 0;
      this.factor = Math.max(1, this.factor / 2);
    } else if (++this.vain >= vainTellings && this.factor < LONGEST) {
      this.vain = 0;
      this.factor *= 2;
    }
    this.untold[0] = (1 - this.factor) * missesPerTelling;
    return told;
  }
}
