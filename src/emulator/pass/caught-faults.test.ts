import { expect, it } from 'vitest';
import { FunctionBuilder } from '../../wasm/function.ts';
import { ModuleBuilder } from '../../wasm/module.ts';
import { faultOf } from './caught-faults.ts';

const module = new ModuleBuilder('traps');
module.importMemory('env', 'memory', 1);
module.importTable('env', 'table');
const leaves = new FunctionBuilder({ params: [], results: ['i32'] });
leaves.i32(-8);
leaves.memory('i32.load', 0);
module.export('leavesMemory', module.define(leaves));
const signature = { params: [], results: ['i32'] } as const;
for (const [name, slot] of [
  ['leavesTable', 1],
  ['callsNothing', 0],
] as const) {
  const f = new FunctionBuilder(signature);
  f.i32(slot);
  f.callIndirect(module.type(signature));
  module.export(name, module.define(f));
}
const memory = new WebAssembly.Memory({ initial: 1, maximum: 1 });
const table = new WebAssembly.Table({ element: 'anyfunc', initial: 1 });
const { exports } = new WebAssembly.Instance(new WebAssembly.Module(module.build()), {
  env: { memory, table },
});

const problemOf = (name: string): unknown => {
  try {
    (exports[name] as () => number)();
    return undefined;
  } catch (problem) {
    return problem;
  }
};

it('what leaves memory is a page fault of the guest', () => {
  expect(faultOf(problemOf('leavesMemory'))).toMatchObject({ fault: 'page-fault' });
});

it('other traps of generated code are none', () => {
  for (const name of ['leavesTable', 'callsNothing']) {
    expect(problemOf(name)).toBeInstanceOf(WebAssembly.RuntimeError);
    expect(faultOf(problemOf(name))).toBeUndefined();
  }
});
