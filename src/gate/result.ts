import type { Failure } from '../base/failure.ts';
import type { Outcome, Verdict } from './verdict.ts';

/** What came of one target: judged, or stopped by something outside. */
export type TargetResult =
  | { readonly kind: 'judged'; readonly target: string; readonly verdict: Verdict }
  | { readonly kind: 'failed'; readonly target: string; readonly failure: Failure };

/** In the order of the configuration. */
export interface GateResult {
  readonly targets: readonly TargetResult[];
}

/** `failed`: at least one target could not be judged at all. */
export type OverallOutcome = Outcome | 'failed';

/** The outcome that a reader must hear of first. */
export function overallOutcome(result: GateResult): OverallOutcome {
  const outcomes = result.targets.map(
    (each): OverallOutcome => (each.kind === 'failed' ? 'failed' : each.verdict.outcome),
  );
  return GRAVEST_FIRST.find((outcome) => outcomes.includes(outcome)) ?? 'unchanged';
}

const GRAVEST_FIRST: readonly OverallOutcome[] = [
  'failed',
  'regression',
  'environment-changed',
  'improved',
  'passed',
  'unchanged',
];

/**
 * 0 passed, 1 regression, 2 usage, configuration or environment, 3 the guest could not be run. Of several targets the
 * highest: a target that was not judged is not excused by one that was.
 */
export function exitStatus(result: GateResult): 0 | 1 | 2 | 3 {
  const statuses = result.targets.map(statusOf);
  return statuses.reduce((worst, status) => (status > worst ? status : worst), 0);
}

function statusOf(result: TargetResult): 0 | 1 | 2 | 3 {
  if (result.kind === 'failed') return result.failure.kind === 'guest' ? 3 : 2;
  switch (result.verdict.outcome) {
    case 'unchanged':
    case 'passed':
    case 'improved':
      return 0;
    case 'regression':
      return 1;
    case 'environment-changed':
      return 2;
  }
}
