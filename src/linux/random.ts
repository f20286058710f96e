import type { System } from './system.ts';

export const RANDOM_SEED = 0x1f0a_9c3d;

/** The guest's randomness: Marsaglia's xorshift32 from a fixed seed, the low byte of each step. */
export function randomBytes(system: System, length: number): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(length);
  let state = system.state.shared.random;
  for (let at = 0; at < length; at++) {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    bytes[at] = state;
  }
  system.state.shared.random = state;
  return bytes;
}
