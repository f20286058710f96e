import type { RunKind } from '../pipeline/ports.ts';
import { plain } from '../report/escape.ts';

/** A line of the step's log about a target's measurement; foreign names in it are harmless to the runner. */
export function noteLine(target: string, text: string): string {
  return `${plain(target)}: ${plain(text)}\n`;
}

/** A line of the step's log for a run that is over, however it ended. */
export function ranLine(target: string, what: RunKind): string {
  switch (what) {
    case 'base':
      return `Ran ${plain(target)} at the merge base.\n`;
    case 'head':
      return `Ran ${plain(target)}.\n`;
    case 'chains':
      return `Followed the longest chains of ${plain(target)}.\n`;
  }
}
