/** The WebAssembly that parsing C and C++ takes: the parser's own and its grammars'. */
export type GrammarFile = 'web-tree-sitter.wasm' | 'tree-sitter-c.wasm' | 'tree-sitter-cpp.wasm';

/** Bytes of a file that lies beside the program. */
export type ReadGrammar = (file: GrammarFile) => Promise<Uint8Array>;
