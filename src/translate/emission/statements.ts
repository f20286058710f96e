import type { AccessSize, Node, Statement, Terminator } from '../../ir/node.ts';
import type { FunctionBuilder } from '../../wasm/function.ts';
import type { Values } from '../lowering/values.ts';
import type { GroupedAddress } from '../steps/access-groups.ts';
import { loadName, storeName } from '../steps/access-names.ts';
import type { Address, Reached } from '../steps/measure.ts';

/** Parts of statements that are lowered the same way in regions and in handlers. */

/** The accesses of the measurement at hand, of one instruction. */
export interface Accesses {
  load(address: Address, size: AccessSize): number;
  loadWhen(when: number, address: number, size: AccessSize, read: Reached): void;
  store(address: Address, size: AccessSize): number;
  storeWhen(when: number, address: number, size: AccessSize, write: Reached): void;
}

export function emitLoad(
  f: FunctionBuilder,
  values: Values,
  accesses: Accesses,
  statement: Extract<Statement, { kind: 'load' }>,
  grouped?: GroupedAddress,
): void {
  const { result, high, size } = statement;
  if (statement.when === undefined) {
    const at = grouped ?? values.asLocal(statement.address);
    const near = accesses.load(at, size);
    const load = (node: Node, bytes: number, offset: number) => {
      if (!values.isUsed(node)) return;
      f.get(near);
      f.memory(loadName(node.type, bytes), offset + (grouped?.distance ?? 0));
      values.define(node);
    };
    load(result, high === undefined ? size : 16, 0);
    if (high !== undefined) load(high, 16, 16);
    return;
  }
  const at = values.asLocal(statement.address);
  const when = values.asLocal(statement.when);
  const local = values.reserve(result);
  accesses.loadWhen(when, at, size, (near) => {
    f.get(near);
    f.memory(loadName(result.type, size), 0);
    f.set(local);
  });
}

export function emitStore(
  f: FunctionBuilder,
  values: Values,
  accesses: Accesses,
  { address, value, high, size, when }: Extract<Statement, { kind: 'store' }>,
  grouped?: GroupedAddress,
): void {
  const locals = (high === undefined ? [value] : [value, high]).map((node) => values.asLocal(node));
  const name = storeName(value.type, high === undefined ? size : 16);
  const distance = grouped?.distance ?? 0;
  const write = (near: number) =>
    locals.forEach((local, i) => {
      f.get(near);
      f.get(local);
      if (name.endsWith('_lane')) f.memoryLane(name, distance, 0);
      else f.memory(name, distance + 16 * i);
    });
  if (when === undefined) write(accesses.store(grouped ?? values.asLocal(address), size));
  else accesses.storeWhen(values.asLocal(when), values.asLocal(address), size, write);
}

/** `check`: the function that checks. */
export function emitCheck(
  f: FunctionBuilder,
  values: Values,
  check: number,
  { address, size, when }: Pick<Extract<Statement, { kind: 'check' | 'store' }>, 'address' | 'size' | 'when'>,
): void {
  const at = values.asLocal(address);
  if (when !== undefined) {
    values.emit(when);
    f.if(undefined, 'unlikely');
  }
  f.get(at);
  f.i32(size);
  f.call(check);
  if (when !== undefined) f.end();
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
