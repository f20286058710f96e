import type { Diff } from '../diff/diff.ts';
import type { FunctionProfile, Totals } from '../profile/profile.ts';
import { causeOf } from './causes.ts';
import { judgeBounds } from './judge-bounds.ts';
import { COUNT_METRICS, type CountMetric, exceeds, type Limits, limitFor } from './limits.ts';
import type { Finding, Note, Outcome, Verdict } from './verdict.ts';

/**
 * Holds a diff against limits. Every function that both profiles have is judged as the run is: on the ideal machine
 * a function whose chain grew may hide behind a longer chain elsewhere, so the run's own numbers alone would miss it.
 * Functions that appeared or vanished have nothing to be compared with; their callers' sums include them.
 *
 * What changed besides the program's source decides what the numbers can say:
 *
 * - Rules or ISA level differ: the two profiles count different things. Nothing is judged: `environment-changed`.
 * - The compiler or a library differs: the numbers count the same thing, but the change under review may not be what
 *   moved them. Within the limits that does not matter: passed. Beyond them, blaming the change would be wrong and
 *   letting it pass would hide a regression behind every upgrade: `environment-changed`, with what was found.
 * - Only the tool's version differs: what can change a number is the rules' version, so the limits apply as ever and
 *   the report names it.
 * - The binary is the same: with the same numbers nothing changed. With other numbers its input did (a script, a
 *   data file, arguments), and for an interpreter that is the code under review: the limits apply.
 *
 * `expectedFunctions` are the names that the target's configuration relies on.
 */
export function judge(
  diff: Diff,
  levels: readonly Limits[],
  expectedFunctions: readonly string[] = [],
): Verdict {
  const comparable = !diff.environment.some(({ part }) => INCOMPARABLE.includes(part));
  const findings = comparable ? findingsOf(diff, levels) : [];
  return {
    outcome: outcomeOf(diff, comparable, findings),
    findings,
    notes: notesOf(diff, comparable, expectedFunctions),
    diff,
  };
}

/** Numbers that were measured otherwise mean something else. */
const INCOMPARABLE: readonly Diff['environment'][number]['part'][] = ['rules', 'isa', 'children'];

function outcomeOf(diff: Diff, comparable: boolean, findings: readonly Finding[]): Outcome {
  if (!comparable) return 'environment-changed';
  if (diff.binary === 'same' && diff.counts === 'same') return 'unchanged';
  if (findings.length > 0) {
    const moved = diff.environment.some((change) => change.part === 'compilers' || change.part === 'library');
    return moved ? 'environment-changed' : 'regression';
  }
  const { base, head } = diff.total;
  const noWorse = head.instructions <= base.instructions && head.cycles <= base.cycles;
  return noWorse && (head.instructions < base.instructions || head.cycles < base.cycles)
    ? 'improved'
    : 'passed';
}

function findingsOf(diff: Diff, levels: readonly Limits[]): Finding[] {
  const findings = COUNT_METRICS.flatMap((metric): Finding[] =>
    judgeOne(metric, undefined, diff.total.base, diff.total.head, diff, levels),
  );
  for (const each of diff.functions) {
    if (each.kind === 'appeared' || each.kind === 'vanished') continue;
    for (const metric of COUNT_METRICS)
      findings.push(...judgeOne(metric, each.head, each.base, each.head, diff, levels));
  }
  // The same program: what moved its bounds is the tool or its model of the machine.
  if (diff.binary === 'different' || diff.counts === 'different') findings.push(...judgeBounds(diff, levels));
  return findings;
}

function judgeOne(
  metric: CountMetric,
  about: FunctionProfile | undefined,
  base: Totals,
  head: Totals,
  diff: Diff,
  levels: readonly Limits[],
): Finding[] {
  const limit = limitFor(metric, about?.name, levels);
  if (!exceeds(metric, limit, base, head)) return [];
  const cause = causeOf(metric, about?.name, diff);
  return [
    {
      metric,
      ...(about === undefined ? {} : { function: about.name }),
      ...(about?.file === undefined ? {} : { file: about.file }),
      ...(about?.line === undefined ? {} : { line: about.line }),
      base: base[metric],
      head: head[metric],
      delta:
        metric === 'ilp' ? Math.round((head.ilp - base.ilp) * 10_000) / 10_000 : head[metric] - base[metric],
      limit,
      ...(cause === undefined ? {} : { cause }),
    },
  ];
}

function notesOf(diff: Diff, comparable: boolean, expected: readonly string[]): Note[] {
  const notes: Note[] = [];
  if (diff.environment.length > 0) notes.push({ kind: 'environment', comparable });
  if (diff.command !== undefined) notes.push({ kind: 'command-changed' });
  // With another tool or other rules these may be what moved the numbers.
  if (diff.binary === 'same' && diff.counts === 'different' && diff.environment.length === 0) {
    notes.push({ kind: 'same-binary-other-counts' });
  }
  if (diff.bounds?.comparable === false) {
    const { base, head } = diff.bounds;
    const because = base === undefined ? 'no-base' : head === undefined ? 'no-head' : 'other-machine';
    notes.push({ kind: 'bounds-not-compared', because });
  }
  const called = new Set(
    diff.functions.flatMap((each) => (each.kind === 'vanished' ? [] : [each.head.name])),
  );
  const names = [...new Set(expected)].filter((name) => !called.has(name));
  if (names.length > 0) notes.push({ kind: 'functions-not-called', names });
  return notes;
}
