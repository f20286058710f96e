import type { ParallelDiff } from '../diff/diff.ts';
import { isWorseBelow, PARALLEL_FIGURES, PARALLEL_METRICS, type ParallelMetric } from '../gate/limits.ts';
import type { Finding } from '../gate/verdict.ts';
import { METRIC_WORDS, plural, printChange, printMove } from './numbers.ts';

/** What became of a run's parallel bounds. */
export interface LoadChange {
  /** `On 4 processors`, `On 4 processors, before 2`. */
  readonly processors: string;
  readonly figures: readonly LoadFigure[];
  readonly isChanged: boolean;
}

export interface LoadFigure {
  readonly metric: ParallelMetric;
  readonly words: string;
  /** `1,000 → 2,000`, or one number where it is the same. */
  readonly numbers: string;
  /** `+1.25%`; empty where it is the same. */
  readonly change: string;
  readonly isWorse: boolean;
  readonly passedLimit: boolean;
}

/** Undefined where no run with several threads is compared. */
export function loadChangeOf(
  diff: ParallelDiff | undefined,
  findings: readonly Finding[],
): LoadChange | undefined {
  if (diff?.base === undefined || diff.head === undefined) return undefined;
  const { base, head } = diff;
  const figures = PARALLEL_METRICS.map((metric): LoadFigure => {
    const key = PARALLEL_FIGURES[metric];
    const [before, after] = printMove(metric, base[key], head[key]);
    const isSame = before === after;
    return {
      metric,
      words: METRIC_WORDS[metric],
      numbers: isSame ? after : `${before} → ${after}`,
      change: isSame ? '' : printChange(base[key], head[key]),
      isWorse: isWorseBelow(metric) ? head[key] < base[key] : head[key] > base[key],
      passedLimit: findings.some((finding) => finding.metric === metric),
    };
  });
  const isSameTeam = base.threads === head.threads;
  return {
    processors: `On ${plural(head.threads, 'processor')}${isSameTeam ? '' : `, before ${base.threads}`}`,
    figures,
    isChanged: !isSameTeam || figures.some(({ change }) => change !== ''),
  };
}
