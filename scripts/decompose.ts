// From the average load of each port back to micro-operations with sets of ports.

/**
 * LLVM spreads a micro-operation evenly over the ports it may take: 0.25 each on 0, 1, 5 and 6 is one that may take any of
 * these; 0.75, 0.25, 0.25, 0.75 is one of these and one on 0 or 6. `sets` are the sets that occur alone; the answer has the
 * fewest different ones. Undefined where no sum of these sets is the load.
 */
export function decompose(
  load: ReadonlyMap<string, number>,
  sets: readonly string[],
): ReadonlyMap<string, number> | undefined {
  const ports = [...load.keys()];
  const usable = sets.filter((set) => [...set].every((port) => load.has(port)));
  let steps = 0;
  const search = (
    left: ReadonlyMap<string, number>,
    from: number,
    kinds: number,
  ): ReadonlyMap<string, number> | undefined => {
    if (steps++ > 20_000) return undefined;
    if (ports.every((port) => Math.abs(left.get(port) ?? 0) < 1e-3)) return new Map();
    if (kinds === 0 || from === usable.length) return undefined;
    const set = usable[from];
    const most = Math.floor(Math.min(...[...set].map((port) => left.get(port)!)) * set.length + 1e-3);
    for (let count = most; count >= 0; count--) {
      const rest = new Map(left);
      for (const port of set) rest.set(port, rest.get(port)! - count / set.length);
      const found = search(rest, from + 1, count > 0 ? kinds - 1 : kinds);
      if (found !== undefined) return count > 0 ? new Map([[set, count], ...found]) : found;
    }
    return undefined;
  };
  for (let kinds = 1; kinds <= 6; kinds++) {
    const found = search(load, 0, kinds);
    if (found !== undefined) return found;
  }
  return undefined;
}
