/** Random and edge-case operands for tests against the host processor: a seeded generator, so that a failure repeats. */
export class Random {
  private state: bigint;

  constructor(seed: number) {
    this.state = BigInt(seed) * 0x9e37_79b9_7f4a_7c15n + 1n;
  }

  /** 64 random bits (xorshift*). */
  bits(): bigint {
    let x = BigInt.asUintN(64, this.state);
    x ^= x >> 12n;
    x = BigInt.asUintN(64, x ^ (x << 25n));
    x ^= x >> 27n;
    this.state = x;
    return BigInt.asUintN(64, x * 0x2545_f491_4f6c_dd1dn);
  }

  below(limit: number): number {
    return Number((this.bits() >> 16n) % BigInt(limit));
  }

  pick<T>(items: readonly T[]): T {
    return items[this.below(items.length)];
  }
}

/** Where the operands below come from. */
export type Source = Pick<Random, 'bits' | 'below' | 'pick'>;

const SINGLES = [
  0, 0x8000_0000, 1, 0x8000_0001, 0x007f_ffff, 0x0080_0000, 0x3f80_0000, 0xbf80_0000, 0x3f00_0000,
  0x3fc0_0000, 0x4020_0000, 0x7f7f_ffff, 0x7f80_0000, 0xff80_0000, 0x7f80_0001, 0xffa5_0000, 0x7fc0_0000,
  0xffc0_0000, 0x7fd2_3456, 0x4eff_ffff, 0x4f00_0000, 0xcf00_0000, 0xcf00_0001, 0x5eff_ffff, 0x5f00_0000,
  0xdf00_0000, 0x4b7f_ffff, 0x3f7f_ffff, 0xcb00_0001,
].map(BigInt);

const DOUBLES = [
  0n,
  1n << 63n,
  1n,
  0x8000_0000_0000_0001n,
  0x000f_ffff_ffff_ffffn,
  0x0010_0000_0000_0000n,
  0x3ff0_0000_0000_0000n,
  0xbff0_0000_0000_0000n,
  0x3fe0_0000_0000_0000n,
  0x3ff8_0000_0000_0000n,
  0x4004_0000_0000_0000n,
  0x7fef_ffff_ffff_ffffn,
  0x7ff0_0000_0000_0000n,
  0xfff0_0000_0000_0000n,
  0x7ff0_0000_0000_0001n,
  0xfff4_0000_0000_0000n,
  0x7ff8_0000_0000_0000n,
  0xfff8_0000_0000_0000n,
  0x7ffa_1234_5678_9abcn,
  0x41df_ffff_ffc0_0000n,
  0x41df_ffff_ffe0_0000n,
  0x41e0_0000_0000_0000n,
  0xc1e0_0000_0000_0000n,
  0xc1e0_0000_0010_0000n,
  0xc1e0_0000_0020_0000n,
  0x43df_ffff_ffff_ffffn,
  0x43e0_0000_0000_0000n,
  0xc3e0_0000_0000_0000n,
  0x4330_0000_0000_0001n,
  0x432f_ffff_ffff_ffffn,
  0x47ef_ffff_e000_0000n,
  0x47ef_ffff_f000_0000n,
  0x36a0_0000_0000_0000n,
  0x3690_0000_0000_0000n,
  0x380f_ffff_ffff_ffffn,
  0x3ff0_0000_1000_0000n,
];

/** A single: an edge case, any bits, or a number of ordinary size. */
export function single(random: Source): bigint {
  const kind = random.below(4);
  if (kind < 2) return random.pick(SINGLES);
  const bits = random.bits() & 0xffff_ffffn;
  return kind === 2 ? bits : (bits & 0x807f_ffffn) | (BigInt(110 + random.below(35)) << 23n);
}

export function double(random: Source): bigint {
  const kind = random.below(4);
  if (kind < 2) return random.pick(DOUBLES);
  const bits = random.bits();
  return kind === 2 ? bits : (bits & 0x800f_ffff_ffff_ffffn) | (BigInt(990 + random.below(100)) << 52n);
}

/** 64 bits of small and large integer lanes. */
export function integers(random: Source): bigint {
  const kind = random.below(4);
  if (kind === 0) return random.bits();
  if (kind === 1) return BigInt(random.below(70));
  const lane = random.pick([8n, 16n, 32n, 64n]);
  let all = 0n;
  for (let at = 0n; at < 64n; at += lane) {
    const top = 1n << (lane - 1n);
    const value = random.pick([0n, 1n, -1n, top, top - 1n, top + 1n, random.bits()]);
    all |= BigInt.asUintN(Number(lane), value) << at;
  }
  return all;
}

const SIGNIFICANDS = [
  0n,
  1n,
  1n << 63n,
  (1n << 63n) + 1n,
  3n << 62n,
  (1n << 64n) - 1n,
  1n << 62n,
  (1n << 63n) - 1n,
  0xffff_ffff_ffff_f800n,
  0x8000_0000_0000_0400n,
  0x8000_0000_0000_0800n,
  0xa000_0000_0000_0000n,
  0xc000_0000_0000_0001n,
  0x8000_0080_0000_0000n,
  0xffff_ffff_ffff_fc00n,
  0xffff_ff00_0000_0000n,
];

/** Exponents at the edges of the formats, relative to the bias 16383. */
const EXPONENTS = [
  -16383, -16382, -16381, -1075, -1074, -1023, -1022, -150, -149, -127, -126, -1, 0, 1, 2, 15, 16, 31, 32, 52,
  53, 62, 63, 64, 65, 127, 128, 1023, 1024, 16383, 16384,
];

/** An 80-bit number, near `exponent` where one is given: numbers, NaNs, infinities, denormals, and formats that are none. */
export function extended(random: Source, exponent?: number): { significand: bigint; head: number } {
  const kind = random.below(10);
  const near = (exponent ?? 16383) - 40 + random.below(80);
  const biased = kind < 3 ? 16383 + random.pick(EXPONENTS) : kind < 5 ? random.below(0x8000) : near;
  let significand = random.below(3) === 0 ? random.pick(SIGNIFICANDS) : random.bits();
  if (random.below(3) === 0) significand &= ~((1n << BigInt(random.below(64))) - 1n);
  const clamped = Math.max(0, Math.min(0x7fff, biased));
  if (clamped > 0 && random.below(12) > 0) significand |= 1n << 63n;
  return { significand, head: clamped | (random.below(2) << 15) };
}
