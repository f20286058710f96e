import { BYTE_PAGES, PAGE_SIZE, PERMISSIONS, SHADOW } from '../guest/layout.ts';
import { FAST_STORE, READ, SHADOWED } from '../guest/memory.ts';
import { FunctionBuilder } from '../wasm/function.ts';
import type { ModuleBuilder } from '../wasm/module.ts';
import { checkRange, type MemoryEvents, PAGE_BITS } from './check-range.ts';

/** Lane values of a granule whose bytes have steps of their own. */
const MIXED = -1;
/** The step of memory that was never written: every floor is at least this. */
export const ORIGIN = 1;

/** loadStep(address i64, size i32) -> step: any address, any alignment. */
export function defineLoadStep(module: ModuleBuilder, events: MemoryEvents): number {
  const f = new FunctionBuilder({ params: ['i64', 'i32'], results: ['v128'] });
  const [address, size] = [0, 1];
  const at = f.local('i32');
  const end = f.local('i32');
  const step = f.local('v128');
  const found = f.local('v128');
  const lane = f.local('i32');
  checkRange(f, address, size, READ, events, 0);
  f.get(address);
  f.op('i32.wrap_i64');
  f.tee(at);
  f.get(size);
  f.op('i32.add');
  f.set(end);
  f.i32(ORIGIN);
  f.op('i32x4.splat');
  f.set(step);
  // Byte by byte over the granules; a granule of one step is taken whole.
  const next = f.loop();
  pushGranule(f, at);
  f.memory('v128.load', SHADOW);
  f.tee(found);
  f.lane('i32x4.extract_lane', 0);
  f.tee(lane);
  f.i32(0);
  f.op('i32.lt_s');
  f.if();
  pushByteStep(f, at);
  f.memory('v128.load', 0);
  f.set(found);
  f.end();
  f.get(lane);
  f.if();
  f.get(step);
  f.get(found);
  f.op('i32x4.max_s');
  f.set(step);
  f.end();
  f.get(at);
  f.i32(1);
  f.op('i32.add');
  f.tee(at);
  f.get(end);
  f.op('i32.lt_u');
  f.brIf(next);
  f.end();
  // The first look at a page gives it the origin's steps, so that the next one is fast.
  f.get(address);
  f.op('i32.wrap_i64');
  f.set(at);
  initPage(f, at);
  f.get(step);
  return module.define(f);
}

/** storeStep(address i64, size i32, step v128): any address, any alignment. */
export function defineStoreStep(module: ModuleBuilder, events: MemoryEvents): number {
  const f = new FunctionBuilder({ params: ['i64', 'i32', 'v128'], results: [] });
  const [address, size, step] = [0, 1, 2];
  const at = f.local('i32');
  const end = f.local('i32');
  const found = f.local('v128');
  const granule = f.local('i32');
  const bytes = f.local('i32');
  checkRange(f, address, size, FAST_STORE, events, 1);
  f.get(address);
  f.op('i32.wrap_i64');
  f.tee(at);
  f.get(size);
  f.op('i32.add');
  f.set(end);
  const next = f.loop();
  pushGranule(f, at);
  f.set(granule);
  // A whole granule?
  f.get(at);
  f.i32(3);
  f.op('i32.and');
  f.op('i32.eqz');
  f.get(end);
  f.get(at);
  f.op('i32.sub');
  f.i32(4);
  f.op('i32.ge_u');
  f.op('i32.and');
  f.if();
  f.get(granule);
  f.get(step);
  f.memory('v128.store', SHADOW);
  f.get(at);
  f.i32(4);
  f.op('i32.add');
  f.set(at);
  f.else();
  // Part of one: from now on its bytes have steps of their own.
  f.get(granule);
  f.memory('v128.load', SHADOW);
  f.tee(found);
  f.lane('i32x4.extract_lane', 0);
  f.i32(0);
  f.op('i32.ge_s');
  f.if();
  f.get(at);
  f.i32(PAGE_BITS);
  f.op('i32.shr_u');
  f.i32(2);
  f.op('i32.shl');
  f.memory('i32.load', BYTE_PAGES);
  f.op('i32.eqz');
  f.if();
  f.get(at);
  f.i32(PAGE_BITS);
  f.op('i32.shr_u');
  f.call(events.addBytePage);
  f.end();
  f.get(at);
  f.i32(~3);
  f.op('i32.and');
  f.set(bytes);
  pushByteStep(f, bytes);
  f.set(bytes);
  for (let i = 0; i < 4; i++) {
    f.get(bytes);
    f.get(found);
    f.memory('v128.store', 16 * i);
  }
  f.get(granule);
  f.i32(MIXED);
  f.op('i32x4.splat');
  f.memory('v128.store', SHADOW);
  f.end();
  pushByteStep(f, at);
  f.get(step);
  f.memory('v128.store', 0);
  f.get(at);
  f.i32(1);
  f.op('i32.add');
  f.set(at);
  f.end();
  f.get(at);
  f.get(end);
  f.op('i32.lt_u');
  f.brIf(next);
  f.end();
  return module.define(f);
}

/** Offset of the shadow of the granule that holds a byte. */
function pushGranule(f: FunctionBuilder, at: number): void {
  f.get(at);
  f.i32(~3);
  f.op('i32.and');
  f.i32(2);
  f.op('i32.shl');
}

/** Address of a byte's own step, in its page's byte steps. */
function pushByteStep(f: FunctionBuilder, at: number): void {
  f.get(at);
  f.i32(PAGE_BITS);
  f.op('i32.shr_u');
  f.i32(2);
  f.op('i32.shl');
  f.memory('i32.load', BYTE_PAGES);
  f.get(at);
  f.i32(PAGE_SIZE - 1);
  f.op('i32.and');
  f.i32(4);
  f.op('i32.shl');
  f.op('i32.add');
}

/** Fills the page's shadow with the origin when it is still zero. */
function initPage(f: FunctionBuilder, at: number): void {
  const cursor = f.local('i32');
  const stop = f.local('i32');
  f.get(at);
  f.i32(~(PAGE_SIZE - 1));
  f.op('i32.and');
  f.i32(2);
  f.op('i32.shl');
  f.tee(cursor);
  f.memory('i32.load', SHADOW);
  f.op('i32.eqz');
  f.if();
  f.get(at);
  f.i32(PAGE_BITS);
  f.op('i32.shr_u');
  f.tee(stop);
  f.get(stop);
  f.memory('i32.load8_u', PERMISSIONS);
  f.i32(SHADOWED);
  f.op('i32.or');
  f.memory('i32.store8', PERMISSIONS);
  f.get(cursor);
  f.i32(4 * PAGE_SIZE);
  f.op('i32.add');
  f.set(stop);
  const next = f.loop();
  f.get(cursor);
  f.i32(ORIGIN);
  f.op('i32x4.splat');
  f.memory('v128.store', SHADOW);
  f.get(cursor);
  f.i32(16);
  f.op('i32.add');
  f.tee(cursor);
  f.get(stop);
  f.op('i32.lt_u');
  f.brIf(next);
  f.end();
  f.end();
}
