import type { Note, Verdict } from '../gate/verdict.ts';

/** What a reader must know beside the numbers, with what to do about it. Foreign names are passed through `show`. */
export function describeNote(note: Note, verdict: Verdict, show: (text: string) => string): string {
  switch (note.kind) {
    case 'environment':
      return environmentNote(note.comparable, verdict);
    case 'same-binary-other-counts':
      return 'The program and its libraries are byte for byte those of the baseline: what changed is its input, its arguments or its environment.';
    case 'command-changed': {
      const { base, head } = verdict.diff.command!;
      return `The command is not the baseline's: ${show(base.join(' '))} → ${show(head.join(' '))}.`;
    }
    case 'bounds-not-compared':
      return boundsNote(note.because, verdict, show);
    case 'functions-not-called':
      return `Named in the configuration but not called, so not guarded: ${note.names.map((name) => show(name)).join(', ')}.`;
  }
}

function environmentNote(comparable: boolean, verdict: Verdict): string {
  if (!comparable) {
    const differs = (wanted: string) => verdict.diff.environment.some(({ part }) => part === wanted);
    const how = differs('rules')
      ? 'under other rules, so its numbers mean something else'
      : differs('isa')
        ? 'on a processor of another level, where libraries choose other routines'
        : 'with child processes counted otherwise';
    return `The baseline was measured ${how}. Run "ilp-gate update" on the base branch and commit the baseline. What differs:`;
  }
  const judged = verdict.outcome === 'environment-changed';
  return judged
    ? 'Since the baseline was measured the environment changed too, so this change is not blamed for the numbers. Run "ilp-gate update" on the base branch in the new environment, or set "base: merge-base". What differs:'
    : 'Since the baseline was measured the environment changed; "ilp-gate update" records it. What differs:';
}

function boundsNote(
  because: Extract<Note, { kind: 'bounds-not-compared' }>['because'],
  { diff: { bounds } }: Verdict,
  show: (text: string) => string,
): string {
  switch (because) {
    case 'no-base':
      return 'The baseline has no bounds of loops to compare with; "ilp-gate update" records them.';
    case 'no-head':
      return 'The baseline has bounds of loops, but none were computed now: the configuration names no "machine".';
    case 'other-machine':
      return `The bounds of loops are not compared: the baseline's are those of ${show(bounds?.base?.machine ?? '?')}, not of ${show(bounds?.head?.machine ?? '?')}. "ilp-gate update" records them anew.`;
  }
}
