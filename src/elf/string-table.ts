import { type ElfFile, malformed } from './file.ts';

/**
 * NUL-terminated names by offset. Linkers share tails ("printf" inside "vprintf"), so distinct names overlap a little;
 * a crafted file could make a million names of one long run of bytes. A budget, a multiple of the table's size, ends that.
 */
export class StringTable {
  readonly #file: ElfFile;
  readonly #start: number;
  readonly #end: number;
  readonly #what: string;
  readonly #cache = new Map<number, string>();
  #budget: number;

  /** The caller has checked that the table is inside the file. `what` names one entry: "symbol name". */
  constructor(file: ElfFile, offset: number, size: number, what: string) {
    this.#file = file;
    this.#start = offset;
    this.#end = offset + size;
    this.#what = what;
    this.#budget = 8 * size + 65536;
  }

  at(offset: number): string {
    const cached = this.#cache.get(offset);
    if (cached !== undefined) return cached;
    const start = this.#start + offset;
    if (start >= this.#end) {
      // Offset 0 of an empty table is the empty name (gABI, "String Table").
      if (offset === 0) return '';
      throw malformed(
        this.#file,
        this.#start,
        `a ${this.#what} is at offset ${offset} of a table of ${this.#end - this.#start} bytes`,
      );
    }
    const end = this.#file.bytes.indexOf(0, start);
    if (end < 0 || end >= this.#end) throw malformed(this.#file, start, `a ${this.#what} does not end`);
    this.#budget -= end - start;
    if (this.#budget < 0)
      throw malformed(this.#file, this.#start, `the ${this.#what}s overlap beyond reason`);
    const text = decode(this.#file.bytes.subarray(start, end));
    this.#cache.set(offset, text);
    return text;
  }
}

const utf8 = new TextDecoder();

/** Names are mostly short ASCII, for which a call of TextDecoder costs more than this loop. */
function decode(bytes: Uint8Array): string {
  if (bytes.length > 64) return utf8.decode(bytes);
  let text = '';
  for (const byte of bytes) {
    if (byte >= 0x80) return utf8.decode(bytes);
    text += String.fromCharCode(byte);
  }
  return text;
}
