import { CHEAP_END, TAG_LOG_ENTRIES } from '../guest/layout.ts';
import { MOST_TAG_CYCLES } from './steps/tag-shape.ts';

/**
 * What the engine does for speed alone, in the order of the code's way through it. Tests leave each of them out, and all
 * pairs of them; the numbers stay the same.
 */
export const OPTIMISATIONS = [
  /** Only calls and backward jumps count a block's entries; else all do. */
  'cold entries',
  /** A return of interpreted code to interpreted code takes nothing of the host's stack. */
  'flat calls',
  /** What begins an interpreted block is done by the handler that leads there. */
  'heads in line',
  /** Where code and records are is remembered by address. */
  'address caches',
  /** Code that is interpreted is entered in one way, wherever indirect jumps lead to; else each address has its own. */
  'shared way in',
  /** Regions hold the blocks only that control comes to often. */
  'warm blocks',
  /** A region can be entered at its loops. */
  'loop entries',
  /** A region that is not reducible goes to where it would be, which begins another one. */
  'better roots',
  /** Regions hold the small functions that they call. */
  'calls in line',
  /** A region goes to where another large one can be entered, instead of holding the same code. */
  'one copy',
  /** Indirect jumps go where they went before by a table in their region. */
  'learned jumps',
  /** Blocks are lifted once, as long as their bytes are the same. */
  'lifted blocks',
  /** A value that is computed twice in a block is one node. */
  'shared nodes',
  /** In loops and lines of blocks the guest's state stays in locals; else it goes through memory from block to block. */
  'state in locals',
  /** What is overwritten before anybody reads it is neither computed nor kept. */
  'dead state',
  /** A step that MAXIMUM covers is overwritten without being folded into it. */
  'covered steps',
  /** Long expressions of steps are computed once. */
  'temporaries',
  /** Expressions of steps that differ by a constant are one and an addition. */
  'shared terms',
  /** The step that a location had at a block's beginning enters last into the one that it has at its end. */
  'carried last',
  /** The usual cases of memory's steps are in line. */
  'steps in line',
  /** Bytes that are stored one by one are told apart only where a lane measures something. */
  'idle lanes',
  /** Unaligned accesses have a short way through the support functions. */
  'short ways',
  /** Pages of which few bytes have steps of their own have them close together. */
  'byte cells',
  /** Pages of which single bytes are stored need not be looked up granule by granule. */
  'bytewise pages',
  /** In regions where unaligned accesses are frequent they are done in line. */
  'edges in line',
  /** Where accesses to far memory are frequent, its pages are looked up in line. */
  'far in line',
  /** Accesses of a block at constant distances are checked together. */
  'grouped accesses',
  /** Long contexts go on in 32 bits as long as what is old does not decide. */
  'forgotten steps',
  /** Loads do not look at the steps of pages that nothing is stored to... */
  'quiet pages',
  /** ...where they chase pointers; else all of them ask. */
  'asking chases',
  /** ...or where bytes have steps of their own, many of which are in pages that nothing is stored to. */
  'resting bytes',
  /** Where the host multiplies and adds with one rounding, so do regions. */
  'host fma',
  /** The usual cases of helpers are WebAssembly. */
  'helper cases',
  /** The usual cases of `rep movs` and `rep stos` are WebAssembly. */
  'repeated strings',
  /** Regions can be entered at the targets of their indirect jumps. */
  'entered targets',
  /** What a call opens is remembered. */
  'context caches',
  /** V8 is told which branches are unlikely. */
  'branch hints',
  /** Slices end without leaving generated code. */
  'slices in place',
  /** A region whose code turns out to be what it was is put back. */
  'kept regions',
] as const;
export type Optimisation = (typeof OPTIMISATIONS)[number];

/** Sizes that decide how fast the engine is and how much it holds, never what it measures: tests set them to extremes. */
export interface EngineLimits {
  /** Most instructions that are interpreted as one block... */
  readonly blockInstructions: number;
  /**
   * ...and a block that is entered this often, by calls and backward jumps, is translated, because translating and
   * compiling an instruction costs as much as interpreting it a few thousand times...
   */
  readonly hotEntries: number;
  /** ...or fewer (see hot-entries.ts), down to this, in a run that has executed so many instructions... */
  readonly leastHotEntries: number;
  readonly lateFrom: number;
  /** ...and more than so many for each that was translated: what translating and compiling one takes... */
  readonly translationCost: number;
  /** ...with what it can reach, up to this many instructions... */
  readonly hotInstructions: number;
  /**
   * ...or that make this many accesses to memory: V8's register allocation takes time that grows with their square, because each has a
   * call beside it (1.5 s for 1,500 additions to bytes of memory, 7.4 s and 1.1 GB for 3,000). Real programs had 900 at most...
   */
  readonly regionAccesses: number;
  /**
   * ...through blocks that were entered this often, in any way: rare ones stay with the interpreter, since the time that
   * V8 takes to compile a region grows faster than its size.
   */
  readonly warmEntries: number;
  /**
   * ...or, where those are more blocks than this, as in the loops of interpreters, so often. Of long straight code, such as a
   * hash's round, all blocks are entered as often as the loop goes round.
   */
  readonly mostWarmBlocks: number;
  readonly crowdedEntries: number;
  /** Most loops of a region at which it can be entered (see entries.ts). */
  readonly entries: number;
  /** A region of more instructions is not copied into others: they go where it can be entered. */
  readonly largeRegion: number;
  /** Regions of at most so many instructions get unaligned accesses in line together, if they are so few. */
  readonly smallRegion: number;
  readonly fewRegions: number;
  /** A function of fewer instructions is in line where it is called (see calls-in-line.ts); most instructions that this adds to a region. */
  readonly leafInstructions: number;
  readonly inLineInstructions: number;
  /** Where a call's targets are known when it is executed only: they are in line if they are at most so many. */
  readonly callTargets: number;
  /** A block goes on in the optimised region that an earlier run has left for it after so many entries (see stored-code.ts). */
  readonly storedEntries: number;
  /** A region is translated anew when it was left for blocks that it lacks this often, times its instructions. */
  readonly patience: number;
  /** Of so many times that regions are left for what they lack, the last one is told (see support/misses.ts). */
  readonly missesPerTelling: number;
  /** ...and half as often after so many times at which nothing was new. */
  readonly vainTellings: number;
  /**
   * A region is translated anew when there were accesses to so many unaligned words since another slice ended in a region, or to words
   * whose bytes have steps of their own, and that in so many more of the slices that ended in it than there were others: programs have phases.
   */
  readonly manyUnaligned: number;
  readonly unalignedSlices: number;
  /** A page has a table for the steps of all its bytes when so many of its granules have come to have steps of their bytes (see support/byte-cells.ts). */
  readonly byteCells: number;
  /** All bytes of a page get steps of their own when so many of its granules have come to have some (see support/byte-pages.ts). */
  readonly splitGranules: number;
  /** ...and this has come to so many pages before. */
  readonly bytewisePages: number;
  /**
   * Loads of bytes ask whether their page is quiet once so many quiet pages have steps of their bytes, in regions of at most so many instructions: in those
   * that are made then, and in those in which so many slices end.
   */
  readonly restingPages: number;
  readonly restingRegion: number;
  readonly restingSlices: number;
  /** Far pages are looked up in line, in regions that are made from then on, once a slice has accessed them so often. */
  readonly manyFar: number;
  /** First slices are short, because V8 enters its optimised code only when a region is entered anew. */
  readonly firstSlice: number;
  readonly longestSlice: number;
  /** Bytes of the host's stack that nested guest calls may take: Node gives 984 KB, of which translating needs some. */
  readonly hostStack: number;
  /** A 32-bit lane whose steps have come so far is brought down between slices... */
  readonly rebaseFrom: number;
  /** ...with the steps of the last so many cycles of its context, of which others are not told apart from then on. */
  readonly keptCycles: number;
  /** Instructions before quiet pages are first looked for (see quiet-pages.ts); Infinity for never. */
  readonly firstSweep: number;
  /** One context's steps have come so far that they need 64 bits; a slice adds less than what is left to 2^31. */
  readonly wideFrom: number;
  /** Cycle from which 64-bit lanes count: what means nothing but lets tests cross 2^32 soon. */
  readonly wideStart: number;
  /** End of the guest addresses that have steps of 16 bytes: a program that uses more is measured with 8 (see measure-plan.ts)... */
  readonly window: number;
  /** ...and so is one whose steps of single bytes take more than this many tables of 64 KiB... */
  readonly bytePages: number;
  /** ...once all its steps take more bytes than this. */
  readonly stepMemory: number;
  /** There are so many tables at most for steps of single bytes, for tests; else as many as there is room for. */
  readonly byteTables: number;
  /** Anonymous mappings of so many bytes are far (guest/far-memory.ts), for tests; else that depends on what is left. */
  readonly farFrom: number;
  /** Producers kept while a chain is looked for: a power of two, at most TAG_LOG_ENTRIES. */
  readonly logEntries: number;
  /** The ring that they are kept in has so many slots at least, a power of two: more than a slice has instructions. */
  readonly logSlots: number;
  /** Live values that a chain's early stretches may be known by, 8 bytes each (see emulator/chains/lineages.ts). */
  readonly lineageEntries: number;
  /** Most instructions that a chain is followed through: their numbers have 32 bits, and 0 and 1 are none. */
  readonly chainInstructions: number;
  /** Most cycles that a chain has where a slice begins (see translate/steps/tag-shape.ts). */
  readonly chainCycles: number;
  /** Optimisations that are left out. */
  readonly without: readonly Optimisation[];
}

/** Whether an optimisation is made. */
export const does = ({ without }: EngineLimits, optimisation: Optimisation): boolean =>
  !without.includes(optimisation);

export const ENGINE_LIMITS: EngineLimits = {
  blockInstructions: 64,
  hotEntries: 8000,
  leastHotEntries: 2000,
  lateFrom: 40_000_000,
  translationCost: 20_000,
  hotInstructions: 6000,
  regionAccesses: 1500,
  warmEntries: 32,
  mostWarmBlocks: 400,
  crowdedEntries: 2000,
  entries: 32,
  largeRegion: 400,
  smallRegion: 120,
  fewRegions: 32,
  leafInstructions: 48,
  inLineInstructions: 200,
  callTargets: 4,
  storedEntries: 100,
  patience: 50,
  missesPerTelling: 13,
  vainTellings: 500,
  manyUnaligned: 80_000,
  unalignedSlices: 4,
  byteCells: 256,
  splitGranules: 768,
  bytewisePages: 64,
  restingPages: 128,
  restingRegion: 1500,
  restingSlices: 4,
  manyFar: 4000,
  firstSlice: 200_000,
  longestSlice: 2_000_000,
  hostStack: 640 * 1024,
  rebaseFrom: 0x6800_0000,
  keptCycles: 0x2000_0000,
  firstSweep: 4_000_000,
  wideFrom: 0x7800_0000,
  wideStart: 0,
  window: CHEAP_END,
  bytePages: 4096,
  stepMemory: 672 * 2 ** 20,
  byteTables: Infinity,
  farFrom: Infinity,
  logEntries: TAG_LOG_ENTRIES,
  logSlots: 1 << 22,
  lineageEntries: 1 << 23,
  chainInstructions: 0xffff_fffe,
  chainCycles: MOST_TAG_CYCLES,
  without: [],
};
