/** A column of a table: its heading, and what it says of a row. Numbers stand to the right. */
export interface Column<Row> {
  readonly heading: string;
  readonly align: 'left' | 'right';
  readonly cell: (row: Row) => string;
}

/** A Markdown table whose columns also line up as plain text. */
export function table<Row>(columns: readonly Column<Row>[], rows: readonly Row[]): string {
  const escaped = (text: string): string => text.replaceAll('|', '\\|').replaceAll('\n', ' ');
  const lines = [
    columns.map(({ heading }) => escaped(heading)),
    ...rows.map((row) => columns.map(({ cell }) => escaped(cell(row)))),
  ];
  const widths = columns.map((_, index) => Math.max(3, ...lines.map((line) => line[index].length)));
  const rule = columns.map(({ align }, index) =>
    align === 'left' ? '-'.repeat(widths[index]) : `${'-'.repeat(widths[index] - 1)}:`,
  );
  const padded = lines.map((line) =>
    line.map((text, index) =>
      columns[index].align === 'left' ? text.padEnd(widths[index]) : text.padStart(widths[index]),
    ),
  );
  return [padded[0], rule, ...padded.slice(1)].map((line) => `| ${line.join(' | ')} |\n`).join('');
}
