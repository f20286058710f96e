/** What a host can do with the pages that a memory lies in. */
export interface ShowingPages {
  /**
   * Shows bytes that a disk gave (linux/ports.ts) in whole pages, whose contents are lost; behind the bytes the last page is zero. They are the memory's own as soon as they are
   * stored to. False where it cannot, and nothing happens.
   */
  show(memory: ArrayBuffer, start: number, content: Uint8Array): boolean;
  /** Pages that show something are zero from now on. */
  clear(memory: ArrayBuffer, start: number, end: number): void;
}
