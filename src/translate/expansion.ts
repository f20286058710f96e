import type { Immediate } from '../ir/node.ts';
import type { Type } from '../ir/ops.ts';
import type { FunctionBuilder } from '../wasm/function.ts';

/** Code for one `x86.` operation: operands in locals, result left on the stack. */
export type Expansion = (
  f: FunctionBuilder,
  args: readonly number[],
  scratch: (type: Type) => number,
  imm: Immediate,
  /** Index of a function that is called in rare cases: one of the operation's `helpers`. */
  helper: (name: string) => number,
) => void;
