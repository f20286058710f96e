import { MEMORY_PAGES } from '../guest/layout.ts';
import type { ModuleBuilder } from '../wasm/module.ts';

/** What all generated modules share: the memory, and the table of regions and handlers. */
export function importSpace(module: ModuleBuilder): void {
  module.importMemory('env', 'memory', MEMORY_PAGES);
  module.importTable('env', 'table');
}
