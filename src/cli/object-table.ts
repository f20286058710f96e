import type { Machine } from '../machines/machine.ts';
import { type BoundLoop, notesOf, type ObjectBounds } from '../pipeline/object-bounds.ts';
import { plural } from '../report/numbers.ts';

/** The loops of a file of machine code as a table, grouped by function. */
export function objectTable(machine: Machine, bounds: ObjectBounds): string {
  const { loops, unacceptable, functionCount, instructionCount, notes } = bounds;
  const lines = [
    `${machine.title}: cycles per iteration of the source's loop (a residue's: of the machine code's)`,
    '',
    '      MAC     MACS  unroll     fa    fm   fma  misc  load store  instr  limited by',
  ];
  let current: string | undefined;
  for (const each of loops) {
    const { function: name } = each.loop;
    if (name !== current) lines.push('', name);
    current = name;
    lines.push(...rows(each));
  }
  if (loops.length === 0) lines.push('', 'There are no loops.');
  if (unacceptable.length > 0)
    lines.push('', 'Not acceptable, because they can be entered at several places:');
  for (const { function: name, address, lines: at } of unacceptable)
    lines.push(`  ${name} ${at === undefined ? '' : `${at.file}:${at.line}-${at.endLine} `}${address}`);
  const unknown = [...new Set(loops.flatMap(({ cycles }) => cycles?.unknown ?? []))].sort();
  if (unknown.length > 0)
    lines.push('', `The model does not know, and counts as one addition each: ${unknown.join(', ')}`);
  for (const note of notes) lines.push('', note);
  lines.push(
    '',
    `${plural(loops.length, 'loop')} in ${plural(functionCount, 'function')} of ${plural(instructionCount, 'instruction')}`,
  );
  return `${lines.join('\n')}\n`;
}

function rows(each: BoundLoop): string[] {
  const { loop, lines, cycles, address } = each;
  const { counts, unrolling, depth, innermost } = loop;
  const per = (value: number): string => short(value / unrolling.degree);
  const at = lines === undefined ? address : `${lines.file}:${lines.line} (${address})`;
  const numbers = [
    (cycles === undefined ? '-' : (cycles.MAC / unrolling.degree).toFixed(2)).padStart(9),
    (cycles === undefined ? '-' : (cycles.MACS / unrolling.degree).toFixed(2)).padStart(9),
    String(unrolling.degree).padStart(8),
    per(counts.fa).padStart(7),
    per(counts.fm).padStart(6),
    per(counts.fma).padStart(6),
    per(counts.fmisc).padStart(6),
    per(counts.loads).padStart(6),
    per(counts.stores).padStart(6),
    per(counts.instructions).padStart(7),
    `  ${cycles === undefined ? '' : limitOf(cycles.limits)}`,
  ];
  const kind = innermost ? (cycles === undefined ? '' : `, ${cycles.class}`) : ', residue';
  const notes = notesOf(loop, cycles).map((note) => `      ${note}`);
  return [
    `  ${'  '.repeat(Math.min(depth, DEEPEST_INDENT) - 1)}${at}: depth ${depth}${kind}`,
    numbers.join(''),
    ...notes,
  ];
}

const DEEPEST_INDENT = 10;

const limitOf = ({ MAC, MACS }: { readonly MAC: string; readonly MACS: string }): string =>
  MAC === MACS ? MAC : `${MAC}; ${MACS}`;

const short = (value: number): string => String(Math.round(value * 100) / 100);
