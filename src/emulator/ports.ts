/** What a run needs from the host besides files (linux/ports.ts). */
export interface Hasher {
  /** SHA-256 of the concatenated byte ranges, lower-case hex. */
  sha256(bytes: Uint8Array, ranges: readonly { readonly start: number; readonly end: number }[]): string;
}

/** Gives memory that was reserved before it was needed, once. */
export type ReservedMemory = () => WebAssembly.Memory | undefined;

/** Gives the system all memory that nothing refers to any more, before it returns: it is known to be so many bytes at least. */
export type CollectGarbage = (bytes: number) => void;

/** Whether the host is to hold a memory in huge pages, as far as nothing has been touched yet. Numbers are the same either way. */
export type AdviseHugePages = (memory: ArrayBuffer, areWanted: boolean) => void;

export type { HandlerLibrary, KnownForms, PreparedHandlers } from '../translate/interpreter/prepared.ts';
export type { StoredHandlers } from '../translate/interpreter/stored-handlers.ts';
export type {
  CodeKey,
  CodeStore,
  RegionRecord,
  StoredCode,
  StoredRegion,
} from '../translate/stored/stored-code.ts';
