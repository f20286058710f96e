import type { Node, NodeFactory } from '../ir/node.ts';
import type { Type } from '../ir/ops.ts';

/**
 * A pure function of integers: the interpreter calls it, generated code imports it. It may throw a Failure, which ends
 * the run.
 */
export interface Helper {
  /** i32 and i64 only. */
  readonly params: readonly Type[];
  readonly results: readonly Type[];
  /** i32 as signed number, i64 as signed bigint. */
  run(...args: (number | bigint)[]): (number | bigint)[];
  /**
   * The arguments that programs mostly give: generated code tries these cases in order and calls `run` when none
   * applies. `run` covers them too and gives the same.
   */
  readonly cases?: (b: NodeFactory, args: readonly Node[]) => readonly Case[];
}

/** Where `when` is not 0, these are the results; they are computed nowhere else, so they may divide by what `when` excludes. */
export interface Case {
  readonly when: Node;
  readonly results: readonly Node[];
}
