import type { EngineLimits } from '../../src/translate/limits.ts';

/** Regions soon, and of all that they can reach. */
export const HOT: Partial<EngineLimits> = {
  hotEntries: 3,
  warmEntries: 1,
  storedEntries: 1,
  patience: 1,
  missesPerTelling: 1,
};
