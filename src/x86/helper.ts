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
}
