import { plain } from '../report/escape.ts';

/** A line of the step's log about a target's measurement; foreign names in it are harmless to the runner. */
export function noteLine(target: string, text: string): string {
  return `${plain(target)}: ${plain(text)}\n`;
}
