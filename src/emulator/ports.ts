import type { ShowingPages } from '../guest/shown-pages.ts';

/** What a run needs from the host besides files (linux/ports.ts). */
export interface Hasher {
  /** SHA-256 of the concatenated byte ranges, lower-case hex. */
  sha256(bytes: Uint8Array, ranges: readonly { readonly start: number; readonly end: number }[]): string;
}

/** Gives memory that was reserved before it was needed, once. */
export type ReservedMemory = () => WebAssembly.Memory | undefined;

/** Gives the system all memory that nothing refers to any more, before it returns: it is known to be so many bytes at least. */
export type CollectGarbage = (bytes: number) => void;

/** The host's pages that a memory lies in. Numbers are the same without. */
export interface HostPages extends ShowingPages {
  /** Whether a memory is to lie in huge pages, as far as nothing has been touched yet. */
  advise(memory: ArrayBuffer, areWanted: boolean): void;
  /** A part of one is about to be used. Tells whether the host gives its pages meanwhile. */
  populate(memory: ArrayBuffer, start: number, length: number): boolean;
}

export type { HandlerLibrary, KnownForms, PreparedHandlers } from '../translate/interpreter/prepared.ts';
export type { StoredHandlers } from '../translate/interpreter/stored-handlers.ts';
export type {
  CodeKey,
  CodeStore,
  RegionRecord,
  StoredCode,
  StoredRegion,
} from '../translate/stored/stored-code.ts';
