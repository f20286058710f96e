import { CONTEXT_EDGES, CONTEXT_STACK } from '../../guest/layout.ts';

/**
 * Records of the contexts in the WebAssembly memory (rule 9): offsets into them. Generated code opens and closes contexts
 * through contexts/functions.ts, and JavaScript reads and makes the same records: there is no second account of them.
 */

/** An open context; the stack of them grows upwards from the run's, which lies one frame above CONTEXT_STACK. */
export const FRAME = {
  /** i64: address of its return address; it closes when rsp rises above. */
  slot: 0,
  /** i64: instructions executed when it opened. */
  start: 8,
  /** i64: ordinal among its function's outermost calls; -1 for a call inside another of the same function. */
  ordinal: 16,
  /** i32: its function's record. */
  function: 24,
  /** i32: the sums that it counts in when it closes, or 0 when it is to be listed as a call of its own. */
  edge: 28,
  /** i16: the lane that measures its cycles in this pass, or -1. */
  lane: 32,
  /** i16: whether its calls open contexts. */
  opens: 34,
  /** i32 */
  depth: 36,
  /** i32: the key under which its calls are found in CALL_TARGETS. */
  key: 40,
  /** i32: its calls that are listed so far. */
  children: 44,
  /** i64: instructions that other threads had executed when it opened. */
  elsewhere: 48,
  /** i32: its layer, or 0 where nobody asked: then it is the first. JavaScript adds a bit of its own (emulator/contexts/stack-contexts.ts). */
  layer: 56,
  /** i32: the depth at which it opened: another one where its stack was left and entered again. */
  home: 60,
  size: 64,
} as const;

/**
 * Contexts of one thread on several stacks (rule 9) are open at the same time, and need not end in the order in which they began. One that
 * opens where others of its depth are open, on stacks that were left, has another layer than they have: so those of a layer
 * and depth take turns of a lane, and a pass measures one layer. No more than so many are told apart, and one more for those on the
 * thread's own stack; what lies beyond opens no context.
 */
export const MOST_LAYERS = 4;

/** A function that was a context, by its entry. */
export const FUNCTION = {
  /** i32: its place (code-places.ts). */
  entry: 0,
  /** i32: open contexts of it. */
  nesting: 4,
  /** i64: outermost calls so far. */
  ordinals: 8,
  /** i64: sums over the outermost calls that this pass has measured. */
  calls: 16,
  instructions: 24,
  cycles: 32,
  /** i64: the one with the most cycles, the earliest on a tie. -1 cycles before the first. */
  longestIndex: 40,
  longestInstructions: 48,
  longestCycles: 56,
  /** i64: instructions executed, by all threads, when it began and when it ended. */
  longestStart: 64,
  longestEnd: 72,
  /** i64: instructions executed when the first of them began; more than can be before there is one. */
  first: 80,
  size: 88,
} as const;

/** Sums over the calls of one function by one call, beyond those that are listed: i64 each. */
export const EDGE = { calls: 0, instructions: 8, cycles: 16, size: 24 } as const;

/** A listed call that has ended, noted in this order: after the calls in it. */
export const NOTE = {
  /** i32: the function's place. */
  entry: 0,
  /** i32 */
  depth: 4,
  /** i64 */
  instructions: 8,
  /** i64: -1 when no lane measured it. */
  cycles: 16,
  /** i32: the key of its sums, 0 when all its calls are listed. */
  key: 24,
  size: 32,
} as const;

/** The context of a call in line that has ended. */
export const LEAF = {
  /** i32: its function's place. */
  target: 0,
  /** i64: instructions executed when it opened, and when it closed. */
  start: 8,
  executed: 16,
  /** 16 bytes: the floor and the largest step when it closed. */
  floor: 32,
  largest: 48,
  size: 64,
} as const;

/** Where all calls count that are neither listed nor counted by caller: nobody reads it. */
export const UNLISTED_EDGE = CONTEXT_EDGES;

/** What a call under a key opens. */
export const TARGET = {
  /** i32: LISTED, UNLISTED, HOOKED, or a number of its own for each call that has too many calls to list. */
  key: 0,
  /** i32: place. */
  target: 4,
  /** i32: the function's record; 0 for a linkage stub, or where entering opens nothing. */
  function: 8,
  /** i32: the frame's edge; under HOOKED its lane. */
  edge: 12,
} as const;

/** What a jump between two addresses opens. */
export const JUMP = {
  /** i32: places. */
  from: 0,
  target: 4,
  /** i32: JUMP_OPENS, JUMP_LINKS or 0. */
  verdict: 8,
} as const;

/** Code to which a jump opens nothing, because it is in the jump's own function: a `switch` may have thousands of targets. */
export const SPAN = {
  /** i32: place of the jump. */
  from: 0,
  /** i32: place of the first byte. */
  start: 4,
  /** i32: bytes. */
  length: 8,
} as const;

/** To another function's entry. */
export const JUMP_OPENS = 1;
/** Into a linkage stub. */
export const JUMP_LINKS = 2;

/** Calls of a listed call, as long as they are listed. */
export const LISTED = 1;
/** Calls of a call that is not listed: they count for their function only. */
export const UNLISTED = 2;
/** Functions that are measured wherever they are entered. */
export const HOOKED = 3;
/** Calls with a number of their own have it from here on. */
export const FIRST_NODE = 4;

/** The run's frame, which only the guest's end closes. */
export const RUN_FRAME = CONTEXT_STACK + FRAME.size;

/** Return slot of what never returns: the run, and code at the ELF entry. */
export const NO_SLOT = 0x7fff_ffff_ffff_ffffn;

/**
 * Return slot in the frame below those of another stack, which is that of the context from where it was entered but for
 * this: it keeps what lies below from ending while rsp is elsewhere.
 */
export const OTHER_STACK = NO_SLOT - 1n;
