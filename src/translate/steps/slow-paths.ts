import { BYTE_PAGES, PAGE_SIZE, PERMISSIONS, SHADOW } from '../../guest/layout.ts';
import { FAST_STORE } from '../../guest/memory.ts';
import { FunctionBuilder, type Signature } from '../../wasm/function.ts';
import type { ModuleBuilder } from '../../wasm/module.ts';
import type { Counting } from '../instruments.ts';
import type { StepEntry } from './step-entry.ts';

/** Why the code in line could not do an access (see step-memory.ts), for who counts it. */
export class SlowPaths {
  private readonly words: Int32Array;
  private readonly permissions: Uint8Array;
  private readonly counters: Counting;
  private readonly entry: StepEntry;

  constructor(memory: ArrayBuffer, counters: Counting, entry: StepEntry) {
    this.entry = entry;
    this.words = new Int32Array(memory);
    this.permissions = new Uint8Array(memory, PERMISSIONS);
    this.counters = counters;
  }

  readonly noteLoad = (low: number, high: number, size: number): void => {
    this.counters.add(high === 0 ? this.whyLoad(low >>> 0, size) : 'slow loads: outside of memory');
  };

  readonly noteStore = (low: number, high: number, size: number): void => {
    this.counters.add(high === 0 ? this.whyStore(low >>> 0, size) : 'slow stores: outside of memory');
  };

  // Called for each slow access, with names that are not made anew: else a run took ten times as long when somebody counted.

  private whyLoad(address: number, size: number): string {
    if (address + size > this.entry.end) return 'slow loads: outside of memory';
    let isMixed = false;
    for (let granule = address & ~3; granule < address + size; granule += 4) {
      const at = this.entryOf(granule);
      if (this.entry.isUnknown(this.words, at)) return 'slow loads: first look at a page';
      isMixed ||= !this.entry.isSingle(this.words, at);
    }
    return isMixed ? 'slow loads: bytes differ' : 'slow loads: misaligned';
  }

  private whyStore(address: number, size: number): string {
    const last = address + size - 1;
    if (last >= this.entry.end) return 'slow stores: outside of memory';
    if (!this.isFast(address) || !this.isFast(last))
      return 'slow stores: a page that asks (first store, code, or about to be quiet)';
    for (let granule = address & ~3; granule <= last; granule += 4)
      if (this.entry.isUnknown(this.words, this.entryOf(granule))) return 'slow stores: first look at a page';
    if (size >= 4) return address % 4 === 0 ? 'slow stores: other' : 'slow stores: misaligned';
    if ((address & ~3) !== (last & ~3)) return 'slow stores: misaligned';
    if (!this.entry.isSingle(this.words, this.entryOf(address & ~3))) return 'slow stores: other';
    return this.words[BYTE_PAGES / 4 + Math.floor(address / PAGE_SIZE)] === 0
      ? 'slow stores: bytes begin to differ, the first of a page'
      : 'slow stores: bytes begin to differ';
  }

  private entryOf(granule: number): number {
    return (SHADOW + granule * 2 ** (this.entry.bits - 2)) / 4;
  }

  private isFast(address: number): boolean {
    return (this.permissions[Math.floor(address / PAGE_SIZE)] & FAST_STORE) !== 0;
  }
}

/** A function that tells `note` (the address's lower and upper half, size) and does what `work` does. */
export function defineNoted(module: ModuleBuilder, signature: Signature, note: number, work: number): number {
  const f = new FunctionBuilder(signature);
  f.get(0);
  f.op('i32.wrap_i64');
  f.get(0);
  f.i64(32n);
  f.op('i64.shr_u');
  f.op('i32.wrap_i64');
  f.get(1);
  f.call(note);
  signature.params.forEach((_, i) => {
    f.get(i);
  });
  f.returnCall(work);
  return module.define(f);
}
