import type { LoopProfile } from '../../profile/loops.ts';
import type { BoundsView, LoopRow } from '../bounds-view.ts';
import { reasonsFor } from '../bounds-words.ts';
import { IN_HTML, visible } from '../escape.ts';
import type { LoadFigure } from '../load-change.ts';
import { plural, printChange, printMetric, printMove, printShare } from '../numbers.ts';
import { placeOfLoop } from '../view.ts';
import { boundSteps, reachOf } from './bars.ts';
import { capital, causeList, facts, legend, loopsTable } from './loops.ts';
import { loadOf } from './parallel.ts';
import { type Html, html } from './template.ts';

const MOST_CHANGED = 40;
const OPEN_CARDS = 5;

/** The run-time bound, the loops that changed with their bars before and after, and all bounds folded. */
export function boundsChanges({ base, head, load, changed, loops }: BoundsView): Html {
  const rest = changed.length - MOST_CHANGED;
  return html`<h3>Bounds of loops on ${visible(head.machine)}</h3>
<p>Run-time bound: ${base === undefined ? html`<b>${printMetric('run-time-bound', head.runTime)}</b>` : html`<b>${printMove('run-time-bound', base.runTime, head.runTime).join(' → ')}</b>`} cycles${base !== undefined && base.runTime !== head.runTime && ` (${printChange(base.runTime, head.runTime)})`}; ${printShare(head.covered)} of the instructions are in loops with bounds.</p>
${load !== undefined && html`<p>${load.processors}: ${load.figures.map(figureOf)}.</p>`}
${changed.length > 0 && legend()}
${changed.slice(0, MOST_CHANGED).map((row, at) => changedCard(row, at < OPEN_CARDS))}
${rest > 0 && html`<p class="soft small">And ${plural(rest, 'more changed loop')}.</p>`}
<details class="card"><summary><div class="title">All bounds: ${plural(loops.length, 'loop')}</div></summary>${loopsTable(loops, 0)}</details>${
    head.parallel !== undefined &&
    html`
<details class="card"><summary><div class="title">Threads and parallel bounds</div></summary><div class="inside">${loadOf(head.parallel, loops)}</div></details>`
  }`;
}

function figureOf({ words, numbers, change, passedLimit }: LoadFigure, at: number): Html {
  const moved = html`<b>${numbers}</b>${change !== '' && ` (${change})`}`;
  return html`${at > 0 && ', '}${words} ${passedLimit ? html`<span class="badge bad">${moved}</span>` : moved}`;
}

function changedCard({ loop, passedLimits }: LoopRow, open: boolean): Html {
  const shown = loop.kind === 'vanished' ? loop.base : loop.head;
  const [state, colour] =
    loop.kind === 'appeared'
      ? ['new', '']
      : loop.kind === 'vanished'
        ? ['gone', '']
        : passedLimits.length > 0
          ? ['limit exceeded', 'bad']
          : ['changed', ''];
  const reasons = 'bounds' in loop ? reasonsFor(loop, IN_HTML) : [];
  return html`
<details class="card"${open && html` open`}>
<summary><div class="title"><h3><code>${visible(shown.function)}</code> <span class="soft">${visible(placeOfLoop(shown))}</span></h3><span class="badge ${colour}">${state}</span></div><span class="big">${move(loop)}</span></summary>
<div class="inside">${reasons.length > 0 && html`<p>${capital(reasons.join('; '))}.</p>`}
${'bounds' in loop ? beside(loop.base, loop.head) : boundSteps(shown)}
${facts(shown)}
${causeList(shown)}</div>
</details>`;
}

function move(loop: LoopRow['loop']): string {
  if (!('bounds' in loop)) {
    const { runTime } = loop.kind === 'vanished' ? loop.base : loop.head;
    return `${printMetric('run-time-bound', runTime)} cycles`;
  }
  const { base, head } = loop;
  if (base.bounds.MACS === head.bounds.MACS)
    return `${printMove('run-time-bound', base.runTime, head.runTime).join(' → ')} cycles`;
  return `MACS ${printMove('macs', base.bounds.MACS, head.bounds.MACS).join(' → ')}`;
}

/** On one scale. */
function beside(base: LoopProfile, head: LoopProfile): Html {
  const reach = Math.max(reachOf(base), reachOf(head));
  return html`<div class="two"><div><h4>Before</h4>${boundSteps(base, reach)}</div><div><h4>After</h4>${boundSteps(head, reach)}</div></div>`;
}
