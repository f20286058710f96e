import { BYTE_PAGES, BYTE_SPLITS, GUEST_END, IN_CELLS, PAGE_SIZE } from '../../guest/layout.ts';
import { type GuestMemory, SHADOWED } from '../../guest/memory.ts';
import type { CodeStatistics } from '../../translate/cache.ts';
import type { Phase } from '../../translate/instruments.ts';

/** How the engine spent its effort on a run: for people who work on it, and for bench/. */
export interface EngineStatistics {
  readonly passes: readonly PassStatistics[];
}

export interface PassStatistics {
  /** What the pass measured, in words. */
  readonly what: string;
  readonly instructions: number;
  /** Of them. The rest was executed in regions. */
  readonly interpreted: number;
  /** What was decoded, translated and forgotten in this pass. */
  readonly code: CodeStatistics;
  /** How often things happened, by "group: what" (translate/instruments.ts). */
  readonly counts: Readonly<Record<string, number>>;
  /** Milliseconds; those of 'run' include counting. */
  readonly phases: Readonly<Partial<Record<Phase, number>>>;
  /** At the pass's end. */
  readonly memory: MemoryStatistics;
}

/** In pages of 4 KiB. */
export interface MemoryStatistics {
  readonly mapped: number;
  readonly touched: number;
  /** With steps, each of 16 KiB (with tags 32 KiB). */
  readonly shadow: number;
  /** With steps of single bytes. */
  readonly bytes: number;
  /** Of these, with a table of 64 KiB (translate/support/byte-cells.ts). */
  readonly tables: number;
}

export function memoryStatistics(guest: GuestMemory): MemoryStatistics {
  const [places, splits] = [BYTE_PAGES, BYTE_SPLITS].map(
    (table) => new Int32Array(guest.buffer, table, GUEST_END / PAGE_SIZE),
  );
  const found = { mapped: 0, touched: 0, shadow: 0, bytes: 0, tables: 0 };
  for (let page = 0; page < GUEST_END / PAGE_SIZE; page++) {
    if (guest.isMapped(page * PAGE_SIZE)) found.mapped++;
    if (guest.isTouched(page * PAGE_SIZE)) found.touched++;
    if (guest.has(page, SHADOWED)) found.shadow++;
    if (places[page] !== 0 || splits[page] !== 0) found.bytes++;
    if (places[page] !== 0 && (places[page] & IN_CELLS) === 0) found.tables++;
  }
  return found;
}

/** All caches' together, without what was there before. */
export function addedCode(
  now: readonly CodeStatistics[],
  before: CodeStatistics | undefined,
): CodeStatistics {
  const sum = { ...NO_CODE };
  const keys = Object.keys(sum) as (keyof CodeStatistics)[];
  for (const key of keys)
    sum[key] = now.reduce((total, counts) => total + counts[key], 0) - (before?.[key] ?? 0);
  return sum;
}

const NO_CODE = {
  interpreted: 0,
  blocks: 0,
  handlers: 0,
  regions: 0,
  regionInstructions: 0,
  anew: 0,
  forgotten: 0,
  restored: 0,
  regionBytes: 0,
  handlerBytes: 0,
};
