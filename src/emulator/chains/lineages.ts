import type { LiveValues } from '../memory/live-values.ts';

/** Instructions of a window, without the first number and with the last. */
interface Stretch {
  readonly after: number;
  /** Those whose values were live when the stretch ended, ascending... */
  readonly live: Uint32Array;
  /** ...and the last instruction of each one's chain that is before the stretch; 0 for none. */
  readonly ancestors: Uint32Array;
}

/**
 * Where the chains of a window come from, stretch by stretch, while the window is executed: for each value that is live
 * when a stretch ends, the instruction by which its chain came into the stretch. A chain that is found in the end is so known to
 * go through one instruction of each stretch, and a second execution can read each stretch's links when the log holds them.
 *
 * What remains of early stretches is little, as with the ancestors of a population: nearly all values that are live in the end go back to few.
 */
export class Lineages {
  /** Up to here stretches tell of chains. */
  until = 0;
  private readonly mostEntries: number;
  private stretches: Stretch[] = [];
  private entries = 0;
  /** With so many it is looked for those that nobody needs: first half of the room, then twice what was left. */
  private pruneFrom: number;

  /** Not more than `mostEntries` are held; beyond them, old stretches are forgotten. */
  constructor(mostEntries: number) {
    this.mostEntries = mostEntries;
    this.pruneFrom = mostEntries / 2;
  }

  /** A stretch ends with the instruction `newest`, the last one executed. Producers in the log change. */
  note(window: LiveValues, newest: number): void {
    const after = this.until;
    this.until = newest;
    const found = new Marks(after, newest);
    window.eachLive((words, first, end, stride, bias) => found.add(words, first, end, stride, bias));
    const count = found.count();
    if (count > this.mostEntries) {
      this.stretches = [];
      this.entries = 0;
      return;
    }
    const live = found.list(count);
    const { producers } = window;
    producers.leaveStretch(after, newest);
    this.stretches.push({ after, live, ancestors: live.map((number) => producers.of(number)) });
    this.entries += count;
    if (this.entries > this.pruneFrom) this.prune(window);
    while (this.entries > this.mostEntries) this.entries -= this.stretches.shift()!.live.length;
  }

  /**
   * The chain through an instruction whose value was live when a stretch ended, back to where nothing is known of it: the last
   * instruction in each stretch that it goes through, the latest first. Empty for 0, which is none.
   */
  lineOf(instruction: number): readonly number[] {
    const line: number[] = [];
    for (let next: number | undefined = instruction; next !== undefined && next > 0; ) {
      line.push(next);
      next = this.ancestorOf(next);
    }
    return line;
  }

  private ancestorOf(instruction: number): number | undefined {
    const stretch = this.stretchOf(instruction);
    if (stretch === undefined) return undefined;
    const index = indexIn(stretch.live, instruction);
    return index < 0 ? undefined : stretch.ancestors[index];
  }

  private stretchOf(instruction: number): Stretch | undefined {
    const { stretches } = this;
    let low = 0;
    for (let high = stretches.length; low < high; ) {
      const middle = (low + high) >>> 1;
      if (stretches[middle].after < instruction) low = middle + 1;
      else high = middle;
    }
    return stretches[low - 1];
  }

  /** Forgets what neither a live value's chain nor another entry comes to. */
  private prune(window: LiveValues): void {
    const { stretches } = this;
    const needed = new Map(stretches.map((stretch) => [stretch, new Uint8Array(stretch.live.length)]));
    const from = stretches[0].after;
    const need = (instruction: number) => {
      // Most of memory was never written, or long ago.
      if (instruction <= from) return;
      const stretch = this.stretchOf(instruction);
      if (stretch === undefined) return;
      const index = indexIn(stretch.live, instruction);
      if (index >= 0) needed.get(stretch)![index] = 1;
    };
    window.eachLive((words, first, end, stride, bias) => {
      // Neighbours were often written together.
      let previous = 0;
      for (let at = first; at < end; at += stride) {
        if (words[at] === previous) continue;
        previous = words[at];
        need(previous - bias);
      }
    });
    const kept: Stretch[] = [];
    for (const stretch of stretches.toReversed()) {
      const { after, live, ancestors } = stretch;
      const marks = needed.get(stretch)!;
      const rest = { after, live: marked(live, marks), ancestors: marked(ancestors, marks) };
      rest.ancestors.forEach(need);
      kept.push(rest);
    }
    this.stretches = kept.reverse();
    this.entries = kept.reduce((sum, { live }) => sum + live.length, 0);
    this.pruneFrom = Math.max(this.mostEntries / 2, 2 * this.entries);
  }
}

/** Those with a mark of 1. Arrays' own filter() takes several times the memory while it runs. */
function marked(numbers: Uint32Array, marks: Uint8Array): Uint32Array {
  let count = 0;
  for (const mark of marks) count += mark;
  const rest = new Uint32Array(count);
  let at = 0;
  for (let i = 0; i < numbers.length; i++) if (marks[i] === 1) rest[at++] = numbers[i];
  return rest;
}

function indexIn(sorted: Uint32Array, value: number): number {
  let low = 0;
  for (let high = sorted.length; low < high; ) {
    const middle = (low + high) >>> 1;
    if (sorted[middle] < value) low = middle + 1;
    else high = middle;
  }
  return sorted[low] === value ? low : -1;
}

/** A set of numbers above `after`, up to `last`; others are left aside. */
class Marks {
  private readonly after: number;
  private readonly size: number;
  private readonly words: Uint32Array;

  constructor(after: number, last: number) {
    this.after = after;
    this.size = last - after;
    this.words = new Uint32Array(Math.ceil(this.size / 32));
  }

  add(words: Uint32Array, first: number, end: number, stride: number, bias: number): void {
    const { size, words: marks } = this;
    const before = this.after + 1 + bias;
    for (let at = first; at < end; at += stride) {
      const bit = words[at] - before;
      if (bit >= 0 && bit < size) marks[bit >>> 5] |= 1 << bit;
    }
  }

  count(): number {
    let sum = 0;
    for (let word of this.words) for (; word !== 0; word &= word - 1) sum++;
    return sum;
  }

  /** In ascending order; `count` of them. */
  list(count: number): Uint32Array {
    const { after, words } = this;
    const numbers = new Uint32Array(count);
    let at = 0;
    for (let i = 0; i < words.length; i++)
      for (let word = words[i]; word !== 0; word &= word - 1)
        numbers[at++] = after + 1 + 32 * i + (31 - Math.clz32(word & -word));
    return numbers;
  }
}
