import type { Statement } from '../../ir/node.ts';
import type { LiftedBlock } from '../../x86/lift/block.ts';

/**
 * A region is what one WebAssembly function is made of: the blocks of a guest function that control can reach from
 * `entry` without an indirect jump and without leaving the function. Blocks are in reverse postorder; block 0 is the entry.
 */
export interface Region {
  readonly entry: number;
  /** x87 top of stack on entry; meaningful only when `usesFpu`. */
  readonly top: number;
  /** Control bits of MXCSR that the blocks are lifted for. */
  readonly mxcsr: number;
  readonly usesFpu: boolean;
  readonly blocks: readonly RegionBlock[];
  /** Where it can be entered, besides (see entries.ts). */
  readonly entries: readonly RegionEntry[];
}

/** How many instructions a region has. */
export const sizeOfRegion = ({ blocks }: Region): number =>
  blocks.reduce((sum, { lifted }) => sum + lifted.instructions.length, 0);

/** How many accesses to memory they make. */
export const accessesOf = ({ blocks }: Region): number =>
  blocks.reduce((sum, { lifted }) => sum + lifted.statements.filter(isAccess).length, 0);

/** Most bytes between a region's first and last jump target: a jump's table has an entry for each. */
export const JUMP_SPAN = 0x2_0000;

const isAccess = ({ kind }: Statement): boolean => kind === 'load' || kind === 'store';

/** A loop's header, or a target of the region's indirect jumps. */
export interface RegionEntry {
  /** From 1 on: by loop, and one for all targets. */
  readonly number: number;
  readonly isTarget: boolean;
  readonly address: number;
  /** rsp there, relative to the region's entry. */
  readonly stackOffset: number;
}

/** Leads to the entry whose number is in the local for it, when that is not 0, and on to its first successor otherwise. */
export interface Gate {
  /** It stands before a loop's header, in the loop. */
  readonly isLoop: boolean;
  /** By successor behind the first: the entry's number, and whether the successor is the entry. */
  readonly arms: readonly { readonly number: number; readonly isThere: boolean }[];
}

/** A function in the region, for one call alone (see calls-in-line.ts). */
export interface CallInLine {
  /** Where the function begins. */
  readonly target: number;
  /** Where it returns to. */
  readonly next: number;
}

export interface RegionBlock {
  readonly index: number;
  readonly lifted: LiftedBlock;
  /** x87 top of stack at its entry; meaningful only when the region uses it. */
  readonly top: number;
  /** By terminator: jump [target], branch [taken, next], call and service [next]. */
  readonly successors: readonly Edge[];
  readonly predecessors: readonly number[];
  /**
   * Set for the one block that stands for no code: it goes on at the address in the dispatch local, to the successor of
   * that address. All indirect jumps with known targets lead to it, so that they cannot make the region irreducible.
   */
  readonly targets?: readonly number[];
  /** Set for blocks that stand for no code, too: see entries.ts. */
  readonly gate?: Gate;
  /** Set for a block that ends with a call in line: by successor, which are first blocks of functions. Other targets leave the region. */
  readonly calls?: readonly CallInLine[];
  /** Set for the blocks of a function in line; what returns has the block behind the call for its successor. */
  readonly inside?: CallInLine;
}

export type Edge =
  | { readonly kind: 'block'; readonly index: number }
  /** `enters`: by a jump into a linkage stub or another function, which may open a context (rule 9). */
  | { readonly kind: 'exit'; readonly address: number; readonly enters: boolean };
