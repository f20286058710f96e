import { FunctionBuilder } from '../../wasm/function.ts';
import { ModuleBuilder } from '../../wasm/module.ts';

let known: boolean | undefined;

/**
 * Whether `relaxed_madd` of this process rounds once. WebAssembly leaves that to the host (its relaxed SIMD), and V8 decides once, for all
 * code, by whether the processor has FMA3. Where it does, the result is IEEE 754's fusedMultiplyAdd, of which there is one: that
 * of any other such processor, and of fused.ts, which computes it elsewhere. So no result tells what the host has.
 */
export function hostFuses(): boolean {
  known ??= fuses('f32', 2 ** -13) && fuses('f64', 2 ** -30);
  return known;
}

/** By (1 + e) (1 - e) - 1, which is 0 where 1 - e^2 is rounded, to 1. */
function fuses(type: 'f32' | 'f64', e: number): boolean {
  const module = new ModuleBuilder('fma');
  const f = new FunctionBuilder({ params: [type, type, type], results: [type] });
  const shape = type === 'f32' ? 'f32x4' : 'f64x2';
  for (const operand of [0, 1, 2]) {
    f.get(operand);
    f.op(`${shape}.splat`);
  }
  f.op(`${shape}.relaxed_madd`);
  f.lane(`${shape}.extract_lane`, 0);
  module.export('fma', module.define(f));
  const bytes = module.build();
  // Not every V8 that we run on knows the operation.
  if (!WebAssembly.validate(bytes)) return false;
  const { fma } = new WebAssembly.Instance(new WebAssembly.Module(bytes)).exports as {
    fma: (x: number, y: number, z: number) => number;
  };
  return fma(1 + e, 1 - e, -1) === -(e ** 2);
}
