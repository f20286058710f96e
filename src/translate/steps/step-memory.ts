import { NEAR, PAGE_SIZE } from '../../guest/layout.ts';
import type { AccessSize } from '../../ir/node.ts';
import type { FunctionBuilder } from '../../wasm/function.ts';
import { lookUpFar } from './check-range.ts';
import { branchUnlessFast, branchUnlessInside, pushIsInside } from './checks-in-line.ts';
import { loadEdges, loadMixed, type Odd, storeEdges } from './edges-in-line.ts';
import { hasEdgesInLine, loadGranules, pushGranuleOf, storeGranules } from './granules-in-line.ts';
import type { Access, AccessedRange, MemoryHost, Reached } from './measure.ts';
import { loadPart, storePart } from './parts-in-line.ts';
import { loadQuietly, type QuietBound } from './quiet-pages.ts';
import type { StepEntry } from './step-entry.ts';

/**
 * Steps of memory, as generated code reads and writes them in line (step-entry.ts tells what shadow memory holds).
 *
 * In line are the cases that loops are made of: accesses to granules of one step (loads at any alignment, stores aligned),
 * and single bytes and aligned pairs in granules of several (parts-in-line.ts); others where they are usual (edges-in-line.ts). The rest (outside, first touch of a page, bytes that begin to
 * differ) goes to the support functions, on branches that are marked unlikely, so that only they pay for the call.
 *
 * Both functions give the i32 local that holds where in memory the accessed bytes are.
 */

/** Checks that `size` bytes are readable at the address in an i64 local, and puts their step into a local. */
export function loadStepOf(
  host: MemoryHost,
  entry: StepEntry,
  address: number,
  size: AccessSize,
  step: number,
  bound?: QuietBound,
): number {
  const { f, functions } = host;
  const slowly = () => {
    f.get(address);
    f.i32(size);
    f.call(functions.loadStep);
    f.set(step);
  };
  return accessOf(host, entry, { address, size, isWrite: 0 }, slowly, (access, done, slow) => {
    if (size === 1 || size === 2) return loadPart(host, access, size, step, bound, done, slow);
    if (bound !== undefined)
      loadQuietly(f, access.near, step, bound, done, (ask) =>
        branchUnlessInside(f, access, Math.log2(size), ask),
      );
    loadWords(host, access, size, step, bound, done, slow);
  });
}

/** Checks that `size` bytes are writable at the address in an i64 local, and gives them the step in a local. */
export function storeStepOf(
  host: MemoryHost,
  entry: StepEntry,
  address: number,
  size: AccessSize,
  step: number,
): number {
  const { f, functions } = host;
  const slowly = () => {
    f.get(address);
    f.i32(size);
    f.get(step);
    f.call(functions.storeStep);
  };
  return accessOf(host, entry, { address, size, isWrite: 1 }, slowly, (access, done, slow) => {
    if (size === 1 || size === 2) storePart(host, access, size, step, done, slow);
    else storeWords(host, access, size, step, done, slow);
    f.br(done);
  });
}

/** `loadStepOf` where an i32 local is not 0; else there is no step, which is below all others. */
export function loadStepWhen(
  host: MemoryHost,
  entry: StepEntry,
  when: number,
  address: number,
  size: AccessSize,
  step: number,
  read: Reached,
  bound?: QuietBound,
): void {
  const { f } = host;
  entry.pushNone(f);
  f.set(step);
  f.get(when);
  f.if();
  read(loadStepOf(host, entry, address, size, step, bound));
  f.end();
}

/** `storeStepOf` where an i32 local is not 0. */
export function storeStepWhen(
  host: MemoryHost,
  entry: StepEntry,
  when: number,
  address: number,
  size: AccessSize,
  step: number,
  write: Reached,
): void {
  const { f } = host;
  f.get(when);
  f.if();
  write(storeStepOf(host, entry, address, size, step));
  f.end();
}

/** An access in line, which goes to `done` or, where it is none of the usual cases, to `slow` or falls through to it. */
function accessOf(
  { f, scratch, farInLine }: MemoryHost,
  entry: StepEntry,
  range: AccessedRange,
  slowly: () => void,
  inLine: (access: Access, done: number, slow: number) => void,
): number {
  const near = scratch.take('i32');
  const { address } = range;
  f.get(address);
  f.op('i32.wrap_i64');
  f.set(near);
  if (entry.isInLine) {
    const done = f.block();
    const slow = f.block();
    const place = farInLine ? findFar({ f, scratch }, entry, range, near, slow) : address;
    inLine({ entry, address: place, near }, done, slow);
    f.end();
    slowly();
    if (entry.followsFar) setNear(f, near);
    f.end();
  } else {
    slowly();
    if (entry.followsFar) setNear(f, near);
  }
  return near;
}

/** Gives the i64 local that holds where the bytes are, as `near` does then: at their address, or where FAR_CACHE has their page. */
function findFar(
  { f, scratch }: Pick<MemoryHost, 'f' | 'scratch'>,
  entry: StepEntry,
  range: AccessedRange,
  near: number,
  slow: number,
): number {
  const place = scratch.take('i64');
  f.get(range.address);
  f.tee(place);
  pushIsInside(f, 0, entry.end);
  f.op('i32.eqz');
  f.if();
  scratch.within(() => {
    const found = lookUpFar(f, range, { page: scratch.take('i64'), entry: scratch.take('i32') }, () =>
      f.i32(range.size),
    );
    f.op('i32.eqz');
    f.brIf(slow, 'unlikely');
    found();
  });
  f.tee(near);
  f.op('i64.extend_i32_u');
  f.set(place);
  f.end();
  return place;
}

/** After a support function: it has found the bytes. */
function setNear(f: FunctionBuilder, near: number): void {
  f.i32(0);
  f.memory('i32.load', NEAR);
  f.set(near);
}

/** Whole granules; failing that, as unaligned. */
function loadWords(
  host: MemoryHost,
  access: Access,
  size: 4 | 8 | 16 | 32,
  step: number,
  bound: QuietBound | undefined,
  done: number,
  slow: number,
): void {
  const { f, scratch } = host;
  const shadow = scratch.take('i32');
  const isInLine = host.unalignedInLine !== 'none';
  const unaligned = isInLine ? f.block() : slow;
  branchUnlessInside(f, access, 2, unaligned, hasEdgesInLine(host));
  f.get(access.near);
  f.i32(access.entry.bits - 2);
  f.op('i32.shl');
  f.set(shadow);
  loadWhole(host, access.entry, shadow, 0, size, step, done, slow);
  if (!isInLine) return;
  f.br(slow);
  f.end();
  loadUnaligned(host, access, size, step, bound, done, slow);
}

/** Aligned granules; goes to `done`, or on where some have steps of their bytes that are not loaded here. */
export function loadWhole(
  host: MemoryHost,
  entry: StepEntry,
  shadow: number,
  distance: number,
  size: 4 | 8 | 16 | 32,
  step: number,
  done: number,
  slow: number,
): void {
  const { f } = host;
  const hasMixed = hasEdgesInLine(host);
  loadGranules(host, entry, shadow, distance, size / 4, step);
  f.brIf(done, hasMixed ? undefined : 'likely');
  if (!hasMixed) return;
  loadMixed(host, entry, size, shadow, distance, step, slow);
  f.br(done);
}

/** All the granules that an unaligned access touches, one more than its size. */
export function loadUnaligned(
  host: MemoryHost,
  access: Access,
  size: 4 | 8 | 16 | 32,
  step: number,
  bound: QuietBound | undefined,
  done: number,
  slow: number,
): void {
  const { f, scratch } = host;
  const shadow = scratch.take('i32');
  const hasEdges = hasEdgesInLine(host);
  branchUnlessInside(f, access, 0, slow);
  if (hasEdges && bound !== undefined)
    loadQuietly(f, access.near, step, bound, done, (ask) => {
      f.get(access.near);
      f.i32(PAGE_SIZE - 1);
      f.op('i32.and');
      f.i32(PAGE_SIZE - size);
      f.op('i32.gt_u');
      f.brIf(ask, 'unlikely');
    });
  pushGranuleOf(f, access);
  f.set(shadow);
  loadOdd(host, access, size, shadow, 0, step, done, slow);
}

/** `loadUnaligned` of what is known to have shadow memory, from granules at a distance from one whose entry is known. */
export function loadOdd(
  host: MemoryHost,
  access: Odd,
  size: 4 | 8 | 16 | 32,
  shadow: number,
  distance: number,
  step: number,
  done: number,
  slow: number,
): void {
  const { f } = host;
  const hasEdges = hasEdgesInLine(host);
  loadGranules(host, access.entry, shadow, distance, size / 4 + 1, step);
  f.brIf(done, hasEdges ? undefined : 'likely');
  if (!hasEdges) return;
  loadEdges(host, access, size, shadow, distance, step, slow);
  f.br(done);
}

function storeWords(
  host: MemoryHost,
  access: Access,
  size: 4 | 8 | 16 | 32,
  step: number,
  done: number,
  slow: number,
): void {
  const { f, scratch } = host;
  const { entry, near } = access;
  const unaligned = hasEdgesInLine(host) ? f.block() : slow;
  // 8 bytes aligned to 8 never cross a page; vectors are often aligned to less than their size, so both ends are asked.
  branchUnlessInside(f, access, size === 8 ? 3 : 2, unaligned, unaligned !== slow);
  branchUnlessFast(f, near, 0, slow);
  if (size > 8) branchUnlessFast(f, near, size - 1, slow);
  const shadow = scratch.take('i32');
  f.get(near);
  f.i32(entry.bits - 2);
  f.op('i32.shl');
  f.set(shadow);
  storeGranules(host, entry, shadow, 0, size / 4, step);
  if (unaligned === slow) return;
  f.br(done);
  f.end();
  storeUnaligned(host, access, size, step, slow);
}

/** What `loadUnaligned` is to loads; goes to `slow` unless both edges have steps of their bytes. */
function storeUnaligned(
  host: MemoryHost,
  access: Access,
  size: 4 | 8 | 16 | 32,
  step: number,
  slow: number,
): void {
  const { f, scratch } = host;
  const { near } = access;
  branchUnlessInside(f, access, 0, slow);
  branchUnlessFast(f, near, 0, slow);
  branchUnlessFast(f, near, size - 1, slow);
  const shadow = scratch.take('i32');
  pushGranuleOf(f, access);
  f.set(shadow);
  const edges = () => storeEdges(host, access, size, shadow, 0, step, slow);
  if (size !== 8) return edges();
  // They may be aligned to 4: the second half of one element of an array and the first of the next.
  f.get(near);
  f.i32(3);
  f.op('i32.and');
  f.if();
  edges();
  f.else();
  storeGranules(host, access.entry, shadow, 0, size / 4, step);
  f.end();
}
