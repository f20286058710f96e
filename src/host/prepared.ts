import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { KnownForms, PreparedHandlers } from '../emulator/ports.ts';

/** Of `handlers/index.json` beside the bundle: names of files without their endings. */
type Index = Readonly<
  Record<string, { readonly module: string; readonly forms: string; readonly count: number }>
>;

let index: Index | undefined;
const found = new Map<string, PreparedHandlers>();

/** Handlers that lie beside the bundle, for a key; sources have none. */
export function preparedHandlers(key: string): PreparedHandlers | undefined {
  if (!import.meta.url.endsWith('.cjs')) return undefined;
  index ??= JSON.parse(read('index.json').toString()) as Index;
  const files = index[key];
  if (files === undefined) return undefined;
  const known = found.get(files.module);
  if (known !== undefined) return known;
  let module: WebAssembly.Module | undefined;
  let forms: KnownForms | undefined;
  const handlers: PreparedHandlers = {
    count: files.count,
    known: () => {
      forms ??= JSON.parse(read(`${files.forms}.json`).toString()) as KnownForms;
      return forms;
    },
    module: () => {
      module ??= new WebAssembly.Module(read(`${files.module}.wasm`));
      return module;
    },
  };
  found.set(files.module, handlers);
  return handlers;
}

const read = (name: string): Buffer<ArrayBuffer> =>
  readFileSync(join(fileURLToPath(new URL('.', import.meta.url)), 'handlers', name));
