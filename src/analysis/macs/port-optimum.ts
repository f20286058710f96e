/** Cycles that ports need at least, and the ports that need them. */
export interface PortLoad {
  readonly cycles: number;
  readonly ports: string;
}

/**
 * The least cycles in which micro-operations can be spread over ports, each over its own set and in fractions: by Hall's
 * theorem the largest of (micro-operations that fit nowhere but in S) / |S| over the sets S of ports. Only unions of the
 * operations' own sets can be the largest.
 */
export function portOptimum(sets: Iterable<string>): PortLoad {
  const counts = new Map<string, number>();
  for (const set of sets) counts.set(set, (counts.get(set) ?? 0) + 1);
  return weightedPortOptimum(counts);
}

/** The same for sets of ports with how many micro-operations need each, which may be fractions. */
export function weightedPortOptimum(all: ReadonlyMap<string, number>): PortLoad {
  const counts = new Map([...all].filter(([set]) => set !== ''));
  let best: PortLoad = { cycles: 0, ports: '' };
  for (const union of unionsOf([...counts.keys()])) {
    let inside = 0;
    for (const [set, count] of counts) if ([...set].every((port) => union.includes(port))) inside += count;
    const cycles = inside / union.length;
    if (cycles > best.cycles) best = { cycles, ports: union };
  }
  return best;
}

const known = new Map<string, ReadonlySet<string>>();
const MOST_KNOWN = 10_000;

/** The sets of a machine's operations are few, and the same in loop after loop. */
function unionsOf(sets: readonly string[]): ReadonlySet<string> {
  const key = sets.join(' ');
  let unions = known.get(key);
  if (unions === undefined) {
    unions = allUnions(sets);
    if (known.size < MOST_KNOWN) known.set(key, unions);
  }
  return unions;
}

function allUnions(sets: readonly string[]): ReadonlySet<string> {
  const unions = new Set<string>();
  for (const set of sets)
    for (const union of [...unions, '']) unions.add([...new Set(union + set)].sort().join(''));
  return unions;
}

/** `port 0, 1`: ports as every bound names them. */
export const nameOfPorts = (ports: string): string => `port ${[...ports].join(', ')}`;
