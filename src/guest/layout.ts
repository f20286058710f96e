/**
 * Where everything is in the one WebAssembly memory of a run. Guest addresses are memory offsets: a guest access is one
 * range check and one load. Below FIRST_GUEST_ADDRESS, where no Linux program may map anything (vm.mmap_min_addr), lives
 * the state that generated code shares with us.
 */
export const PAGE_SIZE = 4096;

/** First address a guest can map, and the end of the state area. */
export const FIRST_GUEST_ADDRESS = 0x1_0000;
/**
 * End of the guest addresses that are memory offsets. With shadow memory of two bytes a byte they fill the 4 GiB, but for
 * tables and some room for bytes with steps of their own.
 */
export const GUEST_END = 0x4c00_0000;

// What generated code stores all the time differs in the low 12 bits of its addresses from what it loads all the time: by these bits processors
// decide first whether a load has to wait for a store. A register's value, its step and a word of control with the same
// bits cost fib 10 times as many conflicts (AMD's PMCx024) and 2 to 4 % of its cycles, perl 6 times as many.

/** 16 bytes a state variable, by VarId. */
export const VALUES = 0x1000;
/** 16 bytes a location: its step. */
export const STEPS = 0x2540;
/** Words shared with generated code. */
export const CONTROL = 0x3980;
/** i64: instructions left in this slice, at the last event. */
export const FUEL = CONTROL;
/** i64: return slot of the innermost open context: a return that leaves rsp above it closes the context (rule 9). */
export const CONTEXT_SLOT = CONTROL + 8;
/** i32: not 0 while a call would open a context. */
export const CONTEXT_OPENS = CONTROL + 16;
/** i32: bytes of the host's stack that nested guest calls may still take. */
export const HOST_STACK = CONTROL + 20;
/** 16 bytes: the largest cycle so far that no location's step tells (see translate/measures/symbolic-steps.ts). */
export const MAXIMUM = CONTROL + 32;
/** 16 bytes: what counts as cycle 0 in each measured context (its floor). */
export const FLOOR = CONTROL + 48;

/** i64: instruction number of the chain's window when FUEL is 0 (see translate/measures/tags.ts). */
export const TAG_CLOCK = CONTROL + 64;

// Contexts, as translate/contexts/functions.ts opens and closes them.

/** i64: instructions executed when FUEL is 0. */
export const CLOCK = CONTROL + 72;
/** i32: frame of the innermost open context. */
export const CONTEXT_TOP = CONTROL + 80;
/** i32: deepest calls of the tree that are contexts; -1 for all. */
export const CONTEXT_LIMIT = CONTROL + 84;
/** i32: depth of the running thread's contexts that lane 0 measures; NO_DEPTH when no lane measures any. */
export const CONTEXT_FIRST_DEPTH = CONTROL + 88;
/** i32: depth of the deepest context so far. */
export const CONTEXT_DEEPEST = CONTROL + 92;
/** i64: return slot of a call that went into a linkage stub and has not reached its function yet, else 0. */
export const CONTEXT_LINKING = CONTROL + 96;
/** i32: where the next closed call is noted. */
export const CONTEXT_LOG_END = CONTROL + 104;
/** i32: where the next call in line that ends is noted. */
export const LEAF_LOG_END = CONTROL + 108;
/** 16 bytes: with the instructions executed added, no step of the lane lies above (modulo the lane's size). */
export const LANE_BOUNDS = CONTROL + 112;
/** 16 bytes: the largest step in each lane, while a context is closing. */
export const LARGEST_STEP = CONTROL + 128;
/** i64: instructions executed when the call begins whose chain is sought, and when it ends; -1 for none. */
export const WINDOW_START = CONTROL + 144;
export const WINDOW_END = CONTROL + 152;
/** i32: end of the stack of flat calls, and where the present part of it begins (see translate/interpreter/support.ts). */
export const FLAT_CALLS_END = CONTROL + 160;
export const FLAT_CALLS_BASE = CONTROL + 164;
/** i32: number of the entry at which a region is about to be entered, else 0 (see translate/regions/entries.ts). */
export const ENTRY = CONTROL + 172;
/** i64: where an indirect jump or call goes that leaves its region, or a region is entered whose entry is the table of its jump targets. */
export const ENTRY_TARGET = CONTROL + 192;
/**
 * i32: words, unaligned or with steps of their bytes, whose accesses came to translate/support/edges.ts, by 8 bytes, since a region
 * last asked.
 */
export const UNALIGNED = CONTROL + 176;
/** i32: not 0 where a step of a location other than a general register may exceed MAXIMUM (see translate/contexts/meters.ts). */
export const RARE_STEPS = CONTROL + 180;
/** i32: how often a region was left for code that it lacks, since that was last told (see translate/support/misses.ts). */
export const UNTOLD_MISSES = CONTROL + 184;
/** i32: how often the support functions looked up where a far page is. */
export const FAR_ACCESSES = CONTROL + 188;

// Signals (emulator/threads/signals.ts).

/** 16 bytes: the step of the last retired instruction, where LAST_EXECUTED says that it is known. */
export const LAST_STEP = CONTROL + 0x400;
/** i64: instructions executed when LAST_STEP was noted. */
export const LAST_EXECUTED = CONTROL + 0x410;
/** i32: address of the instruction that LAST_STEP is of. */
export const LAST_ADDRESS = CONTROL + 0x440;
/** i32: address of an instruction that is executed by itself, until it retires, else 0; i64: FUEL before it. */
export const PRECISE_ADDRESS = CONTROL + 0x444;
export const PRECISE_FUEL = CONTROL + 0x448;
/**
 * i64: where rsp is on the present stack for sure (emulator/contexts/stacks.ts): from the one on whatever it was before, never
 * above the other.
 */
export const STACK_LOW = CONTROL + 0x418;
export const STACK_HIGH = CONTROL + 0x420;
/** i64: rsp where the innermost handler was entered. */
export const HANDLER_SLOT = CONTROL + 0x428;

// Threads. A program with one has no use for these words, but for CONTEXT_ELSEWHERE, which is 0.

/** 16 bytes: in each lane ones where an instruction of the running thread costs a cycle, zeros where it costs none (rule 9). */
export const LANE_COSTS = CONTROL + 0x500;
/** i64: instructions that other threads than the running one have executed. */
export const CONTEXT_ELSEWHERE = CONTROL + 0x510;
/** i64: ones where an instruction of the running thread costs a cycle, while tags are followed (rule 9), else zeros. */
export const TAG_COST = CONTROL + 0x518;

/** i64 a lane: cycles of its context before the step that its floor has become (LanesLedger.rebase). */
export const LANE_CYCLES = CONTROL + 0x520;
/** i32: not 0 where a context has closed whose cycles are not exact. */
export const INEXACT = CONTROL + 0x540;
/** i32: how often a region was taken out of use because its code may have changed. */
export const CODE_CHANGES = CONTROL + 0x544;

/** 16 bytes for each lane: what leaves of a step in all lanes only the one in that lane (LaneShape.isolate). */
export const LANE_MASKS = CONTROL + 0x560;

/** i64: where the main stack may be, from its lowest byte on so far, and its size (linux/main-stack.ts). */
export const MAIN_STACK_START = CONTROL + 0x5a0;
export const MAIN_STACK_SIZE = CONTROL + 0x5a8;

/**
 * i32: a bit for each depth, modulo 32, of which JavaScript is asked in which layer a call opens (translate/contexts/records.ts); the
 * layer that is measured.
 */
export const CONTEXT_ASKS = CONTROL + 0x5b0;
export const CONTEXT_LAYER = CONTROL + 0x5b4;
/** i32: a bit for each lane that measures a context on another stack, which has been left. */
export const CONTEXT_HELD = CONTROL + 0x5b8;
/** i32: while the innermost context is less deep than this, and nobody is asked for layers, no lane measures anything (translate/contexts/idle.ts). */
export const CONTEXT_IDLE_BELOW = CONTROL + 0x5bc;
/** i32: how often a page would have become bytewise (translate/support/byte-pages.ts). */
export const BYTEWISE_COUNT = CONTROL + 0x5c0;
/** i32: how many pages wait in BYTEWISE_WANTED. */
export const BYTEWISE_WAITING = CONTROL + 0x5c4;

/** 16 bytes: ones where a tag has its instruction's number (translate/measures/tag-code.ts), else zeros. */
export const TAG_NUMBERS = CONTROL + 0x5d0;

/** 16 bytes each: the largest step of bytes whose page is out of the memory (emulator/memory/paged-out.ts), and one of them at a time. */
export const RECALLED = CONTROL + 0x5e0;
export const RECALLED_STEP = CONTROL + 0x5f0;

/** 8 bytes a counter of what the engine does, when somebody asks (translate/instruments.ts). */
export const COUNTERS = 0x4000;
export const COUNTERS_END = 0xeb00;

/**
 * 16 bytes for each number of cycles below OFFSET_COUNT: what is added to a step, in each lane in which a cycle counts. Of tags, for each
 * number of instructions: what the tag of a block's instruction has more than its producer's cycle and the number of the instruction before the block.
 */
export const OFFSETS = COUNTERS_END;
export const OFFSET_COUNT = (FIRST_GUEST_ADDRESS - OFFSETS) / 16;

/** i32: where the bytes are that loadStep or storeStep was last called for. */
export const NEAR = CONTROL + 168;

export const NO_DEPTH = 0x7fff_ffff;

export const valueOffset = (variable: number): number => VALUES + 16 * variable;
export const stepOffset = (location: number): number => STEPS + 16 * location;

/**
 * Generated code checks an address once and then reaches this far from it, so the tables keep that distance from what
 * follows them: beyond a table's end is zero, which means "ask".
 */
export const REACH = 0x1_0000;

/** One byte a page: the bits of guest/memory.ts. */
export const PERMISSIONS = GUEST_END + REACH;
const pages = GUEST_END / PAGE_SIZE;
/**
 * One i32 a page: where its next steps of single bytes go, 0 where that is to be asked: to its cells, with 2 added (IN_CELLS;
 * translate/support/byte-cells.ts), or to its table, with 1 added (BYTEWISE) while each of its bytes has a step there and stores of words ask first
 * (translate/support/byte-pages.ts), or 4 (AT_REST) while each has one and the first store of bytes asks, too.
 */
export const BYTE_PAGES = PERMISSIONS + pages + REACH;
export const BYTEWISE = 1;
export const IN_CELLS = 2;
export const AT_REST = 4;
/** Cells for the bytes of so many granules lie together: 4 KiB with four lanes, a page of the host. */
export const CHUNK_CELLS = 64;
/** One i32 a page: how often one of its granules has come to have steps of its bytes. */
export const BYTE_SPLITS = BYTE_PAGES + 4 * pages;
/** Code is translated for one mode of MXCSR: so many modes may be in use in one run. */
export const CODE_CACHES = 8;
/** Direct-mapped caches of indirect targets: JUMP_CACHE_ENTRIES pairs of i64 (guest address) and i32 (table slot) a code cache. */
export const CODE_CACHE_ENTRY = 16;
export const JUMP_CACHES = BYTE_SPLITS + 4 * pages;
export const JUMP_CACHE_ENTRIES = 0x1_0000;
/** Entries of the caches of what calls open, and jumps: a `switch` may have thousands of targets. */
export const CALL_TARGET_BITS = 12;
export const JUMP_TARGET_BITS = 15;
/** Caches behind those of indirect targets, for programs that have many: one word that tells whether it was used, and entries of the same kind. */
export const LARGE_CACHE_BITS = 17;
export const LARGE_CACHE_SIZE = CODE_CACHE_ENTRY * (1 + (1 << LARGE_CACHE_BITS));
/** A multiple of a noted call's size. */
export const CONTEXT_LOG_SIZE = 32 * 0x8000;

/** Direct-mapped caches of what a call or a jump opens, 16 bytes an entry (see translate/contexts/records.ts). */
export const CALL_TARGETS = JUMP_CACHES + CODE_CACHE_ENTRY * JUMP_CACHE_ENTRIES * CODE_CACHES;
export const JUMP_TARGETS = CALL_TARGETS + 16 * (1 << CALL_TARGET_BITS);
/** A direct-mapped cache of the code that belongs to the function of a jump, 16 bytes an entry. */
export const JUMP_SPAN_BITS = 8;
export const JUMP_SPANS = JUMP_TARGETS + 16 * (1 << JUMP_TARGET_BITS);
/** Open contexts; what is known of functions; sums per caller and callee; calls that have ended. Each with its own end. */
export const CONTEXT_STACK = JUMP_SPANS + 16 * (1 << JUMP_SPAN_BITS);
export const CONTEXT_FUNCTIONS = CONTEXT_STACK + 0x400_0000;
export const CONTEXT_EDGES = CONTEXT_FUNCTIONS + 0x160_0000;
export const CONTEXT_LOG = CONTEXT_EDGES + 0x60_0000;
/** Tables of the targets of indirect jumps, which hot regions look up (see translate/code/jumps.ts). */
export const JUMP_TABLES = CONTEXT_LOG + CONTEXT_LOG_SIZE;
export const JUMP_TABLES_END = JUMP_TABLES + 0x40_0000 * CODE_CACHES;
/** 16 bytes a page: its largest steps, negated, while nothing is stored there, else 0 (see translate/steps/quiet-pages.ts). */
export const QUIET_PAGES = JUMP_TABLES_END;
/** One i32 a table slot: where the interpreter's records for it begin, 0 when it has none yet. */
export const SLOT_RECORDS = QUIET_PAGES + 16 * pages;
/** Slots that have such a word, in each code cache. */
export const SLOT_RECORD_COUNT = 0x8_0000;
/** Direct-mapped caches of where records are: RECORD_CACHE_ENTRIES pairs of i64 (guest address) and i32 (record) a code cache. */
export const RECORD_CACHES = SLOT_RECORDS + 4 * SLOT_RECORD_COUNT * CODE_CACHES;
export const RECORD_CACHE_ENTRIES = 0x1_0000;
/** Calls of interpreted code by interpreted code that have not returned. */
export const FLAT_CALLS = RECORD_CACHES + CODE_CACHE_ENTRY * RECORD_CACHE_ENTRIES * CODE_CACHES;
export const FLAT_CALLS_LIMIT = FLAT_CALLS + 16 * 0x1_0000;
/** Records of interpreted code, of all code caches. */
export const RECORDS = FLAT_CALLS_LIMIT;
export const RECORDS_END = RECORDS + 0x800_0000;
/** Where far pages are (see far-memory.ts): 16 bytes an entry, direct-mapped. */
export const FAR_CACHE = RECORDS_END;
export const FAR_CACHE_ENTRIES = 0x1_0000;
/** Contexts of calls in line that have ended (see translate/contexts/leaves.ts): few, so that they stay in the first-level cache. */
export const LEAF_LOG = FAR_CACHE + 16 * FAR_CACHE_ENTRIES;
export const LEAF_LOG_SIZE = 64 * 64;
/** Links of a chain, by the place of their instructions, while they are read (see translate/measures/link-reader.ts). */
export const LINK_TABLE = LEAF_LOG + LEAF_LOG_SIZE;
export const LINK_TABLE_SLOTS = 1 << 14;
export const LINK_SLOT = 16;
/** LARGE_CACHE_SIZE bytes a code cache. */
export const LARGE_JUMP_CACHES = LINK_TABLE + LINK_SLOT * LINK_TABLE_SLOTS;
/** One i32 each: the pages that are to become bytewise before the next slice (translate/support/byte-pages.ts). */
export const BYTEWISE_WANTED = LARGE_JUMP_CACHES + LARGE_CACHE_SIZE * CODE_CACHES;
export const MOST_BYTEWISE_WANTED = 0x1000;
const tablesEnd = BYTEWISE_WANTED + 4 * MOST_BYTEWISE_WANTED;

/**
 * Shadow memory: steps of guest memory (rule 3), 2 or 4 bytes a byte, as far as a measurement's window reaches. Then, down
 * from the end of memory: in chain mode the log of producers, a ring; pages of byte-exact steps. Aligned to 64 KiB.
 */
export const SHADOW = (tablesEnd + 0xffff) & ~0xffff;

export const TAG_LOG_ENTRIES = 1 << 25;
export const MEMORY_END = 0x1_0000_0000;
/** The same in pages of WebAssembly. */
export const MEMORY_PAGES = MEMORY_END / 0x1_0000;

/**
 * Where the kernel would put things: fixed, so that addresses never differ between runs or layouts. For programs that do not fit
 * there, see linux/address-plan.ts.
 */
export const PIE_BASE = 0x0040_0000;
export const STACK_TOP = 0x1000_0000;
/** mmap hands out addresses from MMAP_TOP down to MMAP_BASE, then elsewhere. */
export const MMAP_TOP = 0x1800_0000;
export const MMAP_BASE = 0x1001_0000;
/** brk cannot grow beyond this. */
export const BRK_LIMIT = 0x0f00_0000;
/** End of the addresses that cost least to measure: steps of 16 bytes reach so far (emulator/memory/measure-plan.ts). */
export const CHEAP_END = 0x2000_0000;
