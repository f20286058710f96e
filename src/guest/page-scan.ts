import { PAGE_SIZE } from './layout.ts';

/** Pages that are passed over at once where none is mapped. */
const CHUNK_BITS = 8;
const CHUNK = 1 << CHUNK_BITS;

/** Finds pages that have some bit, of a byte for each: most of an address space is empty, and takes little time. */
export class PageScan {
  private readonly pages: Uint8Array;
  /** The same, four pages at a time. */
  private readonly fours: Int32Array;
  /** One byte for CHUNK pages: whether one of them has ever been mapped since there was none. */
  private readonly chunks: Uint8Array;

  constructor(pages: Uint8Array) {
    this.pages = pages;
    this.fours = new Int32Array(pages.buffer, pages.byteOffset, pages.length / 4);
    this.chunks = new Uint8Array(pages.length / CHUNK);
  }

  /** Pages with such numbers, to `end`, may have bits from now on. */
  noteMapped(first: number, end: number): void {
    this.chunks.fill(1, Math.floor(first / CHUNK), Math.ceil(end / CHUNK));
  }

  /** No page has bits. */
  reset(): void {
    this.chunks.fill(0);
  }

  copyFrom(other: PageScan): void {
    this.chunks.set(other.chunks);
  }

  /** Visits the numbers of the pages in a range of addresses that have one of these bits. */
  each(bits: number, start: number, end: number, visit: (page: number) => void): void {
    const { chunks, fours, pages } = this;
    const wanted = bits * 0x0101_0101;
    const last = Math.ceil(end / PAGE_SIZE);
    // Operations on integers: remainders of what might be fractions took ten times as long (573 ms of gofmt's six passes).
    for (let page = Math.trunc(start / PAGE_SIZE); page < last; ) {
      if ((page & (CHUNK - 1)) === 0 && chunks[page >> CHUNK_BITS] === 0) page += CHUNK;
      else if ((page & 3) === 0 && (fours[page >> 2] & wanted) === 0) page += 4;
      else {
        if ((pages[page] & bits) !== 0) visit(page);
        page++;
      }
    }
  }
}
