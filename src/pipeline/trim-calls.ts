import type { CallProfile, Profile } from '../profile/profile.ts';

/**
 * A profile whose call tree is small enough to be committed and reviewed. A profile may list 1,000 calls a parent,
 * which at depth 3 is a million lines; every function's sums are in `functions` anyway. Where the tree has more than
 * MOST_ROWS rows, each parent keeps its first calls and sums the rest per function, with the largest of a few
 * round numbers that makes it fit.
 */
export function trimCalls(profile: Profile): Profile {
  if (rowsOf(profile.calls) <= MOST_ROWS) return profile;
  for (const perParent of [100, 30, 10, 3, 1]) {
    const calls = trimmed(profile.calls, perParent);
    if (rowsOf(calls) <= MOST_ROWS) return { ...profile, calls };
  }
  return { ...profile, calls: trimmed(profile.calls, 0) };
}

const MOST_ROWS = 500;

function rowsOf(roots: readonly CallProfile[]): number {
  let rows = 0;
  const pending = [...roots];
  for (let call = pending.pop(); call !== undefined; call = pending.pop()) {
    rows += 1;
    for (const each of call.calls) pending.push(each);
  }
  return rows;
}

/** Iterative, because the tree is as deep as the guest's recursion. */
function trimmed(roots: readonly CallProfile[], perParent: number): CallProfile[] {
  const result: CallProfile[] = [];
  const pending: { readonly from: readonly CallProfile[]; readonly to: CallProfile[] }[] = [
    { from: roots, to: result },
  ];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const single = next.from.filter((call) => call.aggregated === undefined);
    for (const call of single.slice(0, perParent)) {
      const calls: CallProfile[] = [];
      next.to.push({ ...call, calls });
      if (call.calls.length > 0) pending.push({ from: call.calls, to: calls });
    }
    const rest = [...single.slice(perParent), ...next.from.filter((call) => call.aggregated !== undefined)];
    next.to.push(...summed(rest, next.to.length));
  }
  return result;
}

/** One row per function, in order of its first call. */
function summed(calls: readonly CallProfile[], firstIndex: number): CallProfile[] {
  const sums = new Map<
    string,
    { function: string; depth: number; instructions: number; cycles: number; aggregated: number }
  >();
  for (const call of calls) {
    const sum = sums.get(call.function);
    if (sum === undefined) {
      const { depth, instructions, cycles } = call;
      sums.set(call.function, {
        function: call.function,
        depth,
        instructions,
        cycles,
        aggregated: call.aggregated ?? 1,
      });
    } else {
      sum.instructions += call.instructions;
      sum.cycles += call.cycles;
      sum.aggregated += call.aggregated ?? 1;
    }
  }
  return [...sums.values()].map(({ aggregated, ...sum }, at) => ({
    ...sum,
    index: firstIndex + at,
    ilp: sum.cycles === 0 ? 0 : Math.round((sum.instructions / sum.cycles) * 10_000) / 10_000,
    aggregated,
    calls: [],
  }));
}
