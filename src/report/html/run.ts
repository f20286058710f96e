import { linesOf } from '../../diff/chain-lines.ts';
import type {
  CallProfile,
  Chain,
  Environment,
  FunctionProfile,
  Profile,
  ThreadProfile,
} from '../../profile/profile.ts';
import { heaviestLines, leadingInstruction } from '../chain-lines.ts';
import { visible } from '../escape.ts';
import { plural, printCount, printIlp, printMetric, printShare } from '../numbers.ts';
import { inlinedThere, placeOf, runOf } from '../view.ts';
import { shareBar } from './bars.ts';
import { type Html, html } from './template.ts';

export function totalTiles({ total, bounds }: Profile): Html {
  return html`<div class="tiles">
${tile(printCount(total.instructions), 'instructions')}
${tile(printCount(total.cycles), 'ideal cycles: the longest chain')}
${tile(printIlp(total.ilp), 'ILP')}
${bounds !== undefined && tile(printMetric('run-time-bound', bounds.runTime), `cycles at least on ${visible(bounds.machine)}`)}
${bounds?.measured !== undefined && tile(printMetric('run-time-bound', bounds.measured), 'cycles measured on hardware')}
${bounds !== undefined && tile(printShare(bounds.covered), 'of the instructions are in bounded loops')}
</div>`;
}

function tile(value: string, label: string): Html {
  return html`<div class="tile"><b>${value}</b><span>${label}</span></div>`;
}

const MOST_PROGRAMS = 300;

/** Programs of several processes, where their numbers are the run's. */
export function programsSection({ processes = [], total }: Profile): Html | undefined {
  if (processes.length === 0) return undefined;
  const shown = processes.slice(0, MOST_PROGRAMS);
  const rest = processes.length - shown.length;
  return html`<section id="programs">
<h2>Programs</h2>
<p class="soft">In the order in which they ended. A forked process goes on from the cycles of its parent.</p>
<div class="card"><div class="scroll" tabindex="0"><table>
<thead><tr><th>Program</th><th class="n">Process</th><th class="n">Of</th><th class="n">Instructions</th><th class="n">Last cycle</th></tr></thead>
<tbody>${shown.map(
    ({ program, process, parent, instructions, cycles }) => html`
<tr><td class="name"><code>${visible(program)}</code></td><td class="n">${process}</td><td class="n">${parent}</td><td class="n">${printCount(instructions)}${shareBar(total.instructions === 0 ? 0 : instructions / total.instructions)}</td><td class="n">${printCount(cycles)}</td></tr>`,
  )}</tbody>
</table></div></div>${rest > 0 && html`<p class="soft small">And ${plural(rest, 'more program')}.</p>`}
</section>`;
}

const MOST_FUNCTIONS = 300;

export function functionsSection({ functions, total }: Profile): Html | undefined {
  if (functions.length === 0) return undefined;
  const shown = functions.slice(0, MOST_FUNCTIONS);
  const rest = functions.length - shown.length;
  return html`<section id="functions">
<h2>Functions</h2>
<p class="soft">Of their outermost calls, with what they call.</p>
<div class="card"><div class="scroll" tabindex="0"><table>
<thead><tr><th>Function</th><th class="n">Calls</th><th class="n">Instructions</th><th class="n">Ideal cycles</th><th class="n">ILP</th></tr></thead>
<tbody>${shown.map((each) => functionRow(each, total.instructions))}</tbody>
</table></div></div>${rest > 0 && html`<p class="soft small">And ${plural(rest, 'more function')}.</p>`}
</section>`;
}

function functionRow(
  { name, file, line, calls, instructions, cycles, ilp }: FunctionProfile,
  all: number,
): Html {
  const place = file === undefined ? '' : line === undefined ? file : `${file}:${line}`;
  return html`
<tr><td class="name"><code>${visible(name)}</code> <span class="soft small">${visible(place)}</span></td><td class="n">${printCount(calls)}</td><td class="n">${printCount(instructions)}${shareBar(all === 0 ? 0 : instructions / all)}</td><td class="n">${printCount(cycles)}</td><td class="n">${printIlp(ilp)}</td></tr>`;
}

export function threadsSection({ threads, total }: Profile): Html | undefined {
  if (threads === undefined) return undefined;
  const shown = threads.slice(0, MOST_FUNCTIONS);
  const rest = threads.length - shown.length;
  return html`<section id="threads">
<h2>Threads</h2>
<p class="soft">In order of creation, each with its own instructions alone.</p>
<div class="card"><div class="scroll" tabindex="0"><table>
<thead><tr><th class="n">Thread</th><th>Function</th><th class="n">Instructions</th><th class="n">Ideal cycles</th><th class="n">ILP</th></tr></thead>
<tbody>${shown.map((each) => threadRow(each, total.instructions))}</tbody>
</table></div></div>${rest > 0 && html`<p class="soft small">And ${plural(rest, 'more thread')}.</p>`}
</section>`;
}

function threadRow({ index, function: name, instructions, cycles, ilp }: ThreadProfile, all: number): Html {
  return html`
<tr><td class="n">${String(index)}</td><td class="name">${name !== undefined && html`<code>${visible(name)}</code>`}</td><td class="n">${printCount(instructions)}${shareBar(all === 0 ? 0 : instructions / all)}</td><td class="n">${cycles !== undefined && printCount(cycles)}</td><td class="n">${ilp !== undefined && printIlp(ilp)}</td></tr>`;
}

/** A recursion may nest calls by the ten thousand, and browsers give up long before. */
const DEEPEST_CALL = 40;
const MOST_CALLS = 3000;
/** Deeper calls are not indented further. */
const DEEPEST_INDENT = 6;
const OPEN_LEVELS = 2;

export function callsSection({ calls }: Profile): Html | undefined {
  if (calls.length === 0) return undefined;
  const room = { calls: MOST_CALLS };
  return html`<section id="calls">
<h2>Calls</h2>
<div class="card"><div class="inside tree">${calls.map((call) => callNode(call, 1, room))}</div></div>
</section>`;
}

function callNode(call: CallProfile, level: number, room: { calls: number }): Html | undefined {
  if (room.calls <= 0) return undefined;
  room.calls -= 1;
  const { function: name, aggregated, instructions, cycles, ilp } = call;
  const title = html`<code>${visible(name)}</code>${aggregated !== undefined && html` <span class="badge">${plural(aggregated, 'call')}</span>`}<span class="numbers">${printCount(instructions)} instructions, ${printCount(cycles)} cycles, ILP ${printIlp(ilp)}</span>`;
  const deep = level > DEEPEST_INDENT ? ' deep' : '';
  if (call.calls.length === 0) return html`<div class="leaf${deep}">${title}</div>`;
  const below = level < DEEPEST_CALL ? call.calls.map((each) => callNode(each, level + 1, room)) : [];
  const missing = call.calls.length - below.filter((each) => each !== undefined).length;
  return html`
<details class="node${deep}"${level <= OPEN_LEVELS && html` open`}><summary>${title}</summary>${below}${missing > 0 && html`<div class="leaf soft${deep}">and ${plural(missing, 'more call')}, not shown</div>`}</details>`;
}

const MOST_LINES = 40;
const MOST_LINKS = 200;

export function chainsSection(profile: Profile): Html | undefined {
  const { chains } = profile;
  if (chains.length === 0) return undefined;
  return html`<section id="chains">
<h2>Longest chains</h2>
<p class="soft">Each instruction waits for the one before it: no machine is faster, however wide.</p>
${chains.map((chain, at) => chainCard(chain, runOf(profile), at))}
</section>`;
}

function chainCard(chain: Chain, run: string, at: number): Html {
  const lines = linesOf(chain);
  const shown = heaviestLines(lines, MOST_LINES);
  const rest = chain.length - shown.reduce((sum, line) => sum + line.count, 0);
  const call = chain.call === undefined || chain.call === 0 ? '' : `, call ${printCount(chain.call + 1)}`;
  const owner = chain.function === undefined ? html`${run}` : html`<code>${visible(chain.function)}</code>`;
  const links = chain.links.slice(0, MOST_LINKS);
  return html`
<details class="card"${at < 3 && html` open`}>
<summary><div class="title"><h3>${owner}${call}</h3></div><span class="big">${plural(chain.length, 'link')}</span></summary>
<div class="scroll" tabindex="0"><table>
<thead><tr><th>Source line</th><th class="n">Links</th><th class="n">Share</th><th>Mostly</th></tr></thead>
<tbody>${shown.map(
    (line) => html`
<tr><td class="name"><code>${visible(placeOf(line))}</code>${line.file !== undefined && line.function !== undefined && html` <span class="soft small">${visible(line.function)}${inlinedThere(line, visible)}</span>`}</td><td class="n">${printCount(line.count)}</td><td class="n">${printShare(line.share)}${shareBar(line.share)}</td><td class="nowrap"><code>${visible(leadingInstruction(line), 60)}</code></td></tr>`,
  )}</tbody>
</table></div>
<div class="inside">${lines.length > shown.length && html`<p class="soft small">And ${plural(lines.length - shown.length, 'more line')} with ${plural(rest, 'link')}.</p>`}
<details class="fold"><summary class="soft small">Instructions in order of first occurrence</summary>
<div class="scroll" tabindex="0"><table><tbody>${links.map(
    (link) => html`
<tr><td class="nowrap"><code>${visible(link.instruction, 80)}</code></td><td class="name soft small">${visible(link.address)}</td><td class="n">${printCount(link.count)}</td><td class="n">${printShare(link.share)}</td></tr>`,
  )}</tbody></table></div>${chain.links.length > links.length && html`<p class="soft small">And ${plural(chain.links.length - links.length, 'more instruction')}.</p>`}</details></div>
</details>`;
}

export function environmentSection(environment: Environment): Html {
  const { tool, rules, isa, program, libraries, others = [], compilers } = environment;
  return html`<section id="environment">
<h2>Environment</h2>
<div class="card"><div class="inside"><dl>
<dt>Program</dt><dd><code>${visible(program.name)}</code> <span class="soft small mono">${identity(program)}</span></dd>
${libraries.map((library) => html`<dt>Library</dt><dd><code>${visible(library.name)}</code> <span class="soft small mono">${identity(library)}</span></dd>`)}
${others.map((other) => html`<dt>Of other programs</dt><dd><code>${visible(other.name)}</code> <span class="soft small mono">${identity(other)}</span></dd>`)}
${compilers.length > 0 && html`<dt>Compiler</dt><dd>${compilers.map((each, at) => html`${at > 0 && ', '}${visible(each)}`)}</dd>`}
<dt>Processor that it saw</dt><dd>${visible(isa)}</dd>
<dt>Measured by</dt><dd>ilp-gate ${visible(tool)}, rules ${rules}</dd>
</dl></div></div>
</section>`;
}

function identity({ buildId, sha256 }: Environment['program']): string {
  return buildId === undefined ? `sha256 ${visible(sha256, 70)}` : `build id ${visible(buildId, 70)}`;
}
