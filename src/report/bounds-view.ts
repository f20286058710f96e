import type { LoopDiff } from '../diff/diff.ts';
import type { BoundMetric } from '../gate/limits.ts';
import type { BoundFinding, Verdict } from '../gate/verdict.ts';
import type { LoopProfile, RunBounds } from '../profile/loops.ts';
import { type LoadChange, loadChangeOf } from './load-change.ts';
import { isOfBounds } from './view.ts';

/** Bounds arranged for readers; what the text, Markdown and HTML have in common. */
export interface BoundsView {
  /** Absent where the base has none, or those of another machine. */
  readonly base?: RunBounds;
  readonly head: RunBounds;
  /** Of a run with several threads, where it can be compared. */
  readonly load?: LoadChange;
  /** Loops that changed, came or went: those that passed a limit first, then by what they add to the run-time bound. */
  readonly changed: readonly LoopRow[];
  /** The head's, by their share of the run-time bound. */
  readonly loops: readonly LoopProfile[];
}

export interface LoopRow {
  readonly loop: Exclude<LoopDiff, { kind: 'unpaired' }>;
  readonly passedLimits: readonly BoundMetric[];
}

/** A loop below a thousandth of the run-time bound that came or went explains nothing. */
const NOTABLE = 0.001;

/** Undefined where the head has no bounds. */
export function boundsViewOf({ diff, findings }: Verdict): BoundsView | undefined {
  const { bounds } = diff;
  if (bounds?.head === undefined) return undefined;
  const load = loadChangeOf(bounds.parallel, findings);
  const limited = findings.filter(isOfBounds);
  const rows = bounds.loops.flatMap((loop): LoopRow[] => {
    if (loop.kind === 'unpaired' || loop.kind === 'unchanged') return [];
    if (loop.kind === 'changed') {
      const passedLimits = limited
        .filter((finding) => concerns(finding, loop.head))
        .map((finding) => finding.metric);
      return [{ loop, passedLimits }];
    }
    const { share } = loop.kind === 'appeared' ? loop.head : loop.base;
    return share >= NOTABLE ? [{ loop, passedLimits: [] }] : [];
  });
  return {
    ...(bounds.comparable ? { base: bounds.base! } : {}),
    head: bounds.head,
    ...(load === undefined ? {} : { load }),
    changed: rows.sort(
      (a, b) =>
        Number(b.passedLimits.length > 0) - Number(a.passedLimits.length > 0) ||
        Math.abs(deltaOf(b.loop)) - Math.abs(deltaOf(a.loop)),
    ),
    loops: byShare(bounds.loops.flatMap((loop) => (loop.kind === 'vanished' ? [] : [loop.head]))),
  };
}

/** Its own bounds, or the run-time bound of its function where it is the loop that did it. */
function concerns({ loop, function: name, cause }: BoundFinding, head: LoopProfile): boolean {
  if (loop !== undefined) return loop.head === head;
  return name !== undefined && cause?.kind === 'loop' && cause.pair.head === head;
}

export function byShare(loops: readonly LoopProfile[]): readonly LoopProfile[] {
  return [...loops].sort((a, b) => b.share - a.share || b.runTime - a.runTime);
}

/** Cycles that a loop adds to the run-time bound. */
function deltaOf(loop: LoopRow['loop']): number {
  switch (loop.kind) {
    case 'changed':
    case 'unchanged':
      return loop.head.runTime - loop.base.runTime;
    case 'appeared':
      return loop.head.runTime;
    case 'vanished':
      return -loop.base.runTime;
  }
}

/** The largest of each source loop: what an inlined function left in several places has the same causes everywhere. */
export function onceEach(loops: readonly LoopProfile[]): readonly LoopProfile[] {
  const seen = new Set<string>();
  return loops.filter(({ file, line, function: name, innermost }) => {
    if (line === undefined) return true;
    const key = JSON.stringify([file, line, name, innermost]);
    if (seen.has(key)) return false;
    seen.add(key);
    return true;
  });
}
