import { CHEAP_END, GUEST_END, MMAP_BASE, MMAP_TOP, PAGE_SIZE } from './layout.ts';

/** Which pages nobody has. */
interface Pages {
  isFree(frame: number): boolean;
}

/** Finds pages below GUEST_END that far pages can have as their frames. */
export class FreeFrames {
  private readonly pages: Pages;
  /** How many places were tried in each of AREAS. */
  private readonly tried = AREAS.map(() => 0);
  private hasFreed = false;

  constructor(pages: Pages) {
    this.pages = pages;
  }

  /** The next one that is good; undefined when there is none. */
  next(isGood: (frame: number) => boolean): number | undefined {
    for (;;) {
      for (const [i, { first, end, bits }] of AREAS.entries())
        while (this.tried[i] < 2 ** bits) {
          const frame = first + reversed(this.tried[i]++, bits);
          if (frame < end && isGood(frame)) return frame;
        }
      if (!this.hasFreed) return undefined;
      this.hasFreed = false;
      this.beginAgain();
    }
  }

  /** All may be free. */
  beginAgain(): void {
    this.tried.fill(0);
  }

  /** From now on it finds what the other one would. */
  copyFrom({ tried, hasFreed }: FreeFrames): void {
    this.tried.splice(0, this.tried.length, ...tried);
    this.hasFreed = hasFreed;
  }

  /** Some that were tried are free now. */
  noteFreed(): void {
    this.hasFreed = true;
  }

  /** The first of so many free pages in a row. */
  inARow(count: number): number | undefined {
    for (const { first, end } of AREAS) {
      let start = first;
      for (let frame = first; frame < end; frame++) {
        if (!this.pages.isFree(frame)) start = frame + 1;
        else if (frame - start + 1 === count) return start;
      }
    }
    return undefined;
  }
}

/**
 * Where frames are looked for: low addresses first, because they cost less to measure (emulator/memory/measure-plan.ts). In an area
 * each new frame is put in the middle of what is between others (the van der Corput sequence), so that all have room to grow.
 */
const AREAS = [
  [MMAP_TOP, CHEAP_END],
  [MMAP_BASE, MMAP_TOP],
  [CHEAP_END, GUEST_END],
].map(([start, end]) => ({
  first: start / PAGE_SIZE,
  end: end / PAGE_SIZE,
  bits: Math.ceil(Math.log2((end - start) / PAGE_SIZE)),
}));

/** None is lower. */
export const FIRST_FRAME = MMAP_BASE / PAGE_SIZE;

function reversed(number: number, bits: number): number {
  let result = 0;
  for (let bit = 0; bit < bits; bit++) result |= ((number >> bit) & 1) << (bits - 1 - bit);
  return result;
}
