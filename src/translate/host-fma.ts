import { FunctionBuilder } from '../wasm/function.ts';
import { ModuleBuilder } from '../wasm/module.ts';

let known: boolean | undefined;

/**
 * Whether `relaxed_madd` of this process rounds once. WebAssembly leaves that to the host ("Relaxed SIMD", f32x4.relaxed_madd), and V8
 * decides once, by whether the processor has FMA3. Where it does, the result is IEEE 754's fusedMultiplyAdd, the same as that of any other
 * such processor; elsewhere fused.ts computes it.
 */
export function hostFuses(): boolean {
  known ??= findOut();
  return known;
}

function findOut(): boolean {
  const module = new ModuleBuilder('fma');
  const f = new FunctionBuilder({ params: ['f64', 'f64', 'f64'], results: ['f64'] });
  for (const operand of [0, 1, 2]) {
    f.get(operand);
    f.op('f64x2.splat');
  }
  f.op('f64x2.relaxed_madd');
  f.lane('f64x2.extract_lane', 0);
  module.export('fma', module.define(f));
  const bytes = module.build();
  // Not every V8 that we run on knows the operation.
  if (!WebAssembly.validate(bytes)) return false;
  const { fma } = new WebAssembly.Instance(new WebAssembly.Module(bytes)).exports as {
    fma: (x: number, y: number, z: number) => number;
  };
  // (1 + e) (1 - e) = 1 - e^2, which is rounded to 1.
  const e = 2 ** -30;
  return fma(1 + e, 1 - e, -1) === -(e ** 2);
}
