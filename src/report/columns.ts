export interface Cell {
  readonly text: string;
  readonly paint?: (text: string) => string;
}

/** Rows as aligned columns; numbers right, words left. Widths are measured before paint is applied. */
export function columns(
  rows: readonly (readonly Cell[])[],
  align: readonly ('left' | 'right')[],
  indent: string,
): string[] {
  const widths = align.map((_, at) => Math.max(0, ...rows.map((row) => [...(row[at]?.text ?? '')].length)));
  return rows.map((row) => {
    const cells = align.map((side, at) => {
      const { text, paint } = row[at] ?? { text: '' };
      const blanks = ' '.repeat(widths[at]! - [...text].length);
      const painted = paint === undefined || text === '' ? text : paint(text);
      return side === 'right' ? blanks + painted : painted + blanks;
    });
    return `${indent}${cells.join('  ')}`.trimEnd();
  });
}
