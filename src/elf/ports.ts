/**
 * Decompresses a stream (RFC 1950 or RFC 8878) whose result has exactly `size` bytes. The host must stop at `size`:
 * a crafted stream may go on. Throws anything when the stream is corrupt, shorter or longer.
 */
export type Inflate = (compressed: Uint8Array, size: number, form: 'zlib' | 'zstd') => Uint8Array;

/** What a mangled C++ or Rust name stands for; the name itself where it is none, or cannot be read. */
export type Demangle = (name: string) => string;

/** A regular file's bytes; undefined where there is none that can be read. Debug information may lie in other files. */
export type ReadDebugFile = (path: string) => Uint8Array | undefined;

/** What names and source lines of a program need of the outside. */
export interface ImageTools {
  readonly inflate: Inflate;
  readonly demangle: Demangle;
  readonly readDebugFile: ReadDebugFile;
}
