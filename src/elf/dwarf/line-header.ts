import { type Cursor, DwarfError } from './cursor.ts';
import { type Encoding, type FormValue, readForm } from './forms.ts';

/** The header of one unit of .debug_line (DWARF 5, section 6.2.4). Names are not read until a row needs them. */
export interface LineHeader {
  readonly version: number;
  readonly minimumInstructionLength: number;
  readonly lineBase: number;
  readonly lineRange: number;
  readonly opcodeBase: number;
  /** Number of LEB128 operands of standard opcode i + 1. */
  readonly operandCounts: Uint8Array;
  /** From DWARF 5 on, entry 0 is the compilation directory; before, entries are counted from 1. */
  readonly directories: readonly FormValue[];
  readonly files: FileEntry[];
  readonly programStart: number;
}

export interface FileEntry {
  readonly name: FormValue;
  readonly directory: number;
}

const DW_LNCT_PATH = 1;
const DW_LNCT_DIRECTORY_INDEX = 2;

const NO_NAME: FormValue = { kind: 'other' };

/** `cursor` stands after the unit's length. */
export function readLineHeader(cursor: Cursor, is64: boolean): LineHeader {
  const version = cursor.u16();
  if (version < 2 || version > 5) throw new DwarfError(`it has DWARF version ${version}`);
  const addressSize = version >= 5 ? cursor.u8() : 8;
  if (version >= 5) cursor.u8(); // segment selector size
  const headerLength = cursor.offset(is64);
  const programStart = cursor.position + headerLength;
  if (programStart > cursor.end) throw new DwarfError('its header is longer than the unit');
  const minimumInstructionLength = cursor.u8();
  if (version >= 4) cursor.u8(); // operations per instruction: x86 has no VLIW
  cursor.u8(); // whether rows start as statements: every row counts for us
  const lineBase = (cursor.u8() << 24) >> 24;
  const lineRange = cursor.u8();
  const opcodeBase = cursor.u8();
  if (opcodeBase === 0) throw new DwarfError('its first special opcode is 0');
  const counts = cursor.skip(opcodeBase - 1);
  const operandCounts = cursor.bytes.subarray(counts, counts + opcodeBase - 1);
  const tables = version >= 5 ? readTables(cursor, { is64, addressSize, version }) : readOldTables(cursor);
  if (cursor.position > programStart) throw new DwarfError('its tables of files are longer than its header');
  return {
    version,
    minimumInstructionLength,
    lineBase,
    lineRange,
    opcodeBase,
    operandCounts,
    programStart,
    ...tables,
  };
}

function readOldTables(cursor: Cursor) {
  const directories: FormValue[] = [NO_NAME];
  while (cursor.bytes[cursor.position] !== 0) directories.push(inlineString(cursor));
  cursor.u8();
  const files: FileEntry[] = [{ name: NO_NAME, directory: 0 }];
  while (cursor.bytes[cursor.position] !== 0) files.push(readOldFile(cursor));
  cursor.u8();
  return { directories, files };
}

/** A file of DWARF 2 to 4, in the header or in DW_LNE_define_file. */
export function readOldFile(cursor: Cursor): FileEntry {
  const name = inlineString(cursor);
  const directory = cursor.uleb();
  cursor.uleb(); // time of modification
  cursor.uleb(); // size
  return { name, directory };
}

function inlineString(cursor: Cursor): FormValue {
  return { kind: 'string', section: 'self', offset: cursor.skipString() };
}

function readTables(cursor: Cursor, encoding: Encoding) {
  const directories: FormValue[] = [];
  readEntries(cursor, encoding, (columns) => directories.push(columns.get(DW_LNCT_PATH) ?? NO_NAME));
  const files: FileEntry[] = [];
  readEntries(cursor, encoding, (columns) => {
    const directory = columns.get(DW_LNCT_DIRECTORY_INDEX);
    files.push({
      name: columns.get(DW_LNCT_PATH) ?? NO_NAME,
      directory: directory?.kind === 'number' ? directory.value : 0,
    });
  });
  return { directories, files };
}

/** A table that describes its own columns (DWARF 5, section 6.2.4.1); sizes, times, MD5 sums and others are passed over. */
function readEntries(
  cursor: Cursor,
  encoding: Encoding,
  add: (columns: ReadonlyMap<number, FormValue>) => void,
): void {
  const columnCount = cursor.u8();
  const format = Array.from({ length: columnCount }, () => ({ content: cursor.uleb(), form: cursor.uleb() }));
  const count = cursor.uleb();
  for (let index = 0; index < count; index++) {
    const before = cursor.position;
    const columns = new Map<number, FormValue>();
    for (const { content, form } of format) columns.set(content, readForm(cursor, form, encoding));
    // Entries of no bytes would make the count, which may be any number, the only bound.
    if (cursor.position === before) throw new DwarfError('its table of files has entries without content');
    add(columns);
  }
}
