import { AT_REST, BYTE_PAGES, BYTEWISE, GUEST_END, IN_CELLS, PAGE_SIZE } from './layout.ts';

/** What the words of BYTE_PAGES (layout.ts) tell of how generated code may store single bytes, by page. */
export class BytePages {
  private readonly words: Int32Array;

  constructor(buffer: ArrayBuffer) {
    this.words = new Int32Array(buffer, BYTE_PAGES, GUEST_END / PAGE_SIZE);
  }

  /** Whether generated code may store single bytes into the page without asking, but no words. */
  isBytewise(page: number): boolean {
    return (this.words[page] & BYTEWISE) !== 0;
  }

  /** Whether the page has a table, and is as other pages are. */
  canBecomeBytewise(page: number): boolean {
    return this.hasTable(page) && !this.areAllApart(page);
  }

  /** All granules of the page have steps of their bytes by now. */
  becomeBytewise(page: number): void {
    this.words[page] |= BYTEWISE;
  }

  /** Whether all granules of the page have steps of their bytes. */
  areAllApart(page: number): boolean {
    return (this.words[page] & (BYTEWISE | AT_REST)) !== 0;
  }

  /** Whether the page has a table for the steps of its bytes. */
  hasTable(page: number): boolean {
    return this.words[page] !== 0 && (this.words[page] & IN_CELLS) === 0;
  }

  /** The first store of bytes asks, too: generated code, which makes the page bytewise again (translate/support/edges.ts). */
  layToRest(page: number): void {
    if (this.isBytewise(page)) this.words[page] ^= BYTEWISE | AT_REST;
  }

  /** Bytes are stored as in other pages from now on. */
  end(page: number): void {
    this.words[page] &= ~(BYTEWISE | AT_REST);
  }
}
