import { PAGE_SIZE, PERMISSIONS, SHADOW } from '../../guest/layout.ts';
import { FAST_STORE, READ, SHADOWED } from '../../guest/memory.ts';
import { FunctionBuilder } from '../../wasm/function.ts';
import type { ModuleBuilder } from '../../wasm/module.ts';
import { pushIsIdle } from '../contexts/idle.ts';
import { checkRange, type MemoryEvents, PAGE_BITS } from '../steps/check-range.ts';
import type { StepEntry } from '../steps/step-entry.ts';
import { splitGranule } from './byte-cells.ts';

/** The general forms of the accesses in step-memory.ts; step-entry.ts describes what shadow memory holds. */

/** loadStep(address i64, size i32) -> step: any address, any alignment. */
export function defineLoadStep(module: ModuleBuilder, events: MemoryEvents, entry: StepEntry): number {
  const f = new FunctionBuilder({ params: ['i64', 'i32'], results: ['v128'] });
  const [address, size] = [0, 1];
  const at = f.local('i32');
  const granule = f.local('i32');
  const end = f.local('i32');
  const step = f.local('v128');
  const found = f.local('v128');
  const byte = f.local('v128');
  const unknown = f.local('i32');
  checkRange(f, address, size, READ, events, 0, entry.end);
  startRange(f, { address, size, at, granule, end });
  entry.pushOrigin(f);
  f.set(step);
  const tried = f.local('i32');
  const done = f.block();
  const next = f.loop();
  pushIsStride(f, { at, granule, end });
  f.get(granule);
  f.get(tried);
  f.op('i32.ge_u');
  f.op('i32.and');
  f.if();
  const loads = strideOffsets(entry).map((offset) => () => {
    pushGranule(f, entry, granule);
    entry.load(f, SHADOW + offset);
  });
  entry.largest(f, loads, found, () => f.local('v128'));
  f.if();
  entry.raise(f, step, found);
  nextGranule(f, granule, end, next, STRIDE);
  f.br(done);
  f.end();
  // Not all of them are single: one after the other.
  f.get(granule);
  f.i32(STRIDE);
  f.op('i32.add');
  f.set(tried);
  f.end();
  pushGranule(f, entry, granule);
  entry.load(f, SHADOW);
  f.set(found);
  entry.pushIsSingle(f, found);
  f.if();
  entry.raise(f, step, found);
  f.else();
  entry.pushIsUnknown(f, found);
  f.if();
  f.i32(1);
  f.set(unknown);
  f.else();
  eachByte(f, entry, { at, granule, end, found }, (whole, place) => {
    for (let i = 0; i < (whole ? 4 : 1); i++) {
      f.get(place);
      entry.load(f, i << entry.bits);
      f.set(byte);
      entry.raise(f, step, byte);
    }
  });
  f.end();
  f.end();
  nextGranule(f, granule, end, next);
  f.end();
  f.end();
  f.get(unknown);
  f.if(undefined, 'unlikely');
  const place = f.local('i32');
  f.get(at);
  f.get(size);
  f.call(events.recall);
  f.tee(place);
  f.if();
  f.get(place);
  entry.load(f, 0);
  f.set(found);
  entry.raise(f, step, found);
  f.else();
  // The first look at a page gives it the origin's steps, so that the next one is fast.
  initPage(f, entry, at);
  f.end();
  f.end();
  f.get(step);
  return module.define(f);
}

/**
 * storeStep(address i64, size i32, step): any address, any alignment. `asksIdle`: where nothing is measured, bytes do not begin to differ
 * (contexts/idle.ts).
 */
export function defineStoreStep(
  module: ModuleBuilder,
  events: MemoryEvents,
  entry: StepEntry,
  asksIdle: boolean,
): number {
  const f = new FunctionBuilder({ params: ['i64', 'i32', 'v128'], results: [] });
  const [address, size, step] = [0, 1, 2];
  const at = f.local('i32');
  const granule = f.local('i32');
  const end = f.local('i32');
  const found = f.local('v128');
  checkRange(f, address, size, FAST_STORE, events, 1, entry.end);
  startRange(f, { address, size, at, granule, end });
  const done = f.block();
  const next = f.loop();
  pushIsStride(f, { at, granule, end });
  f.if();
  for (const offset of strideOffsets(entry)) {
    pushGranule(f, entry, granule);
    f.get(step);
    entry.store(f, SHADOW + offset);
  }
  nextGranule(f, granule, end, next, STRIDE);
  f.br(done);
  f.end();
  pushIsWhole(f, { at, granule, end });
  f.if();
  pushGranule(f, entry, granule);
  f.get(step);
  entry.store(f, SHADOW);
  f.else();
  const apart = f.block();
  pushGranule(f, entry, granule);
  entry.load(f, SHADOW);
  f.set(found);
  entry.pushIsSingle(f, found);
  f.if();
  if (asksIdle) {
    pushIsIdle(f);
    f.brIf(apart);
  }
  splitGranule(f, entry, { granule, found, place: f.local('i32') }, (page) => {
    f.get(page);
    f.call(events.addBytes);
  });
  f.end();
  eachByte(f, entry, { at, granule, end, found }, (whole, place) => {
    for (let i = 0; i < (whole ? 4 : 1); i++) {
      f.get(place);
      f.get(step);
      entry.store(f, i << entry.bits);
    }
  });
  f.end();
  f.end();
  nextGranule(f, granule, end, next);
  f.end();
  f.end();
  return module.define(f);
}

/** Pushes the shadow's offset of a granule. */
function pushGranule(f: FunctionBuilder, entry: StepEntry, granule: number): void {
  f.get(granule);
  f.i32(entry.bits - 2);
  f.op('i32.shl');
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

function nextGranule(f: FunctionBuilder, granule: number, end: number, loop: number, bytes = GRANULE): void {
  f.get(granule);
  f.i32(bytes);
  f.op('i32.add');
  f.tee(granule);
  f.get(end);
  f.op('i32.lt_u');
  f.brIf(loop);
}

/** Pushes whether all of the granule, or so many bytes from its beginning on, lie in the range. */
function pushIsWhole(f: FunctionBuilder, { at, granule, end }: Walk, bytes = GRANULE): void {
  f.get(at);
  f.get(granule);
  f.op('i32.le_u');
  f.get(granule);
  f.i32(bytes);
  f.op('i32.add');
  f.get(end);
  f.op('i32.le_u');
  f.op('i32.and');
}

const GRANULE = 4;
/** Bytes whose entries are looked at together: of `rep movs`, which is one access of all that it copies. */
const STRIDE = 8 * GRANULE;

const pushIsStride = (f: FunctionBuilder, walk: Walk): void => pushIsWhole(f, walk, STRIDE);

/** Where the entries of a stride are, from its first one on. */
const strideOffsets = ({ bits }: StepEntry): readonly number[] =>
  Array.from({ length: STRIDE / GRANULE }, (_, i) => i << bits);

/** Visits the places of the byte steps that lie in the range, of a granule that has them: four at once, or one by one. */
function eachByte(
  f: FunctionBuilder,
  entry: StepEntry,
  walk: Walk & { readonly found: number },
  visit: (whole: boolean, place: number) => void,
): void {
  const { at, granule, end, found } = walk;
  const place = f.local('i32');
  const stop = f.local('i32');
  entry.pushPlace(f, found);
  f.set(place);
  pushIsWhole(f, walk);
  f.if();
  visit(true, place);
  f.else();
  const pushOffset = (pushByte: () => void) => {
    pushByte();
    f.get(granule);
    f.op('i32.sub');
    f.i32(entry.bits);
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
  f.i32(1 << entry.bits);
  f.op('i32.add');
  f.tee(place);
  f.get(stop);
  // There is one byte at least. The first page that has steps of its bytes has them at the end of memory, where `stop` is 0.
  f.op('i32.ne');
  f.brIf(next);
  f.end();
  f.end();
}

/** Fills the page's shadow with the origin when it is still unknown. */
function initPage(f: FunctionBuilder, entry: StepEntry, at: number): void {
  const cursor = f.local('i32');
  const stop = f.local('i32');
  const origin = f.local('v128');
  f.get(at);
  f.i32(~(PAGE_SIZE - 1));
  f.op('i32.and');
  f.i32(entry.bits - 2);
  f.op('i32.shl');
  f.tee(cursor);
  entry.load(f, SHADOW);
  f.set(origin);
  entry.pushIsUnknown(f, origin);
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
  f.i32(PAGE_SIZE << (entry.bits - 2));
  f.op('i32.add');
  f.set(stop);
  entry.pushOrigin(f);
  f.set(origin);
  const next = f.loop();
  f.get(cursor);
  f.get(origin);
  entry.store(f, SHADOW);
  f.get(cursor);
  f.i32(1 << entry.bits);
  f.op('i32.add');
  f.tee(cursor);
  f.get(stop);
  f.op('i32.lt_u');
  f.brIf(next);
  f.end();
  f.end();
}
