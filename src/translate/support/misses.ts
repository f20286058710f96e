import { UNTOLD_MISSES } from '../../guest/layout.ts';
import { FunctionBuilder } from '../../wasm/function.ts';
import type { ModuleBuilder } from '../../wasm/module.ts';
import { pushPlaceOf } from '../code-places.ts';

/**
 * Regions tell when they are left for code that they lack, so that they can be made anew (hot-regions.ts). Bytecode loops are left for rare
 * cases a million times a second, and telling leads out of WebAssembly. So one of so many times is told: a prime number, since what a loop
 * lacks comes in turns. lua with 3.3e9 instructions: telling took 5 % of the main thread's time. JavaScript makes the times more where it hears nothing
 * new (code/telling.ts).
 */
interface Telling {
  readonly missesPerTelling: number;
}

/** noteJump(slot i32, place of the jump i32, target i64), and noteCall: their targets have a place, too. */
export function defineNoteJump(
  module: ModuleBuilder,
  { placeOf, hear }: { readonly placeOf: number; readonly hear: number },
  telling: Telling,
): number {
  const f = new FunctionBuilder({ params: ['i32', 'i32', 'i64'], results: [] });
  returnUnlessDue(f, telling);
  f.get(0);
  f.get(1);
  pushPlaceOf(f, 2, { placeOf });
  f.call(hear);
  return module.define(f);
}

/** noteExit(slot i32, place of the block i32). */
export function defineNoteExit(module: ModuleBuilder, hearExit: number, telling: Telling): number {
  const f = new FunctionBuilder({ params: ['i32', 'i32'], results: [] });
  returnUnlessDue(f, telling);
  f.get(0);
  f.get(1);
  f.call(hearExit);
  return module.define(f);
}

function returnUnlessDue(f: FunctionBuilder, { missesPerTelling }: Telling): void {
  const misses = f.local('i32');
  f.i32(0);
  f.memory('i32.load', UNTOLD_MISSES);
  f.i32(1);
  f.op('i32.add');
  f.set(misses);
  f.i32(0);
  f.get(misses);
  f.memory('i32.store', UNTOLD_MISSES);
  f.get(misses);
  f.i32(missesPerTelling);
  f.op('i32.lt_s');
  f.if();
  f.return();
  f.end();
  f.i32(0);
  f.i32(0);
  f.memory('i32.store', UNTOLD_MISSES);
}
