import { Extents, type Range } from './extents.ts';
import { PAGE_SIZE } from './layout.ts';

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

interface Shown extends Range {
  readonly content: Uint8Array;
  /** Where the content begins. */
  readonly from: number;
}

/** Pages of a memory in which its host shows bytes of files. */
export class ShownPages {
  private readonly buffer: ArrayBuffer;
  private readonly host: ShowingPages | undefined;
  private readonly extents = new Extents<Shown>();

  /** Nothing is ever shown without a host. */
  constructor(buffer: ArrayBuffer, host: ShowingPages | undefined) {
    this.buffer = buffer;
    this.host = host;
  }

  has(address: number): boolean {
    return this.extents.at(address) !== undefined;
  }

  /** Pages to `end`, which are zero but for what is shown, show these bytes, as far as those go; else they are zero. Whether they do. */
  show(start: number, end: number, content: Uint8Array): boolean {
    const contentEnd = start + Math.ceil(content.length / PAGE_SIZE) * PAGE_SIZE;
    const isThere = this.extents.cover(start, contentEnd, (extent) => isSame(extent, content, start));
    this.hide(isThere ? contentEnd : start, end);
    if (isThere) return true;
    if (this.host?.show(this.buffer, start, content) !== true) return false;
    this.extents.insert({ start, end: contentEnd, content, from: start });
    return true;
  }

  /** What is shown in a range is zero from now on. */
  hide(start: number, end: number): void {
    if (start >= end) return;
    for (const shown of this.extents.cut(start, end)) this.host?.clear(this.buffer, shown.start, shown.end);
  }

  /** In a range, hides what is shown in pages of which some were stored to, and gives where that was. */
  hideTouched(start: number, end: number, isTouched: (page: number) => boolean): readonly Range[] {
    return this.extents.cut(start, end).filter((shown) => {
      let page = shown.start / PAGE_SIZE;
      while (page < shown.end / PAGE_SIZE && !isTouched(page)) page++;
      const isHidden = page < shown.end / PAGE_SIZE;
      if (isHidden) this.host?.clear(this.buffer, shown.start, shown.end);
      else this.extents.insert(shown);
      return isHidden;
    });
  }

  /** Shows what another one does, and nothing else; gives where the host does not show it a second time, which is zero. */
  copyFrom(other: ShownPages): readonly Range[] {
    for (const { start, end } of [...this.extents]) {
      const before = other.extents.at(start);
      if (before === undefined || before.start !== start || before.end !== end) this.hide(start, end);
    }
    return [...other.extents].filter(
      ({ start, end, content, from }) => !this.show(start, end, content.subarray(start - from, end - from)),
    );
  }
}

/** Whether an extent shows these bytes, the first of which are to be at an address. */
function isSame({ content, from }: Shown, wanted: Uint8Array, start: number): boolean {
  return content.buffer === wanted.buffer && content.byteOffset - from === wanted.byteOffset - start;
}
