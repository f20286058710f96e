import { lastAtOrBelow } from '../ascending.ts';
import { codeRanges } from '../code-ranges.ts';
import { type GoTable, goTable } from '../go/table.ts';
import type { Image, SourceLine } from '../image.ts';
import type { Inflate } from '../ports.ts';
import { type CompilationUnit, compilationUnits } from './compilation-units.ts';
import { Cursor, DwarfError } from './cursor.ts';
import { PathTable, UnitFiles } from './files.ts';
import { type FlatRows, flatten } from './flatten.ts';
import { readLineHeader } from './line-header.ts';
import { runLineProgram } from './line-program.ts';
import { Rows } from './rows.ts';
import { type DebugSections, debugSections } from './sections.ts';
import { Budget, StringReader } from './strings.ts';
import { readUnitLength } from './unit-length.ts';
import { UnitReader } from './units.ts';

/** Source lines of a program's code, from .debug_line of DWARF 2 to 5, else from Go's own table. Addresses are the file's own. */
export interface LineTable {
  /** The line of the instruction at the address; undefined where the compiler names none (it calls that line 0). */
  lookup(address: number): SourceLine | undefined;
  /**
   * The line where a function begins, given its entry. It differs from `lookup` of the same address when the first
   * instruction already belongs to an inlined call: producers emit one row for each, the function's own first.
   */
  declaration(entry: number): SourceLine | undefined;
  /** What could not be read, one sentence each; the rest of the table holds. */
  readonly problems: readonly string[];
}

const MAX_PROBLEMS = 20;

/** Parses nothing until the first question, then everything once. Never throws on account of the file. */
export function lineTable(image: Image, inflate: Inflate): LineTable {
  let loaded: LoadedTable | undefined;
  const table = () => {
    loaded ??= load(image, inflate);
    return loaded;
  };
  return {
    lookup: (address) => {
      const { rows, paths, go } = table();
      if (go !== undefined) return go.lookup(address);
      return sourceLine(rows, paths, lastAtOrBelow(rows.addresses, address));
    },
    declaration: (entry) => {
      const { rows, paths, go } = table();
      if (go !== undefined) return go.lookup(entry);
      return sourceLine(rows, paths, firstRowAt(rows, entry));
    },
    get problems() {
      return table().problems;
    },
  };
}

interface LoadedTable {
  readonly rows: FlatRows;
  readonly paths: PathTable;
  /** What Go's runtime knows of lines, where there is no DWARF. */
  readonly go: GoTable | undefined;
  readonly problems: readonly string[];
}

function load(image: Image, inflate: Inflate): LoadedTable {
  const problems: string[] = [];
  const report = (problem: string) => {
    if (problems.length < MAX_PROBLEMS) problems.push(problem);
    else if (problems.length === MAX_PROBLEMS)
      problems.push('There are more problems in the debug information.');
  };
  for (const problem of image.debug?.problems ?? []) report(`${problem}.`);
  const sections = debugSections(image.debug?.own ?? image, inflate, report);
  const rows = new Rows();
  const paths = new PathTable(new Budget(32 * image.bytes.length + 2 ** 26));
  const shared = image.debug?.shared && debugSections(image.debug.shared, inflate, report);
  const strings = new StringReader(sections, shared);
  readUnits({ sections, strings }, rows, paths, isCodeOf(image), report);
  const go = sections.line.length === 0 ? goTable(image) : undefined;
  return { rows: flatten(rows), paths, go, problems };
}

function readUnits(
  { sections, strings }: { readonly sections: DebugSections; readonly strings: StringReader },
  rows: Rows,
  paths: PathTable,
  isCode: (address: number) => boolean,
  report: (problem: string) => void,
): void {
  let units: ReadonlyMap<number, CompilationUnit> | undefined;
  const unitAt = (offset: number) => {
    units ??= compilationUnits(new UnitReader(sections), strings, report);
    return units.get(offset);
  };
  const { line } = sections;
  let start = 0;
  while (start < line.length) {
    const at = start;
    start = line.length;
    try {
      const { is64, start: body, end, isCut } = readUnitLength(line, at);
      start = end;
      if (isCut) report(`The line table at ${at} of .debug_line is cut off.`);
      if (body === end) continue; // padding
      const header = readLineHeader(new Cursor(line, body, end), is64);
      const files = new UnitFiles(header, () => unitAt(at), line, strings, paths);
      runLineProgram(new Cursor(line, header.programStart, end), header, files, rows, isCode);
    } catch (error) {
      if (!(error instanceof DwarfError)) throw error;
      report(`The line table at ${at} of .debug_line cannot be read to its end: ${error.message}.`);
    }
    if (rows.isFull) {
      report(`The line tables from ${at} of .debug_line on are left out: there are too many rows.`);
      return;
    }
  }
}

/**
 * Linkers that drop a function leave its lines behind, at address 0, 1 or the highest one (lld), sometimes plus an
 * offset. Real code starts in an executable section.
 */
function isCodeOf(image: Image): (address: number) => boolean {
  const endOfCode = codeRanges(image);
  return (address) => endOfCode(address) !== undefined;
}

function sourceLine(rows: FlatRows, paths: PathTable, index: number): SourceLine | undefined {
  if (index < 0 || rows.lines[index] === 0 || rows.files[index] === 0) return undefined;
  const id = rows.files[index]!;
  const directory = paths.directory(id);
  return { file: paths.path(id), line: rows.lines[index]!, ...(directory !== '' && { directory }) };
}

/** The first row that is exactly here and no gap; without one, the row that covers the address. */
function firstRowAt(rows: FlatRows, address: number): number {
  const last = lastAtOrBelow(rows.addresses, address);
  let first = last;
  while (first > 0 && rows.addresses[first - 1] === address && rows.lines[first - 1] !== 0) first--;
  return first;
}
