import type { Finding } from '../gate/verdict.ts';
import type { ChainLink } from '../profile/profile.ts';
import { describeLoopChange } from './bounds-words.ts';
import type { Escape } from './escape.ts';
import { METRIC_WORDS, printCount, printMove } from './numbers.ts';
import { type Explanation, inlinedThere, instructionOf, nameLoop, placeOf, subjectOf } from './view.ts';

/** Why limits were passed, in a sentence or two. */
export function describeExplanation({ cause, findings }: Explanation, safe: Escape): string {
  const show = safe.name;
  const subjects = listSubjects(findings, show);
  switch (cause.kind) {
    case 'chain': {
      const { chain, growth } = cause;
      const owner = chain.function === undefined ? 'the whole run' : show(chain.function);
      const base = chain.base?.length ?? 0;
      const line = `${show(placeOf(growth.line))}${growth.line.function === undefined || growth.line.file === undefined ? '' : ` in ${show(growth.line.function)}`}${inlinedThere(growth.line, show)}`;
      return (
        `the longest dependence chain of ${owner} grew from ${printCount(base)} to ${printCount(chain.head.length)} links. ` +
        `${line} has ${printCount(growth.headCount)} of them, ${printCount(growth.headCount - growth.baseCount)} more than before` +
        `${mostly(growth.link, show)}.${subjects}`
      );
    }
    case 'new-chain': {
      const { chain, line, link } = cause;
      const owner = chain.function === undefined ? 'the whole run' : show(chain.function);
      return (
        `the baseline has no chain of ${owner} to compare with. Its longest dependence chain now has ` +
        `${printCount(chain.head.length)} links, ${printCount(line.count)} of them in ${show(placeOf(line))}${inlinedThere(line, show)}${mostly(link, show)}.${subjects}`
      );
    }
    case 'function': {
      const last = cause.path[cause.path.length - 1]!;
      const place =
        cause.file === undefined
          ? ''
          : ` (${show(cause.line === undefined ? cause.file : `${cause.file}:${cause.line}`)})`;
      const way =
        cause.path.length > 1 ? `, reached by ${cause.path.map((name) => show(name)).join(' → ')}` : '';
      return `${show(last)}${place} executes ${printCount(cause.delta)} more instructions${way}.${subjects}`;
    }
    case 'loop':
      return `${describeLoopChange(cause.pair, safe)}${runTimesExplained(findings, safe)}`;
    case 'new-loop':
      return `${nameLoop(cause.loop, show)} is new and takes at least ${printCount(Math.round(cause.loop.runTime))} cycles.${runTimesExplained(findings, safe)}`;
  }
}

function mostly(link: ChainLink | undefined, show: (text: string) => string): string {
  return link === undefined ? '' : `, mostly ${show(instructionOf(link))}`;
}

/** A finding without a cause, as a sentence. */
export function describeUnexplained(finding: Finding, { name: show }: Escape): string {
  const { metric, base, head } = finding;
  const [before, after] = printMove(metric, base, head);
  return `${METRIC_WORDS[metric]} of ${subjectOf(finding, show)} went from ${before} to ${after}; ${noReason(metric)}.`;
}

function noReason(metric: Finding['metric']): string {
  switch (metric) {
    case 'instructions':
      return 'no single function accounts for it';
    case 'run-time-bound':
    case 'parallel-bound':
      return 'no single loop accounts for it';
    case 'load-imbalance':
    case 'utilisation':
      return 'the shares of the threads in each region tell where';
    case 'cycles':
    case 'ilp':
      return 'the profiles hold no chain that explains it';
    case 'mac':
    case 'macs':
      return 'the profiles hold no cause';
  }
}

const SHOWN_SUBJECTS = 5;

/** Whose run-time bounds a loop explains; that it explains its own bounds goes without saying. */
function runTimesExplained(findings: readonly Finding[], { name: show }: Escape): string {
  const names = findings
    .filter(({ metric }) => metric === 'run-time-bound' || metric === 'parallel-bound')
    .map((finding) => subjectOf(finding, show));
  const subjects = [...new Set(names)];
  return subjects.length === 0 ? '' : ` This explains the run-time bound of ${subjects.join(' and ')}.`;
}

/** Whose limits one cause explains, when it is more than one. */
function listSubjects(findings: readonly Finding[], show: (text: string) => string): string {
  const names = [...new Set(findings.map((each) => subjectOf(each, show)))];
  if (names.length < 2) return '';
  const more = names.length > SHOWN_SUBJECTS ? ` and ${names.length - SHOWN_SUBJECTS} more` : '';
  const shown = names.slice(0, SHOWN_SUBJECTS);
  const last = more === '' ? ` and ${shown.pop()}` : more;
  return ` This explains ${shown.join(', ')}${last}.`;
}
