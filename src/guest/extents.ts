/** A range of addresses, end exclusive. */
export interface Range {
  readonly start: number;
  readonly end: number;
}

/** Ranges that do not overlap, in order of their addresses. */
export class Extents<E extends Range> {
  private all: E[] = [];

  [Symbol.iterator](): Iterator<E> {
    return this.all.values();
  }

  /** Index of the first one that ends behind the address. */
  private find(address: number): number {
    let low = 0;
    let high = this.all.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.all[middle].end > address) high = middle;
      else low = middle + 1;
    }
    return low;
  }

  at(address: number): E | undefined {
    const extent = this.all[this.find(address)];
    return extent !== undefined && extent.start <= address ? extent : undefined;
  }

  /** Whether they cover all of a range, and each that has part of it is as wanted. */
  cover(start: number, end: number, isWanted: (extent: E) => boolean): boolean {
    for (let at = start, i = this.find(start); at < end; i++) {
      const extent = this.all[i];
      if (extent === undefined || extent.start > at || !isWanted(extent)) return false;
      at = extent.end;
    }
    return true;
  }

  /** There is nothing in its range. */
  insert(extent: E): void {
    this.all.splice(this.find(extent.start), 0, extent);
  }

  /** Takes out what is in a range, and gives it. */
  cut(start: number, end: number): readonly E[] {
    const first = this.find(start);
    let last = first;
    const kept: E[] = [];
    const removed: E[] = [];
    for (; last < this.all.length && this.all[last].start < end; last++) {
      const extent = this.all[last];
      if (extent.start < start) kept.push({ ...extent, end: start });
      if (extent.end > end) kept.push({ ...extent, start: end });
      removed.push({ ...extent, start: Math.max(start, extent.start), end: Math.min(end, extent.end) });
    }
    this.all.splice(first, last - first, ...kept);
    return removed;
  }

  /** Those of others from now on, each as `copied` makes it. */
  copyFrom(other: Extents<E>, copied: (extent: E) => E): void {
    this.all = other.all.map(copied);
  }
}
