import type { Producers } from '../memory/producers.ts';
import { LinkCounts } from './link-counts.ts';

/** Stretches that the log holds. More of them cost time where each begins, fewer where chains meet in the middle of one. */
const STRETCHES = 64;

/** Instructions of a window: those behind `after`, up to where the next one begins. */
interface Stretch {
  readonly after: number;
  /** The chain's last instruction that is not behind the stretch; 0 for none. */
  last: number;
  /** Its links in the stretch. */
  readonly links: LinkCounts;
}

/**
 * The links of the chain that is the longest one by now, read while the log still holds them. Now and then the chain is read backwards, stretch by stretch,
 * until it comes to where it was when it was read before: chains of values that live at the same time have nearly all of their past in
 * common. What the log no longer holds stays known as long as later chains come to the same instruction there.
 */
export class LongestSoFar {
  /** Those that the log holds as a whole, the oldest first. */
  private stretches: Stretch[] = [];
  private until = 0;
  /** The links of those before, and the chain's last instruction in them. */
  private readonly old = new LinkCounts();
  private oldLast = 0;
  /** The chain's last instruction of which, and of all before which, the links are not known; 0 for none. */
  unread = 0;

  /** The last instruction executed is `newest`, the chain's is `last`. */
  note(producers: Producers, newest: number, last: number): void {
    const floor = newest - producers.entries;
    while (this.stretches.length > 0 && this.stretches[0].after < floor) this.forget(this.stretches.shift()!);
    // Where a slice was long, the log does not hold all that was executed since the last time.
    if (this.until < floor) this.oldLast = UNKNOWN;
    const size = Math.ceil(producers.entries / STRETCHES);
    for (let after = Math.max(this.until, floor); after < newest; after += size)
      this.stretches.push({ after, last: UNKNOWN, links: new LinkCounts() });
    this.until = newest;
    this.read(producers, last);
  }

  private forget({ last, links }: Stretch): void {
    this.old.add(links);
    this.oldLast = last;
  }

  private read(producers: Producers, last: number): void {
    let next = last;
    for (const stretch of this.stretches.toReversed()) {
      if (stretch.last === next) return;
      stretch.last = next;
      stretch.links.clear();
      next = stretch.links.read(producers, next, stretch.after);
    }
    if (next === this.oldLast) return;
    this.old.clear();
    this.oldLast = next;
    this.unread = next;
  }

  /** All that is known of the chain. */
  links(): LinkCounts {
    for (const stretch of this.stretches) this.forget(stretch);
    this.stretches = [];
    return this.old;
  }
}

const UNKNOWN = -1;
