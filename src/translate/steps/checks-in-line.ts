import { PAGE_SIZE, PERMISSIONS } from '../../guest/layout.ts';
import { FAST_STORE } from '../../guest/memory.ts';
import type { FunctionBuilder } from '../../wasm/function.ts';
import type { Access } from './measure.ts';

/** What an access in line asks of its address and its page; check-range.ts is what support functions ask of any range. */

/** Branches when the address is not a multiple of 2^bits that has shadow memory. */
export function branchUnlessInside(
  f: FunctionBuilder,
  { entry, address }: Access,
  bits: number,
  label: number,
  isUsual = false,
): void {
  f.get(address);
  pushIsInside(f, bits, entry.end);
  f.op('i32.eqz');
  f.brIf(label, isUsual ? undefined : 'unlikely');
}

/**
 * Replaces an address (i64) by whether it is a multiple of 2^bits below an end. Where that is a power of two, as usually, processors
 * test all the bits that must be 0 and branch in one operation; else it is a rotation and a comparison.
 */
export function pushIsInside(f: FunctionBuilder, bits: number, end: number): void {
  if (Number.isInteger(Math.log2(end))) {
    f.i64(BigInt(-end | (2 ** bits - 1)));
    f.op('i64.and');
    f.op('i64.eqz');
    return;
  }
  if (bits > 0) {
    f.i64(BigInt(bits));
    f.op('i64.rotr');
  }
  f.i64(BigInt(end >> bits));
  f.op('i64.lt_u');
}

/** Branches when the page so far behind an address has no fast stores. */
export function branchUnlessFast(f: FunctionBuilder, near: number, offset: number, label: number): void {
  pushIsFast(f, near, offset);
  f.op('i32.eqz');
  f.brIf(label, 'unlikely');
}

/** Pushes something that is not 0 where the page so far behind an address has fast stores. */
export function pushIsFast(f: FunctionBuilder, near: number, offset: number): void {
  pushPermissions(f, near, offset);
  f.i32(FAST_STORE);
  f.op('i32.and');
}

/** Pushes the permissions of that page. */
export function pushPermissions(f: FunctionBuilder, near: number, offset: number): void {
  f.get(near);
  if (offset > 0) {
    f.i32(offset);
    f.op('i32.add');
  }
  f.i32(Math.log2(PAGE_SIZE));
  f.op('i32.shr_u');
  f.memory('i32.load8_u', PERMISSIONS);
}
