import { type GateResult, overallOutcome, type TargetResult } from '../gate/result.ts';
import type { Finding, Outcome, Verdict } from '../gate/verdict.ts';
import { nameParts } from './environment-words.ts';
import { plain } from './escape.ts';
import { METRIC_WORDS, plural, printChange, printMove } from './numbers.ts';
import { isComparable, subjectOf } from './view.ts';

/** The verdict in one sentence of plain text. Foreign names in it are passed through `show`. */
export function headline(result: GateResult, show: (text: string) => string = plain): string {
  const { targets } = result;
  const outcome = overallOutcome(result);
  const concerned = targets.filter(
    (each) => (each.kind === 'failed' ? 'failed' : each.verdict.outcome) === outcome,
  );
  const where = whereWords(concerned, targets.length, show);
  const verdicts = concerned.flatMap((each) => (each.kind === 'judged' ? [each.verdict] : []));
  switch (outcome) {
    case 'failed': {
      const also = targets.some((each) => each.kind === 'judged' && each.verdict.outcome === 'regression');
      return `Not judged: ${where} could not be compared${also ? '; another target got worse' : ''}.`;
    }
    case 'regression':
      return `Regression in ${where}: ${describeFinding(worst(concerned), show)}.`;
    case 'environment-changed':
      return environmentHeadline(verdicts, where, show);
    case 'improved':
      return `Improved: ${where} ${concerned.length === 1 ? 'needs' : 'need'} ${improvement(verdicts)}.`;
    case 'passed':
      return `Passed: ${where} ${concerned.length === 1 ? 'stays' : 'stay'} within the limits.`;
    case 'unchanged':
      return targets.length === 0
        ? 'Nothing was compared.'
        : `Unchanged: ${where} ${concerned.length === 1 ? 'is' : 'are'} the same binary with the same numbers.`;
  }
}

export function outcomeWord(outcome: Outcome | 'failed'): string {
  return OUTCOME_WORDS[outcome];
}

const OUTCOME_WORDS = {
  failed: 'not judged',
  regression: 'regression',
  'environment-changed': 'environment changed',
  improved: 'improved',
  passed: 'passed',
  unchanged: 'unchanged',
} as const;

function whereWords(concerned: readonly TargetResult[], all: number, show: (text: string) => string): string {
  if (concerned.length === 1) return show(concerned[0]!.target);
  if (concerned.length < all) return `${concerned.length} of ${plural(all, 'target')}`;
  return all === 2 ? 'both targets' : `all ${all} targets`;
}

function environmentHeadline(
  verdicts: readonly Verdict[],
  where: string,
  show: (text: string) => string,
): string {
  const parts = nameParts(
    verdicts.flatMap((verdict) => verdict.diff.environment),
    show,
  );
  const incomparable = verdicts.some((verdict) => !isComparable(verdict));
  return incomparable
    ? `Environment changed (${parts}): the numbers of ${where} cannot be compared with the baseline.`
    : `Environment changed (${parts}): limits are exceeded in ${where}, which cannot be held against this change.`;
}

/** The finding of the run before those of functions, and of these the one that grew most in proportion. */
function worst(targets: readonly TargetResult[]): Worst {
  const found = targets.flatMap((each) =>
    each.kind === 'judged' ? each.verdict.findings.map((finding) => ({ target: each.target, finding })) : [],
  );
  const ofRuns = found.filter(({ finding }) => finding.function === undefined);
  const size = ({ finding: { base, head } }: (typeof found)[number]): number =>
    Math.abs(head - base) / Math.max(base, 1e-9);
  const most = (ofRuns.length > 0 ? ofRuns : found).reduce((most, each) =>
    size(each) > size(most) ? each : most,
  );
  return { ...most, several: targets.length > 1, others: found.length - 1 };
}

interface Worst {
  readonly target: string;
  readonly finding: Finding;
  /** Whether other targets got worse too, so that this one must be named. */
  readonly several: boolean;
  readonly others: number;
}

function describeFinding(
  { target, finding, several, others }: Worst,
  show: (text: string) => string,
): string {
  const { metric, base, head } = finding;
  const subject = subjectOf(finding, show);
  const more = others === 0 ? '' : `, and ${others} more ${others === 1 ? 'limit' : 'limits'} exceeded`;
  const numbers = printMove(metric, base, head).join(' → ');
  const where = several ? ` of ${show(target)}` : '';
  return `${METRIC_WORDS[metric]} of ${subject}${where} ${printChange(base, head)} (${numbers})${more}`;
}

/** The largest gain, in words that fit after "needs". */
function improvement(verdicts: readonly Verdict[]): string {
  const gains = verdicts.flatMap(({ diff: { total } }) =>
    (['instructions', 'cycles'] as const).map((metric) => ({
      metric,
      base: total.base[metric],
      head: total.head[metric],
    })),
  );
  const best = gains.reduce((most, each) => (each.head * most.base < most.head * each.base ? each : most));
  const upTo = verdicts.length > 1 ? 'up to ' : '';
  return `${upTo}${printChange(best.base, best.head).replace('-', '')} fewer ${best.metric}`;
}
