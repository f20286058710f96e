import type { LoopBounds, LoopProfile } from '../profile/loops.ts';
import type { Profile } from '../profile/profile.ts';

/**
 * A profile whose loops are few and steady enough to be committed and reviewed.
 *
 * - What hardware measured (`measured`, gap P and its causes) is left out: a baseline is the same bytes whoever writes
 *   it, and no limit applies to what differs from machine to machine.
 * - Notes and advice are left out: they are about the code as it is, and a comparison shows the head's.
 * - Of the loops, those are kept that hold a thousandth of the run-time bound, at most MOST_LOOPS, and all in `functions`
 *   (limits may name them). The others, of the dynamic linker and the C library mostly, are counted in `rest`.
 */
export function trimLoops(profile: Profile, functions: readonly string[]): Profile {
  const { loops, bounds } = profile;
  if (loops === undefined || bounds === undefined) return profile;
  const named = new Set(functions);
  const heavy = new Set(loops.filter((each) => each.share >= NOTABLE).slice(0, MOST_LOOPS));
  const kept = loops.filter((each) => heavy.has(each) || named.has(each.function));
  const left = loops.filter((each) => !heavy.has(each) && !named.has(each.function));
  const runTime = left.reduce((sum, each) => sum + each.runTime, 0);
  return {
    ...profile,
    loops: kept.map(steady),
    bounds:
      left.length === 0
        ? bounds
        : { ...bounds, rest: { loops: left.length, runTime: Math.round(runTime * 10_000) / 10_000 } },
  };
}

const NOTABLE = 0.001;
const MOST_LOOPS = 100;

function steady(loop: LoopProfile): LoopProfile {
  const { measured: _, ...bounds }: LoopBounds = loop.bounds;
  const { P: __, ...gaps } = loop.gaps;
  return {
    ...loop,
    bounds,
    gaps,
    causes: loop.causes.filter((each) => each.gap !== 'P').map(({ advice: _, ...cause }) => cause),
    notes: [],
  };
}
