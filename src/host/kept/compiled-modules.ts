import { runInThisContext } from 'node:vm';
import { bufferOf } from '../mapping.ts';
import { withNatives } from '../v8.ts';

/**
 * What V8's optimising compiler has made of a module, as bytes: V8 has it for browsers, which keep it beside a page's WebAssembly, and Node
 * offers no other way to it. Undefined as long as V8 has optimised nothing of the module (to ask then would end the process). Its
 * own header tells version, flags and features of the processor.
 */
export function compiledOf(module: WebAssembly.Module, body: unknown): Uint8Array<ArrayBuffer> | undefined {
  return withNatives(() => {
    const isOptimised = runInThisContext('(body) => %IsTurboFanFunction(body)') as (body: unknown) => boolean;
    if (!isOptimised(body)) return undefined;
    const serialize = runInThisContext('(module) => %SerializeWasmModule(module)') as (
      module: WebAssembly.Module,
    ) => ArrayBuffer | undefined;
    const compiled = serialize(module);
    return compiled && new Uint8Array(compiled);
  });
}

/** A module of these bytes with what `compiledOf` gave for it; undefined where this V8 is another one. */
export function moduleOf(
  bytes: Uint8Array<ArrayBuffer>,
  compiled: Uint8Array<ArrayBuffer>,
): WebAssembly.Module | undefined {
  return withNatives(() => {
    const deserialize = runInThisContext('(compiled, bytes) => %DeserializeWasmModule(compiled, bytes)') as (
      compiled: ArrayBuffer,
      bytes: Uint8Array<ArrayBuffer>,
    ) => WebAssembly.Module | undefined;
    return deserialize(bufferOf(compiled), new Uint8Array(bufferOf(bytes)));
  });
}
