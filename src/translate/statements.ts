import type { Node, Statement, Terminator } from '../ir/node.ts';
import type { FunctionBuilder } from '../wasm/function.ts';
import { loadName, storeName } from './access-names.ts';
import type { Values } from './values.ts';

/** Parts of statements that are lowered the same way in regions and in handlers. */

/** The value of a load whose bytes are where the i32 local says. */
export function emitLoaded(
  f: FunctionBuilder,
  values: Values,
  { result, size }: Extract<Statement, { kind: 'load' }>,
  near: number,
): void {
  if (!values.isUsed(result)) return;
  f.get(near);
  f.memory(loadName(result.type, size), 0);
  values.define(result);
}

/** Stores the value in a local where the i32 local says. */
export function emitStored(
  f: FunctionBuilder,
  { value, size }: Extract<Statement, { kind: 'store' }>,
  near: number,
  local: number,
): void {
  f.get(near);
  f.get(local);
  const name = storeName(value.type, size);
  if (name.endsWith('_lane')) f.memoryLane(name, 0, 0);
  else f.memory(name, 0);
}

/** What a block's end depends on: the branch's condition, where it goes to. */
export function terminatorOperand(terminator: Terminator): Node | undefined {
  switch (terminator.kind) {
    case 'branch':
      return terminator.condition;
    case 'indirect-jump':
    case 'return':
      return terminator.target;
    case 'call':
      return typeof terminator.target === 'number' ? undefined : terminator.target;
    default:
      return undefined;
  }
}
