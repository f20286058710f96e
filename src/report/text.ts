import type { ChainDiff } from '../diff/diff.ts';
import { COUNT_METRICS, type CountMetric, printLimit } from '../gate/limits.ts';
import type { GateResult, TargetResult } from '../gate/result.ts';
import type { Finding, Note, Verdict } from '../gate/verdict.ts';
import { boundsViewOf } from './bounds-view.ts';
import { excerpt, formerPlace, rowInstruction } from './chain-lines.ts';
import { type Cell, columns } from './columns.ts';
import { describeEnvironmentChange } from './environment-words.ts';
import { IN_TEXT, plain, plainName } from './escape.ts';
import { describeExplanation, describeUnexplained } from './explain.ts';
import { headline, outcomeWord } from './headline.ts';
import { describeNote } from './notes.ts';
import { METRIC_WORDS, plural, printChange, printMetric, printShare } from './numbers.ts';
import type { Paint } from './ports.ts';
import { remedyFor } from './remedies.ts';
import { boundsBlock } from './text-bounds.ts';
import { inlinedThere, isComparable, isOfBounds, placeOf, type Row, viewOf } from './view.ts';

/** The report for a terminal or a log. Ends with a newline. */
export function textReport(result: GateResult, paint: Paint): string {
  const blocks = [paint.strong(headline(result)), ...result.targets.map((each) => targetBlock(each, paint))];
  return `${blocks.join('\n\n')}\n`;
}

function targetBlock(result: TargetResult, paint: Paint): string {
  if (result.kind === 'failed') {
    const { failure } = result;
    const lines = [
      `${plain(result.target)}: ${paint.bad(outcomeWord('failed'))}`,
      `  ${plain(failure.message)}`,
    ];
    const { output } = failure.facts;
    if (Array.isArray(output)) lines.push(...output.map((line) => `  | ${plain(line)}`));
    const remedy = remedyFor(failure);
    if (remedy !== undefined) lines.push(`  ${remedy}`);
    return lines.join('\n');
  }
  return verdictBlock(result.target, result.verdict, paint);
}

function verdictBlock(target: string, verdict: Verdict, paint: Paint): string {
  const view = viewOf(verdict);
  const word = outcomeWord(verdict.outcome);
  const colour = {
    regression: paint.bad,
    'environment-changed': paint.bad,
    improved: paint.good,
    passed: paint.good,
    unchanged: paint.faint,
  };
  const blocks = [`${plain(target)}: ${colour[verdict.outcome](word)}`];
  const notes = verdict.notes.flatMap((note) => noteLines(note, verdict));
  if (notes.length > 0) blocks.push(notes.join('\n'));
  const ofBounds = verdict.findings.filter(isOfBounds);
  if (view.changed.length > 0 && isComparable(verdict))
    blocks.push(
      [
        ...changedTable(view.changed, paint),
        ...limitLine(
          verdict.findings.filter((finding) => !isOfBounds(finding)),
          paint,
        ),
      ].join('\n'),
    );
  const bounds = isComparable(verdict) ? boundsViewOf(verdict) : undefined;
  if (bounds !== undefined)
    blocks.push([...boundsBlock(bounds, paint), ...limitLine(ofBounds, paint)].join('\n'));
  for (const explanation of view.explanations) {
    const lines = [`  Why: ${describeExplanation(explanation, IN_TEXT)}`];
    if ('chain' in explanation.cause) lines.push(...chainTable(explanation.cause.chain, paint));
    blocks.push(lines.join('\n'));
  }
  if (view.unexplained.length > 0)
    blocks.push(
      view.unexplained.map((finding) => `  Why: ${describeUnexplained(finding, IN_TEXT)}`).join('\n'),
    );
  if (view.unchanged.length > 0 && view.changed.length > 0 && isComparable(verdict)) {
    blocks.push(paint.faint(`  Unchanged: ${plural(view.unchanged.length, 'function')}.`));
  }
  return blocks.join('\n\n');
}

function noteLines(note: Note, verdict: Verdict): string[] {
  const line = `  ${describeNote(note, verdict, plain)}`;
  if (note.kind !== 'environment') return [line];
  return [
    line,
    ...verdict.diff.environment.map((change) => `    ${describeEnvironmentChange(change, plain)}`),
  ];
}

function changedTable(rows: readonly Row[], paint: Paint): string[] {
  const header: Cell[] = ['', 'instructions', '', 'cycles', '', 'ILP', ''].map((text) => ({
    text,
    paint: paint.faint,
  }));
  const cells = rows.map((row): Cell[] => [
    { text: rowLabel(row) },
    ...COUNT_METRICS.flatMap((metric) => metricCells(row, metric, paint)),
  ]);
  const table = columns(
    [header, ...cells],
    ['left', 'left', 'right', 'left', 'right', 'left', 'right'],
    '  ',
  );
  return table;
}

function limitLine(findings: readonly Finding[], paint: Paint): string[] {
  const limits = new Set(findings.map(describeLimit));
  return limits.size === 0 ? [] : [paint.faint(`  Limits exceeded: ${[...limits].join(', ')}`)];
}

function describeLimit({ metric, limit }: Finding): string {
  const printed = printLimit(metric, limit);
  const name = METRIC_WORDS[metric];
  return printed === '0' ? `${name} may not get worse` : `${name} may move by ${printed}`;
}

function rowLabel(row: Row): string {
  if (row.name === undefined) return 'whole run';
  const name = plainName(row.name);
  if (row.renamedFrom !== undefined) return `${name} (was ${plainName(row.renamedFrom)})`;
  if (row.base === undefined) return `${name} (new)`;
  if (row.head === undefined) return `${name} (gone)`;
  return name;
}

function metricCells(row: Row, metric: CountMetric, paint: Paint): [Cell, Cell] {
  const { base, head } = row;
  if (base === undefined || head === undefined)
    return [{ text: printMetric(metric, (base ?? head)![metric]) }, { text: '' }];
  const [before, after] = [printMetric(metric, base[metric]), printMetric(metric, head[metric])];
  if (before === after) return [{ text: before }, { text: '' }];
  const worse = metric === 'ilp' ? head.ilp < base.ilp : head[metric] > base[metric];
  const colour = row.passedLimits.includes(metric) ? paint.bad : worse ? paint.strong : paint.good;
  return [{ text: `${before} → ${after}` }, { text: printChange(base[metric], head[metric]), paint: colour }];
}

const SHOWN_LINES = 8;

function chainTable(chain: ChainDiff, paint: Paint): string[] {
  const { lines, omitted } = excerpt(chain, SHOWN_LINES);
  const header = ['', 'before', '', 'after', '', '', ''].map((text) => ({ text, paint: paint.faint }));
  const rows = lines.map((line): Cell[] => {
    const grew = line.head !== undefined && line.head === chain.growth?.line;
    const former = formerPlace(line);
    const shown = (line.head ?? line.base)!;
    return [
      {
        text: `${plainName(placeOf(shown))}${inlinedThere(shown, plainName)}`,
        ...(grew ? { paint: paint.bad } : {}),
      },
      { text: line.base === undefined ? '-' : printMetric('cycles', line.base.count) },
      { text: line.base === undefined ? '' : printShare(line.base.share) },
      { text: line.head === undefined ? '-' : printMetric('cycles', line.head.count) },
      { text: line.head === undefined ? '' : printShare(line.head.share) },
      { text: plainName(rowInstruction(chain, line)), paint: paint.faint },
      { text: former === undefined ? '' : `before at ${plainName(former)}`, paint: paint.faint },
    ];
  });
  const table = columns(
    [header, ...rows],
    ['left', 'right', 'right', 'right', 'right', 'left', 'left'],
    '    ',
  );
  if (omitted !== undefined) table.push(paint.faint(`    ${omitted}`));
  return table;
}
