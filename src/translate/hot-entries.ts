import type { EngineLimits } from './limits.ts';

/** As EngineLimits.hotEntries: everything stays with the interpreter. */
export const NEVER_HOT = 0x7fff_ffff;

/**
 * Entries by which a block is hot, when so many instructions were executed, and so many translated, so far: fewer once a run has
 * lasted, for it will probably last as long again, unless translating took its time. In host instructions of the main thread jq takes 7 to 9 %
 * less by it, lua 3 to 5, sqlite3 1 to 2. cc1, whose profile is flat, would take half as many again of both cores without the second
 * condition; short runs would take a fifth longer without the first.
 */
export function entriesUntilHot(limits: EngineLimits, executed: number, translated: number): number {
  const { hotEntries, leastHotEntries, lateFrom, translationCost } = limits;
  if (hotEntries === NEVER_HOT) return hotEntries;
  const share = Math.min(1, Math.max(lateFrom, translated * translationCost) / executed);
  return Math.max(Math.min(hotEntries, leastHotEntries), Math.ceil(hotEntries * share));
}
