import type { CodeStore, StoredCode, StoredRegion } from '../../emulator/ports.ts';

/** Programs whose code is kept. */
const MOST = 4;

/** Keeps code for the measurements that come later in this process: the same programs with other arguments, or for chains. */
export function memoryCodeStore(): CodeStore {
  const kept = new Map<string, StoredCode>();
  return {
    find: (key) => kept.get(key),
    keep: (key, { regions, ...others }) => {
      kept.delete(key);
      kept.set(key, { ...others, regions: regions.map(alone) });
      for (const [oldest] of kept) {
        if (kept.size <= MOST) break;
        kept.delete(oldest);
      }
    },
  };
}

/** The region without anything that would hold on to the memory of the measurement that made it. */
function alone(region: StoredRegion): StoredRegion {
  const { slots, size, lastSlot, lastSite, unused, code, bytes } = region;
  const record = region.record();
  const module = region.module();
  return {
    slots,
    size,
    lastSlot,
    lastSite,
    unused,
    code,
    bytes,
    record: () => record,
    module: () => module,
  };
}
