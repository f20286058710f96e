import {
  BYTE_PAGES,
  BYTE_SPLITS,
  BYTEWISE_COUNT,
  BYTEWISE_WAITING,
  BYTEWISE_WANTED,
  IN_CELLS,
  MOST_BYTEWISE_WANTED,
  PERMISSIONS,
} from '../../guest/layout.ts';
import { FAST_STORE } from '../../guest/memory.ts';
import { FunctionBuilder } from '../../wasm/function.ts';
import type { ModuleBuilder } from '../../wasm/module.ts';
import type { EngineLimits } from '../limits.ts';

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
 * want(page i32): a page with fast stores, and a table, is to become bytewise. Comes after so many granules have got steps of their bytes. The first pages stay as they
 * are: the caches hold them. It becomes that before the next slice (ShadowMemory.makeBytewise): what has found out that words may be stored there without asking, of
 * several at once, is going to store them.
 */
export function defineWantBytewise(
  module: ModuleBuilder,
  { splitGranules, bytewisePages }: BytewiseLimits,
): number {
  const f = new FunctionBuilder({ params: ['i32'], results: [] });
  const page = 0;
  const place = f.local('i32');
  const count = f.local('i32');
  const pushWord = () => {
    f.get(page);
    f.i32(2);
    f.op('i32.shl');
  };
  pushWord();
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
  f.i32(0);
  f.memory('i32.load', BYTEWISE_WAITING);
  f.i32(MOST_BYTEWISE_WANTED);
  f.op('i32.ge_u');
  f.op('i32.or');
  f.if();
  f.return();
  f.end();
  pushWord();
  f.i32(-AGAIN * splitGranules);
  f.memory('i32.store', BYTE_SPLITS);
  const countUp = (at: number) => {
    f.i32(0);
    f.i32(0);
    f.memory('i32.load', at);
    f.tee(count);
    f.i32(1);
    f.op('i32.add');
    f.memory('i32.store', at);
  };
  countUp(BYTEWISE_COUNT);
  f.get(count);
  f.i32(bytewisePages);
  f.op('i32.lt_u');
  f.if();
  f.return();
  f.end();
  countUp(BYTEWISE_WAITING);
  f.get(count);
  f.i32(2);
  f.op('i32.shl');
  f.get(page);
  f.memory('i32.store', BYTEWISE_WANTED);
  return module.define(f);
}
