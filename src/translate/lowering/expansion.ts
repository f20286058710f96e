import type { Immediate } from '../../ir/node.ts';
import type { Type } from '../../ir/ops.ts';
import type { FunctionBuilder } from '../../wasm/function.ts';

/** What the code may use beside WebAssembly's deterministic operations. */
export interface ExpansionHost {
  /** Index of a function that is called in rare cases: one of the operation's `helpers`. */
  helper(name: string): number;
  /** `relaxed_madd` rounds once (see host-fma.ts). */
  readonly fuses: boolean;
}

/** Code for one `x86.` operation: operands in locals, result left on the stack. */
export type Expansion = (
  f: FunctionBuilder,
  args: readonly number[],
  scratch: (type: Type) => number,
  imm: Immediate,
  host: ExpansionHost,
) => void;
