import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { FunctionBuilder } from '../../wasm/function.ts';
import { ModuleBuilder } from '../../wasm/module.ts';
import { COMPACT, COMPACT_WIDE, type LaneShape, NARROW, SINGLE, WIDE } from './lane-shape.ts';
import { TELLING_WORD } from './step-entry.ts';

/** Steps in memory: two operands and the results of each instruction on them. */
const [A, B, ORIGIN, RAISED, LOWERED, LARGER] = [0, 16, 32, 48, 64, 80];

/** Runs every instruction of a shape, with an offset, on steps of these cycles in the lanes. */
function apply(shape: LaneShape, a: readonly number[], b: readonly number[], offset: number) {
  const module = new ModuleBuilder();
  module.importMemory('env', 'memory', 1);
  const f = new FunctionBuilder({ params: [], results: [] });
  const store = (at: number, push: () => void) => {
    f.i32(0);
    push();
    f.memory('v128.store', at);
  };
  const load = (at: number) => {
    f.i32(0);
    f.memory('v128.load', at);
  };
  const shifted = (operation: string) => () => {
    load(A);
    shape.pushOffset(f, offset);
    f.op(operation);
  };
  store(ORIGIN, () => shape.pushOrigin(f));
  store(RAISED, shifted(shape.add));
  store(LOWERED, shifted(shape.sub));
  store(LARGER, () => {
    load(A);
    load(B);
    f.op(shape.max);
  });
  module.export('run', module.define(f));
  const memory = new WebAssembly.Memory({ initial: 1, maximum: 1 });
  const { exports } = new WebAssembly.Instance(new WebAssembly.Module(module.build()), { env: { memory } });
  const steps = shape.view(memory.buffer);
  const at = (offset: number) => offset / shape.laneBytes;
  for (let lane = 0; lane < shape.lanes; lane++) {
    steps[at(A) + lane] = shape.origin + shape.cycle * a[lane];
    steps[at(B) + lane] = shape.origin + shape.cycle * b[lane];
  }
  (exports.run as () => void)();
  const cycles = (offset: number) =>
    [...steps.subarray(at(offset), at(offset) + shape.lanes)].map(
      (step) => (step - shape.origin) / shape.cycle,
    );
  return {
    origin: cycles(ORIGIN),
    raised: cycles(RAISED),
    lowered: cycles(LOWERED),
    larger: cycles(LARGER),
    tells: [A, B, ORIGIN, RAISED, LARGER].map((each) =>
      new Int32Array(memory.buffer).at(each / 4 + (shape.bits === 2 ? 0 : TELLING_WORD)),
    ),
  };
}

/** Cycles up to a power of two, often near one where a carry or a sign could be lost. */
function cyclesBelow(bits: number) {
  const near = fc
    .tuple(fc.integer({ min: 8, max: bits - 1 }), fc.integer({ min: -3, max: 3 }))
    .map(([power, distance]) => 2 ** power + distance);
  return fc.oneof(fc.integer({ min: 3000, max: 2 ** bits - 2 ** 20 - 3000 }), near);
}

describe.each([
  ['four lanes of 32 bits', NARROW, 30],
  ['two lanes of 64 bits', WIDE, 51],
  ['two lanes of 32 bits', COMPACT, 30],
  ['one lane of 32 bits', SINGLE, 30],
  ['one lane of 64 bits', COMPACT_WIDE, 51],
] as const)('%s', (_, shape, bits) => {
  it('add, subtract and compare cycles exactly, each lane for itself', () => {
    const lanes = fc.array(cyclesBelow(bits), { minLength: shape.lanes, maxLength: shape.lanes });
    fc.assert(
      fc.property(lanes, lanes, fc.integer({ min: 1, max: 250 }), (a, b, offset) => {
        const { origin, raised, lowered, larger, tells } = apply(shape, a, b, offset);
        expect(origin).toEqual(a.map(() => 0));
        expect(raised).toEqual(a.map((cycles) => cycles + offset));
        expect(lowered).toEqual(a.map((cycles) => cycles - offset));
        expect(larger).toEqual(a.map((cycles, lane) => Math.max(cycles, b[lane])));
        for (const word of tells) expect(Math.sign(word!)).toBe(shape.laneBytes === 8 ? 1 : -1);
      }),
      { numRuns: 300 },
    );
  });
});
