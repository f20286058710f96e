import {
  CONTEXT_SLOT,
  ENTRY,
  FLAT_CALLS,
  FLAT_CALLS_END,
  FUEL,
  MAXIMUM,
  stepOffset,
  valueOffset,
} from '../guest/layout.ts';
import { FunctionBuilder, type ValueType } from '../wasm/function.ts';
import type { ModuleBuilder } from '../wasm/module.ts';
import { locationOf, MXCSR, RSP } from '../x86/state.ts';
import type { Region } from './region.ts';
import { regionSignature } from './region-interface.ts';
import { RSP_LOCAL } from './residence.ts';

/**
 * Functions that every region shares, written once by hand: finding regions and running them until the slice is over.
 * The functions that keep steps of memory are in support-memory.ts.
 */

/**
 * dispatch(address i64) -> address: runs regions from an address until the slice's instructions are spent or MXCSR asks
 * for code of another mode.
 */
export function defineDispatch(
  module: ModuleBuilder,
  lookup: number,
  stepType: ValueType,
  mxcsr: number,
): number {
  const f = new FunctionBuilder({ params: ['i64'], results: ['i64'] });
  const step = stepType === 'v128' ? 'v128' : 'i64';
  const rsp = f.local('i64');
  const fuel = f.local('i64');
  const rspStep = f.local(stepType);
  const maximum = f.local(stepType);
  const rspStepOffset = stepOffset(locationOf(RSP));
  const cells: readonly [number, string, number][] = [
    [rsp, 'i64', valueOffset(RSP)],
    [fuel, 'i64', FUEL],
    [rspStep, step, rspStepOffset],
    [maximum, step, MAXIMUM],
  ];
  const next = f.loop();
  f.i32(0);
  f.i32(FLAT_CALLS);
  f.memory('i32.store', FLAT_CALLS_END);
  for (const [, type, offset] of cells) {
    f.i32(0);
    f.memory(`${type}.load`, offset);
  }
  f.get(0);
  f.call(lookup);
  f.callIndirect(module.type(regionSignature(stepType)));
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

/** A way into a region at one of its entries. */
export interface WayIn {
  readonly region: Region;
  /** Index of the region's function. */
  readonly body: number;
  /** The entry's number, and the slot that it has for itself. */
  readonly number: number;
  readonly slot: number;
  /** (slot i32): gives the slot back to the interpreter. */
  readonly refuse: number;
}

/**
 * The function in an entry's slot. The region's code knows how far rsp is below where it was when the region was entered
 * at its beginning, and asks whether contexts close (rule 9) only when it rises above that: so none may end below.
 */
export function defineWayIn(module: ModuleBuilder, way: WayIn, stepType: ValueType): number {
  const signature = regionSignature(stepType);
  const f = new FunctionBuilder(signature);
  const pushParameters = () => {
    signature.params.forEach((_, i) => {
      f.get(i);
    });
  };
  f.i32(0);
  f.memory('i64.load', CONTEXT_SLOT);
  f.get(RSP_LOCAL);
  f.i64(BigInt(-way.region.entries[way.number - 1].stackOffset));
  f.op('i64.add');
  f.op('i64.lt_u');
  f.if(undefined, 'unlikely');
  f.i32(way.slot);
  f.call(way.refuse);
  pushParameters();
  f.i32(way.slot);
  f.returnCallIndirect(module.type(signature));
  f.end();
  f.i32(0);
  f.i32(way.number);
  f.memory('i32.store', ENTRY);
  pushParameters();
  f.returnCall(way.body);
  return module.define(f);
}

/** What a reserved slot holds while its code is interpreted: `enter` takes the carried state and the slot. */
export function defineEntry(module: ModuleBuilder, enter: number, slot: number, stepType: ValueType): number {
  const signature = regionSignature(stepType);
  const f = new FunctionBuilder(signature);
  signature.params.forEach((_, i) => {
    f.get(i);
  });
  f.i32(slot);
  f.returnCall(enter);
  return module.define(f);
}
