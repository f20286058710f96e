import type { LoopProfile, ParallelBounds } from '../profile/loops.ts';
import { type Cell, columns } from './columns.ts';
import { plainName } from './escape.ts';
import { plural, printCpl, printMetric, printShare } from './numbers.ts';
import { LOAD_HEADER, loadRows, parallelTitle } from './parallel-view.ts';
import type { Paint } from './ports.ts';

const SHOWN = 12;

/** The run-time bounds with a processor for each thread: the run, then its regions and loops. */
export function parallelBlock(bounds: ParallelBounds, loops: readonly LoopProfile[], paint: Paint): string {
  const rows = loadRows(bounds, loops);
  const header = LOAD_HEADER.map((text): Cell => ({ text, paint: paint.faint }));
  const cells = rows
    .slice(0, SHOWN)
    .map(({ name, place, threads, balanced, runTime, imbalance, shares }): Cell[] => [
      { text: place === '' ? plainName(name) : `  ${plainName(name)} ${plainName(place)}` },
      { text: String(threads) },
      { text: printMetric('run-time-bound', balanced) },
      { text: printMetric('run-time-bound', runTime) },
      { text: printCpl(imbalance) },
      { text: shares.map(printShare).join(' '), paint: paint.faint },
    ]);
  const table = columns([header, ...cells], ['left', 'right', 'right', 'right', 'right', 'left'], '  ');
  const more = rows.length - SHOWN;
  if (more > 0) table.push(paint.faint(`  and ${plural(more, 'more row')}`));
  return [paint.strong(parallelTitle(bounds)), ...(rows.length === 0 ? [] : table)].join('\n');
}
