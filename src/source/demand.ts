import type { Operation, ValueClass } from './graph.ts';

/** What an iteration of a source loop asks for, whatever the machine. */
export interface LoopDemand {
  readonly function: string;
  readonly line: number;
  readonly endLine: number;
  /** 1 for a loop that is in no other of its function. */
  readonly depth: number;
  readonly innermost: boolean;
  /** What the loop counts with; the step is absent where it is not a number of the text. */
  readonly induction?: { readonly variable: string; readonly step?: number };
  readonly trips?: number;
  /** The body, then what branches in it decide on; each with the area that it is in. */
  readonly areas: readonly DemandArea[];
  readonly steps: readonly Step[];
  readonly flows: readonly Flow[];
  readonly transfers: readonly Transfer[];
  readonly workingSet: WorkingSet;
  /** What was not understood: the counts leave it out. */
  readonly reasons: readonly string[];
  readonly assumptions: readonly string[];
}

export interface DemandArea {
  readonly line: number;
  readonly endLine: number;
  readonly parent?: number;
}

/** A value of an iteration: an operation, or a way that a value takes without one. */
export interface Step {
  readonly op: Operation | 'load' | 'pass';
  readonly class: ValueClass;
  readonly bytes: number;
  readonly area: number;
  readonly line: number;
  /** Whether it is one of the essential operations: index arithmetic and loads are not. */
  readonly counts: boolean;
  /** Of an addition: the product that it can be fused with, as it has no other use. */
  readonly fusedWith?: number;
  /** It is stored to another element each time, decides on a branch, or is handed on: every single value is needed. */
  readonly leaves: boolean;
  readonly name?: string;
}

/** `to` takes the value of `from`, of so many iterations before. */
export interface Flow {
  readonly from: number;
  readonly to: number;
  readonly distance: number;
  /** `to` is a load whose address it is. */
  readonly address: boolean;
}

/** Elements that must be loaded or stored in an iteration. */
export interface Transfer {
  readonly kind: 'load' | 'store';
  readonly class: ValueClass;
  readonly bytes: number;
  readonly area: number;
  /** From an address that is not an even advance; each needs an access of its own. */
  readonly irregular: boolean;
  /** Bytes from one iteration to the next, where known. */
  readonly stride?: number;
  /** Those with equal base lie `offset` bytes from one another. */
  readonly base: string;
  readonly offset?: number;
}

/** The paper's section 6.1: what a cache that software manages would hold. */
export interface WorkingSet {
  readonly streams: number;
  /** Bytes first touched in an iteration. */
  readonly bytes: number;
  /** Bytes in all, where the number of iterations is known. */
  readonly total?: number;
  /** Share of the references that find their line in the cache; absent where an address is irregular or a stride unknown. */
  readonly hitRatio?: number;
}
