import { BYTE_PAGES, PAGE_SIZE, PERMISSIONS, SHADOW } from '../guest/layout.ts';
import { FAST_STORE } from '../guest/memory.ts';
import { FunctionBuilder, type Signature } from '../wasm/function.ts';
import type { ModuleBuilder } from '../wasm/module.ts';
import type { Counting } from './instruments.ts';
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

  readonly noteLoad = (address: bigint, size: number): void => {
    this.counters.add(`slow loads: ${this.why(BigInt.asUintN(64, address), size, 'load')}`);
  };

  readonly noteStore = (address: bigint, size: number): void => {
    this.counters.add(`slow stores: ${this.why(BigInt.asUintN(64, address), size, 'store')}`);
  };

  private why(wide: bigint, size: number, kind: 'load' | 'store'): string {
    const { entry, words } = this;
    if (wide + BigInt(size) > entry.end) return 'outside of memory';
    const address = Number(wide);
    const pages = [address, address + size - 1].map((byte) => Math.floor(byte / PAGE_SIZE));
    if (kind === 'store' && pages.some((page) => (this.permissions[page] & FAST_STORE) === 0))
      return 'a page that asks (first store, code, or about to be quiet)';
    const granules: ('unknown' | 'single' | 'mixed')[] = [];
    for (let granule = address & ~3; granule < address + size; granule += 4) {
      const at = (SHADOW + granule * 2 ** (entry.bits - 2)) / 4;
      granules.push(entry.isUnknown(words, at) ? 'unknown' : entry.isSingle(words, at) ? 'single' : 'mixed');
    }
    if (granules.includes('unknown')) return 'first look at a page';
    const isAligned = address % Math.min(size, 4) === 0;
    if (kind === 'load') return granules.includes('mixed') ? 'bytes differ' : 'misaligned';
    if (size >= 4) return isAligned ? 'other' : 'misaligned';
    if (granules.length > 1) return 'misaligned';
    if (granules[0] === 'mixed') return 'other';
    return words[BYTE_PAGES / 4 + pages[0]] === 0
      ? 'bytes begin to differ, the first of a page'
      : 'bytes begin to differ';
  }
}

/** A function that tells `note` (address, size) and does what `work` does. */
export function defineNoted(module: ModuleBuilder, signature: Signature, note: number, work: number): number {
  const f = new FunctionBuilder(signature);
  f.get(0);
  f.get(1);
  f.call(note);
  signature.params.forEach((_, i) => {
    f.get(i);
  });
  f.returnCall(work);
  return module.define(f);
}
