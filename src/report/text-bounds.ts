import type { LoopProfile } from '../profile/loops.ts';
import type { BoundsView, LoopRow } from './bounds-view.ts';
import { reasonsFor } from './bounds-words.ts';
import { type Cell, columns } from './columns.ts';
import { IN_TEXT, plain, plainName } from './escape.ts';
import type { LoadChange } from './load-change.ts';
import { plural, printChange, printMetric, printMove } from './numbers.ts';
import type { Paint } from './ports.ts';
import { placeOfLoop } from './view.ts';

const SHOWN_LOOPS = 10;

/** The run-time bound, and the loops whose bounds changed with what came with it. */
export function boundsBlock({ base, head, load, changed }: BoundsView, paint: Paint): string[] {
  const machine = plain(head.machine);
  if (base === undefined)
    return [`  Run-time bound on ${machine}: ${printMetric('run-time-bound', head.runTime)} cycles`];
  const [before, after] = printMove('run-time-bound', base.runTime, head.runTime);
  const title =
    before === after
      ? `  Run-time bound on ${machine}: ${after} cycles, as before`
      : `  Run-time bound on ${machine}: ${before} → ${after} cycles  ${printChange(base.runTime, head.runTime)}`;
  const titles = [title, ...(load === undefined ? [] : [loadLine(load, paint)])];
  if (changed.length === 0) return titles;
  const header = ['', 'MAC', 'MACS', 'run-time bound', '', ''].map(
    (text): Cell => ({ text, paint: paint.faint }),
  );
  const lines = [
    ...titles,
    ...columns(
      [header, ...changed.slice(0, SHOWN_LOOPS).map((row) => cellsOf(row, paint))],
      ['left', 'left', 'left', 'left', 'right', 'left'],
      '  ',
    ),
  ];
  const more = changed.length - SHOWN_LOOPS;
  if (more > 0) lines.push(paint.faint(`  and ${plural(more, 'more changed loop')}`));
  return lines;
}

function loadLine({ processors, figures }: LoadChange, paint: Paint): string {
  const shown = figures.map(({ words, numbers, change, isWorse, passedLimit }) => {
    const colour = passedLimit ? paint.bad : change === '' ? String : isWorse ? paint.strong : paint.good;
    return `${words} ${colour(numbers)}${change === '' ? '' : ` ${change}`}`;
  });
  return `  ${processors}: ${shown.join(', ')}`;
}

function cellsOf({ loop, passedLimits }: LoopRow, paint: Paint): Cell[] {
  if (loop.kind === 'appeared' || loop.kind === 'vanished') {
    const only = loop.kind === 'appeared' ? loop.head : loop.base;
    return [
      { text: `${labelOf(only)} (${loop.kind === 'appeared' ? 'new' : 'gone'})` },
      { text: printMetric('mac', only.bounds.MAC) },
      { text: printMetric('macs', only.bounds.MACS) },
      { text: printMetric('run-time-bound', only.runTime) },
    ];
  }
  const { base, head } = loop;
  const move = (metric: 'mac' | 'macs', name: 'MAC' | 'MACS'): Cell => {
    const [before, after] = printMove(metric, base.bounds[name], head.bounds[name]);
    if (before === after) return { text: after };
    const worse = head.bounds[name] > base.bounds[name];
    const colour = passedLimits.includes(metric) ? paint.bad : worse ? paint.strong : paint.good;
    return { text: `${before} → ${after}`, paint: colour };
  };
  const [before, after] = printMove('run-time-bound', base.runTime, head.runTime);
  return [
    { text: labelOf(head) },
    move('mac', 'MAC'),
    move('macs', 'MACS'),
    { text: before === after ? after : `${before} → ${after}` },
    {
      text: before === after ? '' : printChange(base.runTime, head.runTime),
      ...(passedLimits.includes('run-time-bound') ? { paint: paint.bad } : {}),
    },
    { text: reasonsFor(loop, IN_TEXT).join('; '), paint: paint.faint },
  ];
}

function labelOf(loop: LoopProfile): string {
  return `${plainName(loop.function)} ${plainName(placeOfLoop(loop))}`;
}
