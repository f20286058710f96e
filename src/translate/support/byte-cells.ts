import { BYTE_PAGES, BYTE_SPLITS, CHUNK_CELLS, IN_CELLS, PAGE_SIZE, SHADOW } from '../../guest/layout.ts';
import type { FunctionBuilder } from '../../wasm/function.ts';
import { PAGE_BITS } from '../steps/check-range.ts';
import type { StepEntry } from '../steps/step-entry.ts';

/**
 * Where the steps of single bytes lie. A granule's entry tells, so they may lie anywhere. Most programs store single bytes to a few places of many pages: the tags of
 * objects, flags, short strings. A table of all of such a page's bytes, 64 KiB with four lanes, would be touched here and there, one page of the host for each 256 bytes. So a
 * page begins with cells, one for the four bytes of a granule, in the order in which granules come to need them, in chunks that are cut from tables. One that needs many gets a
 * table after all, and its cells move there (emulator/memory/byte-steps.ts).
 *
 * Of 630 to 1,330 pages with steps of bytes in lua, perl, jq, python3, cc1 and sqlite3, 99, 100, 100, 92, 87 and 66 of a hundred had 256 such granules at most.
 */

/** Locals: the address of a granule, the one entry that was found of it, which becomes what leads to those of its bytes, and what becomes their place. */
interface Split {
  readonly granule: number;
  readonly found: number;
  readonly place: number;
}

/**
 * From now on the bytes of the granule have entries of their own: the one that they shared. `provide` is what is done where the page has no room for them, given
 * a local with the page: it leaves, or makes room.
 */
export function splitGranule(
  f: FunctionBuilder,
  entry: StepEntry,
  { granule, found, place }: Split,
  provide: (page: number) => void,
): void {
  const page = f.local('i32');
  const splits = f.local('i32');
  const pushWord = () => {
    f.get(page);
    f.i32(2);
    f.op('i32.shl');
  };
  f.get(granule);
  f.i32(PAGE_BITS);
  f.op('i32.shr_u');
  f.set(page);
  pushWord();
  f.memory('i32.load', BYTE_PAGES);
  f.op('i32.eqz');
  f.if(undefined, 'unlikely');
  provide(page);
  f.end();
  pushWord();
  pushWord();
  f.memory('i32.load', BYTE_SPLITS);
  f.tee(splits);
  f.i32(1);
  f.op('i32.add');
  f.memory('i32.store', BYTE_SPLITS);
  pushWord();
  f.memory('i32.load', BYTE_PAGES);
  f.tee(place);
  f.i32(IN_CELLS);
  f.op('i32.and');
  f.if();
  const pushCell = () => {
    f.get(splits);
    f.i32(CHUNK_CELLS - 1);
    f.op('i32.and');
  };
  f.get(place);
  f.i32(IN_CELLS);
  f.op('i32.sub');
  pushCell();
  f.i32(entry.bits + 2);
  f.op('i32.shl');
  f.op('i32.add');
  f.set(place);
  pushCell();
  f.i32(CHUNK_CELLS - 1);
  f.op('i32.eq');
  f.if(undefined, 'unlikely');
  pushWord();
  f.i32(0);
  f.memory('i32.store', BYTE_PAGES);
  f.end();
  f.else();
  f.get(place);
  f.get(granule);
  f.i32(PAGE_SIZE - 1);
  f.op('i32.and');
  f.i32(entry.bits);
  f.op('i32.shl');
  f.op('i32.add');
  f.set(place);
  f.end();
  for (let byte = 0; byte < 4; byte++) {
    f.get(place);
    f.get(found);
    entry.store(f, byte << entry.bits);
  }
  f.get(granule);
  f.i32(entry.bits - 2);
  f.op('i32.shl');
  entry.pushMixed(f, place);
  f.tee(found);
  entry.store(f, SHADOW);
}
