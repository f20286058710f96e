import type { GateResult } from '../gate/result.ts';
import { IN_TEXT, plain } from './escape.ts';
import { describeExplanation } from './explain.ts';
import { headline } from './headline.ts';
import { METRIC_WORDS } from './numbers.ts';
import { type Explanation, viewOf } from './view.ts';

/** A message for one source line, or for the whole where no line is known. Plain text. */
export interface SourceNote {
  readonly level: 'error' | 'warning';
  readonly title: string;
  readonly message: string;
  /** As in the profile: relative to the configuration's directory. */
  readonly file?: string;
  readonly line?: number;
}

/** One note per reason of a regression, at the line that caused it, and one per target that could not be judged. */
export function sourceNotes(result: GateResult): SourceNote[] {
  return result.targets.flatMap((each): SourceNote[] => {
    if (each.kind === 'failed') {
      return [
        {
          level: 'error',
          title: `${plain(each.target)} was not judged`,
          message: plain(each.failure.message),
        },
      ];
    }
    const { outcome } = each.verdict;
    if (outcome !== 'regression' && outcome !== 'environment-changed') return [];
    const level = outcome === 'regression' ? 'error' : 'warning';
    const view = viewOf(each.verdict);
    const notes = view.explanations.map(
      (explanation): SourceNote => ({
        level,
        title: `${plain(each.target)}: ${[...new Set(explanation.findings.map(({ metric }) => METRIC_WORDS[metric]))].join(' and ')}`,
        message: describeExplanation(explanation, IN_TEXT),
        ...placeOfCause(explanation),
      }),
    );
    return notes.length > 0
      ? notes
      : [{ level, title: plain(each.target), message: headline({ targets: [each] }) }];
  });
}

function placeOfCause({ cause }: Explanation): Pick<SourceNote, 'file' | 'line'> {
  const { file, line } = placed(cause);
  return { ...(file === undefined ? {} : { file }), ...(line === undefined ? {} : { line }) };
}

function placed(cause: Explanation['cause']): { readonly file?: string; readonly line?: number } {
  switch (cause.kind) {
    case 'chain':
      return cause.growth.line;
    case 'new-chain':
      return cause.line;
    case 'function':
      return cause;
    case 'loop':
      return cause.pair.head;
    case 'new-loop':
      return cause.loop;
  }
}
