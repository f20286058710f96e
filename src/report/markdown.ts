import type { ChainDiff } from '../diff/diff.ts';
import { type GateResult, overallOutcome, type TargetResult } from '../gate/result.ts';
import type { Verdict } from '../gate/verdict.ts';
import { boundsViewOf } from './bounds-view.ts';
import { excerpt, formerPlace, rowInstruction } from './chain-lines.ts';
import { DETAILS, type Detail } from './detail.ts';
import { describeEnvironmentChange } from './environment-words.ts';
import { code, fenced, IN_MARKDOWN } from './escape.ts';
import { describeExplanation, describeUnexplained } from './explain.ts';
import { headline } from './headline.ts';
import { boundsTable, changedLoops, type LoadChangeRow, loadTable, type RunRow } from './markdown-bounds.ts';
import { changedTable, type TargetRow } from './markdown-table.ts';
import { chainDiagram } from './mermaid.ts';
import { describeNote } from './notes.ts';
import { plural, printCount, printShare } from './numbers.ts';
import { remedyFor } from './remedies.ts';
import { type Explanation, inlinedThere, isComparable, placeOf, viewOf } from './view.ts';

/** GitHub refuses a comment above 65,536 characters; the rest is the marker's and the footer's. */
const MARKDOWN_BUDGET = 60_000;

/**
 * The report as GitHub Flavored Markdown: the pull-request comment and the job summary. The first line is the verdict
 * and stands alone. Where all of it exceeds the budget, the least important goes first (detail.ts). Ends with a newline.
 */
export function markdownReport(result: GateResult, budget: number = MARKDOWN_BUDGET): string {
  let shortest = '';
  for (const detail of DETAILS) {
    shortest = render(result, detail);
    if (shortest.length <= budget) return shortest;
  }
  return shortest;
}

const ICONS = {
  failed: '⚠️',
  regression: '❌',
  'environment-changed': '⚠️',
  improved: '✅',
  passed: '✅',
  unchanged: '✅',
} as const;

interface Judged {
  readonly target: string;
  readonly verdict: Verdict;
}

function render(result: GateResult, detail: Detail): string {
  const judged = result.targets.flatMap((each): Judged[] => (each.kind === 'judged' ? [each] : []));
  const failed = result.targets.filter((each) => each.kind === 'failed');
  const outcome = overallOutcome(result);
  const several = result.targets.length > 1;
  const blocks = [
    `### ${ICONS[outcome]} ${headline(result, code)}`,
    ...rowBlocks(judged, detail),
    ...changedLoopBlocks(judged, detail),
    ...reasonBlocks(judged, detail, several),
    ...noteBlocks(judged, detail, several),
    ...(judged.some((each) => each.verdict.outcome === 'regression')
      ? ['If this is intended, run `ilp-gate update` and commit the baseline with the change.']
      : []),
    ...failed.slice(0, detail.mostFailures).map((each) => failureBlock(each, detail)),
    ...(failed.length > detail.mostFailures
      ? [`${plural(failed.length - detail.mostFailures, 'more target')} could not be judged.`]
      : []),
    ...boundsBlocks(judged, detail, several),
    ...unchangedBlocks(judged, detail),
    ...(detail.leftOut.length > 0
      ? [`*Left out to keep within the length of a comment: ${detail.leftOut.join(', ')}.*`]
      : []),
  ];
  return `${blocks.join('\n\n')}\n`;
}

function rowBlocks(judged: readonly Judged[], detail: Detail): string[] {
  const changed = judged
    .filter((each) => isComparable(each.verdict))
    .flatMap(({ target, verdict }) => viewOf(verdict).changed.map((row): TargetRow => ({ target, row })));
  const wanted =
    detail.rows === 'changed'
      ? changed
      : changed.filter(({ row }) => row.name === undefined || row.passedLimits.length > 0);
  if (wanted.length === 0) return [];
  const shown = wanted.slice(0, detail.mostRows);
  const missing = changed.length - shown.length;
  return [changedTable(shown), ...(missing > 0 ? [`And ${plural(missing, 'more changed row')}.`] : [])];
}

function changedLoopBlocks(judged: readonly Judged[], detail: Detail): string[] {
  const comparable = judged.flatMap(({ target, verdict }) => {
    const view = isComparable(verdict) ? boundsViewOf(verdict) : undefined;
    return view === undefined ? [] : [{ target, verdict, view }];
  });
  const runs = comparable.flatMap(({ target, verdict, view: { base, head } }): RunRow[] => {
    if (base === undefined || base.runTime === head.runTime) return [];
    const passedLimit = verdict.findings.some(
      (finding) => finding.metric === 'run-time-bound' && finding.function === undefined,
    );
    return [{ target, base: base.runTime, head: head.runTime, passedLimit }];
  });
  const loads = comparable.flatMap(({ target, view: { load } }): LoadChangeRow[] =>
    load?.isChanged === true ? [{ target, load }] : [],
  );
  const rows = comparable.flatMap(({ target, view }) => view.changed.map((row) => ({ ...row, target })));
  const table =
    detail.rows === 'changed'
      ? changedLoops(runs, loads, rows, detail.mostLoops)
      : changedLoops(
          runs.filter((run) => run.passedLimit),
          loads.filter(({ load }) => load.figures.some(({ passedLimit }) => passedLimit)),
          rows.filter((row) => row.passedLimits.length > 0),
          detail.mostLoops,
        );
  return table === undefined ? [] : [table];
}

function boundsBlocks(judged: readonly Judged[], detail: Detail, several: boolean): string[] {
  return judged.flatMap(({ target, verdict }) => {
    const bounds = boundsViewOf(verdict);
    if (bounds === undefined) return [];
    const title = several ? target : undefined;
    return [
      boundsTable(title, bounds, detail.boundRows) ?? [],
      loadTable(title, bounds, detail.boundRows) ?? [],
    ].flat();
  });
}

function reasonBlocks(judged: readonly Judged[], detail: Detail, several: boolean): string[] {
  const reasons = judged.flatMap(({ target, verdict }) => {
    const view = viewOf(verdict);
    const title = several ? `**Why ${code(target)}:** ` : '**Why:** ';
    return [
      ...view.explanations.map((each) => reasonBlock(title, each, detail)),
      ...view.unexplained.map((each) => `${title}${describeUnexplained(each, IN_MARKDOWN)}`),
    ];
  });
  return reasons.slice(0, detail.mostExplanations);
}

function reasonBlock(title: string, explanation: Explanation, detail: Detail): string {
  const sentence = `${title}${describeExplanation(explanation, IN_MARKDOWN)}`;
  if (!('chain' in explanation.cause)) return sentence;
  const { chain } = explanation.cause;
  const diagram = detail.diagrams ? chainDiagram(chain) : undefined;
  return [sentence, chainTable(chain, detail.chainLines), ...(diagram === undefined ? [] : [diagram])].join(
    '\n\n',
  );
}

function chainTable(chain: ChainDiff, most: number): string {
  const { lines, omitted } = excerpt(chain, most);
  const rows = lines.map((line) => {
    const shown = (line.head ?? line.base)!;
    const place = code(placeOf(shown), 'cell');
    const owner =
      (shown.file === undefined || shown.function === undefined
        ? ''
        : ` in ${code(shown.function, 'cell')}`) + inlinedThere(shown, (text) => code(text, 'cell'));
    const culprit = line.head !== undefined && line.head === chain.growth?.line;
    const [before, after] = [line.base, line.head].map((side) =>
      side === undefined ? '–' : `${printCount(side.count)} (${printShare(side.share).replace('<', '&lt;')})`,
    );
    const former = formerPlace(line);
    const where = former === undefined ? '' : ` at ${code(former, 'cell')}`;
    return `| ${culprit ? `**${place}**` : place}${owner} | ${before}${where} | ${after} | ${code(rowInstruction(chain, line), 'cell')} |`;
  });
  const table = ['| Source line | Links before | Links after | Mostly |', '|:--|--:|--:|:--|', ...rows].join(
    '\n',
  );
  return omitted === undefined ? table : `${table}\n\n${omitted}`;
}

function noteBlocks(judged: readonly Judged[], detail: Detail, several: boolean): string[] {
  const notes = judged.flatMap(({ target, verdict }) =>
    verdict.notes.map((note) => {
      const line = `- ${several ? `${code(target)}: ` : ''}${describeNote(note, verdict, code)}`;
      if (note.kind !== 'environment') return line;
      return [
        line,
        ...verdict.diff.environment
          .slice(0, 20)
          .map((change) => `  - ${describeEnvironmentChange(change, code)}`),
      ].join('\n');
    }),
  );
  if (notes.length === 0 || detail.mostNotes === 0) return [];
  const more =
    notes.length > detail.mostNotes ? [`- and ${plural(notes.length - detail.mostNotes, 'more note')}`] : [];
  return [[...notes.slice(0, detail.mostNotes), ...more].join('\n')];
}

function failureBlock(result: Extract<TargetResult, { kind: 'failed' }>, detail: Detail): string {
  const { failure } = result;
  const { output } = failure.facts;
  const lines = [
    failure.message,
    ...(detail.failureOutput && Array.isArray(output) ? output.map((line) => `| ${line}`) : []),
  ];
  const remedy = remedyFor(failure);
  return [
    `**${code(result.target)} was not judged:**`,
    fenced(lines),
    ...(remedy === undefined ? [] : [remedy]),
  ].join('\n\n');
}

function unchangedBlocks(judged: readonly Judged[], detail: Detail): string[] {
  const unchanged = judged
    .filter((each) => isComparable(each.verdict))
    .flatMap(({ target, verdict }) => viewOf(verdict).unchanged.map((row): TargetRow => ({ target, row })));
  if (unchanged.length === 0 || !detail.unchangedRows) return [];
  const title = `<summary>${plural(unchanged.length, 'row')} without a change</summary>`;
  return [`<details>\n${title}\n\n${changedTable(unchanged)}\n\n</details>`];
}
