import type { LoopProfile } from '../profile/loops.ts';
import type { Profile } from '../profile/profile.ts';
import { alignLoops } from './align-loops.ts';
import { diffCauses } from './causes.ts';
import type { BoundName, BoundsDiff, LoopDiff } from './diff.ts';

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
  return { ...sides, comparable: true, loops };
}

const BOUND_NAMES: readonly BoundName[] = ['M', 'MA', 'MAC', 'MACS'];

function compared(base: LoopProfile, head: LoopProfile): LoopDiff {
  const bounds = BOUND_NAMES.filter((name) => base.bounds[name] !== head.bounds[name]);
  const isSame = bounds.length === 0 && base.runTime === head.runTime;
  return { kind: isSame ? 'unchanged' : 'changed', base, head, bounds, causes: diffCauses(base, head) };
}
