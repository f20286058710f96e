/** A seeded generator (mulberry32): a failing case is found again from the seed that the failure prints. */
export class Random {
  private state: number;

  constructor(seed: number) {
    this.state = seed >>> 0;
  }

  u32(): number {
    this.state = (this.state + 0x6d2b79f5) | 0;
    let t = Math.imul(this.state ^ (this.state >>> 15), 1 | this.state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return (t ^ (t >>> 14)) >>> 0;
  }

  /** 0 to n - 1. */
  below(n: number): number {
    return this.u32() % n;
  }

  chance(percent: number): boolean {
    return this.below(100) < percent;
  }

  pick<T>(values: readonly T[]): T {
    return values[this.below(values.length)];
  }

  /** 64 of them. */
  bits(): bigint {
    return (BigInt(this.u32()) << 32n) | BigInt(this.u32());
  }

  /** Half of them near a boundary of some operand size, where carries, signs and overflows happen. */
  operand(): bigint {
    if (this.chance(50)) return this.bits();
    const edge = this.pick(EDGES) + BigInt(this.below(3) - 1);
    const high = this.chance(50) ? 0n : this.bits() << this.pick([8n, 16n, 32n]);
    return BigInt.asUintN(64, edge ^ high);
  }

  bytes(length: number): Uint8Array {
    return Uint8Array.from({ length }, () => this.u32());
  }
}

const EDGES = [0n, 0x80n, 0x100n, 0x8000n, 0x1_0000n, 0x8000_0000n, 0x1_0000_0000n, 1n << 63n];
