import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { FunctionBuilder } from '../../wasm/function.ts';
import { ModuleBuilder } from '../../wasm/module.ts';

const directory = mkdtempSync(join(tmpdir(), 'ilp-gate-modules-'));
afterAll(() => rmSync(directory, { recursive: true }));
const [wasm, compiled] = ['wasm', 'compiled'].map((name) => join(directory, name));

/** V8 has one copy of a module's code in a process, so each part is one of its own. */
function inProcess(script: string): string {
  const { NODE_OPTIONS, ...env } = process.env;
  const at = (file: string) => JSON.stringify(new URL(file, import.meta.url).pathname);
  const text = `
    import { readFileSync, writeFileSync } from 'node:fs';
    import { runInThisContext } from 'node:vm';
    const { withNatives } = await import(${at('../v8.ts')});
    const { compiledOf, moduleOf } = await import(${at('./compiled-modules.ts')});
    const bytes = new Uint8Array(readFileSync('${wasm}'));
    const native = (name, f) => withNatives(() => runInThisContext('(f) => %' + name + '(f)')(f));
    const successorIn = (module) => new WebAssembly.Instance(module).exports.successor;
    ${script}`;
  const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module-typescript', '--eval', text], {
    env,
    encoding: 'utf8',
  });
  expect(stderr).toBe('');
  return stdout;
}

const READ = `
  // As it comes from a file: a part of what was read.
  const kept = new Uint8Array(readFileSync('${compiled}'));
  const file = Uint8Array.of(...bytes, ...kept);
  const again = moduleOf(file.subarray(0, bytes.length), file.subarray(bytes.length));`;

it('what V8 has optimised of a module is there from the start in another process', () => {
  const f = new FunctionBuilder({ params: ['i32'], results: ['i32'] });
  f.get(0);
  f.i32(1);
  f.op('i32.add');
  const module = new ModuleBuilder('successor');
  module.export('successor', module.define(f));
  writeFileSync(wasm, module.build());

  const made = inProcess(`
    const module = new WebAssembly.Module(bytes);
    const f = successorIn(module);
    console.log(f(1), native('IsTurboFanFunction', f), compiledOf(module, f));
    native('WasmTierUpFunction', f);
    writeFileSync('${compiled}', compiledOf(module, f));`);
  expect(made).toBe('2 false undefined\n');
  const used = inProcess(
    `${READ}\nconst f = successorIn(again);\nconsole.log(native('IsTurboFanFunction', f), f(41));`,
  );
  expect(used).toBe('true 42\n');
  // Of another version.
  writeFileSync(
    compiled,
    readFileSync(compiled).map((byte, i) => (i === 4 ? byte ^ 1 : byte)),
  );
  expect(inProcess(`${READ}\nconsole.log(again);`)).toBe('undefined\n');
});
