import {
  CONTEXT_SLOT,
  ENTRY,
  ENTRY_TARGET,
  FLAT_CALLS,
  FLAT_CALLS_END,
  valueOffset,
} from '../../guest/layout.ts';
import { FunctionBuilder } from '../../wasm/function.ts';
import type { ModuleBuilder } from '../../wasm/module.ts';
import { MXCSR } from '../../x86/state.ts';
import { RSP_LOCAL } from '../emission/residence.ts';
import { CARRIED_CELLS, END_SLICE_TYPE, REGION_TYPE } from '../region-interface.ts';
import type { RegionEntry } from '../regions/region.ts';

/**
 * Functions that every region shares, written once by hand: finding regions and running them until the slice is over.
 * The functions that keep steps of memory are in support/memory.ts.
 */

/**
 * dispatch(address i64) -> address: runs regions from an address until the slice's instructions are spent or MXCSR asks
 * for code of another mode.
 */
export function defineDispatch(module: ModuleBuilder, lookup: number, mxcsr: number): number {
  const f = new FunctionBuilder({ params: ['i64'], results: ['i64'] });
  const cells = CARRIED_CELLS.map(([type, offset]) => [f.local(type), type, offset] as const);
  const [, [fuel]] = cells;
  const next = f.loop();
  f.i32(0);
  f.i32(FLAT_CALLS);
  f.memory('i32.store', FLAT_CALLS_END);
  f.i32(0);
  f.get(0);
  f.memory('i64.store', ENTRY_TARGET);
  for (const [, type, offset] of cells) {
    f.i32(0);
    f.memory(`${type}.load`, offset);
  }
  f.get(0);
  f.call(lookup);
  f.callIndirect(module.type(REGION_TYPE));
  for (const [local] of [...cells].reverse()) f.set(local);
  f.set(0);
  for (const [local, type, offset] of cells) {
    f.i32(0);
    f.get(local);
    f.memory(`${type}.store`, offset);
  }
  f.get(fuel);
  f.i64(0n);
  f.op('i64.ge_s');
  f.i32(0);
  f.memory('i32.load', valueOffset(MXCSR));
  f.i32(mxcsr);
  f.op('i32.eq');
  f.op('i32.and');
  f.brIf(next);
  f.end();
  f.get(0);
  return module.define(f);
}

/** endSliceCarrying(carried..., slot i32) -> whether to leave: `endSlice(slot)` with what the region carries in memory. */
export function defineEndSlice(module: ModuleBuilder, endSlice: number): number {
  const f = new FunctionBuilder(END_SLICE_TYPE);
  const cells = CARRIED_CELLS;
  cells.forEach(([type, offset], i) => {
    f.i32(0);
    f.get(i);
    f.memory(`${type}.store`, offset);
  });
  f.get(cells.length);
  f.call(endSlice);
  return module.define(f);
}

/** A way into a region at one of its entries. */
export interface WayIn {
  readonly entry: RegionEntry;
  /** Index of the region's function. */
  readonly body: number;
  /** The slot that the entry has for itself. */
  readonly slot: number;
  /** (slot i32): gives the slot back to the interpreter. */
  readonly refuse: number;
}

/**
 * The function in an entry's slot. The region's code knows how far rsp is below where it was when the region was entered
 * at its beginning, and asks whether contexts close (rule 9) only when it rises above that: so none may end below.
 */
export function defineWayIn(module: ModuleBuilder, { entry, body, slot, refuse }: WayIn): number {
  const signature = REGION_TYPE;
  const f = new FunctionBuilder(signature);
  const pushParameters = () => {
    signature.params.forEach((_, i) => {
      f.get(i);
    });
  };
  f.i32(0);
  f.memory('i64.load', CONTEXT_SLOT);
  f.get(RSP_LOCAL);
  f.i64(BigInt(-entry.stackOffset));
  f.op('i64.add');
  f.op('i64.lt_u');
  f.if(undefined, 'unlikely');
  f.i32(slot);
  f.call(refuse);
  pushParameters();
  f.i32(slot);
  f.returnCallIndirect(module.type(signature));
  f.end();
  f.i32(0);
  f.i32(entry.number);
  f.memory('i32.store', ENTRY);
  if (entry.isTarget) {
    f.i32(0);
    f.i64(BigInt(entry.address));
    f.memory('i64.store', ENTRY_TARGET);
  }
  pushParameters();
  f.returnCall(body);
  return module.define(f);
}

/** What a reserved slot holds while its code is interpreted: `enter` takes the carried state and the slot. */
export function defineEntry(module: ModuleBuilder, enter: number, slot: number): number {
  const signature = REGION_TYPE;
  const f = new FunctionBuilder(signature);
  signature.params.forEach((_, i) => {
    f.get(i);
  });
  f.i32(slot);
  f.returnCall(enter);
  // There may be thousands: each gives its buffer back at once.
  return module.define(f.sealed());
}
