/** DWARF that cannot be read on: caught per unit, turned into a problem, never seen by callers of the line table. */
export class DwarfError extends Error {}

/** Reads a stretch of a section. Every read is checked; past the end it throws DwarfError. */
export class Cursor {
  readonly bytes: Uint8Array;
  readonly #view: DataView;
  position = 0;
  #end = 0;

  constructor(bytes: Uint8Array, start = 0, end = bytes.length) {
    this.bytes = bytes;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.readWithin(start, end);
  }

  get end(): number {
    return this.#end;
  }

  /** Goes on with another stretch of the section. */
  readWithin(start: number, end: number): void {
    if (!(start >= 0 && start <= end && end <= this.bytes.length))
      throw new DwarfError('it refers beyond its section');
    this.position = start;
    this.#end = end;
  }

  /** Moves on by `size` bytes and returns where it was. */
  skip(size: number): number {
    const at = this.position;
    if (!(size <= this.#end - at)) throw new DwarfError('it ends in the middle of a value');
    this.position = at + size;
    return at;
  }

  u8(): number {
    return this.bytes[this.skip(1)]!;
  }

  u16(): number {
    return this.#view.getUint16(this.skip(2), true);
  }

  u32(): number {
    return this.#view.getUint32(this.skip(4), true);
  }

  /** Rounded above 2^53. */
  u64(): number {
    const at = this.skip(8);
    return this.#view.getUint32(at, true) + this.#view.getUint32(at + 4, true) * 2 ** 32;
  }

  /** An unsigned integer of 1 to 8 bytes. */
  unsigned(size: number): number {
    const at = this.skip(size);
    let value = 0;
    for (let index = size - 1; index >= 0; index--) value = value * 256 + this.bytes[at + index]!;
    return value;
  }

  /** A section offset: 4 bytes in 32-bit DWARF, 8 in 64-bit DWARF (DWARF 5, section 7.4). */
  offset(is64: boolean): number {
    return is64 ? this.u64() : this.u32();
  }

  /** Unsigned LEB128 (DWARF 5, section 7.6); rounded above 2^53. Padding with zero groups is legal. */
  uleb(): number {
    let byte = this.u8();
    if (byte < 0x80) return byte;
    let value = byte & 0x7f;
    let scale = 128;
    do {
      byte = this.u8();
      if ((byte & 0x7f) !== 0) {
        if (scale > 2 ** 63) throw new DwarfError('it has a number above 64 bits');
        value += (byte & 0x7f) * scale;
      }
      scale *= 128;
    } while (byte >= 0x80);
    return value;
  }

  /** Signed LEB128. */
  sleb(): number {
    let value = 0;
    let scale = 1;
    for (;;) {
      const byte = this.u8();
      if (scale > 2 ** 63) throw new DwarfError('it has a number above 64 bits');
      value += (byte & 0x7f) * scale;
      scale *= 128;
      if (byte < 0x80) return (byte & 0x40) === 0 ? value : value - scale;
    }
  }

  /** A NUL-terminated string. */
  string(): string {
    const end = this.bytes.indexOf(0, this.position);
    if (end < 0 || end >= this.#end) throw new DwarfError('it has a string without end');
    const text = utf8.decode(this.bytes.subarray(this.position, end));
    this.position = end + 1;
    return text;
  }

  skipString(): number {
    const at = this.position;
    const end = this.bytes.indexOf(0, at);
    if (end < 0 || end >= this.#end) throw new DwarfError('it has a string without end');
    this.position = end + 1;
    return at;
  }
}

const utf8 = new TextDecoder();
