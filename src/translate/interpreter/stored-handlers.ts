import type { KnownCodes, PreparedForms } from './prepared.ts';

/** The handlers that a run has made, which fill slots by themselves. */
export interface StoredHandlers {
  /** WebAssembly. */
  readonly modules: readonly Uint8Array<ArrayBuffer>[];
  /** The highest slot that they fill; -1 for none. */
  readonly lastSlot: number;
  readonly forms: PreparedForms;
  readonly codes: KnownCodes;
}

export const NO_HANDLERS: StoredHandlers = { modules: [], lastSlot: -1, forms: [], codes: [] };
