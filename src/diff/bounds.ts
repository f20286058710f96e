import type { LoopProfile } from '../profile/loops.ts';
import type { Profile } from '../profile/profile.ts';
import { alignLoops } from './align-loops.ts';
import { diffCauses } from './causes.ts';
import type { BoundName, BoundsDiff, LoopDiff, ParallelDiff, ParallelFigures } from './diff.ts';

/** Undefined where neither side has bounds. What hardware measured is no part of a comparison. */
export function diffBounds(
  base: Profile,
  head: Profile,
  renamed: ReadonlyMap<string, string>,
): BoundsDiff | undefined {
  const sides = {
    ...(base.bounds === undefined ? {} : { base: base.bounds }),
    ...(head.bounds === undefined ? {} : { head: head.bounds }),
  };
  if (sides.base === undefined && sides.head === undefined) return undefined;
  const [before, after] = [base.loops ?? [], head.loops ?? []];
  if (sides.base === undefined || sides.head === undefined || sides.base.machine !== sides.head.machine)
    return { ...sides, comparable: false, loops: after.map((each) => ({ kind: 'unpaired', head: each })) };

  const pairs = alignLoops(before, after, renamed);
  const paired = new Set(pairs.values());
  const leftOut = { base: sides.base.rest?.runTime ?? 0, head: sides.head.rest?.runTime ?? 0 };
  const loops: LoopDiff[] = after.map((each) => {
    const old = pairs.get(each);
    if (old !== undefined) return compared(old, each);
    return { kind: each.runTime <= leftOut.base ? 'unpaired' : 'appeared', head: each };
  });
  for (const each of before) {
    if (!paired.has(each) && each.runTime > leftOut.head) loops.push({ kind: 'vanished', base: each });
  }
  const parallel = diffParallel(base, head);
  return { ...sides, comparable: true, ...(parallel === undefined ? {} : { parallel }), loops };
}

/** Undefined where neither side has several threads. */
function diffParallel(base: Profile, head: Profile): ParallelDiff | undefined {
  if (base.bounds?.parallel === undefined && head.bounds?.parallel === undefined) return undefined;
  const [before, after] = [figuresOf(base), figuresOf(head)];
  return {
    ...(before === undefined ? {} : { base: before }),
    ...(after === undefined ? {} : { head: after }),
  };
}

function figuresOf({ bounds, threads }: Profile): ParallelFigures | undefined {
  if (bounds === undefined) return undefined;
  if (bounds.parallel !== undefined) {
    const { threads: processors, runTime, imbalance, utilisation } = bounds.parallel;
    return { threads: processors, runTime, imbalance, utilisation };
  }
  return threads === undefined
    ? { threads: 1, runTime: bounds.runTime, imbalance: 1, utilisation: 1 }
    : undefined;
}

const BOUND_NAMES: readonly BoundName[] = ['M', 'MA', 'MAC', 'MACS'];

function compared(base: LoopProfile, head: LoopProfile): LoopDiff {
  const bounds = BOUND_NAMES.filter((name) => base.bounds[name] !== head.bounds[name]);
  const isSame = bounds.length === 0 && base.runTime === head.runTime;
  return { kind: isSame ? 'unchanged' : 'changed', base, head, bounds, causes: diffCauses(base, head) };
}
