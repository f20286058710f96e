import { Cursor } from './cursor.ts';
import type { FormValue } from './forms.ts';
import type { DebugSections } from './sections.ts';
import { Budget, type StringReader } from './strings.ts';
import type { Attributes, Unit } from './units.ts';

/** Code that an entry covers, end exclusive. */
export interface CodeRange {
  readonly low: number;
  readonly high: number;
}

export const DW_AT = {
  sibling: 0x01,
  name: 0x03,
  stmtList: 0x10,
  lowPc: 0x11,
  highPc: 0x12,
  compDir: 0x1b,
  abstractOrigin: 0x31,
  specification: 0x47,
  ranges: 0x55,
  callFile: 0x58,
  callLine: 0x59,
  linkageName: 0x6e,
  strOffsetsBase: 0x72,
  addrBase: 0x73,
  rangeListsBase: 0x74,
  dwoName: 0x76,
  mipsLinkageName: 0x2007,
  gnuDwoName: 0x2130,
  gnuRangesBase: 0x2132,
  gnuAddrBase: 0x2133,
} as const;

/**
 * What the attributes of one unit's entries mean: texts, addresses and ranges that lie in other sections. The unit of a split
 * file (`dwo`) has its addresses, and before DWARF 5 its ranges, in the program, where its skeleton says.
 */
export class UnitValues {
  readonly #unit: Unit;
  readonly #sections: DebugSections;
  readonly #strings: StringReader;
  readonly #skeleton: { readonly unit: Unit; readonly sections: DebugSections } | undefined;
  readonly #budget: Budget;

  constructor(
    unit: Unit,
    sections: DebugSections,
    strings: StringReader,
    skeleton?: { readonly unit: Unit; readonly sections: DebugSections },
  ) {
    this.#unit = unit;
    this.#sections = sections;
    this.#strings = strings;
    this.#skeleton = skeleton;
    const { ranges, rangeLists } = skeleton?.sections ?? sections;
    this.#budget = new Budget(16 * (ranges.length + rangeLists.length + sections.info.length) + 2 ** 20);
  }

  text(value: FormValue | undefined): string | undefined {
    if (value === undefined) return undefined;
    if (value.kind !== 'indexed-string') return this.#strings.read(value, this.#sections.info);
    const { is64, version, root } = this.#unit;
    // DWARF 5, section 7.26: without a base the table starts behind the header of the only contribution, which before had none.
    const base = numberOf(root.get(DW_AT.strOffsetsBase)) ?? (version < 5 ? 0 : is64 ? 16 : 8);
    if (version < 5 && this.#skeleton === undefined) return undefined;
    const offset = this.#at(this.#sections.strOffsets, base + value.index * (is64 ? 8 : 4)).offset(is64);
    return this.#strings.read({ kind: 'string', section: 'str', offset }, this.#sections.info);
  }

  /** The parts of the code that an entry says it covers; none where it says nothing. */
  ranges(attributes: Attributes): readonly CodeRange[] {
    const list = attributes.get(DW_AT.ranges);
    if (list !== undefined) return this.#rangeList(list);
    const low = this.#address(attributes.get(DW_AT.lowPc));
    const end = attributes.get(DW_AT.highPc);
    if (low === undefined || end === undefined) return [];
    const high = end.kind === 'number' ? low + end.value : this.#address(end);
    return high !== undefined && high > low ? [{ low, high }] : [];
  }

  #at(section: Uint8Array, offset: number): Cursor {
    return new Cursor(section, Math.min(offset, section.length));
  }

  #address(value: FormValue | undefined): number | undefined {
    if (value?.kind === 'address') return value.address;
    return value?.kind === 'indexed-address' ? this.#addressAt(value.index) : undefined;
  }

  #addressAt(index: number): number {
    const { unit, sections } = this.#skeleton ?? { unit: this.#unit, sections: this.#sections };
    const { root, addressSize, is64 } = unit;
    // DWARF 5, section 7.27: the header has 8 bytes, 16 in the 64-bit format.
    const base =
      numberOf(root.get(DW_AT.addrBase)) ?? numberOf(root.get(DW_AT.gnuAddrBase)) ?? (is64 ? 16 : 8);
    return this.#at(sections.addr, base + index * addressSize).unsigned(addressSize);
  }

  /** The address that offsets in lists of ranges count from. */
  #base(): number {
    return this.#address((this.#skeleton?.unit ?? this.#unit).root.get(DW_AT.lowPc)) ?? 0;
  }

  #rangeList(list: FormValue): readonly CodeRange[] {
    if (this.#unit.version < 5) {
      const base =
        this.#skeleton === undefined ? 0 : (numberOf(this.#skeleton.unit.root.get(DW_AT.gnuRangesBase)) ?? 0);
      const offset = numberOf(list);
      const sections = this.#skeleton?.sections ?? this.#sections;
      return offset === undefined ? [] : this.#oldRanges(this.#at(sections.ranges, base + offset));
    }
    const { rangeLists } = this.#sections;
    if (list.kind !== 'indexed-ranges') {
      const offset = numberOf(list);
      return offset === undefined ? [] : this.#newRanges(this.#at(rangeLists, offset));
    }
    const { is64, root } = this.#unit;
    // DWARF 5, section 7.28: offsets count from behind the header of 12 bytes, 20 in the 64-bit format.
    const base = numberOf(root.get(DW_AT.rangeListsBase)) ?? (is64 ? 20 : 12);
    const offset = this.#at(rangeLists, base + list.index * (is64 ? 8 : 4)).offset(is64);
    return this.#newRanges(this.#at(rangeLists, base + offset));
  }

  /** DWARF 4, section 2.17.3. */
  #oldRanges(cursor: Cursor): readonly CodeRange[] {
    const size = this.#unit.addressSize;
    const select = 2 ** (8 * size) - 1;
    const ranges: CodeRange[] = [];
    let base = this.#base();
    for (;;) {
      this.#budget.spend(2 * size + 1);
      const [low, high] = [cursor.unsigned(size), cursor.unsigned(size)];
      if (low === 0 && high === 0) return ranges;
      // The largest address is rounded as the limit is.
      if (low >= select) base = high;
      else if (high > low) ranges.push({ low: base + low, high: base + high });
    }
  }

  /** DWARF 5, section 2.17.3. */
  #newRanges(cursor: Cursor): readonly CodeRange[] {
    const size = this.#unit.addressSize;
    const ranges: CodeRange[] = [];
    let base = this.#base();
    const add = (low: number, high: number): void => {
      if (high > low) ranges.push({ low, high });
    };
    for (;;) {
      this.#budget.spend(3);
      switch (cursor.u8()) {
        case 0x00: // end_of_list
          return ranges;
        case 0x01: // base_addressx
          base = this.#addressAt(cursor.uleb());
          break;
        case 0x02: // startx_endx
          add(this.#addressAt(cursor.uleb()), this.#addressAt(cursor.uleb()));
          break;
        case 0x03: {
          // startx_length
          const low = this.#addressAt(cursor.uleb());
          add(low, low + cursor.uleb());
          break;
        }
        case 0x04: // offset_pair
          add(base + cursor.uleb(), base + cursor.uleb());
          break;
        case 0x05: // base_address
          base = cursor.unsigned(size);
          break;
        case 0x06: // start_end
          add(cursor.unsigned(size), cursor.unsigned(size));
          break;
        case 0x07: {
          // start_length
          const low = cursor.unsigned(size);
          add(low, low + cursor.uleb());
          break;
        }
        default:
          return ranges;
      }
    }
  }
}

export function numberOf(value: FormValue | undefined): number | undefined {
  return value?.kind === 'number' ? value.value : undefined;
}
