import type { ChainDiff } from '../../diff/diff.ts';
import { COUNT_METRICS, type CountMetric } from '../../gate/limits.ts';
import { type GateResult, overallOutcome, type TargetResult } from '../../gate/result.ts';
import type { Verdict } from '../../gate/verdict.ts';
import { boundsViewOf } from '../bounds-view.ts';
import { excerpt, rowInstruction } from '../chain-lines.ts';
import { describeEnvironmentChange } from '../environment-words.ts';
import { IN_HTML, visible } from '../escape.ts';
import { describeExplanation, describeUnexplained } from '../explain.ts';
import { headline, outcomeWord } from '../headline.ts';
import { describeNote } from '../notes.ts';
import { plural, printChange, printCount, printMove, printShare } from '../numbers.ts';
import { remedyFor } from '../remedies.ts';
import { inlinedThere, isComparable, placeOf, type Row, viewOf } from '../view.ts';
import { hatches } from './bars.ts';
import { boundsChanges } from './changed-loops.ts';
import { capital } from './loops.ts';
import { page } from './page.ts';
import { type Html, html } from './template.ts';

/** The verdict as a page to be opened from a file: what the pull-request comment says, with room for all of it. */
export function verdictReport(result: GateResult): string {
  const title = headline(result, IN_HTML.name);
  const badge = { regression: 'bad', failed: 'bad', 'environment-changed': 'warn' } as const;
  const outcome = overallOutcome(result);
  return page(
    `ILP Gate: ${outcomeWord(outcome)}`,
    html`<header><div>
<h1>${title}</h1>
<nav>${result.targets.map((each, at) => html`<span><a href="#target-${at + 1}">${visible(each.target)}</a></span>`)}</nav>
</div></header>
<main>
${hatches()}
${result.targets.map((each, at) => {
  const word = each.kind === 'failed' ? 'failed' : each.verdict.outcome;
  const colour = word in badge ? badge[word as keyof typeof badge] : 'good';
  return html`<section id="target-${at + 1}">
<h2>${visible(each.target)} <span class="badge ${colour}">${outcomeWord(word)}</span></h2>
${each.kind === 'failed' ? failure(each) : judged(each.verdict)}
</section>`;
})}
</main>
<footer>If a regression is intended, run <code>ilp-gate update</code> and commit the baseline with the change.</footer>`,
  );
}

function failure({ failure: problem }: Extract<TargetResult, { kind: 'failed' }>): Html {
  const { output } = problem.facts;
  const remedy = remedyFor(problem);
  const lines = Array.isArray(output) ? output.map((line) => visible(String(line), 2000)) : [];
  return html`<div class="card"><div class="inside"><p>${visible(problem.message, 2000)}</p>${
    lines.length > 0 &&
    html`<pre>${lines.map(
      (line) => html`${line}
`,
    )}</pre>`
  }${remedy !== undefined && html`<p class="soft">${remedy}</p>`}</div></div>`;
}

const MOST_ROWS = 300;

function judged(verdict: Verdict): Html {
  const view = viewOf(verdict);
  const comparable = isComparable(verdict);
  const bounds = comparable ? boundsViewOf(verdict) : undefined;
  const rows = comparable ? view.changed : [];
  return html`${notes(verdict)}
${rows.length > 0 && changedTable(rows.slice(0, MOST_ROWS))}
${rows.length > MOST_ROWS && html`<p class="soft small">And ${plural(rows.length - MOST_ROWS, 'more changed row')}.</p>`}
${
  view.explanations.length + view.unexplained.length > 0 &&
  html`<h3>Why</h3>
<ul class="why">${view.explanations.map(
    (each) =>
      html`<li>${capital(describeExplanation(each, IN_HTML))}${'chain' in each.cause && chainTable(each.cause.chain)}</li>`,
  )}${view.unexplained.map((each) => html`<li>${capital(describeUnexplained(each, IN_HTML))}</li>`)}</ul>`
}
${bounds !== undefined && boundsChanges(bounds)}
${comparable && view.unchanged.length > 0 && html`<p class="soft small">Unchanged: ${plural(view.unchanged.length, 'row')}.</p>`}`;
}

function notes(verdict: Verdict): Html | undefined {
  if (verdict.notes.length === 0) return undefined;
  return html`<ul class="plain">${verdict.notes.map(
    (note) =>
      html`<li>${describeNote(note, verdict, IN_HTML.name)}${
        note.kind === 'environment' &&
        html`<ul class="plain small soft">${verdict.diff.environment.map((change) => html`<li>${describeEnvironmentChange(change, IN_HTML.name)}</li>`)}</ul>`
      }</li>`,
  )}</ul>`;
}

function changedTable(rows: readonly Row[]): Html {
  return html`<div class="card"><div class="scroll" tabindex="0"><table>
<thead><tr><th>Function</th><th class="n">Instructions</th><th class="n">Ideal cycles</th><th class="n">ILP</th></tr></thead>
<tbody>${rows.map(
    (row) => html`
<tr><td class="name">${label(row)}</td>${COUNT_METRICS.map((metric) => cell(row, metric))}</tr>`,
  )}</tbody>
</table></div></div>`;
}

function label({ name, renamedFrom, base, head }: Row): Html {
  if (name === undefined) return html`<b>the whole run</b>`;
  const state =
    renamedFrom !== undefined
      ? ` (was ${visible(renamedFrom, 70)})`
      : base === undefined
        ? ' (new)'
        : head === undefined
          ? ' (gone)'
          : '';
  return html`<code>${visible(name)}</code>${state}`;
}

function cell({ base, head, passedLimits }: Row, metric: CountMetric): Html {
  if (base === undefined || head === undefined) {
    const [only] = printMove(metric, (base ?? head)![metric], (base ?? head)![metric]);
    return html`<td class="n">${only}</td>`;
  }
  const [before, after] = printMove(metric, base[metric], head[metric]);
  if (base[metric] === head[metric]) return html`<td class="n">${after}</td>`;
  const better = metric === 'ilp' ? head.ilp > base.ilp : head[metric] < base[metric];
  const colour = passedLimits.includes(metric) ? 'bad' : better ? 'good' : '';
  return html`<td class="n ${colour}">${before} &rarr; ${after} <span class="small">${printChange(base[metric], head[metric])}</span></td>`;
}

const MOST_LINES = 12;

function chainTable(chain: ChainDiff): Html {
  const { lines, omitted } = excerpt(chain, MOST_LINES);
  return html`<div class="card"><div class="scroll" tabindex="0"><table>
<thead><tr><th>Source line</th><th class="n">Links before</th><th class="n">Links after</th><th>Mostly</th></tr></thead>
<tbody>${lines.map((line) => {
    const shown = (line.head ?? line.base)!;
    const grew = line.head !== undefined && line.head === chain.growth?.line;
    return html`
<tr><td class="name"><code>${visible(placeOf(shown))}</code>${shown.file !== undefined && shown.function !== undefined && html` <span class="soft small">${visible(shown.function)}${inlinedThere(shown, visible)}</span>`}</td>${[
      line.base,
      line.head,
    ].map(
      (side, at) =>
        html`<td class="n${grew && at === 1 && ' bad'}">${side === undefined ? '–' : html`${printCount(side.count)} <span class="soft small">${printShare(side.share)}</span>`}</td>`,
    )}<td class="nowrap"><code>${visible(rowInstruction(chain, line), 60)}</code></td></tr>`;
  })}</tbody>
</table></div></div>${omitted !== undefined && html`<p class="soft small">${omitted}</p>`}`;
}
