import type { FileId } from './files.ts';
import type { Rows, Sequence } from './rows.ts';

/** All rows in ascending order of address; a row holds until the next one. File 0 with line 0 marks a gap. */
export interface FlatRows {
  readonly addresses: Float64Array;
  readonly files: Uint32Array;
  readonly lines: Uint32Array;
}

/**
 * Brings the sequences in order of address. Where two overlap (identical functions that the linker folded) the one
 * that starts first holds, the longer on a tie, then the first in the file, as binutils' addr2line has it.
 */
export function flatten(rows: Rows): FlatRows {
  const sequences = rows.sequences.toSorted((a, b) => a.low - b.low || b.high - a.high || a.first - b.first);
  const total = sequences.reduce((sum, { first, last }) => sum + last - first + 1, 0);
  const flat = {
    addresses: new Float64Array(total),
    files: new Uint32Array(total),
    lines: new Uint32Array(total),
  };
  let count = 0;
  let covered = -1;
  const append = (address: number, file: FileId, line: number) => {
    flat.addresses[count] = address;
    flat.files[count] = file;
    flat.lines[count] = line;
    count++;
  };
  for (const sequence of sequences) {
    if (sequence.high <= covered) continue;
    for (let index = firstRowFrom(rows, sequence, covered); index < sequence.last; index++) {
      const address = rows.addresses[index]!;
      // A row where its sequence ends, or beyond in a corrupt one, covers nothing.
      if (address >= sequence.high) break;
      append(Math.max(address, covered), rows.files[index]!, rows.lines[index]!);
    }
    append(sequence.high, 0, 0);
    covered = sequence.high;
  }
  return {
    addresses: flat.addresses.subarray(0, count),
    files: flat.files.subarray(0, count),
    lines: flat.lines.subarray(0, count),
  };
}

/** The last row at or below the address, the first row when all are above it. */
function firstRowFrom(rows: Rows, { first, last, low }: Sequence, address: number): number {
  if (low >= address) return first;
  let index = first;
  while (index + 1 < last && rows.addresses[index + 1]! <= address) index++;
  return index;
}
