/** Buffers that were given back: a module takes a dozen, and making them anew cost more than filling them. */
const spare: Uint8Array[] = [];
const SPARE_LIMIT = 32;
/** Longer ones are left to the garbage collector. */
const LONGEST_SPARE = 1 << 20;

const SHORTEST = 4096;

const NOTHING = new Uint8Array(0);

const encodedNames = new Map<string, Uint8Array>();

/** A growing byte buffer with the encodings of the WebAssembly binary format. */
export class Bytes {
  /** A buffer is taken with the first byte: many a function has no prologue. */
  private data: Uint8Array = NOTHING;
  /** The buffer's length: asking the buffer is a call where code is not optimised yet. */
  private capacity = 0;
  length = 0;

  /** Gives the buffer back: what was written must have been copied. */
  release(): void {
    if (this.data !== NOTHING && spare.length < SPARE_LIMIT && this.data.length <= LONGEST_SPARE)
      spare.push(this.data);
    this.data = NOTHING;
    this.capacity = 0;
    this.length = 0;
  }

  private reserve(count: number): void {
    if (this.length + count <= this.capacity) return;
    const larger =
      (this.data === NOTHING ? spare.pop() : undefined) ??
      new Uint8Array(Math.max(SHORTEST, 2 * this.capacity, this.length + count));
    larger.set(this.data);
    this.data = larger;
    this.capacity = larger.length;
    this.reserve(count);
  }

  u8(value: number): void {
    if (this.length === this.capacity) this.reserve(1);
    this.data[this.length++] = value;
  }

  /** Unsigned LEB128 below 2^32. */
  unsigned(value: number): void {
    if (value >= 0 && value <= 0x7f) return this.u8(value);
    let rest = value >>> 0;
    while (rest > 0x7f) {
      this.u8((rest & 0x7f) | 0x80);
      rest >>>= 7;
    }
    this.u8(rest);
  }

  signed32(value: number): void {
    let rest = value | 0;
    for (;;) {
      const byte = rest & 0x7f;
      rest >>= 7;
      if ((rest === 0 && (byte & 0x40) === 0) || (rest === -1 && (byte & 0x40) !== 0)) return this.u8(byte);
      this.u8(byte | 0x80);
    }
  }

  signed64(value: bigint): void {
    const near = Number(value);
    if (near >= -0x8000_0000 && near <= 0x7fff_ffff) return this.signed32(near);
    let rest = BigInt.asIntN(64, value);
    for (;;) {
      const byte = Number(rest & 0x7fn);
      rest >>= 7n;
      if ((rest === 0n && (byte & 0x40) === 0) || (rest === -1n && (byte & 0x40) !== 0)) return this.u8(byte);
      this.u8(byte | 0x80);
    }
  }

  /** A signed LEB128 of fixed width whose value is given later: position for `patchSigned32`. */
  reserveSigned32(): number {
    const at = this.length;
    for (let i = 0; i < 4; i++) this.u8(0x80);
    this.u8(0);
    return at;
  }

  patchSigned32(at: number, value: number): void {
    for (let i = 0; i < 4; i++) this.data[at + i] = ((value >> (7 * i)) & 0x7f) | 0x80;
    this.data[at + 4] = (value >> 28) & 0x7f;
  }

  u64(value: bigint): void {
    this.reserve(8);
    const low = Number(value & 0xffff_ffffn);
    const high = Number((value >> 32n) & 0xffff_ffffn);
    for (let i = 0; i < 4; i++) {
      this.data[this.length + i] = low >>> (8 * i);
      this.data[this.length + 4 + i] = high >>> (8 * i);
    }
    this.length += 8;
  }

  append(other: Uint8Array): void {
    this.reserve(other.length);
    this.data.set(other, this.length);
    this.length += other.length;
  }

  name(text: string): void {
    let encoded = encodedNames.get(text);
    if (encoded === undefined) {
      encoded = new TextEncoder().encode(text);
      encodedNames.set(text, encoded);
    }
    this.unsigned(encoded.length);
    this.append(encoded);
  }

  view(): Uint8Array {
    return this.data.subarray(0, this.length);
  }
}
