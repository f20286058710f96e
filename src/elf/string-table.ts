import { type ElfFile, malformed } from './file.ts';

/** Names up to here cost no more than to remember them. */
const SHORT = 64;
/** V8's longest text is a little longer. */
const LONGEST_TEXT = 2 ** 29 - 2 ** 10;

/**
 * NUL-terminated names by offset. Linkers share tails ("printf" inside "vprintf"), so distinct names overlap a little;
 * a crafted file could make a million names of one long run of bytes. A budget, a multiple of the table's size, ends that.
 */
export class StringTable {
  readonly #file: ElfFile;
  readonly #start: number;
  readonly #size: number;
  readonly #what: string;
  /** Long names that were asked for. */
  readonly #long = new Map<number, string>();
  #budget: number;
  #names: Names | undefined;

  /** The caller has checked that the table is inside the file. `what` names one entry: "symbol name". */
  constructor(file: ElfFile, offset: number, size: number, what: string) {
    this.#file = file;
    this.#start = offset;
    this.#size = size;
    this.#what = what;
    this.#budget = 8 * size + 65536;
  }

  at(offset: number): string {
    if (offset >= this.#size) {
      // Offset 0 of an empty table is the empty name (gABI, "String Table").
      if (offset === 0) return '';
      throw malformed(
        this.#file,
        this.#start,
        `a ${this.#what} is at offset ${offset} of a table of ${this.#size} bytes`,
      );
    }
    this.#names ??= namesIn(this.#file.bytes.subarray(this.#start, this.#start + this.#size));
    const known = this.#long.get(offset);
    if (known !== undefined) return known;
    const end = this.#names.end(offset);
    if (end < 0) throw malformed(this.#file, this.#start + offset, `a ${this.#what} does not end`);
    const name = this.#names.between(offset, end);
    if (end - offset <= SHORT) return name;
    this.#budget -= end - offset;
    if (this.#budget < 0)
      throw malformed(this.#file, this.#start, `the ${this.#what}s overlap beyond reason`);
    this.#long.set(offset, name);
    return name;
  }
}

interface Names {
  /** Where the name ends that begins or goes on at an offset, -1 where it does not. */
  end(offset: number): number;
  between(start: number, end: number): string;
}

/** Of a table in which each byte is a character, as nearly all are, names are cut out of its text: that is several times as fast as to decode each. */
function namesIn(table: Uint8Array): Names {
  const text = table.length <= LONGEST_TEXT ? utf8.decode(table) : '';
  return text.length === table.length && !text.includes(REPLACEMENT)
    ? { end: (offset) => text.indexOf('\0', offset), between: (start, end) => text.slice(start, end) }
    : {
        end: (offset) => table.indexOf(0, offset),
        between: (start, end) => utf8.decode(table.subarray(start, end)),
      };
}

const utf8 = new TextDecoder();
/** In place of bytes that are no UTF-8. */
const REPLACEMENT = '\ufffd';
