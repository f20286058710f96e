/**
 * The loops of a run and their MACS bounds (Lee and Davidson; Boyd and Davidson). All bounds and gaps are in cycles per
 * loop iteration (CPL) of the *source* loop, rounded to 4 decimals: a loop that the compiler unrolled by `unroll` has
 * `unroll` of them in an iteration of the machine code. For an outer loop they are those of its residue: what is not in a
 * loop inside it.
 */
export interface LoopProfile {
  readonly function: string;
  /** Relative to the configuration, as everywhere. Absent where DWARF does not tell. */
  readonly file?: string;
  /** First and last source line of the loop. */
  readonly line?: number;
  readonly endLine?: number;
  /** `module+0xoffset` of the first instruction of its header. */
  readonly address: string;
  /** 1 for a loop that is in no other of its function. */
  readonly depth: number;
  readonly innermost: boolean;
  /** How often it was entered from outside. */
  readonly entries: number;
  /** Source iterations in all. */
  readonly iterations: number;
  /**
   * Source iterations in one of the machine code, and what told so: operations counted in the source, executed counts, or
   * the machine code's own strides and copies.
   */
  readonly unroll: number;
  readonly unrollFrom?: 'operations' | 'counts' | 'code';
  readonly class?: LoopClass;
  /** What the source asks for, in an iteration; absent where the source is not there or was not understood. */
  readonly essential?: OperationCounts;
  /** What was compiled, in a source iteration; weighted by the run where there are branches. */
  readonly compiled: CompiledCounts;
  readonly bounds: LoopBounds;
  /** Which part of the machine gives each bound, in the words of the machine model: `port 0`, `issue`, `recurrence`, ... */
  readonly limits: { readonly MA?: string; readonly MAC: string; readonly MACS: string };
  readonly gaps: LoopGaps;
  /** RB, the run-time bound of this loop in cycles: bound per iteration x iterations, with what its branches weigh. */
  readonly runTime: number;
  /** `runTime` over the sum of all loops and of what is in none. */
  readonly share: number;
  readonly causes: readonly LoopCause[];
  /** What could not be found out and why, one sentence each. */
  readonly notes: readonly string[];
}

/** By what holds it up: nothing but the width of the machine, a recurrence of computation, or one through loads. */
export type LoopClass = 'high-ilp' | 'compute-chain' | 'load-chain';

/** fa and fm are what no fused pair took; fma pairs count once. Of elements, whatever the width of the instruction. */
export interface OperationCounts {
  readonly fa: number;
  readonly fm: number;
  readonly fma: number;
  readonly fmisc: number;
  readonly loads: number;
  readonly stores: number;
  /** Integer operations, for loops without floating point. */
  readonly integer?: number;
}

/** Machine instructions; `fa` to `stores` as elements, so that they compare with what is essential. */
export interface CompiledCounts extends OperationCounts {
  readonly instructions: number;
  readonly branches: number;
}

/** M and MA are absent without floating point, and without a source; `measured` without a measurement. */
export interface LoopBounds {
  readonly M?: number;
  readonly MA?: number;
  readonly MAC: number;
  readonly MACS: number;
  readonly measured?: number;
}

/** MA - M, MAC - MA, MACS - MAC, measured - MACS: signed, never clamped. */
export interface LoopGaps {
  readonly A?: number;
  readonly C?: number;
  readonly S: number;
  readonly P?: number;
}

export interface LoopCause {
  readonly gap: 'A' | 'C' | 'S' | 'P';
  /** A word of its own for each kind of cause: `spill`, `uncombined-multiply-add`, `missed-vectorisation`, ... */
  readonly kind: string;
  /** How many instructions or operations, in a source iteration, where that can be counted. */
  readonly count?: number;
  /** Cycles per iteration that it costs, where that can be told. Negative: why the gap is. */
  readonly cycles?: number;
  readonly file?: string;
  readonly line?: number;
  /** What is so, and what to try, a sentence each. */
  readonly text: string;
  readonly advice?: string;
}

/** The machine that the bounds are for, and the whole run's. */
export interface RunBounds {
  readonly machine: string;
  /** RB: cycles of all loops with their residues, and of the blocks in none. */
  readonly runTime: number;
  /** Share of the run's instructions that are in loops with bounds. */
  readonly covered: number;
  /** Cycles that hardware took for the run, where that was asked for. */
  readonly measured?: number;
  /** Only of a run with several threads. */
  readonly parallel?: ParallelBounds;
  /** Only in a baseline: the loops that it leaves out, summed. Absent: it holds them all. */
  readonly rest?: { readonly loops: number; readonly runTime: number };
}

/**
 * Run-time bounds of a run with several threads, in cycles, each thread having a processor of its own (Lee and Davidson,
 * equations 4.16 to 4.19).
 */
export interface ParallelBounds {
  /** Processors: the most threads that a region has. */
  readonly threads: number;
  /** RB of all work, as if one processor did it. What threads wait by turning round is no work: see `waiting`. */
  readonly sequential: number;
  /** RB with each region's work in equal shares, and as it was distributed. */
  readonly balanced: number;
  readonly runTime: number;
  /** `runTime` over `balanced`. */
  readonly imbalance: number;
  /** Share of `runTime` that a processor has work, in the mean of all. */
  readonly utilisation: number;
  /** `sequential` over `runTime`. */
  readonly speedUp: number;
  /** Cycles of loops that only wait, of all threads together. */
  readonly waiting: number;
  /** In order of their first forks. */
  readonly regions: readonly ParallelRegion[];
  /** Loops that are executed by several threads, those with most first, down to a thousandth of `runTime`. */
  readonly loops: readonly ParallelLoop[];
}

/** What a team of threads executes between a fork and a join, all times together. */
export interface ParallelRegion {
  /** That the team executes; absent where threads were started one by one. */
  readonly function?: string;
  /** Processor that forks it, and index of the region around it, if there is one. */
  readonly forker: number;
  readonly within?: number;
  /** 2 and more: the part behind a barrier, in the order in which they were come to first. Absent for the first. */
  readonly part?: number;
  readonly times: number;
  /** With the regions in it. */
  readonly balanced: number;
  readonly runTime: number;
  readonly imbalance: number;
  /**
   * The team, and what each executes itself. `index` is the processor: the lowest number that no other thread had when the
   * thread was started.
   */
  readonly threads: readonly { readonly index: number; readonly runTime: number }[];
}

export interface ParallelLoop {
  /** The loop's `address`. */
  readonly address: string;
  readonly threads: number;
  readonly balanced: number;
  readonly runTime: number;
  readonly imbalance: number;
}
