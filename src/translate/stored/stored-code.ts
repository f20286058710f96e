import type { StoredHandlers } from '../interpreter/stored-handlers.ts';
import type { ServiceSite } from '../region-interface.ts';

/** A stretch of code as it was when a region was made of it. */
export interface CodePiece {
  readonly start: number;
  readonly bytes: Uint8Array;
}

/** What was asked of the guest's symbols while a region was made, and what was said: its code is valid where the same is said again. */
export interface Answers {
  /** Whether entering the region opens a context wherever it happens. */
  readonly isEntryHooked: boolean;
  /** Addresses at which control must be seen to arrive, and those at which it need not. */
  readonly seen: readonly number[];
  readonly unseen: readonly number[];
  /** Jumps that enter functions, and jumps that do not: source and target in turn. */
  readonly entering: readonly number[];
  readonly staying: readonly number[];
}

/** Where an indirect jump of a region went. */
export interface LearnedJump {
  readonly from: number;
  readonly enters: boolean;
  readonly targets: readonly number[];
}

/** A table of a region's jump targets: where in memory, and the targets. */
export interface StoredTable {
  readonly at: number;
  readonly targets: readonly number[];
}

/** What must be known of a region to go on where it was left: see `RegionNotes`. */
export interface RegionRecord {
  /** Of its ways in behind the first: whether it is a target of the region's jumps. */
  readonly areTargets: readonly boolean[];
  /** By block: where it begins and ends. The last so many of them are those of functions in line. */
  readonly inLine: number;
  readonly blocks: readonly (readonly [start: number, end: number])[];
  readonly answers: Answers;
  readonly jumps: readonly LearnedJump[];
  readonly tables: readonly StoredTable[];
  /** Only hosts that round once can use it (see host-fma.ts). */
  readonly isFused: boolean;
  /** A limit cut it off... */
  readonly isFull: boolean;
  /** ...it was made when there was no room for all that was warm... */
  readonly isCrowded: boolean;
  /** ...with all of unaligned accesses in line... */
  readonly isUnaligned: boolean;
  /** ...with all loads of bytes asking whether their page is quiet... */
  readonly asksForBytes: boolean;
  /** ...to be left where its own code has changed... */
  readonly isVolatile: boolean;
  /** ...and some load asks whether its page is quiet. */
  readonly asks: boolean;
}

/** A region as one run leaves it for another. */
export interface StoredRegion {
  /** The slots that it is entered through: its own, then those of its other ways in. */
  readonly slots: readonly number[];
  /** Its instructions. */
  readonly size: number;
  /** The highest slot and site that its code refers to; -1 where there is no site. */
  readonly lastSlot: number;
  readonly lastSite: number;
  /** Runs that did without it since it was last used. */
  readonly unused: number;
  readonly record: () => RegionRecord;
  /** The guest's code: the blocks' bytes in turn. */
  readonly code: Uint8Array;
  /** WebAssembly. */
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly module: () => WebAssembly.Module;
  /** Whether V8's optimised code comes with the module. */
  readonly isOptimised: boolean;
  /** The module's function, where the run used the region. */
  readonly body?: unknown;
}

/** What a slot stands for: an address, for one top of the x87 stack only where that is told; something else where the address is -1. */
export type StoredSlot = readonly [address: number, top: number | null];

/**
 * What a code cache leaves for another one that has the same program, measurement and limits. Generated code names slots, sites,
 * texts and places of tables by numbers, so that all of them are kept.
 */
export interface StoredCode {
  readonly slots: readonly StoredSlot[];
  readonly sites: readonly ServiceSite[];
  /** Texts of unsupported instructions. */
  readonly unsupported: readonly string[];
  /** Where the memory for tables is free. */
  readonly tablesEnd: number;
  readonly regions: readonly StoredRegion[];
  /** Regions that were made, by this run and those before it that left something for it. */
  readonly made: number;
  readonly handlers: StoredHandlers;
  /** Decoded blocks (see BlockLog), and which part of them is new. */
  readonly blocks: () => Int32Array<ArrayBuffer>;
  readonly newBlocks: number;
}

/** Of what code is: of a program's run with these arguments, and of runs of the program. */
export interface CodeKey {
  readonly command: string;
  readonly program: string;
}

/** Keeps code, and what was learned of commands, between measurements. */
export interface CodeStore {
  /** What the same command left last; else what the program left last, with other arguments. */
  find(key: CodeKey): StoredCode | undefined;
  keep(key: CodeKey, code: StoredCode): void;
  /** What else was kept of the command: words. */
  findNotes(command: string): readonly string[];
  keepNotes(command: string, notes: readonly string[]): void;
}

/** The guest's code that a region was made of. */
export function piecesOf({ record, code }: StoredRegion): readonly CodePiece[] {
  let at = 0;
  return record().blocks.map(([start, end]) => {
    const from = at;
    at += end - start;
    return { start, bytes: code.subarray(from, at) };
  });
}
