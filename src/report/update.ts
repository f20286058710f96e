import type { Profile } from '../profile/profile.ts';
import { type Cell, columns } from './columns.ts';
import { plain } from './escape.ts';
import { printCount, printIlp } from './numbers.ts';
import type { Paint } from './ports.ts';

/** What an update wrote, a line per target. Ends with a newline. */
export function updateReport(
  updated: readonly {
    readonly file: string;
    readonly kind: 'created' | 'changed' | 'unchanged';
    readonly profile: Profile;
  }[],
  paint: Paint,
): string {
  const header = ['', '', 'instructions', 'cycles', 'ILP'].map(
    (text): Cell => ({ text, paint: paint.faint }),
  );
  const rows = updated.map(({ file, kind, profile: { total } }): Cell[] => [
    { text: plain(file) },
    { text: kind, paint: kind === 'unchanged' ? paint.faint : paint.strong },
    { text: printCount(total.instructions) },
    { text: printCount(total.cycles) },
    { text: printIlp(total.ilp) },
  ]);
  return `${columns([header, ...rows], ['left', 'left', 'right', 'right', 'right'], '').join('\n')}\n`;
}
