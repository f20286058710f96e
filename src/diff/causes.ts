import type { LoopCause, LoopProfile } from '../profile/loops.ts';
import type { CauseChange } from './diff.ts';

/**
 * The causes that came, went, grew or shrank between two states of a loop, the most expensive change first. A cause is
 * known by its gap and kind; of several of one kind those pair whose lines moved as the loop did, then in order.
 */
export function diffCauses(base: LoopProfile, head: LoopProfile): CauseChange[] {
  const changes: CauseChange[] = [];
  const shift = base.line === undefined || head.line === undefined ? 0 : head.line - base.line;
  const before = byKind(base.causes);
  const after = byKind(head.causes);
  for (const key of new Set([...after.keys(), ...before.keys()])) {
    const olds = [...(before.get(key) ?? [])];
    const news = [...(after.get(key) ?? [])];
    const pairs: [LoopCause, LoopCause][] = [];
    const pairWhere = (isSame: (old: LoopCause, now: LoopCause) => boolean): void => {
      for (const now of [...news]) {
        const old = olds.find((each) => isSame(each, now));
        if (old === undefined) continue;
        pairs.push([old, now]);
        olds.splice(olds.indexOf(old), 1);
        news.splice(news.indexOf(now), 1);
      }
    };
    pairWhere((old, now) => old.line !== undefined && now.line === old.line + shift);
    pairWhere((old, now) => old.line === now.line);
    pairWhere(() => true);
    for (const [old, now] of pairs) {
      const delta = (now.cycles ?? 0) - (old.cycles ?? 0) || (now.count ?? 0) - (old.count ?? 0);
      if (delta !== 0) changes.push({ kind: delta > 0 ? 'grew' : 'shrank', base: old, head: now });
    }
    changes.push(...news.map((now): CauseChange => ({ kind: 'came', head: now })));
    changes.push(...olds.map((old): CauseChange => ({ kind: 'went', base: old })));
  }
  const size = (change: CauseChange): number => Math.abs(cyclesOf(change));
  return changes.sort((a, b) => size(b) - size(a));
}

/** Cycles per iteration that a change adds, as far as the causes tell. */
export function cyclesOf({ base, head }: Pick<CauseChange, 'base' | 'head'>): number {
  return (head?.cycles ?? 0) - (base?.cycles ?? 0);
}

function byKind(causes: readonly LoopCause[]): Map<string, LoopCause[]> {
  const groups = new Map<string, LoopCause[]>();
  for (const cause of causes) {
    // What only hardware shows differs from run to run; no change of the program explains it, nor it one.
    if (cause.gap === 'P') continue;
    const key = `${cause.gap} ${cause.kind}`;
    groups.set(key, [...(groups.get(key) ?? []), cause]);
  }
  return groups;
}
