import { Cursor, DwarfError } from './cursor.ts';
import type { Budget } from './strings.ts';

/** What entries of one code have: DWARF 5, section 7.5.3. */
export interface Abbreviation {
  readonly tag: number;
  readonly hasChildren: boolean;
  readonly specs: readonly AttributeSpec[];
}

export interface AttributeSpec {
  readonly attribute: number;
  readonly form: number;
  /** The value itself, for DW_FORM_implicit_const. */
  readonly constant?: number;
}

export const DW_FORM_IMPLICIT_CONST = 0x21;

/** The tables of .debug_abbrev, each read as far as codes were asked for: producers put the unit's own first. */
export class Abbreviations {
  readonly #section: Uint8Array;
  readonly #budget: Budget;
  readonly #tables = new Map<
    number,
    { readonly known: Map<number, Abbreviation>; next: number | undefined }
  >();

  constructor(section: Uint8Array, budget: Budget) {
    this.#section = section;
    this.#budget = budget;
  }

  get(offset: number, code: number): Abbreviation {
    let table = this.#tables.get(offset);
    if (table === undefined) {
      table = { known: new Map(), next: offset };
      this.#tables.set(offset, table);
    }
    for (;;) {
      const known = table.known.get(code);
      if (known !== undefined) return known;
      if (table.next === undefined) throw new DwarfError(`its abbreviation ${code} does not exist`);
      const cursor = new Cursor(this.#section, table.next);
      const found = cursor.uleb();
      if (found === 0) {
        table.next = undefined;
        continue;
      }
      const abbreviation = readAbbreviation(cursor);
      if (!table.known.has(found)) table.known.set(found, abbreviation);
      this.#budget.spend(cursor.position - table.next);
      table.next = cursor.position;
    }
  }
}

function readAbbreviation(cursor: Cursor): Abbreviation {
  const tag = cursor.uleb();
  const hasChildren = cursor.u8() !== 0;
  const specs: AttributeSpec[] = [];
  for (;;) {
    const attribute = cursor.uleb();
    const form = cursor.uleb();
    if (attribute === 0 && form === 0) return { tag, hasChildren, specs };
    if (form === DW_FORM_IMPLICIT_CONST) specs.push({ attribute, form, constant: cursor.sleb() });
    else specs.push({ attribute, form });
  }
}
