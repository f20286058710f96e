/** A growing byte buffer with the encodings of the WebAssembly binary format. */
export class Bytes {
  private data = new Uint8Array(1024);
  length = 0;

  private reserve(count: number): void {
    if (this.length + count <= this.data.length) return;
    const larger = new Uint8Array(Math.max(2 * this.data.length, this.length + count));
    larger.set(this.data);
    this.data = larger;
  }

  u8(value: number): void {
    if (this.length === this.data.length) this.reserve(1);
    this.data[this.length++] = value;
  }

  /** Unsigned LEB128 below 2^32. */
  unsigned(value: number): void {
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
    if (value >= -0x8000_0000n && value <= 0x7fff_ffffn) return this.signed32(Number(value));
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

  append(other: Uint8Array): void {
    this.reserve(other.length);
    this.data.set(other, this.length);
    this.length += other.length;
  }

  name(text: string): void {
    const encoded = new TextEncoder().encode(text);
    this.unsigned(encoded.length);
    this.append(encoded);
  }

  view(): Uint8Array {
    return this.data.subarray(0, this.length);
  }
}
