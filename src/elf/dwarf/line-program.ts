import { type Cursor, DwarfError } from './cursor.ts';
import type { UnitFiles } from './files.ts';
import { type LineHeader, readOldFile } from './line-header.ts';
import type { Rows } from './rows.ts';

/** DWARF 5, section 7.22, tables 7.25 and 7.26. */
const DW_LNS_COPY = 1;
const DW_LNS_ADVANCE_PC = 2;
const DW_LNS_ADVANCE_LINE = 3;
const DW_LNS_SET_FILE = 4;
const DW_LNS_SET_COLUMN = 5;
const DW_LNS_NEGATE_STMT = 6;
const DW_LNS_SET_BASIC_BLOCK = 7;
const DW_LNS_CONST_ADD_PC = 8;
const DW_LNS_FIXED_ADVANCE_PC = 9;
const DW_LNS_SET_PROLOGUE_END = 10;
const DW_LNS_SET_EPILOGUE_BEGIN = 11;
const DW_LNS_SET_ISA = 12;

const DW_LNE_END_SEQUENCE = 1;
const DW_LNE_SET_ADDRESS = 2;
const DW_LNE_DEFINE_FILE = 3;

/**
 * Runs one unit's line program (DWARF 5, section 6.2.5). Of the state machine only address, file and line are kept:
 * columns, statements, views and discriminators make no row of their own here. Throws DwarfError where the program
 * cannot be read on; the rows before that stay in `rows`, in a sequence that ends where the reading ended.
 */
export function runLineProgram(
  cursor: Cursor,
  header: LineHeader,
  files: UnitFiles,
  rows: Rows,
  isCode: (address: number) => boolean,
): void {
  const { lineBase, lineRange, opcodeBase, minimumInstructionLength: unit, operandCounts } = header;
  let address = 0;
  let file = 1;
  let line = 1;
  const row = () => rows.add(address, files.id(file), line > 0 ? line : 0);
  const advanceBySpecial = (opcode: number): number => {
    if (lineRange === 0) throw new DwarfError('it uses special opcodes with a line range of 0');
    const adjusted = opcode - opcodeBase;
    address += Math.floor(adjusted / lineRange) * unit;
    return lineBase + (adjusted % lineRange);
  };
  const reset = () => {
    address = 0;
    file = 1;
    line = 1;
  };
  try {
    while (cursor.position < cursor.end && !rows.isFull) {
      const opcode = cursor.u8();
      if (opcode >= opcodeBase) {
        line += advanceBySpecial(opcode);
        row();
        continue;
      }
      switch (opcode) {
        case 0: {
          const size = cursor.uleb();
          const next = cursor.position + size;
          if (size === 0) break;
          if (next > cursor.end) throw new DwarfError('it ends in the middle of an extended opcode');
          switch (cursor.u8()) {
            case DW_LNE_END_SEQUENCE:
              rows.endSequence(address, isCode);
              reset();
              break;
            case DW_LNE_SET_ADDRESS:
              if (size !== 9) throw new DwarfError(`it sets an address of ${size - 1} bytes`);
              address = cursor.u64();
              break;
            case DW_LNE_DEFINE_FILE:
              files.define(readOldFile(cursor));
              break;
            default: // discriminators and what vendors add
              break;
          }
          cursor.position = next;
          break;
        }
        case DW_LNS_COPY:
          row();
          break;
        case DW_LNS_ADVANCE_PC:
          address += cursor.uleb() * unit;
          break;
        case DW_LNS_ADVANCE_LINE:
          line += cursor.sleb();
          break;
        case DW_LNS_SET_FILE:
          file = cursor.uleb();
          break;
        case DW_LNS_CONST_ADD_PC:
          advanceBySpecial(255);
          break;
        case DW_LNS_FIXED_ADVANCE_PC:
          address += cursor.u16();
          break;
        case DW_LNS_SET_COLUMN:
        case DW_LNS_SET_ISA:
          cursor.uleb();
          break;
        case DW_LNS_NEGATE_STMT:
        case DW_LNS_SET_BASIC_BLOCK:
        case DW_LNS_SET_PROLOGUE_END:
        case DW_LNS_SET_EPILOGUE_BEGIN:
          break;
        default:
          for (let operand = operandCounts[opcode - 1]!; operand > 0; operand--) cursor.uleb();
      }
    }
    if (rows.isOpen) throw new DwarfError('its last sequence does not end');
  } finally {
    rows.endSequence(address, isCode);
  }
}
