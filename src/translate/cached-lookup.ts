import { CODE_CACHE_ENTRY, ENTRY_TARGET, LARGE_CACHE_BITS } from '../guest/layout.ts';
import { FunctionBuilder } from '../wasm/function.ts';
import type { ModuleBuilder } from '../wasm/module.ts';

/** Spreads addresses over the entries of a large cache. */
export const LARGE_CACHE_FACTOR = 0x9e37_79b1 | 0;

/** Where an AddressCache is in memory. Its entries: address, value, second value. */
export interface CachePlace {
  readonly at: number;
  readonly entries: number;
}

/**
 * Pushes (i32) what a cache holds for the address in an i64 local, else what `miss` gives for it. In line where code calls or jumps indirectly:
 * to ask a function cost 25 host instructions more, and what the caller carries went through memory (qsort with a callback: 4 % fewer of all).
 */
export function pushCached(
  f: FunctionBuilder,
  address: number,
  { at, entries }: CachePlace,
  miss: number,
): void {
  const entry = f.local('i32');
  pushIsIn(f, address, { at, entries }, entry);
  f.if('i32', 'likely');
  f.get(entry);
  f.memory('i32.load', at + 8);
  f.else();
  f.get(address);
  f.call(miss);
  f.end();
}

/** Pushes the slot of what is entered at the address in an i64 local, where it may be the way into the interpreter, which asks for the address. */
export function pushEntryOf(f: FunctionBuilder, address: number, cache: CachePlace, miss: number): void {
  f.i32(0);
  f.get(address);
  f.memory('i64.store', ENTRY_TARGET);
  pushCached(f, address, cache, miss);
}

/** Pushes whether a cache holds the address in an i64 local, and puts into a local where in the cache that is. */
function pushIsIn(f: FunctionBuilder, address: number, { at, entries }: CachePlace, entry: number): void {
  f.get(address);
  f.op('i32.wrap_i64');
  f.i32(entries - 1);
  f.op('i32.and');
  f.i32(Math.log2(CODE_CACHE_ENTRY));
  f.op('i32.shl');
  f.tee(entry);
  f.memory('i64.load', at);
  f.get(address);
  f.op('i64.eq');
}

/** The same for the LargeAddressCache at a place. */
function pushIsInLarge(f: FunctionBuilder, address: number, at: number, entry: number): void {
  f.get(address);
  f.op('i32.wrap_i64');
  f.i32(LARGE_CACHE_FACTOR);
  f.op('i32.mul');
  f.i32(32 - LARGE_CACHE_BITS);
  f.op('i32.shr_u');
  f.i32(Math.log2(CODE_CACHE_ENTRY));
  f.op('i32.shl');
  f.tee(entry);
  f.memory('i64.load', at + CODE_CACHE_ENTRY);
  f.get(address);
  f.i64(-1n);
  f.op('i64.xor');
  f.op('i64.eq');
}

/** Pushes (i32) the second value that a cache, or the large one behind it, holds for the address in an i64 local; else 0. */
export function pushSecondCached(
  f: FunctionBuilder,
  address: number,
  cache: CachePlace,
  large: number,
): void {
  const entry = f.local('i32');
  pushIsIn(f, address, cache, entry);
  f.if('i32', 'likely');
  f.get(entry);
  f.memory('i32.load', cache.at + 12);
  f.else();
  pushIsInLarge(f, address, large, entry);
  f.if('i32', 'likely');
  f.get(entry);
  f.memory('i32.load', large + CODE_CACHE_ENTRY + 12);
  f.else();
  f.i32(0);
  f.end();
  f.end();
}

/** (address i64) -> i32: `pushCached` as a function. */
export function defineCachedLookup(module: ModuleBuilder, miss: number, cache: CachePlace): number {
  const f = new FunctionBuilder({ params: ['i64'], results: ['i32'] });
  pushCached(f, 0, cache, miss);
  return module.define(f);
}

/** (address i64) -> i32: what the LargeAddressCache at a place holds for the address, else what `miss` gives for it. */
export function defineLargeLookup(module: ModuleBuilder, miss: number, at: number): number {
  const f = new FunctionBuilder({ params: ['i64'], results: ['i32'] });
  const entry = f.local('i32');
  pushIsInLarge(f, 0, at, entry);
  f.if('i32', 'likely');
  f.get(entry);
  f.memory('i32.load', at + CODE_CACHE_ENTRY + 8);
  f.else();
  f.get(0);
  f.call(miss);
  f.end();
  return module.define(f);
}
