import type { Finding } from '../gate/verdict.ts';
import type { ChainLink } from '../profile/profile.ts';
import { printCount, printMetric } from './numbers.ts';
import { type Explanation, instructionOf, placeOf, subjectOf } from './view.ts';

/** Why limits were passed, in a sentence or two. Foreign names are passed through `show`. */
export function describeExplanation(
  { cause, findings }: Explanation,
  show: (text: string) => string,
): string {
  const subjects = listSubjects(findings, show);
  switch (cause.kind) {
    case 'chain': {
      const { chain, growth } = cause;
      const owner = chain.function === undefined ? 'the whole run' : show(chain.function);
      const base = chain.base?.length ?? 0;
      const line = `${show(placeOf(growth.line))}${growth.line.function === undefined || growth.line.file === undefined ? '' : ` in ${show(growth.line.function)}`}`;
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
        `${printCount(chain.head.length)} links, ${printCount(line.count)} of them in ${show(placeOf(line))}${mostly(link, show)}.${subjects}`
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
  }
}

function mostly(link: ChainLink | undefined, show: (text: string) => string): string {
  return link === undefined ? '' : `, mostly ${show(instructionOf(link))}`;
}

/** A finding without a cause, as a sentence. */
export function describeUnexplained(finding: Finding, show: (text: string) => string): string {
  const { metric, base, head } = finding;
  const subject = finding.function === undefined ? subjectOf(finding) : show(finding.function);
  const reason =
    metric === 'instructions'
      ? 'no single function accounts for it'
      : 'the profiles hold no chain that explains it';
  return `${metric === 'ilp' ? 'ILP' : metric} of ${subject} went from ${printMetric(metric, base)} to ${printMetric(metric, head)}; ${reason}.`;
}

const SHOWN_SUBJECTS = 5;

/** Whose limits one cause explains, when it is more than one. */
function listSubjects(findings: readonly Finding[], show: (text: string) => string): string {
  const names = [
    ...new Set(findings.map((each) => (each.function === undefined ? subjectOf(each) : show(each.function)))),
  ];
  if (names.length < 2) return '';
  const more = names.length > SHOWN_SUBJECTS ? ` and ${names.length - SHOWN_SUBJECTS} more` : '';
  const shown = names.slice(0, SHOWN_SUBJECTS);
  const last = more === '' ? ` and ${shown.pop()}` : more;
  return ` This explains ${shown.join(', ')}${last}.`;
}
