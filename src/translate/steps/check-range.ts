import { FAR_CACHE_FACTOR, FAR_CACHE_SHIFT, MAY_BE_WRITTEN, PLACE } from '../../guest/far-memory.ts';
import { FAR_ACCESSES, FAR_CACHE, NEAR, PAGE_SIZE, PERMISSIONS } from '../../guest/layout.ts';
import type { FunctionBuilder } from '../../wasm/function.ts';

/** Imports of the slow paths, as function indices. */
export interface MemoryEvents {
  /** (address i64, isWrite i32): the access faults, unless the stack has grown so far. */
  readonly pageFault: number;
  /** (page i32, place i32, size i32): the first store into a page, or one with translated code, of bytes at a place: checks, prepares, or faults. */
  readonly prepareStore: number;
  /** (page i32): gives the page its byte-exact steps. */
  readonly addBytes: number;
  /** (place i32, size i32) -> i32: see CodeEvents.recall. */
  readonly recall: number;
  /** (address i64, size i32, isWrite i32) -> place i32: see CodeEvents.beyond. */
  readonly beyond: number;
  /** (place i64, size i32, isWrite i32) -> place i32: see CodeEvents.away. */
  readonly away: number;
}

export const PAGE_BITS = Math.log2(PAGE_SIZE);

/**
 * Finds where in memory the bytes at an address are, from which on `address` is that place, and notes it for the caller.
 * Faults unless the first and the last byte lie in pages with the permission; an unprepared page is prepared for stores.
 * Addresses up to `end` are memory offsets with steps.
 */
export function checkRange(
  f: FunctionBuilder,
  address: number,
  size: number,
  permission: number,
  events: MemoryEvents,
  isWrite: 0 | 1,
  end: number,
): void {
  const last = f.local('i64');
  const setLast = () => {
    f.get(address);
    f.get(size);
    f.op('i64.extend_i32_u');
    f.op('i64.add');
    f.i64(-1n);
    f.op('i64.add');
    f.set(last);
  };
  setLast();
  for (const byte of [address, last]) {
    f.get(byte);
    f.i64(BigInt(end));
    f.op('i64.ge_u');
  }
  f.op('i32.or');
  f.if();
  findFar(f, address, size, events, isWrite);
  setLast();
  f.end();
  const pushIsDenied = (byte: number) => {
    f.get(byte);
    f.op('i32.wrap_i64');
    f.i32(PAGE_BITS);
    f.op('i32.shr_u');
    f.memory('i32.load8_u', PERMISSIONS);
    f.i32(permission);
    f.op('i32.and');
    f.op('i32.eqz');
  };
  pushIsDenied(address);
  pushIsDenied(last);
  f.op('i32.or');
  f.if(undefined, 'unlikely');
  f.get(address);
  f.get(size);
  f.i32(isWrite);
  f.call(events.away);
  f.op('i64.extend_i32_u');
  f.set(address);
  setLast();
  f.end();
  f.i32(0);
  f.get(address);
  f.memory('i64.store32', NEAR);
  for (const byte of [address, last]) {
    pushIsDenied(byte);
    f.if(undefined, 'unlikely');
    if (isWrite) {
      f.get(byte);
      f.op('i32.wrap_i64');
      f.i32(PAGE_BITS);
      f.op('i32.shr_u');
      f.get(address);
      f.op('i32.wrap_i64');
      f.get(size);
      f.call(events.prepareStore);
    } else {
      f.get(byte);
      if (byte === last) {
        // The access begins in a page that is there.
        f.i64(BigInt(-PAGE_SIZE));
        f.op('i64.and');
      }
      f.i32(isWrite);
      f.call(events.pageFault);
    }
    f.end();
  }
}

/** In one page that is known: as FAR_CACHE has it; else the event tells. */
function findFar(
  f: FunctionBuilder,
  address: number,
  size: number,
  events: MemoryEvents,
  isWrite: 0 | 1,
): void {
  f.i32(0);
  f.i32(0);
  f.memory('i32.load', FAR_ACCESSES);
  f.i32(1);
  f.op('i32.add');
  f.memory('i32.store', FAR_ACCESSES);
  const pushPlace = lookUpFar(f, { address, isWrite }, { page: f.local('i64'), entry: f.local('i32') }, () =>
    f.get(size),
  );
  f.if('i32');
  pushPlace();
  f.else();
  f.get(address);
  f.get(size);
  f.i32(isWrite);
  f.call(events.beyond);
  f.end();
  f.op('i64.extend_i32_u');
  f.set(address);
}

/**
 * Pushes whether FAR_CACHE has the page of an address (an i64 local), and the bytes do not go beyond it. Gives what pushes where they are
 * in memory then. The locals are for what is found.
 */
export function lookUpFar(
  f: FunctionBuilder,
  { address, isWrite }: { readonly address: number; readonly isWrite: 0 | 1 },
  { page, entry }: { readonly page: number; readonly entry: number },
  pushSize: () => void,
): () => void {
  const pushInPage = () => {
    f.get(address);
    f.op('i32.wrap_i64');
    f.i32(PAGE_SIZE - 1);
    f.op('i32.and');
  };
  f.get(address);
  f.i64(BigInt(PAGE_BITS));
  f.op('i64.shr_u');
  f.tee(page);
  f.op('i32.wrap_i64');
  f.i32(FAR_CACHE_FACTOR);
  f.op('i32.mul');
  f.i32(FAR_CACHE_SHIFT);
  f.op('i32.shr_u');
  f.i32(4);
  f.op('i32.shl');
  f.tee(entry);
  f.memory('i64.load', FAR_CACHE);
  f.get(page);
  f.op('i64.eq');
  if (isWrite) {
    f.get(entry);
    f.memory('i32.load', FAR_CACHE + 4 * MAY_BE_WRITTEN);
    f.op('i32.and');
  }
  pushInPage();
  pushSize();
  f.op('i32.add');
  f.i32(PAGE_SIZE);
  f.op('i32.le_u');
  f.op('i32.and');
  return () => {
    f.get(entry);
    f.memory('i32.load', FAR_CACHE + 4 * PLACE);
    pushInPage();
    f.op('i32.add');
  };
}
