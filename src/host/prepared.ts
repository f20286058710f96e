import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { PreparedHandlers } from '../emulator/ports.ts';

let found: PreparedHandlers | undefined;

/** Handlers that lie beside the bundle; sources have none. */
export function preparedHandlers(): PreparedHandlers | undefined {
  if (!import.meta.url.endsWith('.cjs')) return undefined;
  found ??= read();
  return found;
}

function read(): PreparedHandlers {
  const directory = fileURLToPath(new URL('.', import.meta.url));
  let module: WebAssembly.Module | undefined;
  return {
    ...(JSON.parse(readFileSync(join(directory, 'handlers.json'), 'utf8')) as Omit<
      PreparedHandlers,
      'module'
    >),
    module: () => {
      module ??= new WebAssembly.Module(readFileSync(join(directory, 'handlers.wasm')));
      return module;
    },
  };
}
