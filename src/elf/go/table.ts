import { lastAtOrBelow } from '../ascending.ts';
import { Cursor, DwarfError } from '../dwarf/cursor.ts';
import type { Image, NamedFunction, SourceLine } from '../image.ts';
import { sectionBytes } from '../section-headers.ts';
import { type GoLayout, readLayout } from './layout.ts';

/**
 * The table of functions and lines that Go's runtime unwinds and names its stacks with (src/runtime/symtab.go), which stays
 * in a program without symbols and DWARF. Never throws on account of the file: what cannot be read is left out.
 */
export interface GoTable {
  functions(): readonly NamedFunction[];
  lookup(address: number): SourceLine | undefined;
}

/** The linker's names for it: in a program at a fixed address, and in one that is not. */
const SECTIONS = ['.gopclntab', '.data.rel.ro.gopclntab'];

/** Whether the program brings Go's runtime. */
export const isGo = (image: Image): boolean => image.sections.some(({ name }) => SECTIONS.includes(name));

/** Undefined where the program is not Go's, or of a version that has another layout. */
export function goTable(image: Image): GoTable | undefined {
  const section = image.sections.find(({ name }) => SECTIONS.includes(name));
  const bytes = section && sectionBytes(image.bytes, section);
  if (bytes === undefined) return undefined;
  const text = image.sections.find(({ name }) => name === '.text')?.address ?? 0;
  const layout = readLayout(bytes, text);
  if (layout === undefined) return undefined;
  const { starts, infos } = layout;
  const names = new NameReader(layout.names);
  return {
    functions: () =>
      infos.flatMap((info, i) => {
        const name = info === undefined ? undefined : names.at(info.name);
        const size = starts[i + 1] - starts[i];
        if (name === undefined || !(size > 0)) return [];
        return [{ name, address: starts[i], size, isIfunc: false }];
      }),
    lookup(address) {
      const at = lastAtOrBelow(starts, address);
      const info = infos[at];
      if (info === undefined) return undefined;
      const offset = address - starts[at];
      const line = valueAt(layout, info.lines, offset);
      const number = valueAt(layout, info.files, offset);
      if (line === undefined || number === undefined || line <= 0) return undefined;
      const file = names.fileAt(layout, info.unit, number);
      return file === undefined ? undefined : { file, line };
    },
  };
}

const LONGEST_NAME = 2 ** 16;

class NameReader {
  readonly #names: Uint8Array;
  #budget: number;

  constructor(names: Uint8Array) {
    this.#names = names;
    this.#budget = 8 * names.length + 2 ** 16;
  }

  at(offset: number): string | undefined {
    if (this.#budget < 0) return undefined;
    const bytes = textAt(this.#names, offset);
    // A crafted table could give one long name, or one without an end, to a million functions.
    this.#budget -= bytes?.length ?? LONGEST_NAME;
    return this.#budget < 0 ? undefined : nameOf(bytes);
  }

  fileAt({ units, files }: GoLayout, unit: number, number: number): string | undefined {
    const at = units === undefined ? number * 4 : (unit + number) * 4;
    const table = units ?? files;
    if (!(at >= 0 && at + 4 <= table.length)) return undefined;
    const offset = new DataView(table.buffer, table.byteOffset + at, 4).getUint32(0, true);
    return nameOf(textAt(units === undefined ? this.#names : files, offset));
  }
}

/** What stands there before a zero; undefined where none comes soon. */
function textAt(names: Uint8Array, offset: number): Uint8Array | undefined {
  const bytes = names.subarray(offset, offset + LONGEST_NAME + 1);
  const end = bytes.indexOf(0);
  return end < 0 ? undefined : bytes.subarray(0, end);
}

const nameOf = (bytes: Uint8Array | undefined): string | undefined =>
  bytes === undefined || bytes.length === 0 ? undefined : utf8.decode(bytes);

const utf8 = new TextDecoder();
/** More than a function of any size has; a crafted table could repeat one place. */
const MOST_STEPS = 2 ** 20;

/** A value of a table of pairs of differences, of value (zigzag) and of address (runtime.pcvalue). */
function valueAt({ values, quantum }: GoLayout, table: number, offset: number): number | undefined {
  try {
    const cursor = new Cursor(values, Math.min(table, values.length));
    let value = -1;
    let end = 0;
    for (let step = 0; step < MOST_STEPS; step++) {
      const difference = cursor.uleb();
      if (difference === 0 && step > 0) return undefined;
      value += difference % 2 === 1 ? -(difference + 1) / 2 : difference / 2;
      end += cursor.uleb() * quantum;
      if (offset < end) return value;
    }
  } catch (error) {
    if (!(error instanceof DwarfError)) throw error;
  }
  return undefined;
}
