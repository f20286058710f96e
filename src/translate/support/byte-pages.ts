import {
  BYTE_PAGES,
  BYTE_SPLITS,
  BYTEWISE,
  BYTEWISE_COUNT,
  IN_CELLS,
  PAGE_SIZE,
  PERMISSIONS,
  SHADOW,
} from '../../guest/layout.ts';
import { FAST_STORE } from '../../guest/memory.ts';
import { FunctionBuilder } from '../../wasm/function.ts';
import type { ModuleBuilder } from '../../wasm/module.ts';
import type { EngineLimits } from '../limits.ts';
import { PAGE_BITS } from '../steps/check-range.ts';
import type { StepEntry } from '../steps/step-entry.ts';

/**
 * Pages of which single bytes are stored, in any order, and that do not fit the host's caches. To find a byte's step by way of its granule's entry is to wait for
 * memory twice, one after the other. So when most granules of a page have steps of their bytes, the others get them, too, and the page is called bytewise: a
 * byte's step is where the page's table says. All entries of granules there still tell the same, so that whoever does not know of such pages finds the
 * steps as usual; but stores of words, which would make an entry single, ask first, as if the page had no fast stores, and so the page becomes like others again.
 *
 * The processor can have several such accesses on their way at the same time. Two accesses to 1 MB, as a C program by itself makes them: 140 to 190 ns by way of
 * granules, 47 to 63 without.
 */

/** So many times as many granules are to get steps of their bytes until a page becomes bytewise again: a thousand entries are looked at for it, and JavaScript is asked
 * when it ends. */
const AGAIN = 20;

export type BytewiseLimits = Pick<EngineLimits, 'splitGranules' | 'bytewisePages'>;

/**
 * become(page i32): if it has fast stores, and a table. Comes after so many granules have got steps of their bytes. The first pages stay as they
 * are: the caches hold them.
 */
export function defineBecomeBytewise(
  module: ModuleBuilder,
  entry: StepEntry,
  { splitGranules, bytewisePages }: BytewiseLimits,
): number {
  const f = new FunctionBuilder({ params: ['i32'], results: [] });
  const page = 0;
  const granule = f.local('i32');
  const end = f.local('i32');
  const place = f.local('i32');
  const table = f.local('i32');
  const found = f.local('v128');
  f.get(page);
  f.i32(2);
  f.op('i32.shl');
  f.tee(table);
  f.memory('i32.load', BYTE_PAGES);
  f.tee(place);
  f.op('i32.eqz');
  f.get(place);
  f.i32(IN_CELLS);
  f.op('i32.and');
  f.op('i32.or');
  f.get(page);
  f.memory('i32.load8_u', PERMISSIONS);
  f.i32(FAST_STORE);
  f.op('i32.and');
  f.op('i32.eqz');
  f.op('i32.or');
  f.if();
  f.return();
  f.end();
  f.get(table);
  f.i32(-AGAIN * splitGranules);
  f.memory('i32.store', BYTE_SPLITS);
  f.i32(0);
  f.i32(0);
  f.memory('i32.load', BYTEWISE_COUNT);
  f.i32(1);
  f.op('i32.add');
  f.tee(granule);
  f.memory('i32.store', BYTEWISE_COUNT);
  f.get(granule);
  f.i32(bytewisePages);
  f.op('i32.le_u');
  f.if();
  f.return();
  f.end();
  f.get(page);
  f.i32(PAGE_BITS + entry.bits - 2);
  f.op('i32.shl');
  f.tee(granule);
  f.i32(PAGE_SIZE << (entry.bits - 2));
  f.op('i32.add');
  f.set(end);
  const next = f.loop();
  f.get(granule);
  entry.load(f, SHADOW);
  f.set(found);
  // A page with fast stores is known, so that an entry is single or mixed.
  entry.pushIsSingle(f, found);
  f.if();
  for (let byte = 0; byte < 4; byte++) {
    f.get(place);
    f.get(found);
    entry.store(f, byte << entry.bits);
  }
  f.get(granule);
  entry.pushMixed(f, place);
  entry.store(f, SHADOW);
  f.end();
  f.get(place);
  f.i32(4 << entry.bits);
  f.op('i32.add');
  f.set(place);
  f.get(granule);
  f.i32(1 << entry.bits);
  f.op('i32.add');
  f.tee(granule);
  f.get(end);
  f.op('i32.lt_u');
  f.brIf(next);
  f.end();
  f.get(table);
  f.get(table);
  f.memory('i32.load', BYTE_PAGES);
  f.i32(BYTEWISE);
  f.op('i32.or');
  f.memory('i32.store', BYTE_PAGES);
  f.get(page);
  f.get(page);
  f.memory('i32.load8_u', PERMISSIONS);
  f.i32(~FAST_STORE & 0xff);
  f.op('i32.and');
  f.memory('i32.store8', PERMISSIONS);
  return module.define(f);
}
