import { SHADOW } from '../guest/layout.ts';
import { FAST_STORE, READ } from '../guest/memory.ts';
import { FunctionBuilder } from '../wasm/function.ts';
import type { ModuleBuilder } from '../wasm/module.ts';
import { checkRange, type MemoryEvents } from './check-range.ts';

/** loadTag(address i64, size i32) -> tag: the largest of the bytes' tags. */
export function defineLoadTag(module: ModuleBuilder, events: MemoryEvents): number {
  const f = new FunctionBuilder({ params: ['i64', 'i32'], results: ['i64'] });
  const at = f.local('i32');
  const end = f.local('i32');
  const tag = f.local('i64');
  const found = f.local('i64');
  startWalk(f, at, end, READ, events, 0);
  const next = f.loop();
  f.get(at);
  f.memory('i64.load', SHADOW);
  f.tee(found);
  f.get(tag);
  f.get(found);
  f.get(tag);
  f.op('i64.gt_u');
  f.op('select');
  f.set(tag);
  continueWalk(f, at, end, next);
  f.get(tag);
  return module.define(f);
}

/** storeTag(address i64, size i32, tag i64) */
export function defineStoreTag(module: ModuleBuilder, events: MemoryEvents): number {
  const f = new FunctionBuilder({ params: ['i64', 'i32', 'i64'], results: [] });
  const at = f.local('i32');
  const end = f.local('i32');
  startWalk(f, at, end, FAST_STORE, events, 1);
  const next = f.loop();
  f.get(at);
  f.get(2);
  f.memory('i64.store', SHADOW);
  continueWalk(f, at, end, next);
  return module.define(f);
}

/** Checks the bytes, then walks the offsets of their tags: 8 bytes each. */
function startWalk(
  f: FunctionBuilder,
  at: number,
  end: number,
  permission: number,
  events: MemoryEvents,
  isWrite: 0 | 1,
): void {
  checkRange(f, 0, 1, permission, events, isWrite);
  f.get(0);
  f.op('i32.wrap_i64');
  f.i32(3);
  f.op('i32.shl');
  f.tee(at);
  f.get(1);
  f.i32(3);
  f.op('i32.shl');
  f.op('i32.add');
  f.set(end);
}

function continueWalk(f: FunctionBuilder, at: number, end: number, next: number): void {
  f.get(at);
  f.i32(8);
  f.op('i32.add');
  f.tee(at);
  f.get(end);
  f.op('i32.lt_u');
  f.brIf(next);
  f.end();
}
