import { COUNT_METRICS, type CountMetric } from '../gate/limits.ts';
import { code } from './escape.ts';
import { printChange, printMetric } from './numbers.ts';
import type { Row } from './view.ts';

export interface TargetRow {
  readonly target: string;
  readonly row: Row;
}

/** What changed, a row each: base → head, the change, and a mark where a limit is passed. */
export function changedTable(rows: readonly TargetRow[]): string {
  return [
    '| Target | Function | Instructions | Cycles | ILP |',
    '|:--|:--|--:|--:|--:|',
    ...rows.map(
      ({ target, row }) =>
        `| ${code(target, 'cell')} | ${label(row)} | ${COUNT_METRICS.map((metric) => cell(row, metric)).join(' | ')} |`,
    ),
  ].join('\n');
}

function label(row: Row): string {
  if (row.name === undefined) return '*whole run*';
  const name = code(row.name, 'cell');
  if (row.renamedFrom !== undefined) return `${name} (was ${code(row.renamedFrom, 'cell')})`;
  if (row.base === undefined) return `${name} (new)`;
  if (row.head === undefined) return `${name} (gone)`;
  const { base, head } = row.calls ?? {};
  return base === head ? name : `${name} (${base} → ${head} calls)`;
}

function cell({ base, head, passedLimits }: Row, metric: CountMetric): string {
  if (base === undefined || head === undefined) return printMetric(metric, (base ?? head)![metric]);
  const [before, after] = [printMetric(metric, base[metric]), printMetric(metric, head[metric])];
  if (base[metric] === head[metric]) return before;
  const change = printChange(base[metric], head[metric]).replace('<', '&lt;');
  return passedLimits.includes(metric)
    ? `${before} → ${after} **${change}** ❌`
    : `${before} → ${after} ${change}`;
}
