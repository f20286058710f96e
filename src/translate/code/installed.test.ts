import { expect, test } from 'vitest';
import { FunctionBuilder } from '../../wasm/function.ts';
import { ModuleBuilder } from '../../wasm/module.ts';
import { InstalledRegions } from './installed.ts';

const CODE = Uint8Array.of(0x90, 0x90, 0xc3);

function newFunction(): unknown {
  const module = new ModuleBuilder();
  module.export('f', module.define(new FunctionBuilder({ params: [], results: [] })));
  return new WebAssembly.Instance(new WebAssembly.Module(module.build(false))).exports.f;
}

test('a region whose code is the same again is put back, unless it has an instruction that is to be executed by itself', () => {
  const table = new WebAssembly.Table({ element: 'anyfunc', initial: 1 });
  const [stub, body] = [newFunction(), newFunction()];
  table.set(0, stub);
  const options = { code: { has: () => true }, isVolatile: () => false, onCode: () => {} };
  const regions = new InstalledRegions(table, options as never, { onInstall: () => {}, onReset: () => {} });
  regions.install([0], { pieces: [{ start: 0x401000, bytes: CODE }], isVolatile: false }, () =>
    table.set(0, body),
  );
  regions.forget(0x401000, 0x401001);
  expect(table.get(0)).toBe(stub);
  expect(regions.restore(0)).toBe(true);
  regions.removeWith(0x401003);
  expect(regions.holds(0)).toBe(true);
  regions.removeWith(0x401002);
  expect(table.get(0)).toBe(stub);
  expect(regions.restore(0)).toBe(false);
});
