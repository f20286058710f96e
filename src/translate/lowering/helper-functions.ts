import { BlockBuilder } from '../../ir/builder.ts';
import type { Node } from '../../ir/node.ts';
import { isBoolean } from '../../ir/simplify.ts';
import { FunctionBuilder } from '../../wasm/function.ts';
import { ModuleBuilder } from '../../wasm/module.ts';
import type { Helper } from '../../x86/helper.ts';
import { HELPERS } from '../../x86/helpers.ts';
import { hostFuses } from './host-fma.ts';
import { Scratch, Values } from './values.ts';

/**
 * What generated code calls for each helper, by name: its common cases as WebAssembly, which calls the helper itself for
 * all others. Made when the first region imports it, once a process, because helpers know nothing of a run.
 */
export const helperFunctions = (withCases: boolean): WebAssembly.ModuleImports =>
  withCases ? WITH_CASES : GENERAL;

const WITH_CASES = madeWhenNeeded(helperFunction);
const GENERAL = madeWhenNeeded(runOf);

function madeWhenNeeded(make: (helper: Helper) => WebAssembly.ExportValue): WebAssembly.ModuleImports {
  const functions: WebAssembly.ModuleImports = {};
  for (const [name, helper] of HELPERS)
    Object.defineProperty(functions, name, {
      configurable: true,
      enumerable: true,
      get: () => {
        const value = make(helper);
        Object.defineProperty(functions, name, { value });
        return value;
      },
    });
  return functions;
}

/** The helper as WebAssembly calls it. */
function runOf(helper: Helper): (...args: (number | bigint)[]) => unknown {
  return helper.results.length === 1 ? (...args) => helper.run(...args)[0] : (...args) => helper.run(...args);
}

/** `helper.run` is called in other cases only. */
export function helperFunction(helper: Helper): WebAssembly.ExportValue {
  const run = runOf(helper);
  if (helper.cases === undefined) return run;
  const module = new ModuleBuilder('helper');
  const general = module.importFunction('helper', 'run', helper);
  const imports: WebAssembly.ModuleImports = { run };
  const f = emitCases(helper, general, (name) => {
    const other = HELPERS.get(name)!;
    imports[name] = runOf(other);
    return module.importFunction('helper', name, other);
  });
  module.export('helper', module.define(f));
  const instance = new WebAssembly.Instance(new WebAssembly.Module(module.build()), { helper: imports });
  return instance.exports.helper;
}

/** A branch for each condition: to compute their conjunction takes the processor twice as many instructions. */
function emitWhere(
  f: FunctionBuilder,
  values: Values,
  [first, ...others]: readonly Node[],
  emit: () => void,
): void {
  values.emit(first);
  f.if();
  values.inArm(() => (others.length === 0 ? emit() : emitWhere(f, values, others, emit)));
  f.end();
}

/** The conditions that all hold where a node is not 0. */
function conjuncts(node: Node): readonly Node[] {
  return node.op === 'i32.and' && isBoolean(node) ? node.args.flatMap(conjuncts) : [node];
}

/** `helperOf` gives the index of another helper, which an operation of a case calls. */
function emitCases(helper: Helper, general: number, helperOf: (name: string) => number): FunctionBuilder {
  const { params, results } = helper;
  const f = new FunctionBuilder({ params, results });
  const variables = params.map((type, i) => ({ name: `argument ${i}`, type, location: undefined }));
  const b = new BlockBuilder(variables, 0);
  const args = variables.map((_, i) => b.peek(i));
  const cases = helper.cases?.(b, args) ?? [];
  const values = new Values(f, new Scratch(f), (variable) => variable, {
    helper: helperOf,
    fuses: hostFuses(),
  });
  for (const { when, results } of cases)
    for (const node of [...conjuncts(when), ...results]) values.count(node);
  for (const { when, results } of cases)
    emitWhere(f, values, conjuncts(when), () => {
      for (const node of results) values.emit(node);
      f.return();
    });
  for (const arg of args) values.emit(arg);
  f.call(general);
  return f;
}
