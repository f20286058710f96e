import type { LoopProfile } from '../../profile/loops.ts';
import { GAP_WORDS, GAPS } from '../bounds-words.ts';
import { printCpl, printSignedCpl } from '../numbers.ts';
import { type Html, html } from './template.ts';

/** Patterns that the bars of all loops use. */
export function hatches(): Html {
  const pattern = (gap: string) =>
    html`<pattern id="hatch-${gap}" width="5" height="5" patternUnits="userSpaceOnUse" patternTransform="rotate(45)"><rect width="2" height="5" class="fill-${gap}"/></pattern>`;
  return html`<svg class="defs" aria-hidden="true"><defs>${GAPS.map((gap) => pattern(gap.toLowerCase()))}</defs></svg>`;
}

/** A step of the hierarchy of bounds: from one bound to the next, backwards where the gap is negative. */
interface Step {
  readonly key: 'm' | 'a' | 'c' | 's' | 'p';
  /** Of what the step ends at. */
  readonly bound: string;
  readonly from: number;
  readonly to: number;
  /** Why it is negative. */
  readonly reason?: string;
}

/** M, then each gap from the bound below to its own. Where M and MA are not known, MAC stands at the bottom. */
function stepsOf(loop: LoopProfile): Step[] {
  const { M, MA, MAC, MACS, measured } = loop.bounds;
  const steps: Step[] = [];
  let last: number | undefined;
  const add = (key: Step['key'], bound: string, to: number | undefined): void => {
    if (to === undefined) return;
    const gap = key === 'm' ? undefined : key.toUpperCase();
    const cause = loop.causes.find((each) => each.gap === gap && (each.cycles ?? -1) < 0);
    const backwards = last !== undefined && to < last;
    steps.push({
      key: last === undefined ? 'm' : key,
      bound,
      from: last ?? 0,
      to,
      ...(backwards ? { reason: cause?.text ?? 'No reason was found.' } : {}),
    });
    last = to;
  };
  add('m', 'M', M);
  add('a', 'MA', MA);
  add('c', 'MAC', MAC);
  add('s', 'MACS', MACS);
  add('p', 'measured', measured);
  return steps;
}

/** The largest value that a loop's bars reach, so that two of them can have one scale. */
export function reachOf(loop: LoopProfile): number {
  return Math.max(...stepsOf(loop).map((step) => step.to));
}

/** Each bound and gap as a row: what it is, where it lies, how large it is; the reason below where it is negative. */
export function boundSteps(loop: LoopProfile, reach: number = reachOf(loop)): Html {
  return html`<div class="steps">${stepsOf(loop).map((step) => stepRow(step, reach))}</div>`;
}

function stepRow(step: Step, reach: number): Html {
  const { key, bound, from, to, reason } = step;
  const isFirst = key === 'm';
  const size = isFirst ? printCpl(to) : printSignedCpl(to - from);
  const label = isFirst ? bound : `gap ${key.toUpperCase()}`;
  const words = isFirst ? '' : shortWords(key);
  return html`
<div class="label"><span class="key key-${key}"></span><b>${isFirst ? bound : key.toUpperCase()}</b>${words !== '' && html` <span class="soft long">${words}</span>`}</div>
<svg role="img" aria-label="${label}: ${size} cycles per iteration"><rect class="track" width="100%" height="100%" rx="3"/>${barOf(step, reach)}</svg>
<div class="value">${isFirst ? html`<b>${size}</b>` : html`${size} <span class="soft">&rarr;</span> <span class="soft">${bound}</span> <b>${printCpl(to)}</b>`}</div>${
    reason !== undefined &&
    html`
<div class="why">Below ${key === 'p' ? 'MACS' : key === 's' ? 'MAC' : key === 'c' ? 'MA' : 'M'}: ${reason}</div>`
  }`;
}

function shortWords(key: 'a' | 'c' | 's' | 'p'): string {
  const words = GAP_WORDS[key.toUpperCase() as 'A' | 'C' | 'S' | 'P'];
  return words.slice(0, words.indexOf(':'));
}

/** Negative gaps go left from the bound before and are hatched. A gap that is nothing is a line. */
function barOf({ key, from, to }: Step, reach: number): Html {
  const percent = (value: number): string =>
    `${reach <= 0 ? 0 : Math.round((Math.max(value, 0) / reach) * 10_000) / 100}%`;
  const left = Math.min(from, to);
  const width = Math.abs(to - from);
  const start = html`<line class="mark" x1="${percent(from)}" x2="${percent(from)}" y1="0" y2="100%"/>`;
  if (width === 0) return start;
  const style = to < from ? 'hatch' : 'fill';
  return html`${from > 0 && start}<rect class="${style}-${key}" x="${percent(left)}" width="${percent(width)}" y="2" height="12" rx="2"/>`;
}

/** How much of a whole, as a thin bar. */
export function shareBar(share: number): Html {
  const percent = Math.round(Math.min(Math.max(share, 0), 1) * 10_000) / 100;
  return html`<span class="share"><svg aria-hidden="true"><rect class="track" width="100%" height="100%"/><rect class="fill-a" width="${percent}%" height="100%"/></svg></span>`;
}
