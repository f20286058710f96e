import type { KnownForms } from './prepared.ts';

/** The handlers that a run has made, which fill slots by themselves. */
export interface StoredHandlers extends KnownForms {
  /** WebAssembly. */
  readonly modules: readonly Uint8Array<ArrayBuffer>[];
  /** The highest slot that they fill; -1 for none. */
  readonly lastSlot: number;
}

export const NO_HANDLERS: StoredHandlers = { modules: [], lastSlot: -1, forms: [], codes: [] };
