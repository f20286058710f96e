/** Calls of threads to be measured, a depth in a lane. */
export interface ThreadCalls {
  /** Indices of threads of which none begins before the one before it has ended. Depth 0 is each as a whole. */
  readonly threads: readonly number[];
  /** Depths of their calls. */
  readonly from: number;
  readonly to: number;
}

/** The same in lanes of a pass. */
export interface PlacedCalls {
  readonly threads: readonly number[];
  /** The depth that lane 0 measures; lane k measures k more. Below 0 where the first depth has another lane. */
  readonly firstDepth: number;
  /** The lanes that are theirs. */
  readonly firstLane: number;
  readonly lanes: number;
}

const depthsOf = ({ from, to }: ThreadCalls): number => to - from + 1;
const depthsOfAll = (calls: readonly ThreadCalls[]): number =>
  calls.reduce((sum, each) => sum + depthsOf(each), 0);

/**
 * Gives lanes of a pass to the first of these calls, and tells which are left, where a pass has fewer lanes than when parts were made. All but the last of them must be
 * asked for down to the deepest there are: deeper ones would be in lanes behind their own.
 */
export function placeCalls(
  calls: readonly ThreadCalls[],
  lanes: number,
): { readonly placed: readonly PlacedCalls[]; readonly left: readonly ThreadCalls[] } {
  const taken: ThreadCalls[] = [];
  const left = [...calls];
  for (let free = lanes; free > 0 && left.length > 0; ) {
    const [{ threads, from, to }] = left;
    // Calls above the first depth would be in lanes before their own.
    if (from > 0 && taken.length > 0) break;
    const last = Math.min(to, from + free - 1);
    taken.push({ threads, from, to: last });
    free -= last - from + 1;
    if (last < to) left[0] = { threads, from: last + 1, to };
    else left.shift();
  }
  let next = 0;
  const placed = taken.map((each, i) => {
    const many = depthsOf(each);
    const firstLane = i === taken.length - 1 && each.from === 0 ? lanes - many : next;
    next += many;
    return { threads: each.threads, firstDepth: each.from - firstLane, firstLane, lanes: many };
  });
  return { placed, left };
}

/**
 * Calls by the pass that has lanes for them: those of a thread in as few as can be, and with those of others where there is room. `first`: the first thread as a
 * whole. There are calls of it that nobody asks for, so that it is the last in its pass.
 */
export function inPasses(
  calls: readonly ThreadCalls[],
  lanes: number,
  first: ThreadCalls,
): readonly (readonly ThreadCalls[])[] {
  const passes: ThreadCalls[][] = [];
  const add = (some: ThreadCalls) => {
    const withRoom = passes.find((pass) => depthsOfAll(pass) + depthsOf(some) <= lanes);
    if (withRoom === undefined) passes.push([some]);
    else withRoom.push(some);
  };
  const parts = calls.flatMap((each) => partsOf(each, lanes));
  for (const deep of parts.filter(({ from }) => from > 0)) passes.push([deep]);
  // Those that take most lanes first: what is left suffices for others.
  for (const some of parts.filter(({ from }) => from === 0).sort((a, b) => depthsOf(b) - depthsOf(a)))
    add(some);
  add(first);
  return passes;
}

/** Calls in parts for which a pass has lanes. */
const partsOf = (calls: ThreadCalls, lanes: number): readonly ThreadCalls[] =>
  Array.from({ length: Math.ceil(depthsOf(calls) / lanes) }, (_, i) => {
    const from = calls.from + i * lanes;
    return { threads: calls.threads, from, to: Math.min(calls.to, from + lanes - 1) };
  });
