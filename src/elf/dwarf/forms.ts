import { type Cursor, DwarfError } from './cursor.ts';

/** How values of one unit are encoded. */
export interface Encoding {
  readonly is64: boolean;
  readonly addressSize: number;
  readonly version: number;
}

/**
 * The value of an attribute or a table column: a number, where a string is (read when it is needed), or a value that
 * nobody here asks for.
 */
export type FormValue =
  | {
      readonly kind: 'number';
      readonly value: number;
      /** All 64 bits in hexadecimal, where `value` is rounded. */
      readonly exact?: string;
    }
  | {
      readonly kind: 'string';
      readonly section: 'self' | 'lineStr' | 'str' | 'shared';
      readonly offset: number;
    }
  | { readonly kind: 'indexed-string'; readonly index: number }
  | { readonly kind: 'address'; readonly address: number }
  | { readonly kind: 'indexed-address'; readonly index: number }
  | { readonly kind: 'indexed-ranges'; readonly index: number }
  /** Another entry: by its place in the unit, in .debug_info, or in the .debug_info of the file that is shared. */
  | { readonly kind: 'reference'; readonly from: 'unit' | 'info' | 'shared'; readonly offset: number }
  | { readonly kind: 'other' };

const INDIRECT = 0x16;
const OTHER: FormValue = { kind: 'other' };

/** DWARF 5, table 7.6; from 0x1f01 on GNU's. `DW_FORM_implicit_const` is the caller's: its value is in the abbreviation. */
export function readForm(cursor: Cursor, form: number, encoding: Encoding): FormValue {
  const { is64, addressSize, version } = encoding;
  switch (form) {
    case 0x01: // addr
      return { kind: 'address', address: cursor.unsigned(addressSize) };
    case 0x03: // block2
      return other(cursor, cursor.u16());
    case 0x04: // block4
      return other(cursor, cursor.u32());
    case 0x05: // data2
      return number(cursor.u16());
    case 0x06: // data4
      return number(cursor.u32());
    case 0x07: // data8
      return exactNumber(cursor);
    case 0x08: // string
      return { kind: 'string', section: 'self', offset: cursor.skipString() };
    case 0x09: // block
    case 0x18: // exprloc
      return other(cursor, cursor.uleb());
    case 0x0a: // block1
      return other(cursor, cursor.u8());
    case 0x0b: // data1
      return number(cursor.u8());
    case 0x0c: // flag
      return other(cursor, 1);
    case 0x11: // ref1
      return reference('unit', cursor.u8());
    case 0x29: // addrx1
    case 0x2a: // addrx2
    case 0x2b: // addrx3
    case 0x2c: // addrx4
      return { kind: 'indexed-address', index: cursor.unsigned(form - 0x28) };
    case 0x0d: // sdata
      return number(cursor.sleb());
    case 0x0e: // strp
      return { kind: 'string', section: 'str', offset: cursor.offset(is64) };
    case 0x0f: // udata
      return number(cursor.uleb());
    case 0x10: // ref_addr: an address in DWARF 2, an offset since
      return reference('info', version <= 2 ? cursor.unsigned(addressSize) : cursor.offset(is64));
    case 0x12: // ref2
      return reference('unit', cursor.u16());
    case 0x13: // ref4
      return reference('unit', cursor.u32());
    case 0x14: // ref8
      return reference('unit', cursor.u64());
    case 0x15: // ref_udata
      return reference('unit', cursor.uleb());
    case 0x1c: // ref_sup4
      return reference('shared', cursor.u32());
    case 0x24: // ref_sup8
      return reference('shared', cursor.u64());
    case 0x1f20: // GNU_ref_alt
      return reference('shared', cursor.offset(is64));
    case 0x20: // ref_sig8: an entry of a type unit
      return other(cursor, 8);
    case 0x1b: // addrx
    case 0x1f01: // GNU_addr_index
      return { kind: 'indexed-address', index: cursor.uleb() };
    case 0x23: // rnglistx
      return { kind: 'indexed-ranges', index: cursor.uleb() };
    case 0x22: // loclistx
      cursor.uleb();
      return OTHER;
    case INDIRECT:
      return readForm(cursor, indirectForm(cursor), encoding);
    case 0x17: // sec_offset
      return number(cursor.offset(is64));
    case 0x19: // flag_present
      return OTHER;
    case 0x1a: // strx
    case 0x1f02: // GNU_str_index
      return { kind: 'indexed-string', index: cursor.uleb() };
    case 0x1d: // strp_sup
    case 0x1f21: // GNU_strp_alt
      return { kind: 'string', section: 'shared', offset: cursor.offset(is64) };
    case 0x1e: // data16
      return other(cursor, 16);
    case 0x1f: // line_strp
      return { kind: 'string', section: 'lineStr', offset: cursor.offset(is64) };
    case 0x25: // strx1
    case 0x26: // strx2
    case 0x27: // strx3
    case 0x28: // strx4
      return { kind: 'indexed-string', index: cursor.unsigned(form - 0x24) };
    default:
      throw new DwarfError(`it uses the unknown form 0x${form.toString(16)}`);
  }
}

/** An indirect form may not name itself again, or a crafted chain of them would exhaust the stack. */
function indirectForm(cursor: Cursor): number {
  const form = cursor.uleb();
  if (form === INDIRECT) throw new DwarfError('it has an indirect form inside an indirect form');
  return form;
}

function number(value: number): FormValue {
  return { kind: 'number', value };
}

function other(cursor: Cursor, size: number): FormValue {
  cursor.skip(size);
  return OTHER;
}

function reference(from: 'unit' | 'info' | 'shared', offset: number): FormValue {
  return { kind: 'reference', from, offset };
}

function exactNumber(cursor: Cursor): FormValue {
  const [low, high] = [cursor.u32(), cursor.u32()];
  const value = low + high * 2 ** 32;
  return Number.isSafeInteger(value) ? number(value) : { kind: 'number', value, exact: hex64(low, high) };
}

export function hex64(low: number, high: number): string {
  return high.toString(16).padStart(8, '0') + low.toString(16).padStart(8, '0');
}
