import { Cursor, DwarfError } from './cursor.ts';
import type { FormValue } from './forms.ts';
import type { DebugSections } from './sections.ts';

/**
 * Bounds work on crafted input to a multiple of the file's size: a few bytes can refer to the same long string, or
 * the same long abbreviation, again and again.
 */
export class Budget {
  #left: number;

  constructor(amount: number) {
    this.#left = amount;
  }

  spend(amount: number): void {
    this.#left -= amount;
    if (this.#left < 0) throw new DwarfError('it refers to the same bytes too many times');
  }
}

/** Reads strings that attributes and table columns refer to; each string of a shared section once. */
export class StringReader {
  readonly #sections: DebugSections;
  readonly #shared: DebugSections | undefined;
  readonly #known = {
    lineStr: new Map<number, string>(),
    str: new Map<number, string>(),
    shared: new Map<number, string>(),
  };
  #budget: Budget | undefined;

  /** `shared` are the sections of the file that this one shares entries and strings with. */
  constructor(sections: DebugSections, shared?: DebugSections) {
    this.#sections = sections;
    this.#shared = shared;
  }

  /** Undefined when the value is no string, or one that another file holds. `self` is the section that holds the value. */
  read(value: FormValue, self: Uint8Array): string | undefined {
    if (value.kind !== 'string') return undefined;
    if (value.section === 'self') return this.#readAt(self, value.offset);
    const section = value.section === 'shared' ? this.#shared?.str : this.#sections[value.section];
    if (section === undefined) return undefined;
    const cache = this.#known[value.section];
    let text = cache.get(value.offset);
    if (text === undefined) {
      text = this.#readAt(section, value.offset);
      cache.set(value.offset, text);
    }
    return text;
  }

  #readAt(section: Uint8Array, offset: number): string {
    const { line, lineStr, str } = this.#sections;
    const sizes = line.length + lineStr.length + str.length + (this.#shared?.str.length ?? 0);
    this.#budget ??= new Budget(8 * sizes + 2 ** 20);
    // Before it searches: a string without end costs most, and each unit may refer to it.
    this.#budget.spend(0);
    const end = section.indexOf(0, offset);
    this.#budget.spend((end < 0 ? section.length : end) - Math.min(offset, section.length));
    return new Cursor(section, Math.min(offset, section.length)).string();
  }
}
