import { type Result, ratio } from './result.ts';
import type { Activity, Shares } from './shares.ts';
import { geometricMean } from './statistics.ts';
import { type Column, table } from './table.ts';

interface Row {
  readonly name: string;
  readonly shares: Shares;
  /** ilp-gate over callgrind. */
  readonly over?: number;
}

const total = (shares: Shares): number => Object.values(shares).reduce((sum, count) => sum + count, 0);

const percent = (activity: Activity, heading: string): Column<Row> => ({
  heading: `${heading}, %`,
  align: 'right',
  cell: ({ shares }) => ((100 * shares[activity]) / total(shares)).toFixed(1),
});

/** What the ratio to callgrind would be if the rest took no time. */
const over = ({ shares, over: ratio }: Row, part: (shares: Shares) => number): number | undefined =>
  ratio && (ratio * part(shares)) / total(shares);

const optimised = ({ optimised }: Shares): number => optimised;
const others = (shares: Shares): number => total(shares) - shares.optimised;

const ratioColumn = (heading: string, part: (shares: Shares) => number): Column<Row> => ({
  heading,
  align: 'right',
  cell: (row) => over(row, part)?.toFixed(3) ?? '',
});

const COLUMNS: readonly Column<Row>[] = [
  { heading: 'case', align: 'left', cell: ({ name }) => name },
  percent('optimised', 'regions, optimised'),
  percent('baseline', 'regions, baseline code'),
  percent('interpreter', 'interpreter'),
  percent('support', 'support functions'),
  percent('own', 'decoding, translating'),
  percent('v8', 'V8 and Node'),
  ratioColumn('optimised regions alone / callgrind', optimised),
  ratioColumn('all else / callgrind', others),
];

/** Where the main thread's time goes, and the geometric mean of what that is of callgrind's. */
export function sharesTable(results: readonly Result[]): string {
  const rows = results.flatMap((result): Row[] => {
    const { name, shares } = result;
    if (shares === undefined) return [];
    const over = ratio(result, 'gate', 'callgrind');
    return [{ name, shares, ...(over !== undefined && { over }) }];
  });
  const mean = (part: (shares: Shares) => number): string => {
    const ratios = rows.flatMap((row) => over(row, part) ?? []).filter((ratio) => ratio > 0);
    return ratios.length === 0 ? 'unknown' : geometricMean(ratios)!.toFixed(3);
  };
  return `${table(COLUMNS, rows)}
Geometric means over callgrind: ${mean(optimised)} of optimised regions alone, ${mean(others)} of all else.
`;
}
