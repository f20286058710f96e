/** The WebAssembly that parsing C and C++ takes: the parser's own and its grammars'. */
export type GrammarFile = 'web-tree-sitter.wasm' | 'tree-sitter-c.wasm' | 'tree-sitter-cpp.wasm';

/** Bytes of a file that lies beside the program. */
export type ReadGrammar = (file: GrammarFile) => Promise<Uint8Array>;

/**
 * Text of a header, and a name for its file that is the same whoever includes it. Undefined where there is none. `from` is the
 * `file` of the header that asks for it; undefined: the source itself does.
 */
export type ReadHeader = (asked: {
  readonly name: string;
  /** In quotes, not in angle brackets. */
  readonly isQuoted: boolean;
  readonly from: string | undefined;
}) => { readonly file: string; readonly text: string } | undefined;

/** What a source is compiled with, as far as that is known. */
export interface Surroundings {
  readonly readHeader: ReadHeader;
  /** Macros, as what follows `#define`. */
  readonly defines: readonly string[];
}

export const ALONE: Surroundings = { readHeader: () => undefined, defines: [] };
