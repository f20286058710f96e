import { GUEST_END, PAGE_SIZE, PERMISSIONS, SHADOW } from '../guest/layout.ts';
import { FAST_STORE } from '../guest/memory.ts';
import type { AccessSize } from '../ir/node.ts';
import type { FunctionBuilder } from '../wasm/function.ts';
import type { LaneShape } from './lane-shape.ts';
import type { MemoryHost } from './measure.ts';
import { pushIsAbove, type QuietBound } from './quiet-pages.ts';

/**
 * Steps of memory with lanes, as generated code reads and writes them in line. Shadow memory keeps one step for each
 * aligned 4 bytes, a granule. Its second word tells three cases apart: positive, the step of all four bytes; 0, nothing is
 * known of the page yet; negative, the bytes differ and have steps of their own, one after the other at the address in the
 * third word.
 *
 * In line are the cases that loops are made of: accesses to granules of one step (loads at any alignment, stores aligned),
 * and single bytes and aligned pairs in granules of several. The rest (outside, first touch of a page, bytes that begin to
 * differ) goes to the support functions, on branches that are marked unlikely, so that only they pay for the call.
 */
export const TELLING_WORD = 1;
export const ADDRESS_WORD = 2;

/** Checks that `size` bytes are readable at the address in an i64 local, and puts their step into a v128 local. */
export function loadLanes(
  host: MemoryHost,
  shape: LaneShape,
  address: number,
  size: AccessSize,
  step: number,
  bound?: QuietBound,
): void {
  const { f } = host;
  const done = f.block();
  const slow = f.block();
  if (size === 1 || size === 2) loadPart(host, shape, address, size, step, done, slow);
  else {
    if (bound !== undefined) loadQuietly(f, address, size, step, bound, done);
    loadGranules(host, shape, address, size, step, done, slow);
  }
  f.end();
  loadSlowly(host, address, size, step);
  f.end();
}

/** The same by the support function alone. */
export function loadSlowly(
  { f, functions }: MemoryHost,
  address: number,
  size: AccessSize,
  step: number,
): void {
  f.get(address);
  f.i32(size);
  f.call(functions.loadStep);
  f.set(step);
}

/** One or two bytes of one granule. */
function loadPart(
  { f, scratch }: MemoryHost,
  shape: LaneShape,
  address: number,
  size: 1 | 2,
  step: number,
  done: number,
  slow: number,
): void {
  const lane = scratch.take('i32');
  branchUnlessInside(f, address, size - 1, slow);
  pushGranuleOf(f, address);
  f.memory('v128.load', SHADOW);
  f.tee(step);
  f.lane('i32x4.extract_lane', TELLING_WORD);
  f.tee(lane);
  f.i32(0);
  f.op('i32.gt_s');
  f.brIf(done);
  f.get(lane);
  f.op('i32.eqz');
  f.brIf(slow, 'unlikely');
  pushByteStep(f, address, step);
  f.tee(lane);
  f.memory('v128.load', 0);
  if (size === 2) {
    f.get(lane);
    f.memory('v128.load', 16);
    f.op(shape.max);
  }
  f.set(step);
  f.br(done);
}

/** Where the page's steps cannot matter: the load counts like the instruction's other sources. */
function loadQuietly(
  f: FunctionBuilder,
  address: number,
  size: 4 | 8 | 16,
  step: number,
  bound: QuietBound,
  done: number,
): void {
  const ask = f.block();
  branchUnlessInside(f, address, Math.log2(size), ask);
  pushIsAbove(f, address, bound);
  f.brIf(ask);
  f.get(bound.value);
  f.set(step);
  f.br(done);
  f.end();
}

/** Whole granules; failing that, all the granules that an unaligned access touches, one more than its size. */
function loadGranules(
  { f, scratch }: MemoryHost,
  shape: LaneShape,
  address: number,
  size: 4 | 8 | 16,
  step: number,
  done: number,
  slow: number,
): void {
  const shadow = scratch.take('i32');
  const unaligned = f.block();
  branchUnlessInside(f, address, 2, unaligned);
  f.get(address);
  f.op('i32.wrap_i64');
  f.i32(2);
  f.op('i32.shl');
  f.set(shadow);
  loadMaximum(f, shape, shadow, size / 4, step);
  f.brIf(done, 'likely');
  f.br(slow);
  f.end();
  branchUnlessInside(f, address, 0, slow);
  pushGranuleOf(f, address);
  f.set(shadow);
  loadMaximum(f, shape, shadow, size / 4 + 1, step);
  f.brIf(done, 'likely');
}

/** Loads the maximum of consecutive granules and pushes whether each has one step. */
function loadMaximum(
  f: FunctionBuilder,
  shape: LaneShape,
  shadow: number,
  granules: number,
  step: number,
): void {
  const reduce = (operation: string) => {
    for (let i = 0; i < granules; i++) {
      f.get(shadow);
      f.memory('v128.load', SHADOW + 16 * i);
      if (i > 0) f.op(operation);
    }
  };
  reduce(shape.max);
  f.set(step);
  if (granules === 1) f.get(step);
  else reduce('i32x4.min_s');
  f.lane('i32x4.extract_lane', TELLING_WORD);
  f.i32(0);
  f.op('i32.gt_s');
}

/** Checks that `size` bytes are writable at the address in an i64 local, and gives them the step in a v128 local. */
export function storeLanes(host: MemoryHost, address: number, size: AccessSize, step: number): void {
  const { f } = host;
  const done = f.block();
  const slow = f.block();
  if (size === 1 || size === 2) storePart(host, address, size, step, slow);
  else storeGranules(host, address, size, step, slow);
  f.br(done);
  f.end();
  storeSlowly(host, address, size, step);
  f.end();
}

/** The same by the support function alone. */
export function storeSlowly(
  { f, functions }: MemoryHost,
  address: number,
  size: AccessSize,
  step: number,
): void {
  f.get(address);
  f.i32(size);
  f.get(step);
  f.call(functions.storeStep);
}

/** One or two bytes of a granule whose bytes differ already. */
function storePart(
  { f, scratch }: MemoryHost,
  address: number,
  size: 1 | 2,
  step: number,
  slow: number,
): void {
  const at = scratch.take('i32');
  const granule = scratch.take('v128');
  branchUnlessInside(f, address, size - 1, slow);
  f.get(address);
  f.op('i32.wrap_i64');
  f.set(at);
  branchUnlessFast(f, at, 0, slow);
  pushGranuleOf(f, address);
  f.memory('v128.load', SHADOW);
  f.tee(granule);
  f.lane('i32x4.extract_lane', TELLING_WORD);
  f.i32(0);
  f.op('i32.ge_s');
  f.brIf(slow, 'unlikely');
  pushByteStep(f, address, granule);
  f.tee(at);
  f.get(step);
  f.memory('v128.store', 0);
  if (size === 1) return;
  f.get(at);
  f.get(step);
  f.memory('v128.store', 16);
}

function storeGranules(
  { f, scratch }: MemoryHost,
  address: number,
  size: 4 | 8 | 16,
  step: number,
  slow: number,
): void {
  const at = scratch.take('i32');
  // 8 bytes aligned to 8 never cross a page; 16 bytes are often aligned to 8 only, so both ends are asked.
  branchUnlessInside(f, address, size === 8 ? 3 : 2, slow);
  f.get(address);
  f.op('i32.wrap_i64');
  f.set(at);
  branchUnlessFast(f, at, 0, slow);
  if (size === 16) branchUnlessFast(f, at, 15, slow);
  f.get(at);
  f.i32(2);
  f.op('i32.shl');
  f.set(at);
  for (let i = 0; i < size / 4; i++) {
    f.get(at);
    f.get(step);
    f.memory('v128.store', SHADOW + 16 * i);
  }
}

/** Pushes the shadow's offset of the granule that holds the byte at an i64 address. */
function pushGranuleOf(f: FunctionBuilder, address: number): void {
  f.get(address);
  f.op('i32.wrap_i64');
  f.i32(~3);
  f.op('i32.and');
  f.i32(2);
  f.op('i32.shl');
}

/** Pushes the place of a byte's own step, given its granule in a v128 local. */
function pushByteStep(f: FunctionBuilder, address: number, granule: number): void {
  f.get(granule);
  f.lane('i32x4.extract_lane', ADDRESS_WORD);
  f.get(address);
  f.op('i32.wrap_i64');
  f.i32(3);
  f.op('i32.and');
  f.i32(4);
  f.op('i32.shl');
  f.op('i32.add');
}

/** Branches when the address in an i64 local is not a multiple of 2^bits below GUEST_END: one rotation, one comparison. */
function branchUnlessInside(f: FunctionBuilder, address: number, bits: number, label: number): void {
  f.get(address);
  if (bits > 0) {
    f.i64(BigInt(bits));
    f.op('i64.rotr');
  }
  f.i64(BigInt(GUEST_END >> bits));
  f.op('i64.ge_u');
  f.brIf(label, 'unlikely');
}

function branchUnlessFast(f: FunctionBuilder, address: number, offset: number, label: number): void {
  f.get(address);
  if (offset > 0) {
    f.i32(offset);
    f.op('i32.add');
  }
  f.i32(Math.log2(PAGE_SIZE));
  f.op('i32.shr_u');
  f.memory('i32.load8_u', PERMISSIONS);
  f.i32(FAST_STORE);
  f.op('i32.and');
  f.op('i32.eqz');
  f.brIf(label, 'unlikely');
}
