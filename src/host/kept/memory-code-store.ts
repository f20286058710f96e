import type { CodeStore, StoredCode, StoredRegion } from '../../emulator/ports.ts';

/** Commands and programs whose code is kept. */
const MOST = 8;

/** Keeps code for the measurements that come later in this process: the same programs with other arguments, or for chains. */
export function memoryCodeStore(): CodeStore {
  const kept = new Map<string, StoredCode>();
  const notes = new Map<string, readonly string[]>();
  return {
    findNotes: (command) => notes.get(command) ?? [],
    keepNotes: (command, words) => {
      notes.set(command, words);
    },
    find: ({ command, program }) => kept.get(command) ?? kept.get(program),
    keep: ({ command, program }, { regions, blocks, ...others }) => {
      const all = blocks();
      const code = { ...others, blocks: () => all, regions: regions.map(alone) };
      for (const key of [command, program]) {
        kept.delete(key);
        kept.set(key, code);
      }
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
    isOptimised: true,
    record: () => record,
    module: () => module,
  };
}
