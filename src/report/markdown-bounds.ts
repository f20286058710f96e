import type { LoopProfile, RunBounds } from '../profile/loops.ts';
import { type BoundsView, type LoopRow, onceEach } from './bounds-view.ts';
import { gapLines, largestGap, limitingUnit, reasonsFor } from './bounds-words.ts';
import { code, IN_CELL, IN_MARKDOWN, prose } from './escape.ts';
import type { LoadChange } from './load-change.ts';
import {
  plural,
  printChange,
  printCount,
  printCpl,
  printMetric,
  printMove,
  printShare,
  printSignedCpl,
} from './numbers.ts';
import { LOAD_HEADER, type LoadRow, loadRows, parallelTitle } from './parallel-view.ts';
import { placeOfLoop } from './view.ts';

/** A target's run-time bounds; absent where they are the same or cannot be compared. */
export interface RunRow {
  readonly target: string;
  readonly base: number;
  readonly head: number;
  readonly passedLimit: boolean;
}

/** A target's parallel bounds where they changed. */
export interface LoadChangeRow {
  readonly target: string;
  readonly load: LoadChange;
}

/** The run-time bounds and loops that changed, with what came with it; undefined where none did. */
export function changedLoops(
  runs: readonly RunRow[],
  loads: readonly LoadChangeRow[],
  rows: readonly (LoopRow & { readonly target: string })[],
  most: number,
): string | undefined {
  if (rows.length + runs.length + loads.length === 0 || most === 0) return undefined;
  const shown = rows.slice(0, most);
  const table = [
    '| Target | Loop | MAC | MACS | Run-time bound | With |',
    '|:--|:--|--:|--:|--:|:--|',
    ...runs.slice(0, most).map(runRow),
    ...loads.slice(0, most).map(loadChangeRow),
    ...shown.map(changedRow),
  ].join('\n');
  const more = rows.length - shown.length;
  return more > 0 ? `${table}\n\nAnd ${plural(more, 'more changed loop')}.` : table;
}

function runRow({ target, base, head, passedLimit }: RunRow): string {
  const change = runTimeMove(base, head);
  return `| ${code(target, 'cell')} | *whole run* | | | ${passedLimit ? `**${change}** ❌` : change} | |`;
}

function loadChangeRow({ target, load: { processors, figures } }: LoadChangeRow): string {
  const [bound, ...others] = figures.map(({ metric, words, numbers, change, passedLimit }) => {
    const moved = change === '' ? numbers : `${numbers} ${change.replace('<', '&lt;')}`;
    const marked = passedLimit ? `**${moved}** ❌` : moved;
    return metric === 'parallel-bound' ? marked : `${words} ${marked}`;
  });
  return `| ${code(target, 'cell')} | *${processors.toLowerCase()}* | | | ${bound} | ${others.join('; ')} |`;
}

function runTimeMove(base: number, head: number): string {
  const [before, after] = printMove('run-time-bound', base, head);
  return before === after ? after : `${before} → ${after} ${printChange(base, head).replace('<', '&lt;')}`;
}

function changedRow({ target, loop, passedLimits }: LoopRow & { readonly target: string }): string {
  const start = `| ${code(target, 'cell')} | `;
  if (loop.kind === 'appeared' || loop.kind === 'vanished') {
    const only = loop.kind === 'appeared' ? loop.head : loop.base;
    const { MAC, MACS } = only.bounds;
    const what = loop.kind === 'appeared' ? 'new' : 'gone';
    return `${start}${labelOf(only)} (${what}) | ${printCpl(MAC)} | ${printCpl(MACS)} | ${printMetric('run-time-bound', only.runTime)} | |`;
  }
  const { base, head } = loop;
  const move = (metric: 'mac' | 'macs', name: 'MAC' | 'MACS'): string => {
    const [before, after] = printMove(metric, base.bounds[name], head.bounds[name]);
    if (before === after) return after;
    return passedLimits.includes(metric) ? `**${before} → ${after}** ❌` : `${before} → ${after}`;
  };
  const moved = runTimeMove(base.runTime, head.runTime);
  const time = passedLimits.includes('run-time-bound') ? `**${moved}** ❌` : moved;
  return `${start}${labelOf(head)} | ${move('mac', 'MAC')} | ${move('macs', 'MACS')} | ${time} | ${reasonsFor(loop, IN_CELL).join('; ')} |`;
}

/** Below it a loop is not worth a row. */
const NOTABLE = 0.001;

/** All bounds of a target, folded: loops by their share of the run-time bound. Undefined where no row is to be shown. */
export function boundsTable(
  target: string | undefined,
  { head, loops }: BoundsView,
  most: number,
): string | undefined {
  const shown = loops.filter((loop, at) => at === 0 || loop.share >= NOTABLE).slice(0, most);
  if (shown.length === 0) return undefined;
  const of = target === undefined ? '' : ` of ${code(target)}`;
  const rest = loops.length - shown.length;
  const share = loops.slice(shown.length).reduce((sum, loop) => sum + loop.share, 0);
  return [
    `<details>\n<summary>${summaryOf(head)}${target === undefined ? '' : `: ${plainTarget(target)}`}</summary>`,
    [
      '| Loop | Iterations | M | MA | MAC | MACS | Measured | Limited by | Largest gap | Share |',
      '|:--|--:|--:|--:|--:|--:|--:|:--|:--|--:|',
      ...shown.map(boundsRow),
    ].join('\n'),
    [
      ...(rest > 0
        ? [`And ${plural(rest, 'more loop')} with ${printShare(share).replace('<', '&lt;')}.`]
        : []),
      `Cycles per iteration on ${code(head.machine)}: M at peak rate, MA what the source asks for, MAC what was compiled, MACS as scheduled.`,
      `Run-time bound${of}: ${printMetric('run-time-bound', head.runTime)} cycles; ${printShare(head.covered)} of the instructions are in loops with bounds.`,
    ].join(' '),
    ...causeList(most >= FULL_TABLE ? onceEach(shown).slice(0, EXPLAINED) : []),
    '</details>',
  ].join('\n\n');
}

/** How the work of a run is distributed among its threads, folded. Undefined where there is one, or no row is to be shown. */
export function loadTable(
  target: string | undefined,
  { head: { parallel }, loops }: BoundsView,
  most: number,
): string | undefined {
  if (parallel === undefined || most === 0) return undefined;
  const rows = loadRows(parallel, loops);
  const shown = rows.slice(0, most);
  const rest = rows.length - shown.length;
  const [, ...columns] = LOAD_HEADER;
  return [
    `<details>\n<summary>Threads and parallel bounds${target === undefined ? '' : `: ${plainTarget(target)}`}</summary>`,
    parallelTitle(parallel),
    ...(shown.length === 0
      ? []
      : [
          [
            `| Region or loop | ${columns.map((name) => name[0]!.toUpperCase() + name.slice(1)).join(' | ')} |`,
            '|:--|--:|--:|--:|--:|:--|',
            ...shown.map(loadRow),
          ].join('\n'),
        ]),
    [
      ...(rest > 0 ? [`And ${plural(rest, 'more row')}.`] : []),
      'Cycles with equal shares of the work, and of the thread that has most; shares of the threads in all that they do.',
    ].join(' '),
    '</details>',
  ].join('\n\n');
}

function loadRow({ name, place, threads, balanced, runTime, imbalance, shares }: LoadRow): string {
  const label = place === '' ? code(name, 'cell') : `${code(name, 'cell')} ${code(place, 'cell')}`;
  const cycles = (value: number): string => printMetric('parallel-bound', value);
  const parts = shares.map((share) => printShare(share).replace('<', '&lt;')).join(' ');
  return `| ${label} | ${threads} | ${cycles(balanced)} | ${cycles(runTime)} | ${printCpl(imbalance)} | ${parts} |`;
}

/** A table cut short for lack of room explains nothing. */
const FULL_TABLE = 20;
const EXPLAINED = 5;

/** Why the largest loops take what they take. */
function causeList(loops: readonly LoopProfile[]): string[] {
  const lines = loops.flatMap((loop) =>
    gapLines(loop, IN_MARKDOWN)
      .slice(0, 4)
      .map((line) => `- ${code(loop.function)} ${code(placeOfLoop(loop))}, ${line}`),
  );
  return lines.length === 0 ? [] : [lines.join('\n')];
}

/** HTML, where code spans do not work: names of targets and machines are made of letters there. */
function summaryOf({ machine }: RunBounds): string {
  return `Bounds of loops on ${plainTarget(machine)}`;
}

function plainTarget(text: string): string {
  return text.replace(/[^A-Za-z0-9._ -]/g, '?').slice(0, 100);
}

function boundsRow(loop: LoopProfile): string {
  const { M, MA, MAC, MACS, measured } = loop.bounds;
  const [m, ma, mac, macs, cycles] = [M, MA, MAC, MACS, measured].map((value) =>
    value === undefined ? '–' : printCpl(value),
  );
  const gap = largestGap(loop);
  const gapCell = gap === undefined ? '–' : `${gap.gap} ${printSignedCpl(gap.cycles)}`;
  const outer = loop.innermost ? '' : ', without the loops in it';
  return `| ${labelOf(loop)}${outer} | ${printCount(loop.iterations)} | ${m} | ${ma} | ${mac} | ${macs} | ${cycles} | ${prose(limitingUnit(loop), 'cell')} | ${gapCell} | ${printShare(loop.share).replace('<', '&lt;')} |`;
}

function labelOf(loop: LoopProfile): string {
  return `${code(loop.function, 'cell')} ${code(placeOfLoop(loop), 'cell')}`;
}
