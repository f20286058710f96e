import { linesOf } from '../diff/chain-lines.ts';
import type { Chain, FunctionProfile, Profile, ProgramProfile, ThreadProfile } from '../profile/profile.ts';
import { heaviestLines, leadingInstruction } from './chain-lines.ts';
import { type Cell, columns } from './columns.ts';
import { plainName } from './escape.ts';
import { plural, printCount, printIlp, printShare } from './numbers.ts';
import type { Paint } from './ports.ts';
import { inlinedThere, placeOf, runOf } from './view.ts';

const SHOWN_FUNCTIONS = 20;
const SHOWN_PROGRAMS = 20;
const SHOWN_THREADS = 20;
const SHOWN_LINES = 8;

/** What one run measured, for a terminal: totals, functions, and the lines of the longest chains. Ends with a newline. */
export function measureSummary(profile: Profile, paint: Paint): string {
  const blocks = [
    functionTable(profile, paint),
    ...(profile.processes === undefined ? [] : [programTable(profile.processes, paint)]),
    ...(profile.threads === undefined ? [] : [threadTable(profile.threads, paint)]),
    ...profile.chains.map((chain) => chainBlock(chain, runOf(profile), paint)),
  ];
  return `${blocks.join('\n\n')}\n`;
}

function functionTable({ total, functions }: Profile, paint: Paint): string {
  const header = ['', 'calls', 'instructions', 'cycles', 'ILP', ''].map(
    (text): Cell => ({ text, paint: paint.faint }),
  );
  const run: Cell[] = [
    { text: 'whole run', paint: paint.strong },
    { text: '' },
    { text: printCount(total.instructions), paint: paint.strong },
    { text: printCount(total.cycles), paint: paint.strong },
    { text: printIlp(total.ilp), paint: paint.strong },
  ];
  const rows = functions
    .slice(0, SHOWN_FUNCTIONS)
    .map((each): Cell[] => [
      { text: plainName(each.name) },
      { text: printCount(each.calls) },
      { text: printCount(each.instructions) },
      { text: printCount(each.cycles) },
      { text: printIlp(each.ilp) },
      { text: sourceOf(each), paint: paint.faint },
    ]);
  const table = columns([header, run, ...rows], ['left', 'right', 'right', 'right', 'right', 'left'], '');
  const omitted = functions.length - SHOWN_FUNCTIONS;
  if (omitted > 0) table.push(paint.faint(`and ${plural(omitted, 'more function')}`));
  return table.join('\n');
}

/** Programs that the whole run takes in, in the order in which they ended. */
function programTable(programs: readonly ProgramProfile[], paint: Paint): string {
  const header = ['program', 'process', 'of', 'instructions', 'last cycle'].map(
    (text): Cell => ({ text, paint: paint.faint }),
  );
  const rows = programs
    .slice(0, SHOWN_PROGRAMS)
    .map(({ program, process, parent, instructions, cycles }): Cell[] => [
      { text: plainName(program) },
      { text: String(process) },
      { text: String(parent) },
      { text: printCount(instructions) },
      { text: printCount(cycles) },
    ]);
  const table = columns([header, ...rows], ['left', 'right', 'right', 'right', 'right'], '');
  const omitted = programs.length - SHOWN_PROGRAMS;
  if (omitted > 0) table.push(paint.faint(`and ${plural(omitted, 'more program')}`));
  return table.join('\n');
}

/** Threads of the run, in the order in which they were created. */
function threadTable(threads: readonly ThreadProfile[], paint: Paint): string {
  const header = ['thread', '', 'instructions', 'cycles', 'ILP'].map(
    (text): Cell => ({ text, paint: paint.faint }),
  );
  const rows = threads
    .slice(0, SHOWN_THREADS)
    .map((each): Cell[] => [
      { text: String(each.index) },
      { text: plainName(each.function ?? '') },
      { text: printCount(each.instructions) },
      { text: each.cycles === undefined ? '' : printCount(each.cycles) },
      { text: each.ilp === undefined ? '' : printIlp(each.ilp) },
    ]);
  const table = columns([header, ...rows], ['right', 'left', 'right', 'right', 'right'], '');
  const omitted = threads.length - SHOWN_THREADS;
  if (omitted > 0) table.push(paint.faint(`and ${plural(omitted, 'more thread')}`));
  return table.join('\n');
}

function sourceOf({ file, line }: FunctionProfile): string {
  if (file === undefined) return '';
  return plainName(line === undefined ? file : `${file}:${line}`);
}

function chainBlock(chain: Chain, run: string, paint: Paint): string {
  const lines = linesOf(chain);
  const shown = heaviestLines(lines, SHOWN_LINES);
  const rows = shown.map((line): Cell[] => [
    { text: `${plainName(placeOf(line))}${inlinedThere(line, plainName)}` },
    { text: printCount(line.count) },
    { text: printShare(line.share) },
    { text: plainName(leadingInstruction(line)), paint: paint.faint },
  ]);
  const owner = chain.function === undefined ? run : plainName(chain.function);
  const call = chain.call === undefined || chain.call === 0 ? '' : `, call ${printCount(chain.call + 1)}`;
  const table = columns(rows, ['left', 'right', 'right', 'left'], '  ');
  const rest = chain.length - shown.reduce((sum, line) => sum + line.count, 0);
  if (lines.length > shown.length)
    table.push(
      paint.faint(`  and ${plural(lines.length - shown.length, 'more line')} with ${plural(rest, 'link')}`),
    );
  return [`Longest chain of ${owner}${call}: ${plural(chain.length, 'link')}`, ...table].join('\n');
}
