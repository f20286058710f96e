/**
 * The profile: what a run of one target measured, in the form that is committed as a baseline.
 * Canonical JSON (see codec.ts): fixed key order, LF, no time stamps. A value that was not measured is absent, never 0.
 */
import type { LoopProfile, RunBounds } from './loops.ts';

export const PROFILE_FORMAT = 'ilp-gate/profile';
export const PROFILE_VERSION = 1;

export interface Profile {
  readonly format: typeof PROFILE_FORMAT;
  readonly version: typeof PROFILE_VERSION;
  /** The target's name in the configuration; absent for `measure`. */
  readonly target?: string;
  readonly command: readonly string[];
  readonly total: Totals;
  /**
   * Every program whose numbers `total` takes in, where that is more than one, in the order in which they ended: the sum of
   * their instructions, the largest of their cycles. Functions, calls, chains and loops are those of the first process's last.
   */
  readonly processes?: readonly ProgramProfile[];
  /** In order of creation, where the run had several: each with what it executed itself, the first one too. */
  readonly threads?: readonly ThreadProfile[];
  /** All functions that were contexts, by instructions descending, then by name. */
  readonly functions: readonly FunctionProfile[];
  /** The call tree to the depth asked for; the run's direct contexts are the roots: main, then what other threads were started for, in order of creation. */
  readonly calls: readonly CallProfile[];
  readonly chains: readonly Chain[];
  /** Only where bounds were asked for, as `bounds` is: loops by their share of the run-time bound, the largest first. */
  readonly loops?: readonly LoopProfile[];
  readonly bounds?: RunBounds;
  readonly environment: Environment;
}

/** instructions: I. cycles: C of the ideal machine. ilp: I / C, rounded to 4 decimals. */
export interface Totals {
  readonly instructions: number;
  readonly cycles: number;
  readonly ilp: number;
}

/** A program in one process; after execve it is another one. */
export interface ProgramProfile {
  /** Base name. */
  readonly program: string;
  /** Numbers of the process and of its parent. */
  readonly process: number;
  readonly parent: number;
  readonly instructions: number;
  /** Its last cycle: a forked process goes on from where its parent was. */
  readonly cycles: number;
}

/** One thread. Others' instructions count nothing in it and cost nothing, but pass dependences on. */
export interface ThreadProfile {
  readonly index: number;
  /** That it was started for, where that can be told. */
  readonly function?: string;
  readonly instructions: number;
  /** Absent where there are too many threads to measure each. */
  readonly cycles?: number;
  readonly ilp?: number;
}

export interface FunctionProfile extends Totals {
  readonly name: string;
  /** Source file relative to the configuration; always present where two functions share a name and DWARF tells. */
  readonly file?: string;
  readonly line?: number;
  readonly calls: number;
}

export interface CallProfile extends Totals {
  readonly function: string;
  readonly depth: number;
  /** Position among its parent's calls, from 0. */
  readonly index: number;
  /** How many calls this entry stands for, when calls beyond the limit were summed. */
  readonly aggregated?: number;
  readonly calls: readonly CallProfile[];
}

export interface Chain {
  /** Absent for the run. */
  readonly function?: string;
  /** Which outermost call of the function, from 0; absent for the run. */
  readonly call?: number;
  readonly length: number;
  readonly links: readonly ChainLink[];
  /**
   * Only in a baseline, and only for code without source lines: what its `links` leave out, summed. `length` is the
   * sum of all counts in `links` and here. Absent: `links` holds them all.
   */
  readonly rest?: readonly ChainRest[];
}

/** Links of one function, or of one module's code without a symbol. */
export interface ChainRest {
  /** Base name. */
  readonly module: string;
  readonly function?: string;
  /** How many distinct instructions. */
  readonly links: number;
  readonly count: number;
}

export interface ChainLink {
  /** `module+0xoffset`, the module by its base name. */
  readonly address: string;
  /** Intel syntax. */
  readonly instruction: string;
  /** The function that holds the instruction, when a symbol covers it. */
  readonly function?: string;
  readonly file?: string;
  readonly line?: number;
  /** The calls that the compiler replaced by copies which hold the instruction, the innermost first; not in a baseline. */
  readonly inlined?: readonly InlinedCall[];
  readonly count: number;
  /** count / length, rounded to 4 decimals. */
  readonly share: number;
}

/** A call that is a copy of its callee. */
export interface InlinedCall {
  /** The callee. */
  readonly function?: string;
  /** Where the call stands. */
  readonly file?: string;
  readonly line?: number;
}

/** The fingerprint: what the numbers depend on besides the program's own source. */
export interface Environment {
  readonly tool: string;
  readonly rules: number;
  readonly isa: string;
  readonly program: ModuleFingerprint;
  /** Loader and shared libraries, in load order. */
  readonly libraries: readonly ModuleFingerprint[];
  /** Whether `total` takes in the processes that the program started; absent: it does not. */
  readonly children?: 'measure';
  /** What other programs of `processes` loaded, in order of their ends, each once. */
  readonly others?: readonly ModuleFingerprint[];
  /** .comment strings of the program. */
  readonly compilers: readonly string[];
}

export interface ModuleFingerprint {
  /** Base name. */
  readonly name: string;
  readonly buildId?: string;
  readonly sha256: string;
  /** Hash of the loaded contents without the build id: equal means "the same program". */
  readonly loaded: string;
}
