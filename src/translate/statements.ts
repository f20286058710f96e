import type { Node, Statement, Terminator } from '../ir/node.ts';
import type { FunctionBuilder } from '../wasm/function.ts';
import { loadName, storeName } from './access-names.ts';
import type { Values } from './values.ts';

/** Parts of statements that are lowered the same way in regions and in handlers. */

/** The value of a load whose bytes are where the i32 local says. */
export function emitLoaded(
  f: FunctionBuilder,
  values: Values,
  { result, high, size }: Extract<Statement, { kind: 'load' }>,
  near: number,
): void {
  const load = (node: Node, bytes: number, offset: number) => {
    if (!values.isUsed(node)) return;
    f.get(near);
    f.memory(loadName(node.type, bytes), offset);
    values.define(node);
  };
  load(result, high === undefined ? size : 16, 0);
  if (high !== undefined) load(high, 16, 16);
}

/** Computes what is stored; gives its locals. */
export function emitValues(
  values: Values,
  { value, high }: Extract<Statement, { kind: 'store' }>,
): readonly number[] {
  return (high === undefined ? [value] : [value, high]).map((node) => values.asLocal(node));
}

/** Stores the values in locals where the i32 local says. */
export function emitStored(
  f: FunctionBuilder,
  { value, size }: Extract<Statement, { kind: 'store' }>,
  near: number,
  locals: readonly number[],
): void {
  const name = storeName(value.type, locals.length > 1 ? 16 : size);
  locals.forEach((local, i) => {
    f.get(near);
    f.get(local);
    if (name.endsWith('_lane')) f.memoryLane(name, 0, 0);
    else f.memory(name, 16 * i);
  });
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
