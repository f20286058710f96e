import type { LoopCause, LoopProfile, OperationCounts } from '../../profile/loops.ts';
import type { Profile } from '../../profile/profile.ts';
import { byShare } from '../bounds-view.ts';
import {
  CLASS_WORDS,
  causesOf,
  GAP_WORDS,
  GAPS,
  largestGap,
  limitingUnit,
  nameCause,
} from '../bounds-words.ts';
import { IN_HTML, visible } from '../escape.ts';
import {
  plural,
  printAmount,
  printCount,
  printCpl,
  printMetric,
  printShare,
  printSignedCpl,
} from '../numbers.ts';
import { placeOfLoop } from '../view.ts';
import { boundSteps, hatches, shareBar } from './bars.ts';
import { type Html, html } from './template.ts';

const MOST_ROWS = 300;
const MOST_CARDS = 40;
const OPEN_CARDS = 3;
/** Below it a loop is a row of the table and nothing more. */
const NOTABLE = 0.001;

/** The loops of a run: all as a table, the large ones each with bars, counts and causes. */
export function loopsSection({ loops, bounds }: Profile): Html | undefined {
  if (loops === undefined || bounds === undefined) return undefined;
  const sorted = byShare(loops);
  const cards = sorted.filter((loop, at) => at === 0 || loop.share >= NOTABLE).slice(0, MOST_CARDS);
  return html`${hatches()}
<section id="loops">
<h2>Loops</h2>
<p class="soft">Bounds on <b>${visible(bounds.machine)}</b>, in cycles per iteration of the source loop, by share of the run-time bound.</p>
${loopsTable(sorted, cards.length)}
${legend()}
${cards.map((loop, at) => loopCard(loop, at))}
</section>`;
}

export function legend(): Html {
  return html`<div class="legend"><div><span class="key key-m"></span>M: floating point at the machine's peak, or MAC where the source is not known</div>${GAPS.map(
    (gap) => html`<div><span class="key key-${gap.toLowerCase()}"></span>${gap}, ${GAP_WORDS[gap]}</div>`,
  )}<div>Hatched to the left: a negative gap, with its reason</div></div>`;
}

/** All loops, the small ones folded. The first `cards` have cards of their own. */
export function loopsTable(loops: readonly LoopProfile[], cards: number): Html {
  const small = loops.slice(cards, MOST_ROWS);
  const rest = loops.length - cards - small.length;
  const table = (
    rows: readonly LoopProfile[],
    linked: boolean,
  ) => html`<div class="scroll" tabindex="0"><table>
<thead><tr><th>Loop</th><th class="n">Share</th><th class="n">Iterations</th><th class="n">M</th><th class="n">MA</th><th class="n">MAC</th><th class="n">MACS</th><th class="n">Measured</th><th>Limited by</th><th class="n">Largest gap</th><th>Kind</th></tr></thead>
<tbody>${rows.map((loop, at) => row(loop, linked ? at : undefined))}</tbody>
</table></div>`;
  if (cards === 0)
    return html`${table(small, false)}${rest > 0 && html`<p class="inside soft small">And ${plural(rest, 'more loop')}.</p>`}`;
  const more = plural(small.length + Math.max(rest, 0), 'smaller loop');
  return html`<div class="card">${table(loops.slice(0, cards), true)}</div>${
    small.length > 0 &&
    html`
<details class="card"><summary><div class="title">${more}</div></summary>${table(small, false)}${rest > 0 && html`<p class="inside soft small">And ${plural(rest, 'more loop')}.</p>`}</details>`
  }`;
}

function row(loop: LoopProfile, card: number | undefined): Html {
  const { M, MA, MAC, MACS, measured } = loop.bounds;
  const gap = largestGap(loop);
  const name = html`<code>${visible(loop.function, 70)}</code><br><span class="soft small">${visible(placeOfLoop(loop), 70)}${!loop.innermost && ', outer'}</span>`;
  return html`
<tr><td class="name">${card === undefined ? name : html`<a href="#loop-${card + 1}">${name}</a>`}</td><td class="n">${printShare(loop.share)}${shareBar(loop.share)}</td><td class="n">${printCount(loop.iterations)}</td>${[M, MA, MAC, MACS, measured].map((value) => html`<td class="n">${value === undefined ? '–' : printCpl(value)}</td>`)}<td class="unit">${visible(limitingUnit(loop), 60)}</td><td class="n">${gap === undefined ? '–' : html`<span class="key key-${gap.gap.toLowerCase()}"></span>${gap.gap} ${printSignedCpl(gap.cycles)}`}</td><td class="nowrap">${loop.class !== undefined && CLASS_WORDS[loop.class]}</td></tr>`;
}

function loopCard(loop: LoopProfile, at: number): Html {
  return html`
<details class="card" id="loop-${at + 1}"${at < OPEN_CARDS && html` open`}>
<summary><div class="title"><h3><code>${visible(loop.function)}</code> <span class="soft">${visible(placeOfLoop(loop))}</span></h3>${loop.class !== undefined && html`<span class="badge">${CLASS_WORDS[loop.class]}</span>`}${!loop.innermost && html`<span class="badge">outer: without the loops in it</span>`}</div><span class="big">${printShare(loop.share)}</span></summary>
<div class="inside">
${facts(loop)}
${boundSteps(loop)}
${causeList(loop)}
${loop.notes.length > 0 && html`<ul class="plain small soft">${loop.notes.map((note) => html`<li>${note}</li>`)}</ul>`}
</div>
</details>`;
}

export function facts(loop: LoopProfile): Html {
  const { iterations, entries, unroll, runTime, limits, essential, compiled } = loop;
  const unrolled =
    unroll === 1
      ? undefined
      : html`<span>unrolled <b>${unroll}</b> times${loop.unrollFrom === 'counts' && ', by the counts of the run'}</span>`;
  return html`<div class="facts"><span><b>${printCount(iterations)}</b> iterations</span><span>entered <b>${plural(entries, 'time')}</b></span><span>run-time bound <b>${printMetric('run-time-bound', runTime)}</b> cycles</span>${unrolled}<span>limited by <b>${visible(limits.MACS)}</b> (MAC: ${visible(limits.MAC)}${limits.MA !== undefined && `, MA: ${visible(limits.MA)}`})</span></div>
<div class="facts">${essential !== undefined && html`<span>the source asks for ${operations(essential)}</span>`}<span>compiled to ${amount(compiled.instructions, 'instruction', 'instructions')}: ${operations(compiled)}, ${amount(compiled.branches, 'branch', 'branches')}</span></div>`;
}

const OPERATION_WORDS: readonly (readonly [keyof OperationCounts, one: string, many: string])[] = [
  ['fma', 'multiply-add', 'multiply-adds'],
  ['fa', 'addition', 'additions'],
  ['fm', 'multiplication', 'multiplications'],
  ['fmisc', 'other floating-point operation', 'other floating-point operations'],
  ['integer', 'integer operation', 'integer operations'],
  ['loads', 'load', 'loads'],
  ['stores', 'store', 'stores'],
];

function amount(value: number, one: string, many: string): Html {
  const text = printAmount(value);
  return html`<b>${text}</b> ${text === '1' ? one : many}`;
}

/** An iteration's operations, those that there are. */
function operations(counts: OperationCounts): Html {
  const some = OPERATION_WORDS.filter(([key]) => (counts[key] ?? 0) !== 0);
  if (some.length === 0) return html`no operations`;
  return html`${some.map(([key, one, many], at) => html`${at > 0 && ', '}${amount(counts[key] ?? 0, one, many)}`)}`;
}

export function causeList(loop: LoopProfile): Html {
  const causes = GAPS.flatMap((gap) => causesOf(loop, gap));
  if (causes.length === 0) return html``;
  return html`<ul class="causes">${causes.map((cause) => causeItem(cause, loop))}</ul>`;
}

function causeItem(cause: LoopCause, loop: LoopProfile): Html {
  const { gap, text, advice, cycles, count } = cause;
  const name = nameCause(cause, loop, IN_HTML);
  return html`<li><span class="tag tag-${gap.toLowerCase()}" title="Gap ${gap}">${gap}</span><div><p><b>${capital(name)}</b>${cycles !== undefined && html` <span class="badge">${printSignedCpl(cycles)} cycles</span>`}${count !== undefined && count !== 1 && html` <span class="badge">${printAmount(count)} an iteration</span>`}</p><p>${text}</p>${advice !== undefined && html`<p class="advice">${advice}</p>`}</div></li>`;
}

export function capital(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
}
