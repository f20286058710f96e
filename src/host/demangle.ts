import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Failure } from '../base/failure.ts';
import type { Demangle } from '../elf/ports.ts';

/** cpp_demangle and rustc-demangle as the Firefox profiler has them, in WebAssembly. Beside the bundle it has this name. */
const PACKAGE = 'gecko-profiler-demangle/index_bg.wasm';
const BUNDLED = 'demangle.wasm';

/**
 * A name of 600 bytes can stand for hundreds of megabytes: each parameter twice the one before it. The memory is kept so
 * small that this fails soon, and after some failures no more is tried.
 */
const MOST_PAGES = 512;
const MOST_FAILURES = 20;
/** Longer ones stay as they are: nobody reads them, and every call in a profile has one. */
const LONGEST_MANGLED = 2 ** 15;
const LONGEST = 2 ** 15;

interface Demangler {
  readonly memory: WebAssembly.Memory;
  __wbindgen_start(): void;
  __wbindgen_malloc(size: number, alignment: number): number;
  __wbindgen_free(at: number, size: number, alignment: number): void;
  /** Consumes the name; gives where the result is, and how long. */
  demangle_any(at: number, size: number): [at: number, size: number];
}

let module: WebAssembly.Module | undefined;
let demangler: Demangler | undefined;
let failures = 0;

export const demangle: Demangle = (name) => {
  if (name.length > LONGEST_MANGLED || failures >= MOST_FAILURES) return name;
  try {
    demangler ??= start();
    const result = run(demangler, name);
    // What is no mangled name comes back without its underscore.
    return result === '' || result === name.slice(1) ? name : result;
  } catch (problem) {
    if (problem instanceof Failure) throw problem;
    // Out of memory: what it left behind is not to be used again.
    demangler = undefined;
    failures++;
    return name;
  }
};

function run({ memory, __wbindgen_malloc, __wbindgen_free, demangle_any }: Demangler, name: string): string {
  const bytes = Buffer.from(name);
  const at = __wbindgen_malloc(bytes.length, 1);
  Buffer.from(memory.buffer, at >>> 0, bytes.length).set(bytes);
  const [result, size] = demangle_any(at, bytes.length);
  const text = size > LONGEST ? name : Buffer.from(memory.buffer, result >>> 0, size).toString();
  __wbindgen_free(result, size, 1);
  return text;
}

function start(): Demangler {
  module ??= new WebAssembly.Module(withMostPages(readModule(), MOST_PAGES));
  const glue = { './index_bg.js': { __wbindgen_init_externref_table: () => {} } };
  const exports = new WebAssembly.Instance(module, glue).exports as unknown as Demangler;
  exports.__wbindgen_start();
  return exports;
}

function readModule(): Buffer {
  const isBundled = import.meta.url.endsWith('.cjs');
  const path = isBundled
    ? join(fileURLToPath(import.meta.url), '..', BUNDLED)
    : createRequire(import.meta.url).resolve(PACKAGE);
  try {
    return readFileSync(path);
  } catch (error) {
    throw new Failure(
      'environment',
      'demangler-missing',
      `${path} cannot be read: ${(error as Error).message}`,
      { file: path },
    );
  }
}

const MEMORY_SECTION = 5;

/** The module with an upper limit for its one memory, which it has without (WebAssembly core 5.5.8: 01 00 min, 01 01 min max). */
function withMostPages(bytes: Buffer, pages: number): Uint8Array<ArrayBuffer> {
  let at = 8;
  while (at < bytes.length) {
    const id = bytes[at];
    const size = leb(bytes, at + 1);
    const next = size.end + size.value;
    if (id === MEMORY_SECTION) {
      const min = leb(bytes, size.end + 2);
      const limits = [1, 1, ...bytes.subarray(size.end + 2, min.end), ...encoded(Math.max(min.value, pages))];
      const section = [MEMORY_SECTION, ...encoded(limits.length), ...limits];
      return new Uint8Array(
        Buffer.concat([bytes.subarray(0, at), Buffer.from(section), bytes.subarray(next)]),
      );
    }
    at = next;
  }
  return new Uint8Array(bytes);
}

function leb(bytes: Uint8Array, at: number): { readonly value: number; readonly end: number } {
  let value = 0;
  for (let shift = 0; ; shift += 7) {
    const byte = bytes[at++];
    value |= (byte & 0x7f) << shift;
    if (byte < 0x80) return { value, end: at };
  }
}

function encoded(value: number): number[] {
  return value < 0x80 ? [value] : [(value & 0x7f) | 0x80, ...encoded(value >>> 7)];
}
