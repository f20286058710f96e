/** Small numbers from a seed: the same everywhere (mulberry32). */
export class Random {
  private state: number;

  constructor(seed: number) {
    this.state = seed >>> 0;
  }

  /** An integer from 0 up to, not including, `limit`. */
  below(limit: number): number {
    this.state = (this.state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(this.state ^ (this.state >>> 15), this.state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) % limit;
  }

  pick<T>(items: readonly T[]): T {
    return items[this.below(items.length)];
  }

  chance(oneIn: number): boolean {
    return this.below(oneIn) === 0;
  }
}
