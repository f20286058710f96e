import { type HearLinks, LinkReader } from '../../translate/measures/link-reader.ts';
import { LOG_ENTRY, LOG_TAIL, type TagLog } from '../../translate/measures/tag-code.ts';
import { TAG_ORIGIN } from '../../translate/steps/tag-shape.ts';

/** The number in a tag is that of the instruction, counted from 1 in its window, and this: 0 and 1 are none. */
export const NUMBER_BIAS = Number(TAG_ORIGIN & 0xffff_ffffn);

const TAIL = LOG_TAIL / LOG_ENTRY;

/** The log of producers: a ring in the memory that generated code writes it to (translate/measures/tag-code.ts). */
export class Producers {
  /** So many instructions back it goes. */
  readonly entries: number;
  private readonly mask: number;
  /** For each instruction, by the low bits of the number in its tag, its producer's number and its own place. */
  private readonly words: Uint32Array;
  private readonly reader: LinkReader;

  constructor(memory: WebAssembly.Memory, log: TagLog) {
    this.entries = log.entries;
    this.mask = log.slots - 1;
    this.words = new Uint32Array(memory.buffer, log.at, 2 * (log.slots + TAIL));
    this.reader = new LinkReader(memory, log);
  }

  /** What generated code writes, by the numbers in tags. */
  log(number: number, producer: number, place: number): void {
    this.closeRound();
    const entry = 2 * (number & this.mask);
    this.words[entry] = producer;
    this.words[entry + 1] = place;
  }

  /** The entries that a block has left behind the ring's end are at its beginning from now on. */
  closeRound(): void {
    const { words, mask } = this;
    for (let at = 0, behind = 2 * (mask + 1); words[behind + 1] !== 0; at += 2, behind += 2) {
      words.copyWithin(at, behind, behind + 2);
      words.fill(0, behind, behind + 2);
    }
  }

  /** The number of an instruction's producer; 0 for none. */
  of(instruction: number): number {
    return Math.max(0, this.words[2 * ((instruction + NUMBER_BIAS) & this.mask)] - NUMBER_BIAS);
  }

  /**
   * Follows a chain backwards from an instruction on, while it is behind `floor`. Tells of its links by their places, how many are there and the
   * first of them, each place once or more often, and gives the one before them; 0 for none.
   */
  follow(from: number, floor: number, hear: HearLinks): number {
    this.closeRound();
    return Math.max(0, this.reader.read(from + NUMBER_BIAS, floor + NUMBER_BIAS, hear) - NUMBER_BIAS);
  }

  /**
   * Makes the last one of its chain that is not after `after` the producer of each instruction from there to `newest`: from the first one on, so that its
   * producer's producer has been found already. Most producers are near, and so in a cache: to follow the chains of the live
   * values from their ends took three times as long.
   */
  leaveStretch(after: number, newest: number): void {
    this.closeRound();
    const { words, mask } = this;
    const last = newest + NUMBER_BIAS;
    const bound = after + NUMBER_BIAS;
    for (let number = bound + 1; number <= last; number++) {
      const producer = words[2 * (number & mask)];
      if (producer > bound) words[2 * (number & mask)] = words[2 * (producer & mask)];
    }
  }
}
