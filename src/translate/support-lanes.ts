import { BYTE_PAGES, PAGE_SIZE, PERMISSIONS, SHADOW } from '../guest/layout.ts';
import { FAST_STORE, READ, SHADOWED } from '../guest/memory.ts';
import { FunctionBuilder } from '../wasm/function.ts';
import type { ModuleBuilder } from '../wasm/module.ts';
import { checkRange, type MemoryEvents, PAGE_BITS } from './check-range.ts';
import type { LaneShape } from './lane-shape.ts';
import { ADDRESS_WORD, TELLING_WORD } from './lanes-memory.ts';

/** The general forms of the accesses in lanes-memory.ts, which describes what shadow memory holds. */

/** The words of a granule whose bytes have steps of their own, but for ADDRESS_WORD. */
const MIXED = -1;

/** loadStep(address i64, size i32) -> step: any address, any alignment. */
export function defineLoadStep(module: ModuleBuilder, events: MemoryEvents, shape: LaneShape): number {
  const f = new FunctionBuilder({ params: ['i64', 'i32'], results: ['v128'] });
  const [address, size] = [0, 1];
  const at = f.local('i32');
  const granule = f.local('i32');
  const end = f.local('i32');
  const step = f.local('v128');
  const found = f.local('v128');
  const lane = f.local('i32');
  const unknown = f.local('i32');
  const raise = (pushOther: () => void) => {
    f.get(step);
    pushOther();
    f.op(shape.max);
    f.set(step);
  };
  checkRange(f, address, size, READ, events, 0);
  startRange(f, { address, size, at, granule, end });
  shape.pushOrigin(f);
  f.set(step);
  const next = f.loop();
  f.get(granule);
  f.i32(2);
  f.op('i32.shl');
  f.memory('v128.load', SHADOW);
  f.tee(found);
  f.lane('i32x4.extract_lane', TELLING_WORD);
  f.tee(lane);
  f.i32(0);
  f.op('i32.gt_s');
  f.if();
  raise(() => f.get(found));
  f.else();
  f.get(lane);
  f.op('i32.eqz');
  f.if();
  f.i32(1);
  f.set(unknown);
  f.else();
  eachByte(f, { at, granule, end, found }, (whole, place) => {
    for (let i = 0; i < (whole ? 4 : 1); i++)
      raise(() => {
        f.get(place);
        f.memory('v128.load', 16 * i);
      });
  });
  f.end();
  f.end();
  nextGranule(f, granule, end, next);
  f.end();
  // The first look at a page gives it the origin's steps, so that the next one is fast.
  f.get(unknown);
  f.if();
  initPage(f, shape, at);
  f.end();
  f.get(step);
  return module.define(f);
}

/** storeStep(address i64, size i32, step v128): any address, any alignment. */
export function defineStoreStep(module: ModuleBuilder, events: MemoryEvents): number {
  const f = new FunctionBuilder({ params: ['i64', 'i32', 'v128'], results: [] });
  const [address, size, step] = [0, 1, 2];
  const at = f.local('i32');
  const granule = f.local('i32');
  const end = f.local('i32');
  const found = f.local('v128');
  checkRange(f, address, size, FAST_STORE, events, 1);
  startRange(f, { address, size, at, granule, end });
  const next = f.loop();
  pushIsWhole(f, { at, granule, end });
  f.if();
  f.get(granule);
  f.i32(2);
  f.op('i32.shl');
  f.get(step);
  f.memory('v128.store', SHADOW);
  f.else();
  f.get(granule);
  f.i32(2);
  f.op('i32.shl');
  f.memory('v128.load', SHADOW);
  f.tee(found);
  f.lane('i32x4.extract_lane', TELLING_WORD);
  f.i32(0);
  f.op('i32.ge_s');
  f.if();
  split(f, granule, found, events);
  f.end();
  eachByte(f, { at, granule, end, found }, (whole, place) => {
    for (let i = 0; i < (whole ? 4 : 1); i++) {
      f.get(place);
      f.get(step);
      f.memory('v128.store', 16 * i);
    }
  });
  f.end();
  nextGranule(f, granule, end, next);
  f.end();
  return module.define(f);
}

/** Locals of a walk over granules: the bytes [at, end), and the granule that the walk has come to. */
interface Walk {
  readonly at: number;
  readonly granule: number;
  readonly end: number;
}

function startRange(f: FunctionBuilder, range: Walk & { address: number; size: number }): void {
  f.get(range.address);
  f.op('i32.wrap_i64');
  f.tee(range.at);
  f.get(range.size);
  f.op('i32.add');
  f.set(range.end);
  f.get(range.at);
  f.i32(~3);
  f.op('i32.and');
  f.set(range.granule);
}

function nextGranule(f: FunctionBuilder, granule: number, end: number, loop: number): void {
  f.get(granule);
  f.i32(4);
  f.op('i32.add');
  f.tee(granule);
  f.get(end);
  f.op('i32.lt_u');
  f.brIf(loop);
}

/** Pushes whether all of the granule lies in the range. */
function pushIsWhole(f: FunctionBuilder, { at, granule, end }: Walk): void {
  f.get(at);
  f.get(granule);
  f.op('i32.le_u');
  f.get(granule);
  f.i32(4);
  f.op('i32.add');
  f.get(end);
  f.op('i32.le_u');
  f.op('i32.and');
}

/** Visits the places of the byte steps that lie in the range, of a granule that has them: four at once, or one by one. */
function eachByte(
  f: FunctionBuilder,
  walk: Walk & { readonly found: number },
  visit: (whole: boolean, place: number) => void,
): void {
  const { at, granule, end, found } = walk;
  const place = f.local('i32');
  const stop = f.local('i32');
  f.get(found);
  f.lane('i32x4.extract_lane', ADDRESS_WORD);
  f.set(place);
  pushIsWhole(f, walk);
  f.if();
  visit(true, place);
  f.else();
  const pushOffset = (pushByte: () => void) => {
    pushByte();
    f.get(granule);
    f.op('i32.sub');
    f.i32(4);
    f.op('i32.shl');
  };
  const pushClamped = (value: number, bound: () => void, comparison: string) => {
    f.get(value);
    bound();
    f.get(value);
    bound();
    f.op(comparison);
    f.op('select');
  };
  const granuleEnd = () => {
    f.get(granule);
    f.i32(4);
    f.op('i32.add');
  };
  f.get(place);
  pushOffset(() => pushClamped(end, granuleEnd, 'i32.lt_u'));
  f.op('i32.add');
  f.set(stop);
  f.get(place);
  pushOffset(() => pushClamped(at, () => f.get(granule), 'i32.gt_u'));
  f.op('i32.add');
  f.set(place);
  const next = f.loop();
  visit(false, place);
  f.get(place);
  f.i32(16);
  f.op('i32.add');
  f.tee(place);
  f.get(stop);
  f.op('i32.lt_u');
  f.brIf(next);
  f.end();
  f.end();
}

/** From now on the bytes of the granule have steps of their own: those that they shared. */
function split(f: FunctionBuilder, granule: number, found: number, events: MemoryEvents): void {
  const page = f.local('i32');
  const place = f.local('i32');
  f.get(granule);
  f.i32(PAGE_BITS);
  f.op('i32.shr_u');
  f.tee(page);
  f.i32(2);
  f.op('i32.shl');
  f.memory('i32.load', BYTE_PAGES);
  f.op('i32.eqz');
  f.if();
  f.get(page);
  f.call(events.addBytePage);
  f.end();
  f.get(page);
  f.i32(2);
  f.op('i32.shl');
  f.memory('i32.load', BYTE_PAGES);
  f.get(granule);
  f.i32(PAGE_SIZE - 1);
  f.op('i32.and');
  f.i32(4);
  f.op('i32.shl');
  f.op('i32.add');
  f.set(place);
  for (let i = 0; i < 4; i++) {
    f.get(place);
    f.get(found);
    f.memory('v128.store', 16 * i);
  }
  f.get(granule);
  f.i32(2);
  f.op('i32.shl');
  f.i32(MIXED);
  f.op('i32x4.splat');
  f.get(place);
  f.lane('i32x4.replace_lane', ADDRESS_WORD);
  f.tee(found);
  f.memory('v128.store', SHADOW);
}

/** Fills the page's shadow with the origin when it is still zero. */
function initPage(f: FunctionBuilder, shape: LaneShape, at: number): void {
  const cursor = f.local('i32');
  const stop = f.local('i32');
  f.get(at);
  f.i32(~(PAGE_SIZE - 1));
  f.op('i32.and');
  f.i32(2);
  f.op('i32.shl');
  f.tee(cursor);
  f.memory('i32.load', SHADOW + 4 * TELLING_WORD);
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
  shape.pushOrigin(f);
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
