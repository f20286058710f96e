import type { LoopProfile, ParallelBounds } from '../../profile/loops.ts';
import type { Profile } from '../../profile/profile.ts';
import { visible } from '../escape.ts';
import { plural, printCpl, printMetric, printShare } from '../numbers.ts';
import { LOAD_HEADER, type LoadRow, loadRows, parallelTitle } from '../parallel-view.ts';
import { shareBar } from './bars.ts';
import { type Html, html } from './template.ts';

const MOST_ROWS = 100;

/** How the work of a run is distributed among its threads. */
export function parallelSection({ loops, bounds }: Profile): Html | undefined {
  if (loops === undefined || bounds?.parallel === undefined) return undefined;
  return html`<section id="load">
<h2>Load</h2>
${loadOf(bounds.parallel, loops)}
</section>`;
}

export function loadOf(parallel: ParallelBounds, loops: readonly LoopProfile[]): Html {
  const rows = loadRows(parallel, loops);
  const rest = rows.length - MOST_ROWS;
  return html`<p class="soft">${parallelTitle(parallel)} Regions that several threads execute together, then the loops that they execute: cycles with equal shares, and of the thread that has most.</p>
<div class="card"><div class="scroll" tabindex="0"><table>
<thead><tr><th>Region or loop</th>${LOAD_HEADER.slice(1, 5).map((name) => html`<th class="n">${name}</th>`)}<th>${LOAD_HEADER[5]}</th></tr></thead>
<tbody>${rows.slice(0, MOST_ROWS).map(loadRow)}</tbody>
</table></div></div>${rest > 0 && html`<p class="soft small">And ${plural(rest, 'more row')}.</p>`}`;
}

function loadRow({ name, place, threads, balanced, runTime, imbalance, shares }: LoadRow): Html {
  return html`
<tr><td class="name"><code>${visible(name)}</code> <span class="soft small">${visible(place)}</span></td><td class="n">${String(threads)}</td><td class="n">${printMetric('run-time-bound', balanced)}</td><td class="n">${printMetric('run-time-bound', runTime)}</td><td class="n">${printCpl(imbalance)}</td><td>${shares.map((share) => html`<div class="small">${printShare(share)}${shareBar(share)}</div>`)}</td></tr>`;
}
