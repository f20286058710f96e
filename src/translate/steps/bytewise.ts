import { BYTE_PAGES, BYTEWISE, PAGE_SIZE } from '../../guest/layout.ts';
import type { FunctionBuilder } from '../../wasm/function.ts';
import { PAGE_BITS } from './check-range.ts';
import type { StepEntry } from './step-entry.ts';

/** Of the page of an address (support/byte-pages.ts): pushes whether it is bytewise, and puts its word of BYTE_PAGES into an i32 local. */
export function pushIsBytewise(f: FunctionBuilder, near: number, word: number): void {
  f.get(near);
  f.i32(PAGE_BITS);
  f.op('i32.shr_u');
  f.i32(2);
  f.op('i32.shl');
  f.memory('i32.load', BYTE_PAGES);
  f.tee(word);
  f.i32(BYTEWISE);
  f.op('i32.and');
}

/** A page's word, in a local, becomes the place of a byte's step; pushes it, too. */
function pushPlace(f: FunctionBuilder, entry: StepEntry, near: number, word: number): void {
  f.get(word);
  f.get(near);
  f.i32(PAGE_SIZE - 1);
  f.op('i32.and');
  f.i32(entry.bits);
  f.op('i32.shl');
  f.op('i32.add');
  f.i32(BYTEWISE);
  f.op('i32.sub');
  f.tee(word);
}

/** Loads the step of one or two bytes of such a page, given its word, into a local. */
export function loadBytewise(
  f: FunctionBuilder,
  entry: StepEntry,
  near: number,
  word: number,
  size: 1 | 2,
  step: number,
  other: number,
): void {
  pushPlace(f, entry, near, word);
  entry.load(f, 0);
  f.set(step);
  if (size === 1) return;
  f.get(word);
  entry.load(f, 1 << entry.bits);
  f.set(other);
  entry.raise(f, step, other);
}

/** Gives a step to one or two bytes of such a page. */
export function storeBytewise(
  f: FunctionBuilder,
  entry: StepEntry,
  near: number,
  word: number,
  size: 1 | 2,
  step: number,
): void {
  pushPlace(f, entry, near, word);
  f.get(step);
  entry.store(f, 0);
  if (size === 1) return;
  f.get(word);
  f.get(step);
  entry.store(f, 1 << entry.bits);
}
