import { Abbreviations } from './abbreviations.ts';
import { Cursor, DwarfError } from './cursor.ts';
import { type Encoding, type FormValue, hex64, readForm } from './forms.ts';
import type { DebugSections } from './sections.ts';
import { Budget } from './strings.ts';
import { readUnitLength } from './unit-length.ts';

/** A unit of .debug_info, with its first entry. */
export interface Unit extends Encoding {
  /** Where it begins in the section: references count from here. */
  readonly start: number;
  readonly end: number;
  /** Where its first entry is. */
  readonly entries: number;
  readonly abbreviations: number;
  /** Identifies the file with the rest of a split unit. */
  readonly splitId?: string;
  readonly root: Attributes;
}

export type Attributes = ReadonlyMap<number, FormValue>;

const DW_UT_TYPE = 2;
const DW_UT_SKELETON = 4;
const DW_UT_SPLIT_COMPILE = 5;
const DW_UT_SPLIT_TYPE = 6;
const DW_AT_GNU_DWO_ID = 0x2131;

/** Reads units of one file and their entries. Every read is bounded; what is corrupt is a DwarfError. */
export class UnitReader {
  readonly sections: DebugSections;
  readonly #abbreviations: Abbreviations;

  constructor(sections: DebugSections) {
    this.sections = sections;
    this.#abbreviations = new Abbreviations(
      sections.abbrev,
      new Budget(16 * (sections.info.length + sections.abbrev.length) + 2 ** 20),
    );
  }

  /** All units but those of types. Units that cannot be read are reported and skipped. */
  units(report: (problem: string) => void): readonly Unit[] {
    const { info } = this.sections;
    const units: Unit[] = [];
    let start = 0;
    while (start < info.length) {
      let next = info.length;
      try {
        const length = readUnitLength(info, start);
        next = length.end;
        const unit = this.#readUnit(start, new Cursor(info, length.start, length.end), length.is64);
        if (unit !== undefined) units.push(unit);
      } catch (error) {
        if (!(error instanceof DwarfError)) throw error;
        report(`The unit at ${start} of .debug_info cannot be read: ${error.message}.`);
      }
      start = next;
    }
    return units;
  }

  /** DWARF 5, section 7.5.1; before it, section 7.5.1.1 of DWARF 4. */
  #readUnit(start: number, cursor: Cursor, is64: boolean): Unit | undefined {
    const version = cursor.u16();
    if (version < 2 || version > 5) throw new DwarfError(`it has DWARF version ${version}`);
    let addressSize = 0;
    let abbreviations = 0;
    let splitId: string | undefined;
    if (version < 5) {
      abbreviations = cursor.offset(is64);
      addressSize = cursor.u8();
    } else {
      const type = cursor.u8();
      addressSize = cursor.u8();
      abbreviations = cursor.offset(is64);
      if (type === DW_UT_TYPE || type === DW_UT_SPLIT_TYPE) return undefined;
      if (type === DW_UT_SKELETON || type === DW_UT_SPLIT_COMPILE)
        splitId = hex64(cursor.u32(), cursor.u32());
    }
    const unit = {
      start,
      end: cursor.end,
      entries: cursor.position,
      is64,
      version,
      addressSize,
      abbreviations,
    };
    const entry = this.readEntry(cursor, unit);
    const root: Attributes = entry?.attributes ?? new Map();
    const old = root.get(DW_AT_GNU_DWO_ID);
    if (old?.kind === 'number') splitId = old.exact ?? old.value.toString(16).padStart(16, '0');
    return { ...unit, root, ...(splitId !== undefined && { splitId }) };
  }

  /** Undefined for the entry that ends a list of children. */
  readEntry(cursor: Cursor, unit: Omit<Unit, 'root'>, isWanted: (tag: number) => boolean = () => true) {
    const code = cursor.uleb();
    if (code === 0) return undefined;
    const { tag, hasChildren, specs } = this.#abbreviations.get(unit.abbreviations, code);
    const attributes = new Map<number, FormValue>();
    const keeps = isWanted(tag);
    for (const { attribute, form, constant } of specs) {
      const value =
        constant === undefined
          ? readForm(cursor, form, unit)
          : ({ kind: 'number', value: constant } satisfies FormValue);
      if (keeps) attributes.set(attribute, value);
    }
    return { tag, hasChildren, attributes };
  }
}
