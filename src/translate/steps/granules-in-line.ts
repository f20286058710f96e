import { SHADOW } from '../../guest/layout.ts';
import type { FunctionBuilder } from '../../wasm/function.ts';
import type { Access, MemoryHost } from './measure.ts';
import type { StepEntry } from './step-entry.ts';

/** Entries of whole granules, one after the other, as generated code reads and writes them in line. */

/** Pushes the shadow's offset of the granule that holds the accessed byte. */
export function pushGranuleOf(f: FunctionBuilder, { entry, near }: Access): void {
  f.get(near);
  f.i32(~3);
  f.op('i32.and');
  f.i32(entry.bits - 2);
  f.op('i32.shl');
}

/** Loads the maximum of granules, the first so many bytes behind one whose entry is known; pushes whether each has one step. */
export function loadGranules(
  { f, scratch }: MemoryHost,
  entry: StepEntry,
  shadow: number,
  distance: number,
  granules: number,
  step: number,
): void {
  scratch.within(() => {
    const entries = Array.from({ length: granules }, (_, i) => () => {
      f.get(shadow);
      entry.load(f, SHADOW + ((distance / 4 + i) << entry.bits));
    });
    entry.largest(f, entries, step, () => scratch.take('v128'));
  });
}

/** Gives granules a step, the first so many bytes behind one whose entry is known. */
export function storeGranules(
  { f }: MemoryHost,
  entry: StepEntry,
  shadow: number,
  distance: number,
  granules: number,
  step: number,
): void {
  for (let i = 0; i < granules; i++) {
    f.get(shadow);
    f.get(step);
    entry.store(f, SHADOW + ((distance / 4 + i) << entry.bits));
  }
}

/** Whether accesses to granules whose bytes differ are in line. */
export const hasEdgesInLine = ({ unalignedInLine }: MemoryHost): boolean =>
  unalignedInLine === 'edges' || unalignedInLine === 'bytewise';
