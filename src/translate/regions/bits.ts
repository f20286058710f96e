/** A set of small integers, as words: the data-flow passes spend their time in these unions. */
export class Bits {
  /** A plain array: it takes a third of a typed one's memory, and there are six sets for each block. */
  private readonly words: number[] = [];

  constructor(capacity: number) {
    for (let i = (capacity + 31) >> 5; i > 0; i--) this.words.push(0);
  }

  static of(capacity: number, items: Iterable<number>): Bits {
    const bits = new Bits(capacity);
    for (const item of items) bits.add(item);
    return bits;
  }

  copy(): Bits {
    const bits = new Bits(0);
    for (let i = 0; i < this.words.length; i++) bits.words.push(this.words[i]);
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

  /** Takes over another set's items. */
  assign(other: Bits): void {
    for (let i = 0; i < this.words.length; i++) this.words[i] = other.words[i];
  }

  clear(): void {
    for (let i = 0; i < this.words.length; i++) this.words[i] = 0;
  }

  /** The items, ascending. */
  items(): number[] {
    const items: number[] = [];
    for (let w = 0; w < this.words.length; w++)
      for (let word = this.words[w]; word !== 0; word &= word - 1)
        items.push((w << 5) + (31 - Math.clz32(word & -word)));
    return items;
  }

  [Symbol.iterator](): IterableIterator<number> {
    return this.items()[Symbol.iterator]();
  }
}
