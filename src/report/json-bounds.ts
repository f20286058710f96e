import type { BoundsDiff, CauseChange, LoopDiff } from '../diff/diff.ts';
import type { LoopProfile } from '../profile/loops.ts';

/** Bounds in the report for programs: each loop's numbers on both sides, and the causes that moved between them. */
export function boundsJson({ base, head, comparable, parallel, loops }: BoundsDiff): object {
  return { base, head, comparable, parallel, loops: loops.map(loopJson) };
}

function loopJson(loop: LoopDiff): object {
  const pair = loop.kind === 'changed' || loop.kind === 'unchanged' ? loop : undefined;
  const base = loop.kind === 'appeared' || loop.kind === 'unpaired' ? undefined : loop.base;
  const head = loop.kind === 'vanished' ? undefined : loop.head;
  return {
    ...loopIdentity((head ?? base)!),
    change: loop.kind,
    changedBounds: pair?.bounds,
    base: base && numbers(base),
    head: head && numbers(head),
    causes: pair && pair.causes.length > 0 ? pair.causes.map(changeJson) : undefined,
  };
}

export function loopIdentity({ function: name, file, line, address, depth, innermost }: LoopProfile): object {
  return { function: name, file, line, address, depth, innermost };
}

function numbers({ iterations, bounds, gaps, limits, class: kind, runTime, share }: LoopProfile): object {
  return { iterations, bounds, gaps, limits, class: kind, runTime, share };
}

export function changeJson({ kind, base, head }: CauseChange): object {
  return { change: kind, base, head };
}
