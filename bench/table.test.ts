import { expect, it } from 'vitest';
import { type Column, table } from './table.ts';

it('a table lines up its columns, numbers to the right, and escapes what would end a cell', () => {
  const columns: readonly Column<readonly [string, number]>[] = [
    { heading: 'case', align: 'left', cell: ([name]) => name },
    { heading: 's', align: 'right', cell: ([, seconds]) => seconds.toFixed(2) },
  ];
  expect(
    table(columns, [
      ['a|b', 1],
      ['longer', 12.345],
    ]),
  ).toBe(`| case   |     s |
| ------ | ----: |
| a\\|b   |  1.00 |
| longer | 12.35 |
`);
});
