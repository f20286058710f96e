/** A set of small integers, as words: the data-flow passes spend their time in these unions. */
export class Bits {
  readonly words: Int32Array;

  constructor(capacity: number) {
    this.words = new Int32Array((capacity + 31) >> 5);
  }

  static of(capacity: number, items: Iterable<number>): Bits {
    const bits = new Bits(capacity);
    for (const item of items) bits.add(item);
    return bits;
  }

  copy(): Bits {
    const bits = new Bits(32 * this.words.length);
    bits.words.set(this.words);
    return bits;
  }

  add(item: number): void {
    this.words[item >> 5] |= 1 << (item & 31);
  }

  delete(item: number): void {
    this.words[item >> 5] &= ~(1 << (item & 31));
  }

  has(item: number): boolean {
    return (this.words[item >> 5] & (1 << (item & 31))) !== 0;
  }

  /** Adds another set; tells whether this one grew. */
  union(other: Bits): boolean {
    let grew = false;
    for (let i = 0; i < this.words.length; i++) {
      const merged = this.words[i] | other.words[i];
      if (merged !== this.words[i]) {
        this.words[i] = merged;
        grew = true;
      }
    }
    return grew;
  }

  /** Keeps what the other has too; tells whether this one shrank. */
  intersect(other: Bits): boolean {
    let shrank = false;
    for (let i = 0; i < this.words.length; i++) {
      const kept = this.words[i] & other.words[i];
      if (kept !== this.words[i]) {
        this.words[i] = kept;
        shrank = true;
      }
    }
    return shrank;
  }

  subtract(other: Bits): void {
    for (let i = 0; i < this.words.length; i++) this.words[i] &= ~other.words[i];
  }

  *[Symbol.iterator](): IterableIterator<number> {
    for (let w = 0; w < this.words.length; w++) {
      for (let word = this.words[w]; word !== 0; word &= word - 1)
        yield (w << 5) + (31 - Math.clz32(word & -word));
    }
  }
}
