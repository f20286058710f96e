/** Numbers that are the same on every machine: xorshift32 (Marsaglia, "Xorshift RNGs", 2003, triple 13, 17, 5). */
export interface Random {
  /** An integer from 0 to below - 1. */
  below(below: number): number;
}

export function randomFrom(seed: number): Random {
  let state = seed >>> 0 || 1;
  return {
    below(below) {
      state ^= state << 13;
      state ^= state >>> 17;
      state ^= state << 5;
      return (state >>> 0) % below;
    },
  };
}
