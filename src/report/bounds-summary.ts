import type { LoopProfile, RunBounds } from '../profile/loops.ts';
import type { Profile } from '../profile/profile.ts';
import { byShare, onceEach } from './bounds-view.ts';
import { CLASS_WORDS, gapLines, largestGap, limitingUnit } from './bounds-words.ts';
import { type Cell, columns } from './columns.ts';
import { IN_TEXT, plain, plainName } from './escape.ts';
import { plural, printCount, printCpl, printMetric, printShare, printSignedCpl } from './numbers.ts';
import { parallelBlock } from './parallel-text.ts';
import type { Paint } from './ports.ts';
import { placeOfLoop } from './view.ts';

const SHOWN_LOOPS = 20;
const EXPLAINED_LOOPS = 5;
/** Below these shares a loop is worth no row, and no explanation, where others are. */
const NOTABLE = 0.003;
const TELLING = 0.03;

/**
 * The bounds of a run's loops, for a terminal: the table, by share of the run-time bound, and what stands behind the
 * gaps of the largest. Undefined where the profile has none. Ends with a newline.
 */
export function boundsSummary({ loops, bounds }: Profile, paint: Paint): string | undefined {
  if (loops === undefined || bounds === undefined) return undefined;
  const sorted = byShare(loops);
  const shown = sorted.filter((loop, at) => at === 0 || loop.share >= NOTABLE).slice(0, SHOWN_LOOPS);
  const title = `Run-time bound on ${plain(bounds.machine)}: ${printMetric('run-time-bound', bounds.runTime)} cycles${took(bounds)}; ${printShare(bounds.covered)} of the instructions are in loops with bounds.`;
  if (shown.length === 0) return `${title}\n`;
  const rest = sorted.length - shown.length;
  const table = columns(
    [header(paint), ...shown.map((loop) => cellsOf(loop, paint))],
    ['left', ...NUMBERS.map(() => 'right' as const), 'left', 'left', 'left'],
    '  ',
  );
  if (rest > 0) table.push(paint.faint(`  and ${plural(rest, 'more loop')}`));
  const explained = onceEach(shown)
    .filter((loop, at) => at === 0 || loop.share >= TELLING)
    .slice(0, EXPLAINED_LOOPS)
    .flatMap((loop) => explanationOf(loop, paint));
  const blocks = [
    [paint.strong(title), paint.faint('Cycles per iteration:'), ...table].join('\n'),
    ...(bounds.parallel === undefined ? [] : [parallelBlock(bounds.parallel, loops, paint)]),
    ...(explained.length === 0 ? [] : [explained.join('\n')]),
  ];
  return `${blocks.join('\n\n')}\n`;
}

function took({ measured, runTime }: RunBounds): string {
  if (measured === undefined) return '';
  return `, measured: ${printMetric('run-time-bound', measured)} (${printCpl(measured / runTime)} times the bound)`;
}

const NUMBERS = ['share', 'iterations', 'M', 'MA', 'MAC', 'MACS', 'measured'];

function header(paint: Paint): Cell[] {
  return ['', ...NUMBERS, 'limited by', 'gap', 'kind'].map((text) => ({ text, paint: paint.faint }));
}

function cellsOf(loop: LoopProfile, paint: Paint): Cell[] {
  const { M, MA, MAC, MACS, measured } = loop.bounds;
  const gap = largestGap(loop);
  return [
    { text: `${labelOf(loop)}${loop.innermost ? '' : ' (outer)'}` },
    { text: printShare(loop.share) },
    { text: printCount(loop.iterations) },
    ...[M, MA, MAC, MACS, measured].map((value) => ({ text: value === undefined ? '-' : printCpl(value) })),
    { text: plainName(limitingUnit(loop)) },
    { text: gap === undefined ? '-' : `${gap.gap} ${printSignedCpl(gap.cycles)}` },
    { text: loop.class === undefined ? '' : CLASS_WORDS[loop.class], paint: paint.faint },
  ];
}

function explanationOf(loop: LoopProfile, paint: Paint): string[] {
  const lines = [...gapLines(loop, IN_TEXT), ...loop.notes.map((note) => plain(note))];
  return lines.length === 0
    ? []
    : [`  ${paint.strong(labelOf(loop))}`, ...lines.map((line) => `    ${line}`)];
}

function labelOf(loop: LoopProfile): string {
  return `${plainName(loop.function)} ${plainName(placeOfLoop(loop))}`;
}
