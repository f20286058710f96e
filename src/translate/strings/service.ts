import { FunctionBuilder } from '../../wasm/function.ts';
import type { ModuleBuilder } from '../../wasm/module.ts';
import type { LaneShape } from '../steps/lane-shape.ts';
import type { ServiceParts } from '../steps/measure.ts';
import { Copy } from './copies.ts';
import { KIND_SHIFT, KINDS } from './numbers.ts';
import { defineAllow } from './pages.ts';
import { Search } from './searches.ts';

/**
 * service(number i32): an instruction that is executed outside of generated code. The usual cases of repeated string instructions
 * (x86/services/string.ts has all of them) are WebAssembly here, since compilers clear and copy small structures so, and search and compare strings
 * where they want little code. In JavaScript each took 3 to 14 µs (gawk: 2.4 of 4.4 s).
 *
 * `end` is that of the addresses that have steps.
 */
export function defineService(
  module: ModuleBuilder,
  { serve, ...functions }: ServiceParts,
  shape: LaneShape,
  end: number,
): number {
  const parts = { ...functions, shape, allow: defineAllow(module, end) };
  const makers = {
    stos: () => new Copy(parts, 'stos'),
    movs: () => new Copy(parts, 'movs'),
    scas: () => new Search(parts, 'scas'),
    cmps: () => new Search(parts, 'cmps'),
  };
  const ways = KINDS.map((kind) => module.define(makers[kind]().emit()));
  const f = new FunctionBuilder({ params: ['i32'], results: [] });
  const done = f.block();
  const elsewhere = f.block();
  const cases = ways.map(() => f.block()).reverse();
  f.get(0);
  f.i32(KIND_SHIFT);
  f.op('i32.shr_u');
  f.brTable([elsewhere, ...cases], elsewhere);
  for (const way of ways) {
    f.end();
    f.get(0);
    f.call(way);
    f.brIf(done, 'likely');
    f.br(elsewhere);
  }
  f.end();
  f.get(0);
  f.call(serve);
  f.end();
  return module.define(f);
}
