import { TAG_LOG_ENTRIES } from '../guest/layout.ts';

/** Sizes that decide how fast the engine is and how much it holds, never what it measures: tests set them to extremes. */
export interface EngineLimits {
  /** Most instructions that are interpreted as one block... */
  readonly blockInstructions: number;
  /**
   * ...and a block that is entered this often, by calls and backward jumps, is translated, because translating and
   * compiling an instruction costs as much as interpreting it a few thousand times...
   */
  readonly hotEntries: number;
  /** ...with what it can reach, up to this many instructions. */
  readonly hotInstructions: number;
  /** First slices are short, because V8 enters its optimised code only when a region is entered anew. */
  readonly firstSlice: number;
  readonly longestSlice: number;
  /** Bytes of the host's stack that nested guest calls may take: Node gives 984 KB, of which translating needs some. */
  readonly hostStack: number;
  /** A 32-bit lane whose steps have reached this is brought down between slices. */
  readonly rebaseFrom: number;
  /** Instructions before quiet pages are first looked for (see quiet-pages.ts); Infinity for never. */
  readonly firstSweep: number;
  /** One context's steps have come so close to 2^31 that they need 64 bits; a slice adds less than what is left. */
  readonly wideFrom: number;
  /** Cycle from which 64-bit lanes count: what means nothing but lets tests cross 2^32 soon. */
  readonly wideStart: number;
  /** End of the guest addresses that have steps of 16 bytes: a program that uses more is measured with 8 (see measure-plan.ts)... */
  readonly window: number;
  /** ...and so is one that writes single bytes to more pages than this. */
  readonly bytePages: number;
  /** Anonymous mappings of so many bytes are far (guest/far-memory.ts), for tests; else that depends on what is left. */
  readonly farFrom: number;
  /** Producers kept while a chain is looked for: a power of two, at most TAG_LOG_ENTRIES. */
  readonly logEntries: number;
  /** Most instructions that a chain is followed through: their numbers have 32 bits, and 0 and 1 are none. */
  readonly chainInstructions: number;
}

export const ENGINE_LIMITS: EngineLimits = {
  blockInstructions: 64,
  hotEntries: 4000,
  hotInstructions: 2000,
  firstSlice: 200_000,
  longestSlice: 2_000_000,
  hostStack: 640 * 1024,
  rebaseFrom: 0x4000_0000,
  firstSweep: 4_000_000,
  wideFrom: 0x7000_0000,
  wideStart: 0,
  window: 0x2000_0000,
  bytePages: 4096,
  farFrom: Infinity,
  logEntries: TAG_LOG_ENTRIES,
  chainInstructions: 0xffff_fffe,
};
