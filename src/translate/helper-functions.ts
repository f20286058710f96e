import { BlockBuilder } from '../ir/builder.ts';
import { FunctionBuilder } from '../wasm/function.ts';
import { ModuleBuilder } from '../wasm/module.ts';
import type { Helper } from '../x86/helper.ts';
import { HELPERS } from '../x86/helpers.ts';
import { Scratch, Values } from './values.ts';

/**
 * What generated code calls for each helper, by name: its common cases as WebAssembly, which calls the helper itself for
 * all others. Made when the first region imports it, once a process, because helpers know nothing of a run.
 */
export const HELPER_FUNCTIONS: WebAssembly.ModuleImports = {};

for (const [name, helper] of HELPERS)
  Object.defineProperty(HELPER_FUNCTIONS, name, {
    configurable: true,
    enumerable: true,
    get: () => {
      const value = helperFunction(helper);
      Object.defineProperty(HELPER_FUNCTIONS, name, { value });
      return value;
    },
  });

/** `helper.run` is called in other cases only. */
export function helperFunction(helper: Helper): WebAssembly.ExportValue {
  const run =
    helper.results.length === 1
      ? (...args: (number | bigint)[]) => helper.run(...args)[0]
      : (...args: (number | bigint)[]) => helper.run(...args);
  if (helper.cases === undefined) return run;
  const module = new ModuleBuilder();
  const general = module.importFunction('helper', 'run', helper);
  module.export('helper', module.define(emitCases(helper, general)));
  const instance = new WebAssembly.Instance(new WebAssembly.Module(module.build()), { helper: { run } });
  return instance.exports.helper;
}

function emitCases(helper: Helper, general: number): FunctionBuilder {
  const { params, results } = helper;
  const f = new FunctionBuilder({ params, results });
  const variables = params.map((type, i) => ({ name: `argument ${i}`, type, location: undefined }));
  const b = new BlockBuilder(variables, 0);
  const args = variables.map((_, i) => b.peek(i));
  const cases = helper.cases?.(b, args) ?? [];
  const values = new Values(f, new Scratch(f), (variable) => variable);
  for (const one of cases) for (const node of [one.when, ...one.results]) values.count(node);
  for (const one of cases) {
    values.emit(one.when);
    f.if();
    values.inArm(() => {
      for (const node of one.results) values.emit(node);
    });
    f.return();
    f.end();
  }
  for (const arg of args) values.emit(arg);
  f.call(general);
  return f;
}
