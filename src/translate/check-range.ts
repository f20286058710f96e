import { PAGE_SIZE, PERMISSIONS } from '../guest/layout.ts';
import type { FunctionBuilder } from '../wasm/function.ts';

/** Imports of the slow paths, as function indices. */
export interface MemoryEvents {
  /** (address i64, isWrite i32): the access faults; never returns. */
  readonly pageFault: number;
  /** (page i32): the first store into a page (or one with translated code): checks, prepares, or faults. */
  readonly prepareStore: number;
  /** (page i32): gives the page its byte-exact steps. */
  readonly addBytePage: number;
  /** (address i64, isWrite i32): an address is accessed that has no steps; never returns. */
  readonly beyond: number;
}

export const PAGE_BITS = Math.log2(PAGE_SIZE);

/** Faults unless the first and the last byte lie in pages with the permission, below the limit; an unprepared page is prepared for stores. */
export function checkRange(
  f: FunctionBuilder,
  address: number,
  size: number,
  permission: number,
  events: MemoryEvents,
  isWrite: 0 | 1,
  limit: number,
): void {
  const last = f.local('i64');
  f.get(address);
  f.get(size);
  f.op('i64.extend_i32_u');
  f.op('i64.add');
  f.i64(-1n);
  f.op('i64.add');
  f.set(last);
  for (const byte of [address, last]) {
    f.get(byte);
    f.i64(BigInt(limit));
    f.op('i64.ge_u');
    f.if();
    f.get(byte);
    f.i32(isWrite);
    f.call(events.beyond);
    f.end();
    f.get(byte);
    f.op('i32.wrap_i64');
    f.i32(PAGE_BITS);
    f.op('i32.shr_u');
    f.memory('i32.load8_u', PERMISSIONS);
    f.i32(permission);
    f.op('i32.and');
    f.op('i32.eqz');
    f.if();
    if (isWrite) {
      f.get(byte);
      f.op('i32.wrap_i64');
      f.i32(PAGE_BITS);
      f.op('i32.shr_u');
      f.call(events.prepareStore);
    } else {
      f.get(byte);
      f.i32(isWrite);
      f.call(events.pageFault);
    }
    f.end();
  }
}
