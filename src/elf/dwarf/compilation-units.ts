import { DwarfError } from './cursor.ts';
import type { StringReader } from './strings.ts';
import { DW_AT, numberOf, UnitValues } from './unit-values.ts';
import type { Unit, UnitReader } from './units.ts';

/** What a line table before DWARF 5 does not say itself: its directory 0 and file 0. */
export interface CompilationUnit {
  readonly directory?: string;
  readonly name?: string;
}

/** The compilation units by the offset of their line table in .debug_line. Units that cannot be read are reported and skipped. */
export function compilationUnits(
  reader: UnitReader,
  strings: StringReader,
  report: (problem: string) => void,
): ReadonlyMap<number, CompilationUnit> {
  const units = new Map<number, CompilationUnit>();
  for (const unit of reader.units(report)) {
    const line = numberOf(unit.root.get(DW_AT.stmtList));
    if (line === undefined || units.has(line)) continue;
    try {
      units.set(line, compilationUnit(unit, new UnitValues(unit, reader.sections, strings)));
    } catch (error) {
      if (!(error instanceof DwarfError)) throw error;
      report(`The unit at ${unit.start} of .debug_info cannot be read: ${error.message}.`);
    }
  }
  return units;
}

export function compilationUnit({ root }: Unit, values: UnitValues): CompilationUnit {
  const directory = values.text(root.get(DW_AT.compDir));
  const name = values.text(root.get(DW_AT.name));
  return { ...(directory !== undefined && { directory }), ...(name !== undefined && { name }) };
}
