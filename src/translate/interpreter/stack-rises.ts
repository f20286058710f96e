import { CONTEXT_SLOT, valueOffset } from '../../guest/layout.ts';
import type { FunctionBuilder } from '../../wasm/function.ts';
import { RSP } from '../../x86/state.ts';

/** Contexts where an instruction raises rsp, or sets it to another stack (rule 9). */
export interface StackImports {
  /** rsp rose above the innermost context's return slot. */
  readonly close: number;
  /** (following i32): the same, and so many instructions of the block come behind. */
  readonly closeWithin: number;
  /** (rsp before i64), (rsp before i64, instructions of the block that follow i32): rsp was set. */
  readonly setStack: number;
  readonly setStackWithin: number;
}

/** Gives the local that holds where rsp is before the instruction sets it, which itself may move it before by a distance. */
export function keepStack(f: FunctionBuilder, distance: number): number {
  const before = f.local('i64');
  f.i32(0);
  f.memory('i64.load', valueOffset(RSP));
  f.i64(BigInt(distance));
  f.op('i64.add');
  f.set(before);
  return before;
}

/** rsp was set. `following` pushes how many instructions of the block follow, if there may be any: they do not belong to what closes. */
export function emitSetStack(
  f: FunctionBuilder,
  { setStack, setStackWithin }: StackImports,
  before: number,
  following: (() => void) | undefined,
): void {
  f.get(before);
  following?.();
  f.call(following === undefined ? setStack : setStackWithin);
}

export function closeIfRisen(
  f: FunctionBuilder,
  { close, closeWithin }: StackImports,
  following: (() => void) | undefined,
): void {
  f.i32(0);
  f.memory('i64.load', valueOffset(RSP));
  f.i32(0);
  f.memory('i64.load', CONTEXT_SLOT);
  f.op('i64.gt_u');
  f.if(undefined, 'unlikely');
  following?.();
  f.call(following === undefined ? close : closeWithin);
  f.end();
}
