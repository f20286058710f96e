import { describe, expect, it } from 'vitest';
import { entriesUntilHot, NEVER_HOT } from './hot-entries.ts';
import { ENGINE_LIMITS } from './limits.ts';

describe('entriesUntilHot', () => {
  const limits = {
    ...ENGINE_LIMITS,
    hotEntries: 8000,
    leastHotEntries: 2000,
    lateFrom: 1000,
    translationCost: 10,
  };

  it('is what it is at first until the run is late', () => {
    expect(entriesUntilHot(limits, 1, 0)).toBe(8000);
    expect(entriesUntilHot(limits, 1000, 0)).toBe(8000);
  });

  it('falls as the run lasts, to a floor', () => {
    expect(entriesUntilHot(limits, 2000, 0)).toBe(4000);
    expect(entriesUntilHot(limits, 3000, 0)).toBe(2667);
    expect(entriesUntilHot(limits, 1e12, 0)).toBe(2000);
  });

  it('stays high where much was translated', () => {
    expect(entriesUntilHot(limits, 3000, 200)).toBe(5334);
    expect(entriesUntilHot(limits, 3000, 5000)).toBe(8000);
  });

  it('never rises to the floor', () => {
    expect(entriesUntilHot({ ...limits, hotEntries: 3 }, 1e12, 0)).toBe(3);
  });

  it('leaves those alone who translate nothing', () => {
    expect(entriesUntilHot({ ...limits, hotEntries: NEVER_HOT }, 1e12, 0)).toBe(NEVER_HOT);
  });
});
