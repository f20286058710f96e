import type { Node, Statement } from '../../ir/node.ts';
import type { FunctionBuilder } from '../../wasm/function.ts';
import { emitCheck } from '../emission/statements.ts';
import type { Values } from '../lowering/values.ts';

/**
 * Faults that must come before any of their instruction's effects. Only where instructions are executed singly they are looked for: other
 * code meets them later, and the run begins anew.
 */
export interface Checks {
  /** (address i64, isWrite i32) */
  readonly pageFault: number;
  /** See RegionImports. */
  readonly checkStore: number;
}

/** Of linear addresses: higher bits repeat the highest one (SDM volume 1, 3.3.7.1). */
const ADDRESS_BITS = 48n;

/** Who goes to an address that is not canonical faults before anything has happened (SDM volume 2, JMP, CALL and RET). */
export function checkTarget(f: FunctionBuilder, values: Values, { pageFault }: Checks, target: Node): void {
  const at = values.asLocal(target);
  f.get(at);
  f.get(at);
  f.i64(64n - ADDRESS_BITS);
  f.op('i64.shl');
  f.i64(64n - ADDRESS_BITS);
  f.op('i64.shr_s');
  f.op('i64.ne');
  f.if(undefined, 'unlikely');
  f.get(at);
  f.i32(0);
  f.call(pageFault);
  f.unreachable();
  f.end();
}

/** What stores to several places stores to none where it faults; it is told of the first one then. */
export function checkStores(
  f: FunctionBuilder,
  values: Values,
  { checkStore }: Checks,
  statements: readonly Statement[],
): void {
  const stores = statements.filter((statement) => statement.kind === 'store');
  if (stores.length > 1) for (const store of stores) emitCheck(f, values, checkStore, store);
}
