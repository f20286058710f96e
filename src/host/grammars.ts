import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Failure } from '../base/failure.ts';
import type { GrammarFile, ReadGrammar } from '../source/ports.ts';

/** Where each comes from when the tool runs from its sources; the build puts them beside the bundle. */
const PACKAGES: Readonly<Record<GrammarFile, string>> = {
  'web-tree-sitter.wasm': 'web-tree-sitter/web-tree-sitter.wasm',
  'tree-sitter-c.wasm': 'tree-sitter-c/tree-sitter-c.wasm',
  'tree-sitter-cpp.wasm': 'tree-sitter-cpp/tree-sitter-cpp.wasm',
};

export const readGrammar: ReadGrammar = async (file) => {
  const isBundled = import.meta.url.endsWith('.cjs');
  const path = isBundled
    ? join(fileURLToPath(import.meta.url), '..', file)
    : createRequire(import.meta.url).resolve(PACKAGES[file]);
  try {
    return new Uint8Array(readFileSync(path));
  } catch (error) {
    throw new Failure(
      'environment',
      'grammar-missing',
      `${path} cannot be read: ${(error as Error).message}`,
      {
        file: path,
      },
    );
  }
};
