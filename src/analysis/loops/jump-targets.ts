import { addressesPut, type JumpTable, jumpTableBefore } from '../../x86/jump-table.ts';
import type { FlowEvent, Sweep } from '../../x86/sweep.ts';
import type { ImageBytes } from './code.ts';

/** Bytes in front of an indirect jump in which the comparison and the table are looked for. */
const WINDOW = 96;
/** Where no comparison says how many entries there are: as many as lead into the function, and no more than these. */
const MOST_ENTRIES = 4096;

/** Finds the targets of a function's indirect jumps, as far as its tables are visible. */
export function jumpTargetsOf(
  swept: Sweep,
  code: ImageBytes,
): (event: FlowEvent) => readonly number[] | undefined {
  let put: ReadonlyMap<number, number> | undefined;
  return (event) => {
    let from = Math.max(swept.start, event.address - WINDOW);
    while (swept.boundaries[from - swept.start] !== 1) from++;
    const table = jumpTableBefore(code.at(from, event.end - from), from, (register) => {
      put ??= addressesPut(code.at(swept.start, swept.end - swept.start), swept.start);
      return put.get(register);
    });
    return table === undefined ? undefined : entriesOf(table, swept, code);
  };
}

function entriesOf(table: JumpTable, { start, end, boundaries }: Sweep, code: ImageBytes): readonly number[] {
  const { address, entrySize, base, count } = table;
  const most = Math.min(count ?? MOST_ENTRIES, MOST_ENTRIES);
  const bytes = code.at(address, most * entrySize);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const targets: number[] = [];
  for (let at = 0; at + entrySize <= bytes.length; at += entrySize) {
    const target = entrySize === 4 ? base + view.getInt32(at, true) : Number(view.getBigUint64(at, true));
    const isInside = target >= start && target < end && boundaries[target - start] === 1;
    // A cold part of the function lies elsewhere: with a known count it is an entry all the same, which leaves the function.
    if (!isInside && count === undefined) break;
    targets.push(target);
  }
  return targets;
}
