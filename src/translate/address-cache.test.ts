import { describe, expect, it } from 'vitest';
import { CODE_CACHE_ENTRY, LARGE_CACHE_SIZE } from '../guest/layout.ts';
import { FunctionBuilder } from '../wasm/function.ts';
import { ModuleBuilder } from '../wasm/module.ts';
import { AddressCache, LargeAddressCache } from './address-cache.ts';
import { defineLargeLookup, pushCached, pushSecondCached } from './cached-lookup.ts';

const AT = 64;
const MISSED = -7;
const PAGES = 1 + Math.ceil((AT + LARGE_CACHE_SIZE) / 0x1_0000);

function lookUpIn(memory: WebAssembly.Memory): (address: bigint) => number {
  const module = new ModuleBuilder('lookup');
  module.importMemory('env', 'memory', PAGES);
  const miss = new FunctionBuilder({ params: ['i64'], results: ['i32'] });
  miss.i32(MISSED);
  module.export('lookUp', defineLargeLookup(module, module.define(miss), AT));
  const { exports } = new WebAssembly.Instance(new WebAssembly.Module(module.build()), { env: { memory } });
  return exports.lookUp as (address: bigint) => number;
}

describe('the larger cache of what is at addresses', () => {
  const memory = new WebAssembly.Memory({ initial: PAGES, maximum: PAGES });
  const lookUp = lookUpIn(memory);
  const addresses = [0, 1, 0x40_1000, 0xffff_ffff, 0x7fff_ffff_f000];

  it('is empty in fresh memory, at the address of all ones, too', () => {
    const cache = new LargeAddressCache(memory.buffer, AT);
    for (const address of [...addresses.map(BigInt), -1n]) expect(lookUp(address)).toBe(MISSED);
    addresses.forEach((address, i) => {
      cache.set(address, i);
    });
    expect(addresses.map((address) => lookUp(BigInt(address)))).toEqual([0, 1, 2, 3, 4]);
    expect(lookUp(-1n)).toBe(MISSED);
  });

  it('is empty again where another begins in the same memory', () => {
    new LargeAddressCache(memory.buffer, AT);
    for (const address of addresses) expect(lookUp(BigInt(address))).toBe(MISSED);
  });

  it('takes nothing of the memory around it', () => {
    const bytes = new Uint8Array(memory.buffer);
    bytes.fill(0xee);
    const cache = new LargeAddressCache(memory.buffer, AT);
    for (let address = 0; address < 1_000_000; address += 3) cache.set(address, address);
    expect(bytes.subarray(0, AT).every((byte) => byte === 0xee)).toBe(true);
    expect(bytes.subarray(AT + LARGE_CACHE_SIZE).every((byte) => byte === 0xee)).toBe(true);
    expect(LARGE_CACHE_SIZE % CODE_CACHE_ENTRY).toBe(0);
  });
});

describe('the cache of what is at addresses', () => {
  const ENTRIES = 8;
  const memory = new WebAssembly.Memory({ initial: 1, maximum: 1 });
  const module = new ModuleBuilder('lookup in the cache');
  module.importMemory('env', 'memory', 1);
  const miss = new FunctionBuilder({ params: ['i64'], results: ['i32'] });
  miss.i32(MISSED);
  const f = new FunctionBuilder({ params: ['i64'], results: ['i32'] });
  pushCached(f, 0, { at: AT, entries: ENTRIES }, module.define(miss));
  module.export('lookUp', module.define(f));
  const { exports } = new WebAssembly.Instance(new WebAssembly.Module(module.build()), { env: { memory } });
  const lookUp = exports.lookUp as (address: bigint) => number;
  const addresses = [0, 1, 7, 0x7fff_ffff_f00d];
  const all = [...addresses.map(BigInt), 8n, -1n];

  it.each(['fresh memory', 'the same memory, where another was'])('is empty in %s', () => {
    const cache = new AddressCache(memory.buffer, AT, ENTRIES);
    expect(all.map(lookUp)).toEqual(all.map(() => MISSED));
    addresses.forEach((address, i) => {
      cache.set(address, i);
    });
    expect(all.map(lookUp)).toEqual([0, 1, 2, 3, MISSED, MISSED]);
  });
});

describe('second values of addresses', () => {
  const ENTRIES = 8;
  const LARGE = AT + CODE_CACHE_ENTRY * ENTRIES;
  const pages = 1 + Math.ceil((LARGE + LARGE_CACHE_SIZE) / 0x1_0000);
  const memory = new WebAssembly.Memory({ initial: pages, maximum: pages });
  const module = new ModuleBuilder('second values');
  module.importMemory('env', 'memory', pages);
  const f = new FunctionBuilder({ params: ['i64'], results: ['i32'] });
  pushSecondCached(f, 0, { at: AT, entries: ENTRIES }, LARGE);
  module.export('second', module.define(f));
  const { exports } = new WebAssembly.Instance(new WebAssembly.Module(module.build()), { env: { memory } });
  const second = exports.second as (address: bigint) => number;

  it('are found in the larger cache, too, and are 0 until they are told, and after another value was set', () => {
    const small = new AddressCache(memory.buffer, AT, ENTRIES);
    const large = new LargeAddressCache(memory.buffer, LARGE);
    const both = [small, large];
    expect([0n, 3n, -1n, BigInt(ENTRIES - 1)].map(second)).toEqual([0, 0, 0, 0]);
    for (const cache of both) cache.set(3, 7);
    expect(second(3n)).toBe(0);
    for (const cache of both) cache.replace(3, 70, 1);
    expect(second(3n)).toBe(70);
    // In the same place of the smaller one.
    small.set(3 + ENTRIES, 8);
    expect([second(3n), second(BigInt(3 + ENTRIES))]).toEqual([70, 0]);
    for (const cache of both) cache.replace(3, 9);
    expect(second(3n)).toBe(70);
    large.set(3, 7);
    expect(second(3n)).toBe(0);
    // What is not there is not put there.
    for (const cache of both) cache.replace(4, 10, 1);
    expect(second(4n)).toBe(0);
  });
});
