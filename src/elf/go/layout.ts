/** Where the parts of Go's table are, whichever version wrote it. */
export interface GoLayout {
  /** Addresses of functions in ascending order, and behind them the end of the last. */
  readonly starts: Float64Array;
  readonly infos: readonly (GoFunction | undefined)[];
  readonly names: Uint8Array;
  /** Since Go 1.16 each unit numbers its files anew: where the name of each is in `files`. */
  readonly units: Uint8Array | undefined;
  /** Names of files; before Go 1.16 where they are in `names`. */
  readonly files: Uint8Array;
  /** Tables of values by address. */
  readonly values: Uint8Array;
  /** By which differences of addresses count. */
  readonly quantum: number;
}

/** Offsets into `names` and `values`, and in `units` where the unit begins. */
export interface GoFunction {
  readonly name: number;
  readonly files: number;
  readonly lines: number;
  readonly unit: number;
}

/** The first four bytes (debug/gosym/pclntab.go): Go 1.2, 1.16, 1.18, 1.20. */
const MAGIC_2 = 0xfffffffb;
const MAGIC_16 = 0xfffffffa;
const MAGIC_18 = 0xfffffff0;
const MAGIC_20 = 0xfffffff1;

/** `text` is where code begins: a program that may be loaded anywhere has no address of it in its header. */
export function readLayout(bytes: Uint8Array, text: number): GoLayout | undefined {
  if (bytes.length < 16) return undefined;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const magic = view.getUint32(0, true);
  // Two zeros, the quantum of instructions, the size of a pointer.
  if (view.getUint16(4, true) !== 0 || bytes[7] !== 8) return undefined;
  const words = wordReader(view);
  const part = (word: number): Uint8Array => bytes.subarray(Math.min(words(word) ?? 0, bytes.length));
  const common = { quantum: bytes[6] };
  const count = words(0) ?? 0;
  switch (magic) {
    case MAGIC_18:
    case MAGIC_20: {
      const start = words(2) || text;
      const table = part(7);
      const functions = readFunctions(table, count, { width: 4, entry: 4, base: start });
      return (
        functions && {
          ...common,
          ...functions,
          names: part(3),
          units: part(4),
          files: part(5),
          values: part(6),
        }
      );
    }
    case MAGIC_16: {
      const functions = readFunctions(part(6), count, { width: 8, entry: 8, base: 0 });
      return (
        functions && {
          ...common,
          ...functions,
          names: part(2),
          units: part(3),
          files: part(4),
          values: part(5),
        }
      );
    }
    case MAGIC_2: {
      const table = bytes.subarray(16);
      // Offsets count from the beginning.
      const functions = readFunctions(table, count, { width: 8, entry: 8, base: 0, origin: bytes });
      const behind = 16 + (2 * count + 1) * 8;
      if (functions === undefined || behind + 4 > bytes.length) return undefined;
      const files = bytes.subarray(Math.min(view.getUint32(behind, true), bytes.length));
      return { ...common, ...functions, names: bytes, units: undefined, files, values: bytes };
    }
    default:
      return undefined;
  }
}

/** Pointer-sized fields behind the first eight bytes. */
function wordReader(view: DataView): (word: number) => number | undefined {
  return (word) => {
    const at = 8 + 8 * word;
    if (at + 8 > view.byteLength) return undefined;
    return view.getUint32(at, true) + view.getUint32(at + 4, true) * 2 ** 32;
  };
}

interface TableShape {
  /** Bytes of an address and of an offset. */
  readonly width: 4 | 8;
  /** Bytes of the address that each function's own record begins with. */
  readonly entry: 4 | 8;
  /** Added to addresses. */
  readonly base: number;
  /** What offsets of records count from; the table itself since Go 1.16. */
  readonly origin?: Uint8Array;
}

function readFunctions(
  table: Uint8Array,
  count: number,
  { width, entry, base, origin = table }: TableShape,
): Pick<GoLayout, 'starts' | 'infos'> | undefined {
  if (!((2 * count + 1) * width <= table.length)) return undefined;
  const view = new DataView(table.buffer, table.byteOffset, table.byteLength);
  const number = (at: number): number =>
    view.getUint32(at, true) + (width === 8 ? view.getUint32(at + 4, true) * 2 ** 32 : 0);
  const starts = new Float64Array(count + 1);
  const infos: (GoFunction | undefined)[] = [];
  for (let i = 0; i <= count; i++) {
    starts[i] = base + number(2 * i * width);
    if (i > 0 && !(starts[i] >= starts[i - 1])) return undefined;
    if (i < count) infos.push(readFunction(origin, number((2 * i + 1) * width) + entry));
  }
  return { starts, infos };
}

/** runtime._func behind its entry: nameoff, args, deferreturn, pcsp, pcfile, pcln, npcdata, cuOffset, 4 bytes each. */
function readFunction(bytes: Uint8Array, at: number): GoFunction | undefined {
  if (at + 32 > bytes.length) return undefined;
  const view = new DataView(bytes.buffer, bytes.byteOffset + at, 32);
  const field = (index: number): number => view.getUint32(4 * index, true);
  return { name: field(0), files: field(4), lines: field(5), unit: field(7) };
}
