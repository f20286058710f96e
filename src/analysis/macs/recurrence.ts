/** `to` starts at least `cycles` after `from` of `distance` repetitions before. */
export interface Edge {
  readonly from: number;
  readonly to: number;
  readonly cycles: number;
  readonly distance: number;
}

export interface Recurrence {
  /** Cycles per repetition: the latency around the cycle over the repetitions that it spans; 0 where there is none. */
  readonly cycles: number;
  /** The nodes around it. */
  readonly nodes: readonly number[];
}

/**
 * The largest ratio of latency to distance over all cycles (equation 4.7): from a ratio, which a cycle has, look for a cycle
 * that has more, until there is none (Lawler). Ratios are of whole numbers, so the last one is exact.
 */
export function maximumRecurrence(nodeCount: number, edges: readonly Edge[]): Recurrence {
  let best: Recurrence = { cycles: 0, nodes: [] };
  for (;;) {
    const cycle = longerCycle(nodeCount, edges, best.cycles);
    if (cycle === undefined) return best;
    const cycles = cycle.reduce((sum, edge) => sum + edge.cycles, 0);
    const distance = cycle.reduce((sum, edge) => sum + edge.distance, 0);
    // Dependences go forward in time: a cycle spans a repetition at least.
    if (distance === 0) throw new Error('a cycle of dependences within one repetition');
    best = { cycles: cycles / distance, nodes: cycle.map(({ from }) => from) };
  }
}

/** A cycle whose latency is more than `ratio` for each repetition (Bellman and Ford). */
function longerCycle(nodeCount: number, edges: readonly Edge[], ratio: number): readonly Edge[] | undefined {
  const late = new Float64Array(nodeCount);
  const before: (Edge | undefined)[] = new Array(nodeCount).fill(undefined);
  for (let round = 0; round <= nodeCount; round++) {
    let moved: Edge | undefined;
    for (const edge of edges) {
      const at = late[edge.from] + edge.cycles - ratio * edge.distance;
      if (at > late[edge.to] + 1e-9) {
        late[edge.to] = at;
        before[edge.to] = edge;
        moved = edge;
      }
    }
    if (moved === undefined) return undefined;
    // Most cycles close early: look for one now and then rather than after every round.
    if (round === nodeCount || (round & 7) === 7) {
      const cycle = cycleAmong(before, nodeCount);
      if (cycle !== undefined && gains(cycle, ratio)) return cycle;
    }
  }
  return undefined;
}

function cycleAmong(before: readonly (Edge | undefined)[], nodeCount: number): readonly Edge[] | undefined {
  const seenIn = new Int32Array(nodeCount).fill(-1);
  for (let start = 0; start < nodeCount; start++) {
    let node = start;
    while (before[node] !== undefined && seenIn[node] === -1) {
      seenIn[node] = start;
      node = before[node]!.from;
    }
    if (before[node] === undefined || seenIn[node] !== start) continue;
    const cycle: Edge[] = [];
    const first = node;
    do {
      cycle.unshift(before[node]!);
      node = before[node]!.from;
    } while (node !== first);
    return cycle;
  }
  return undefined;
}

function gains(cycle: readonly Edge[], ratio: number): boolean {
  let gain = 0;
  for (const { cycles, distance } of cycle) gain += cycles - ratio * distance;
  return gain > 1e-9;
}
