import { Cursor, DwarfError } from './cursor.ts';
import { type FormValue, readForm } from './forms.ts';
import type { DebugSections } from './sections.ts';
import { Budget, type StringReader } from './strings.ts';
import { readUnitLength } from './unit-length.ts';

/** What a line table before DWARF 5 does not say itself: its directory 0 and file 0. */
export interface CompilationUnit {
  readonly directory?: string;
  readonly name?: string;
}

interface UnitHeader {
  readonly is64: boolean;
  readonly version: number;
  readonly addressSize: number;
  readonly abbrevOffset: number;
  readonly isType: boolean;
}

interface AttributeSpec {
  readonly attribute: number;
  readonly form: number;
}

const DW_UT_TYPE = 2;
const DW_UT_SKELETON = 4;
const DW_UT_SPLIT_COMPILE = 5;
const DW_UT_SPLIT_TYPE = 6;

const DW_AT_NAME = 0x03;
const DW_AT_STMT_LIST = 0x10;
const DW_AT_COMP_DIR = 0x1b;
const DW_AT_STR_OFFSETS_BASE = 0x72;
const DW_FORM_IMPLICIT_CONST = 0x21;

/**
 * The compilation units of .debug_info by the offset of their line table in .debug_line. Reads only the first entry of
 * each unit. Units that cannot be read are reported and skipped.
 */
export function readCompilationUnits(
  sections: DebugSections,
  strings: StringReader,
  report: (problem: string) => void,
): ReadonlyMap<number, CompilationUnit> {
  const units = new Map<number, CompilationUnit>();
  const budget = new Budget(16 * (sections.info.length + sections.abbrev.length) + 2 ** 20);
  let start = 0;
  while (start < sections.info.length) {
    let next = sections.info.length;
    try {
      const length = readUnitLength(sections.info, start);
      next = length.end;
      const unit = readUnit(
        sections,
        strings,
        budget,
        new Cursor(sections.info, length.start, length.end),
        length.is64,
      );
      if (unit !== undefined && !units.has(unit.lineOffset)) units.set(unit.lineOffset, unit);
    } catch (error) {
      if (!(error instanceof DwarfError)) throw error;
      report(`The unit at ${start} of .debug_info cannot be read: ${error.message}.`);
    }
    start = next;
  }
  return units;
}

function readUnit(
  sections: DebugSections,
  strings: StringReader,
  budget: Budget,
  cursor: Cursor,
  is64: boolean,
) {
  const header = readHeader(cursor, is64);
  if (header.isType) return undefined;
  const specs = findAbbreviation(sections.abbrev, header.abbrevOffset, cursor.uleb(), budget);
  const values = new Map<number, FormValue>();
  for (const { attribute, form } of specs) {
    if (form !== DW_FORM_IMPLICIT_CONST) values.set(attribute, readForm(cursor, form, header));
  }
  const lineOffset = values.get(DW_AT_STMT_LIST);
  if (lineOffset?.kind !== 'number') return undefined;
  const text = (attribute: number): string | undefined => {
    const value = values.get(attribute);
    if (value === undefined) return undefined;
    if (value.kind !== 'indexed-string') return strings.read(value, sections.info);
    const offset = indexedOffset(
      sections.strOffsets,
      values.get(DW_AT_STR_OFFSETS_BASE),
      value.index,
      header,
    );
    return offset === undefined
      ? undefined
      : strings.read({ kind: 'string', section: 'str', offset }, sections.info);
  };
  const [directory, name] = [text(DW_AT_COMP_DIR), text(DW_AT_NAME)];
  return {
    lineOffset: lineOffset.value,
    ...(directory === undefined ? {} : { directory }),
    ...(name === undefined ? {} : { name }),
  };
}

/** DWARF 5, section 7.5.1; before it, section 7.5.1.1 of DWARF 4. */
function readHeader(cursor: Cursor, is64: boolean): UnitHeader {
  const version = cursor.u16();
  if (version < 2 || version > 5) throw new DwarfError(`it has DWARF version ${version}`);
  if (version < 5) {
    const abbrevOffset = cursor.offset(is64);
    return { is64, version, abbrevOffset, addressSize: cursor.u8(), isType: false };
  }
  const type = cursor.u8();
  const addressSize = cursor.u8();
  const abbrevOffset = cursor.offset(is64);
  if (type === DW_UT_SKELETON || type === DW_UT_SPLIT_COMPILE) cursor.skip(8);
  return {
    is64,
    version,
    abbrevOffset,
    addressSize,
    isType: type === DW_UT_TYPE || type === DW_UT_SPLIT_TYPE,
  };
}

/** Attributes of the entry that uses abbreviation `code`; producers put the unit's own first in its table. */
function findAbbreviation(
  abbrev: Uint8Array,
  offset: number,
  code: number,
  budget: Budget,
): readonly AttributeSpec[] {
  if (code === 0) return [];
  const cursor = new Cursor(abbrev, offset);
  for (;;) {
    const start = cursor.position;
    const found = cursor.uleb();
    if (found === 0) throw new DwarfError(`its abbreviation ${code} does not exist`);
    cursor.uleb(); // tag
    cursor.u8(); // whether it has children
    const specs = readSpecs(cursor, found === code);
    budget.spend(cursor.position - start);
    if (found === code) return specs;
  }
}

function readSpecs(cursor: Cursor, keep: boolean): readonly AttributeSpec[] {
  const specs: AttributeSpec[] = [];
  for (;;) {
    const attribute = cursor.uleb();
    const form = cursor.uleb();
    if (attribute === 0 && form === 0) return specs;
    if (form === DW_FORM_IMPLICIT_CONST) cursor.sleb();
    if (keep) specs.push({ attribute, form });
  }
}

/** DWARF 5, section 7.26: without a base the table starts after the header of the only contribution. */
function indexedOffset(
  strOffsets: Uint8Array,
  base: FormValue | undefined,
  index: number,
  { is64, version }: UnitHeader,
): number | undefined {
  // Before DWARF 5 indexed strings are in a separate .dwo file.
  if (version < 5) return undefined;
  const start = base?.kind === 'number' ? base.value : is64 ? 16 : 8;
  const at = start + index * (is64 ? 8 : 4);
  return new Cursor(strOffsets, Math.min(at, strOffsets.length)).offset(is64);
}
