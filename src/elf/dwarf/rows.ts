import type { FileId } from './files.ts';

/** 2^26 rows take 1 GB; the largest programs that run in the emulator's 4 GiB have far fewer. */
const MAX_ROWS = 2 ** 26;

/** Rows [first, last) of the buffer cover the addresses from `low` up to `high`. */
export interface Sequence {
  readonly first: number;
  readonly last: number;
  readonly low: number;
  readonly high: number;
}

/** Rows as the line programs emit them, grouped in sequences of contiguous code. */
export class Rows {
  addresses = new Float64Array(1024);
  files = new Uint32Array(1024);
  lines = new Uint32Array(1024);
  readonly sequences: Sequence[] = [];
  #count = 0;
  #first = 0;
  #ascends = true;

  get isFull(): boolean {
    return this.#count >= MAX_ROWS;
  }

  get isOpen(): boolean {
    return this.#count > this.#first;
  }

  /**
   * A row that only repeats the position before it (a new column, statement or discriminator) is dropped; at a new
   * address not before the next address follows, because a function may start there.
   */
  add(address: number, file: FileId, line: number): void {
    const last = this.#count - 1;
    if (last >= this.#first) {
      const here = this.addresses[last]!;
      if (address < here) this.#ascends = false;
      if (address === here && this.#isAt(last, file, line)) return;
      if (
        address > here &&
        last > this.#first &&
        this.#isAt(last - 1, this.files[last]!, this.lines[last]!)
      ) {
        this.#count--;
      }
    }
    if (this.#count === this.addresses.length) this.#grow();
    this.addresses[this.#count] = address;
    this.files[this.#count] = file;
    this.lines[this.#count] = line;
    this.#count++;
  }

  #isAt(row: number, file: FileId, line: number): boolean {
    return this.files[row] === file && this.lines[row] === line;
  }

  /** Ends the sequence at `high`, keeping it only when it covers code that is in the program. */
  endSequence(high: number, isCode: (address: number) => boolean): void {
    const [first, last] = [this.#first, this.#count];
    if (last > first && !this.#ascends) this.#sort(first, last);
    const low = last > first ? this.addresses[first]! : 0;
    if (last > first && high > low && isCode(low)) {
      this.sequences.push({ first, last, low, high });
      this.#first = last;
    }
    this.#count = this.#first;
    this.#ascends = true;
  }

  /** DWARF 5, section 6.2.5 has addresses only increase; some old producers went back without ending the sequence. */
  #sort(first: number, last: number): void {
    const order = Array.from({ length: last - first }, (_, index) => first + index);
    const addresses = this.addresses.slice(first, last);
    const files = this.files.slice(first, last);
    const lines = this.lines.slice(first, last);
    order.sort((a, b) => addresses[a - first]! - addresses[b - first]! || a - b);
    order.forEach((from, index) => {
      this.addresses[first + index] = addresses[from - first]!;
      this.files[first + index] = files[from - first]!;
      this.lines[first + index] = lines[from - first]!;
    });
  }

  #grow(): void {
    const capacity = this.addresses.length * 2;
    const addresses = new Float64Array(capacity);
    addresses.set(this.addresses);
    this.addresses = addresses;
    const files = new Uint32Array(capacity);
    files.set(this.files);
    this.files = files;
    const lines = new Uint32Array(capacity);
    lines.set(this.lines);
    this.lines = lines;
  }
}
